import { Refusal } from '../domain/errors.ts';
import type { Tenant } from '../domain/model.ts';
import { SealedOtherwise, type Sealer } from '../process/sealer.ts';
import type { Resealed, SealedRow, SealedStore } from './ports/ports.ts';
import { requirePublicApp } from './tenants.ts';
import { factorSeals } from './factors/factor-seals.ts';

export interface ResealOperations {
  /**
   * Seals everything in the database with the first encryption key, so that the others can be removed.
   * @throws Refusal PUBLIC_APP_ONLY; ENCRYPTION_KEY_MISSING without a key, or without the key of something that is sealed
   */
  reseal(tenant: Tenant): Promise<{ status: 'OK' } & Resealed>;
}

/** @param prepare see OperationsContext.beforeReseal */
export function resealOperations(
  sealed: SealedStore,
  sealer: Sealer,
  prepare: () => Promise<unknown>,
): ResealOperations {
  const again = ({ sealed: former, ...place }: SealedRow): Uint8Array =>
    sealer.seal(place, sealer.open(place, former));
  const { opens } = factorSeals(sealer);
  return {
    async reseal(tenant) {
      requirePublicApp(tenant);
      try {
        await prepare();
        return { status: 'OK', ...(await sealed.reseal({ keyId: sealer.firstKeyId, again, opens })) };
      } catch (error) {
        if (!(error instanceof SealedOtherwise)) throw error;
        throw new Refusal('ENCRYPTION_KEY_MISSING', `Nothing was sealed again: ${error.message}`);
      }
    },
  };
}
