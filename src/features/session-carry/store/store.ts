import type { Database } from '../../../database/database.ts';
import { plainArray, textArray } from '../../../domain/pg-array.ts';
import type { Batches } from '../../../store/batch/batches.ts';
import type { CarryStore } from '../model.ts';
import { carry } from './carry.ts';
import { findOpaque, keepOpaque } from './opaque.ts';

export function carryStore(batches: Batches, { write }: Pick<Database, 'write'>): CarryStore {
  const find = batches.add(findOpaque);
  return {
    carry: batches.add(carry),
    findOpaque: async (sought) => (await find(sought)) ?? undefined,
    keepOpaque: async ({ tenant, source, importedAt, tokens }) => {
      await write(keepOpaque, [
        tenant.appNo,
        tenant.tenantNo,
        source,
        importedAt,
        plainArray(tokens, ({ digest }) => digest),
        textArray(tokens, ({ userId }) => userId),
        plainArray(tokens, ({ expiresAt }) => expiresAt),
        plainArray(tokens, ({ issuedAt }) => issuedAt),
      ]);
    },
  };
}
