import type { Tenant } from '../../domain/model.ts';

export type Metadata = Readonly<Record<string, unknown>>;

/** Details of users in addition to login methods. Ids are any texts of callers; they may be unknown. */
export interface DetailsStore {
  /** Empty without metadata. */
  metadata(appNo: number, userId: string): Promise<Metadata>;
  /** The user's roles in the tenant, by name. */
  roles(tenant: Tenant, userId: string): Promise<readonly string[]>;
}
