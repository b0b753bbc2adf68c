import type { Database } from '../../../database/database.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { Batches } from '../../../store/batch/batches.ts';
import type { SessionRef, SessionsOfUser, SessionStore } from '../model.ts';
import { changeSession, findSession, promoteSession } from './by-id.ts';
import { createSession } from './create.ts';
import { listOfUser, noteSignOut, removeOfUser, removeSessions } from './of-user.ts';

export function sessionStore(batches: Batches, database: Database): SessionStore {
  const { read, write } = database;
  const find = batches.add(findSession);
  const parametersOf = ({ appNo, userId, ofLinkedAccounts, tenantNo }: SessionsOfUser) =>
    [appNo, userId, ofLinkedAccounts, tenantNo ?? null] as const;
  return {
    create: batches.add(createSession),
    find: async (appNo, id) => (await find({ appNo, id })) ?? undefined,
    promote: batches.add(promoteSession),
    change: batches.add(changeSession),
    list: (which, now) => read<SessionRef>(listOfUser, [...parametersOf(which), now]),
    removeOfUser: (which) =>
      database.transaction(async (query) => {
        const [appNo, userId, ofLinkedAccounts, tenantNo] = parametersOf(which);
        await query(noteSignOut, [appNo, userId, ofLinkedAccounts]);
        return query<SessionRef>(removeOfUser, [appNo, userId, ofLinkedAccounts, tenantNo]);
      }),
    remove: async (appNo, sessions) =>
      sessions.length === 0
        ? []
        : write<SessionRef>(removeSessions, [
            appNo,
            plainArray(sessions, ({ id }) => id),
            textArray(sessions, ({ tenantId }) => tenantId),
          ]),
  };
}
