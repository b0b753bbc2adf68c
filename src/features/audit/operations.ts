import type { FeatureParts } from '../feature.ts';
import { type AuditOperations as ListOperations, auditOperations } from './list.ts';
import { removeOldAudit } from './purge.ts';

export interface AuditOperations extends ListOperations {
  /** Removes entries that are older than the setting allows. @returns their number */
  removeOld(): Promise<number>;
}

/** The log is in the first place; the heart writes it, because every request may. */
export function openAudit({ context, databases, config }: FeatureParts): AuditOperations {
  const { auditRetentionMs } = config;
  const [first] = databases;
  return {
    ...auditOperations(context.stores),
    removeOld: async () =>
      first === undefined || auditRetentionMs === undefined
        ? 0
        : removeOldAudit(first, context.now() - auditRetentionMs),
  };
}
