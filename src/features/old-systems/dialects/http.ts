/** A custom endpoint: a signed request, answered with a native record. */
import { createHmac } from 'node:crypto';
import { spellEmail } from '../../../domain/email.ts';
import type { Dialect, LegacyPerson } from '../dialect.ts';
import { right, unexpected, wrong } from '../dialect.ts';
import { isObject, type Json, jsonOf, present, textIn, textsIn } from '../json.ts';

/** The signature covers the time in seconds, a full stop and the body: an old request is useless to an eavesdropper. */
export const http: Dialect = async (send, { url, options }, { email, password, tenantId, now }) => {
  const body = JSON.stringify({ email, password, tenantId });
  const time = Math.floor(now / 1000).toString();
  const signature = createHmac('sha256', options.hmac_secret ?? '')
    .update(`${time}.${body}`)
    .digest('hex');
  const headers = {
    'content-type': 'application/json',
    'carryover-time': time,
    'carryover-signature': `sha256=${signature}`,
  };
  const answer = await send({ url, headers, body });
  if (answer.status === 403 || answer.status === 404) return wrong;
  if (answer.status !== 200) throw unexpected(answer);
  return right(personOf(jsonOf(answer), email));
};

/** Of several login methods the one in question. */
function personOf(record: Json, asked: string): LegacyPerson {
  const methods = Array.isArray(record.loginMethods) ? record.loginMethods.filter(isObject) : [];
  const passwords = methods.filter((each) => each.recipeId === 'emailpassword');
  const own =
    passwords.find((each) => spellEmail(textIn(each, 'email') ?? '') === asked) ??
    passwords[0] ??
    methods[0] ??
    {};
  const roles = Array.isArray(record.userRoles) ? record.userRoles.filter(isObject) : [];
  return present({
    id: textIn(record, 'externalUserId'),
    email: textIn(own, 'email'),
    isVerified: typeof own.isVerified === 'boolean' ? own.isVerified : undefined,
    metadata: isObject(record.userMetadata) ? record.userMetadata : undefined,
    roles: textsIn({ roles: roles.map((each) => each.role) }, 'roles'),
  });
}
