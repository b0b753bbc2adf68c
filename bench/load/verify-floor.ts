import type { Tenant } from '../../src/domain/model.ts';
import { hashToken, newToken } from '../../src/operations/tokens.ts';
import { Batches } from '../../src/store/batch/batches.ts';
import { verificationStore } from '../../src/store/tokens/verification.ts';
import type { Cluster } from './cluster.ts';
import { emailOf, externalIdOf } from './people.ts';

/** What the core uses, too: see src/core/core.ts. */
const floorBatch = 512;
const tenant = { appNo: 0, tenantNo: 0 } as Tenant;
const dayMs = 86_400_000;

/**
 * The floor: full batches of tokens and then of their redemptions, one after the other, on one connection.
 * @returns pairs of both a second
 */
export async function bareVerification(
  { database }: Cluster,
  { from, people }: { readonly from: number; readonly people: number },
): Promise<number> {
  const verification = verificationStore(
    new Batches({
      imports: database,
      live: database,
      importLanes: 1,
      importLaneAt: 1,
      liveLanes: 1,
      maxBatch: floorBatch,
      maxBacklog: floorBatch,
      observe: () => undefined,
    }),
    database,
  );
  const tokens = Array.from({ length: people }, (_, n) => ({
    tenant,
    pair: { userId: externalIdOf(from + n), email: emailOf(from + n) },
    tokenHash: hashToken(newToken(tenant.appNo)),
    expiresAt: Date.now() + dayMs,
  }));
  const startedAt = performance.now();
  for (let first = 0; first < people; first += floorBatch) {
    const batch = tokens.slice(first, first + floorBatch);
    await Promise.all(batch.map((token) => verification.createToken(token)));
    const now = Date.now();
    const redeemed = await Promise.all(
      batch.map(({ tokenHash }) => verification.redeemToken({ tenant, tokenHash, now })),
    );
    if (!redeemed.every((pair) => pair)) throw new Error('a token was not redeemed');
  }
  return people / ((performance.now() - startedAt) / 1000);
}
