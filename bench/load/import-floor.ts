import { v7 as uuidv7 } from 'uuid';
import type { Tenant } from '../../src/domain/model.ts';
import type { NewPasswordUser } from '../../src/operations/ports/ports.ts';
import { putPasswordUser } from '../../src/store/users/password-users.ts';
import type { Cluster } from './cluster.ts';
import { someHash } from './people.ts';

/** What the core uses, too: see src/core/core.ts. */
const floorBatch = 512;

/** The floor: full batches, one after the other, on one connection. @returns users a second */
export async function bareStatement({ database }: Cluster, amount: number): Promise<number> {
  const batches = Array.from({ length: Math.ceil(amount / floorBatch) }, (_, i) => newUsers(i * floorBatch));
  const startedAt = performance.now();
  for (const users of batches) await database.write(putPasswordUser.text, putPasswordUser.parameters(users));
  return (batches.length * floorBatch) / ((performance.now() - startedAt) / 1000);
}

function newUsers(from: number): NewPasswordUser[] {
  const tenant = { appNo: 0, tenantNo: 0 } as Tenant;
  const timeJoined = Date.now();
  return Array.from({ length: floorBatch }, (_, i) => ({
    tenant,
    email: `floor${from + i}@example.com`,
    passwordHash: someHash,
    userId: uuidv7({ msecs: timeJoined }),
    timeJoined,
    replace: true,
  }));
}
