import type { FeatureParts } from '../feature.ts';
import type { LegacyMetrics } from './metrics.ts';
import type { LegacyAccess } from './model.ts';

type Parts = Pick<FeatureParts, 'log' | 'outgoing' | 'imports'>;

/** The requests to old systems, and the import of their answers. */
export function legacyAccess({ log, outgoing, imports }: Parts, metrics: LegacyMetrics): LegacyAccess {
  return {
    exchange: outgoing.exchange,
    inDirectory: outgoing.inDirectory,
    importRecord: async (tenant, record) => {
      const [reject] = await imports.importRecords(tenant, [JSON.stringify(record)]);
      return reject;
    },
    onAsked: (source, outcome, seconds) => {
      metrics.legacyAsked(source, outcome, seconds);
    },
    onWaiting: (source, change) => {
      metrics.legacyWaiting(source, change);
    },
    onTrouble: (source, what, reason) => {
      log.warn({ source, reason }, what);
    },
  };
}
