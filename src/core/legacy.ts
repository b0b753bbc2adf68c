import type { Outgoing } from '../http/outgoing/exchange.ts';
import type { Imports } from '../imports/imports.ts';
import type { LegacyAccess } from '../operations/ports/legacy.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics/metrics.ts';

/** What the door to old systems asks with, and where it keeps what they say. */
export function legacyAccess(
  log: Logger,
  metrics: Metrics,
  imports: Pick<Imports, 'importRecords'>,
  { exchange, inDirectory }: Outgoing,
): LegacyAccess {
  return {
    exchange,
    inDirectory,
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
