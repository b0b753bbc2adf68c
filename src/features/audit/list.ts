import type { Tenant } from '../../domain/model.ts';
import type { AuditEntry, AuditStore } from '../../domain/access/act.ts';

export interface AuditInput {
  /** ms since the epoch */
  readonly since?: number;
  readonly who?: string;
  readonly what?: string;
  readonly limit?: number;
  readonly paginationToken?: string;
}

export interface AuditOperations {
  /** Entries of the app, newest first; for the public app, those of all apps. */
  list(
    tenant: Tenant,
    input: AuditInput,
  ): Promise<{
    readonly status: 'OK';
    readonly entries: readonly AuditEntry[];
    readonly nextPaginationToken?: string | undefined;
  }>;
}

const usualLimit = 100;

export function auditOperations({ audit }: { readonly audit: Pick<AuditStore, 'list'> }): AuditOperations {
  return {
    /** One more than the page has, to see whether another follows. */
    async list({ appId }, { since, who, what, limit = usualLimit, paginationToken: before }) {
      const ofApp = appId === 'public' ? undefined : appId;
      const found = await audit.list({ appId: ofApp, since, who, what, before, limit: limit + 1 });
      const entries = found.slice(0, limit);
      return {
        status: 'OK',
        entries,
        nextPaginationToken: found.length > limit ? entries.at(-1)?.id : undefined,
      };
    },
  };
}
