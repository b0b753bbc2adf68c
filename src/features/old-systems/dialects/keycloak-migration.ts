/** The REST endpoint that Keycloak's user migration plugin calls: a look-up, then a check. */
import { randomUUID } from 'node:crypto';
import type { LegacySource } from '../../../domain/model.ts';
import type { WireAnswer } from '../../../operations/ports/outgoing.ts';
import type { Dialect, LegacyPerson, LegacyVerdict } from '../dialect.ts';
import { right, unexpected, wrong } from '../dialect.ts';
import { flagIn, type Json, jsonOf, present, some, textIn, textsIn } from '../json.ts';
import { basicAuth, postJson, under } from './requests.ts';

/** Statuses for a wrong password. Others concern the endpoint, not the password. */
const refusing = new Set([400, 401, 403, 404, 422]);

export const keycloakMigration: Dialect = async (send, { url, options }, { email, password }) => {
  const headers = authorization(options);
  const found = await send({ method: 'GET', url: under(url, encodeURIComponent(email)), headers });
  const check = (user: string, guess: string) =>
    send(postJson(under(url, encodeURIComponent(user)), { password: guess }, headers));
  if (found.status === 404) return pretend(check);
  if (found.status !== 200) throw unexpected(found);
  const user = jsonOf(found);
  const answer = await check(checkedBy(user, options) ?? email, password);
  if (flagIn(user, 'enabled') === false) return wrong;
  if (answer.status === 200) return right(personOf(user));
  if (refusing.has(answer.status)) return wrong;
  throw unexpected(answer);
};

/**
 * Another check, so that the number of requests does not show which emails are unknown there. Its answer is ignored, unless the
 * endpoint refuses all checks.
 */
async function pretend(check: (user: string, guess: string) => Promise<WireAnswer>): Promise<LegacyVerdict> {
  const answer = await check(randomUUID(), randomUUID());
  if (answer.status === 429 || answer.status === 503) throw unexpected(answer);
  return wrong;
}

/** The plugin checks by the user name, or by the id if it is configured so. */
function checkedBy(user: Json, { check_by: by }: LegacySource['options']): string | undefined {
  const [id, name] = [textIn(user, 'id'), textIn(user, 'username')];
  return by === 'username' ? (name ?? id) : (id ?? name);
}

function authorization({
  token,
  username,
  password,
}: LegacySource['options']): Readonly<Record<string, string>> {
  if (token !== undefined) return { authorization: `Bearer ${token}` };
  return username !== undefined && password !== undefined ? basicAuth(username, password) : {};
}

function personOf(user: Json): LegacyPerson {
  return present({
    id: textIn(user, 'id'),
    email: textIn(user, 'email'),
    isVerified: flagIn(user, 'emailVerified'),
    metadata: some(user, 'username', 'firstName', 'lastName', 'attributes'),
    roles: textsIn(user, 'roles'),
    requiredActions: textsIn(user, 'requiredActions'),
  });
}
