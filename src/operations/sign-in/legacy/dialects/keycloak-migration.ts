/** The REST endpoint that Keycloak's user migration plugin calls: a look-up, then a check. */
import type { LegacySource } from '../../../../domain/model.ts';
import type { Dialect, LegacyPerson } from '../dialect.ts';
import { right, unexpected, wrong } from '../dialect.ts';
import { flagIn, type Json, jsonOf, present, some, textIn, textsIn } from '../json.ts';
import { basicAuth, postJson, under } from './requests.ts';

/** What says no to a password. Others are of the endpoint, not of the password. */
const refusing = new Set([400, 401, 403, 404, 422]);

export const keycloakMigration: Dialect = async (send, { url, options }, { email, password }) => {
  const headers = authorization(options);
  const found = await send({ method: 'GET', url: under(url, encodeURIComponent(email)), headers });
  if (found.status === 404) return wrong;
  if (found.status !== 200) throw unexpected(found);
  const user = jsonOf(found);
  if (flagIn(user, 'enabled') === false) return wrong;
  const answer = await send(
    postJson(under(url, encodeURIComponent(checkedBy(user, options) ?? email)), { password }, headers),
  );
  if (answer.status === 200) return right(personOf(user));
  if (refusing.has(answer.status)) return wrong;
  throw unexpected(answer);
};

/** The plugin checks by the user name, and by the id where it is set up so. */
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
