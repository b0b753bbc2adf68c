import type { Tenant } from '../../domain/model.ts';
import type { DetailsStore, Metadata } from '../../operations/ports/ports.ts';
import type { MetadataStore } from './model.ts';
import type { RoleInputs } from './schema.ts';

export interface MetadataContext {
  readonly metadata: MetadataStore;
  readonly details: Pick<DetailsStore, 'metadata'>;
}

interface Answer {
  readonly status: 'OK';
  readonly metadata: Metadata;
}

/** Data that applications store for users, and for ids without a user. */
export interface MetadataOperations {
  /** Empty for a user without metadata, and for an unknown one. */
  get(tenant: Tenant, query: RoleInputs['metadata']): Promise<Answer>;
  /** Merges at the top level only: null removes a key, anything else replaces its value. */
  put(tenant: Tenant, input: RoleInputs['putMetadata']): Promise<Answer>;
  remove(tenant: Tenant, input: RoleInputs['removeMetadata']): Promise<{ status: 'OK' }>;
}

export function metadataOperations({ metadata, details }: MetadataContext): MetadataOperations {
  return {
    get: async ({ appNo }, { userId }) => ({ status: 'OK', metadata: await details.metadata(appNo, userId) }),
    put: async ({ appNo }, { userId, metadataUpdate }) => {
      const all = Object.entries(metadataUpdate);
      // Defined, not assigned: `__proto__` is a key like any other.
      const set = Object.fromEntries(all.filter(([, value]) => value !== null));
      const removed = all.filter(([, value]) => value === null).map(([key]) => key);
      return { status: 'OK', metadata: await metadata.merge({ appNo, userId, set, removed }) };
    },
    remove: async ({ appNo }, { userId }) => {
      await metadata.remove(appNo, userId);
      return { status: 'OK' };
    },
  };
}
