/** Keycloak's token endpoint by direct access grants, and its userinfo. */
import type { Dialect, LegacyPerson } from '../dialect.ts';
import { right, unexpected, wrong } from '../dialect.ts';
import { type Json, jsonOf, objectIn, textsIn } from '../json.ts';
import { errorOf, form, personOf, userInfo } from '../openid.ts';
import { under } from './requests.ts';

/**
 * `invalid_grant` is a wrong password, a missing code, or an account that is disabled or not set up: 400, by older versions 401
 * for the first two. Only the description distinguishes them, and a custom flow may return it before it checks the password. So
 * all of them count as wrong.
 */
export const keycloak: Dialect = async (send, { url, options }, { email, password }) => {
  const endpoint = under(url, 'protocol/openid-connect');
  const answer = await send(
    form(`${endpoint}/token`, {
      grant_type: 'password',
      client_id: options.client_id,
      client_secret: options.client_secret,
      scope: 'openid profile email',
      username: email,
      password,
    }),
  );
  if (answer.status === 200)
    return right(withRoles(await userInfo(send, `${endpoint}/userinfo`, jsonOf(answer))));
  if ((answer.status === 401 || answer.status === 400) && errorOf(answer) === 'invalid_grant') return wrong;
  throw unexpected(answer);
};

/** If a mapper puts realm roles into the userinfo. */
function withRoles(claims: Json): LegacyPerson {
  const roles = textsIn(objectIn(claims, 'realm_access'), 'roles');
  return { ...personOf(claims), ...(roles && { roles }) };
}
