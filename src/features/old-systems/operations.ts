import type { OldSystems } from '../../operations/ports/old-systems.ts';
import type { FeatureParts } from '../feature.ts';
import { legacyAccess } from './access.ts';
import { dialectOf } from './dialects/index.ts';
import { LegacyDoor } from './door.ts';
import { type UserLookup, userLookup } from './hooks.ts';
import { legacyMetrics } from './metrics.ts';
import { legacyReportOperations, type LegacyReportOperations } from './report.ts';
import { countMarked, legacyStore } from './store.ts';

export interface OldSystemOperations extends LegacyReportOperations, UserLookup {
  readonly door: OldSystems;
}

export function openOldSystems(parts: FeatureParts): OldSystemOperations {
  const { context, databases, openStores } = parts;
  const metrics = legacyMetrics(parts.metrics.registry);
  metrics.watchLegacyUsers(() => countMarked(databases));
  const store = openStores(({ live }) => legacyStore(live));
  return {
    ...legacyReportOperations(store, context.now),
    ...userLookup(context.stores),
    door: new LegacyDoor({ context, access: legacyAccess(parts, metrics), dialects: dialectOf }),
  };
}
