import type { PasswordReset, ResetStore } from '../../operations/ports/ports.ts';
import type { Database, Query } from '../../database/database.ts';
import { consumeToken, type Consumed, maxMissed } from '../tokens/resets.ts';
import { applyChange } from './change-user.ts';

/** recipe 1: only such a login method has a password. */
const findPasswordMethod = 'select user_id from user_of($1, $2) where recipe = 1';

type Done = 'missed' | { readonly userId: string | undefined };

/** Consumes a token and sets the password, both or neither. */
export function passwordReset(database: Database): ResetStore['resetPassword'] {
  return async (reset) => {
    let done: Done = 'missed';
    for (let attempt = 0; done === 'missed' && attempt < maxMissed; attempt++)
      done = await database.transaction((query) => resetOnce(query, reset));
    return done === 'missed' ? undefined : done.userId;
  };
}

async function resetOnce(
  query: Query,
  { tenant, tokenHash, now, passwordHash, endsSessions }: PasswordReset,
): Promise<Done> {
  const { appNo, tenantNo } = tenant;
  const [consumed] = await query<Consumed>(consumeToken, [appNo, tenantNo, tokenHash, now]);
  if (consumed === undefined) return { userId: undefined };
  if (consumed.missed) return 'missed';
  const [method] = await query<{ user_id: string }>(findPasswordMethod, [appNo, consumed.userId]);
  if (method === undefined) return { userId: undefined };
  const change = { appNo, userId: method.user_id, passwordHash, endsSessions };
  const isChanged = (await applyChange(query, change)) === 'changed';
  return { userId: isChanged ? consumed.userId : undefined };
}
