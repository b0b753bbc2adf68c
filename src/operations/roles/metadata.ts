import type { Tenant } from '../../domain/model.ts';
import type { PutMetadataInput, RemoveMetadataInput, UserIdQuery } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { Metadata } from '../ports/ports.ts';

interface Answer {
  readonly status: 'OK';
  readonly metadata: Metadata;
}

/** What applications keep of users; of ids that are no user's too. */
export interface MetadataOperations {
  /** Empty for a user without metadata, and for an unknown one. */
  get(tenant: Tenant, query: UserIdQuery): Promise<Answer>;
  /** Merges at the top level only: null removes a key, anything else replaces its value. */
  put(tenant: Tenant, input: PutMetadataInput): Promise<Answer>;
  remove(tenant: Tenant, input: RemoveMetadataInput): Promise<{ status: 'OK' }>;
}

export function metadataOperations({ stores: { metadata } }: OperationsContext): MetadataOperations {
  return {
    get: async ({ appNo }, { userId }) => ({ status: 'OK', metadata: await metadata.find(appNo, userId) }),
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
