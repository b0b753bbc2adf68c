import { sourceOfKind } from '../../domain/legacy-mark.ts';
import type { CoreClient } from './core-client.ts';
import type { JobView } from './views.ts';

/** Users who have not moved yet, by the old system that verifies their passwords. */
export interface LegacyReportView {
  readonly sources: readonly {
    readonly name: string;
    readonly state: 'open' | 'closed' | 'unknown';
    readonly speaks?: string;
    /** ms since the epoch */
    readonly until?: number;
    readonly users: number;
    readonly within30Days: number;
    readonly within90Days: number;
    readonly earlier: number;
    readonly never: number;
  }[];
}

/** The core's report on its old systems. @throws CoreRefusal, ConnectionBroken */
export function legacyReport(client: CoreClient, signal: AbortSignal): Promise<LegacyReportView> {
  return client.call<LegacyReportView>({ method: 'GET', path: '/recipe/user/legacy/report', signal });
}

/**
 * Old systems that an import names and the core does not ask: no user signs in by them. Empty if the core refuses the report,
 * since a key that may only import is enough for an import.
 */
export async function unaskedSources(
  client: CoreClient,
  { byKind }: Pick<JobView, 'byKind'>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const named = Object.keys(byKind).flatMap((kind) => sourceOfKind(kind) ?? []);
  if (named.length === 0) return [];
  const report = await legacyReport(client, signal).catch(() => undefined);
  if (report === undefined) return [];
  const asked = new Set(report.sources.flatMap(({ name, state }) => (state === 'open' ? [name] : [])));
  return named.filter((name) => !asked.has(name));
}
