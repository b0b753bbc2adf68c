import type { Tenant } from '../../src/domain/model.ts';
import type { NewPasswordUser } from '../../src/operations/ports/ports.ts';
import { Batcher } from '../../src/store/batch/batcher.ts';
import { putPasswordUser } from '../../src/store/users/password-users.ts';
import { bcryptHash } from './samples.ts';
import type { Operation } from './operation.ts';

const fullBatch = 512;

/** Group commit without the database: from submitting items to their outcomes, and the columns of a batch. */
export function storeOperations(): Operation[] {
  const batcher = new Batcher<number, number>({
    name: 'bench',
    lanes: 1,
    maxBatch: fullBatch,
    maxBacklog: 2 * fullBatch,
    keyOf: String,
    execute: (items) => Promise.resolve(items),
  });
  const users = Array.from({ length: fullBatch }, (_, n) => newUser(n));
  const perItem = { unit: 'item', count: fullBatch };
  return [
    { name: 'store/batcher, one item', run: (n) => batcher.submit(n) },
    {
      name: `store/batcher, ${fullBatch} items`,
      per: perItem,
      run: () => Promise.all(Array.from({ length: fullBatch }, (_, n) => batcher.submit(n))),
    },
    {
      name: `store/columns of ${fullBatch} users`,
      per: perItem,
      run: () => putPasswordUser.parameters(users),
    },
  ];
}

function newUser(n: number): NewPasswordUser {
  return {
    tenant: { appNo: 0, tenantNo: 0 } as Tenant,
    email: `user-${n}@example.com`,
    passwordHash: bcryptHash,
    userId: `018cc251-f400-7000-8000-${String(n).padStart(12, '0')}`,
    timeJoined: 1_704_067_200_000,
    replace: true,
  };
}
