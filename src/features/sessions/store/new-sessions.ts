/** SQL and parameters of statements that insert sessions. */

import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { SessionRow } from '../model.ts';

/** The parameters of `arraysOf`, which come first. */
export const newSessionArrays =
  '$1::int[], $2::int[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::bigint[], $8::bool[], $9::text[], $10::text[]';

/** The columns of these arrays. @param user the name of the fourth */
export function newSessionColumns(user: string): string {
  return `app_no, tenant_no, handle, ${user}, refresh_hash, expires_at, created_at, static_key, jwt_payload, session_data`;
}

/** The parameters: an array for each column. */
export function arraysOf<Session extends SessionRow>(
  sessions: readonly Session[],
  userOf: (session: Session) => string,
): string[] {
  return [
    plainArray(sessions, ({ tenant }) => tenant.appNo),
    plainArray(sessions, ({ tenant }) => tenant.tenantNo),
    plainArray(sessions, ({ id }) => id),
    textArray(sessions, userOf),
    plainArray(sessions, ({ refreshHash }) => refreshHash),
    plainArray(sessions, ({ expiresAt }) => expiresAt),
    plainArray(sessions, ({ createdAt }) => createdAt),
    plainArray(sessions, ({ usesStaticKey }) => (usesStaticKey ? 't' : 'f')),
    textArray(sessions, ({ jwtPayload }) => jwtPayload),
    textArray(sessions, ({ data }) => data),
  ];
}

/** Inserts rows that have these columns. @param userKey as SQL, the text by which the session's user is found */
export function insertSessions(alias: string, userKey: string): string {
  const own = (names: string): string =>
    names
      .split(', ')
      .map((name) => `${alias}.${name}`)
      .join(', ');
  return `
      insert into sessions (${newSessionColumns('user_key')})
      select ${own('app_no, tenant_no, handle')}, ${userKey}, decode(${alias}.refresh_hash, 'hex'),
        ${own('expires_at, created_at, static_key, jwt_payload, session_data')}`;
}
