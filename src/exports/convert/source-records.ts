import type { SourceRow } from '../providers/provider.ts';
import { readRecord } from './records.ts';
import { openSource, type ConvertSource } from './source.ts';

/** A record of an export. */
export interface SourceRecord {
  /** As conversion counts them, from 1. */
  readonly number: number;
  /** Before its conversion; undefined if it is not a record. */
  readonly read: () => SourceRow | undefined;
}

/**
 * The records of the users' table, in their order. Memory: a batch.
 * @throws ExportFault as convert does
 */
export async function* sourceRecords(
  source: ConvertSource,
  signal: AbortSignal,
): AsyncGenerator<SourceRecord> {
  const end = new AbortController();
  try {
    const { users } = await openSource(source, AbortSignal.any([end.signal, signal]));
    let number = 1;
    for await (const { bytes, ends, oversized, form } of users.batches) {
      let start = 0;
      for (const [place, stop] of ends.entries()) {
        const record = bytes.subarray(start, stop);
        const read = (): SourceRow | undefined =>
          oversized.includes(place) ? undefined : rowOf(record, { ...form, names: undefined });
        yield { number, read };
        number += 1;
        start = stop;
      }
    }
  } finally {
    end.abort();
  }
}

function rowOf(bytes: Uint8Array, form: Parameters<typeof readRecord>[1]): SourceRow | undefined {
  const record = readRecord(bytes, form);
  return record.is === 'row' ? record.row : undefined;
}

/** Whether a user's rows of other tables are in the users' own file: a record alone is then not the complete user. */
export async function isSpread(source: ConvertSource, signal: AbortSignal): Promise<boolean> {
  const end = new AbortController();
  try {
    const { users, related } = await openSource(source, AbortSignal.any([end.signal, signal]));
    return related.some(({ files }) => files[0] === users.files[0]);
  } finally {
    end.abort();
  }
}
