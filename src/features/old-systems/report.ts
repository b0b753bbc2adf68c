import type { Tenant } from '../../domain/model.ts';
import type { LegacyCount } from './model.ts';
import type { LegacyStore } from './store.ts';

export interface LegacyReportOperations {
  /** Counts the app's users who have not moved yet, by the source that verifies their passwords. */
  report(tenant: Tenant): Promise<LegacyReport>;
}

export interface LegacyReport {
  readonly status: 'OK';
  readonly sources: readonly LegacySourceReport[];
}

/** `closed`: its time is over. `unknown`: records name it, but the app's settings do not; a tenant's own may. */
export interface LegacySourceReport extends Omit<LegacyCount, 'source'> {
  readonly name: string;
  readonly state: 'open' | 'closed' | 'unknown';
  readonly speaks?: string;
  /** ms since the epoch */
  readonly until?: number;
}

function countsOf(count: LegacyCount | undefined): Omit<LegacyCount, 'source'> {
  const { users = 0, within30Days = 0, within90Days = 0, earlier = 0, never = 0 } = count ?? {};
  return { users, within30Days, within90Days, earlier, never };
}

/** @param now ms since the epoch */
export function legacyReportOperations(store: LegacyStore, now: () => number): LegacyReportOperations {
  return {
    async report({ appNo, settings: { legacySources = [] } }) {
      const counts = await store.counts(appNo, now());
      const names = new Set([
        ...counts.map(({ source }) => source),
        ...legacySources.map(({ name }) => name),
      ]);
      const sources = [...names].map((name): LegacySourceReport => {
        const counted = countsOf(counts.find(({ source }) => source === name));
        const known = legacySources.find((each) => each.name === name);
        if (known === undefined) return { name, state: 'unknown', ...counted };
        const { speaks, until } = known;
        return { name, state: until > now() ? 'open' : 'closed', speaks, until, ...counted };
      });
      return { status: 'OK', sources };
    },
  };
}
