import type { Tenant } from '../../domain/model.ts';

/** A provider of a tenant as it is kept. */
export interface SealedProvider {
  /** As the SDK calls it: `google`, `apple-web`. */
  readonly id: string;
  /** Its configuration, sealed: see Sealer. Base64. */
  readonly sealed: string;
}

export interface ProviderStore {
  /** Keeps the place of one that is there. @returns undefined when the tenant is gone */
  put(tenant: Tenant, provider: SealedProvider): Promise<{ created: boolean } | undefined>;
  remove(tenant: Tenant, id: string): Promise<boolean>;
}
