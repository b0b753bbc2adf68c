/** Jobs by state from the database: all cores of a database report the same. */
import { Gauge, type Registry } from 'prom-client';
import type { JobCounts } from '../../domain/jobs/job-counts.ts';
import { cachedRead } from './cached-read.ts';

export interface JobMetrics {
  /** Calls `read` at scrapes, at most every few seconds. */
  watchJobs(read: () => Promise<JobCounts>, readLast: () => Promise<ReadonlyMap<string, number>>): void;
}

const validMs = 5000;
/** This one reads all jobs that ended. */
const lastValidMs = 60_000;

export function jobMetrics(registry: Registry): JobMetrics {
  const registers = [registry];
  let counts: () => Promise<JobCounts | undefined> = () => Promise.resolve(undefined);
  const jobs: Gauge = new Gauge({
    name: 'carryover_import_jobs',
    help: 'Imports of all apps by state, dry runs not counted. All cores of a database say the same: use max, not sum',
    labelNames: ['state'],
    registers,
    collect: async () => {
      const known = await counts();
      if (known === undefined) return;
      for (const [state, count] of Object.entries(known.jobs)) jobs.set({ state }, count);
    },
  });
  let last: () => Promise<ReadonlyMap<string, number> | undefined> = () => Promise.resolve(undefined);
  const finished: Gauge = new Gauge({
    name: 'carryover_import_last_finished_seconds',
    help: 'When the last import of each source ended, in seconds since 1970, dry runs not counted. All cores of a database say the same',
    labelNames: ['source'],
    registers,
    collect: async () => {
      const known = await last();
      if (known === undefined) return;
      finished.reset();
      for (const [source, at] of known) finished.set({ source }, at / 1000);
    },
  });
  const progress = (field: 'bytes' | 'length', name: string, help: string): void => {
    const each: Gauge = new Gauge({
      name,
      help,
      registers,
      collect: async () => {
        const known = await counts();
        if (known !== undefined) each.set(known[field]);
      },
    });
  };
  progress(
    'bytes',
    'carryover_import_committed_bytes',
    'Committed bytes of the imports that receive, where their length is known',
  );
  progress('length', 'carryover_import_expected_bytes', 'Bytes that these imports are to receive in all');
  return {
    watchJobs: (read, readLast) => {
      counts = cachedRead(read, { validMs });
      last = cachedRead(readLast, { validMs: lastValidMs });
    },
  };
}
