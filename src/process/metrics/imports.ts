/** Metrics of imports, and of the hashes that users sign in with. */
import type { JobOutcome } from '../../domain/jobs/job-fields.ts';
import { Counter, Gauge, type Registry } from 'prom-client';

type RecordCounts = Readonly<Record<JobOutcome, number>>;

export interface ImportState {
  readonly uploads: number;
  /** Tasks of imports, running or waiting for a thread. */
  readonly tasks: number;
}

export interface BulkMetrics {
  /** Committed records, without dry runs. */
  readonly importRecords: (counts: RecordCounts) => void;
  watchImports(read: () => ImportState): void;
  /** @param kind of the hash that a password was checked against */
  passwordVerified(kind: string): void;
}

export function bulkMetrics(registry: Registry): BulkMetrics {
  const registers = [registry];
  const records = new Counter({
    name: 'carryover_import_records_total',
    help: 'Records of bulk imports that were committed, by outcome',
    labelNames: ['outcome'],
    registers,
  });
  const verified = new Counter({
    name: 'carryover_passwords_verified_total',
    help: 'Passwords that were checked against a hash, by its kind',
    labelNames: ['kind'],
    registers,
  });
  let read: (() => ImportState) | undefined;
  const gauge = (field: keyof ImportState, help: string): void => {
    const each: Gauge = new Gauge({
      name: `carryover_import_${field}`,
      help,
      registers,
      collect: () => {
        each.set(read?.()[field] ?? 0);
      },
    });
  };
  gauge('uploads', 'Uploads of bulk imports that run in this core');
  gauge('tasks', 'Tasks of imports that run in a thread or wait for one');
  return {
    importRecords: (counts) => {
      for (const [outcome, count] of Object.entries(counts)) records.inc({ outcome }, count);
    },
    watchImports: (reader) => {
      read = reader;
    },
    passwordVerified: (kind) => {
      verified.inc({ kind });
    },
  };
}
