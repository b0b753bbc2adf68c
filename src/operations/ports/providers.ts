import type { Tenant } from '../../domain/model.ts';

/** A provider of a tenant as stored. */
export interface SealedProvider {
  /** As the SDK names it: `google`, `apple-web`. */
  readonly id: string;
  /** Sealed configuration, base64; see Sealer. */
  readonly sealed: string;
}

export interface ProviderStore {
  /** An existing one keeps its position. @returns undefined if the tenant does not exist */
  put(tenant: Tenant, provider: SealedProvider): Promise<{ created: boolean } | undefined>;
  remove(tenant: Tenant, id: string): Promise<boolean>;
}
