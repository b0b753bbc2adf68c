/** Whether the records of an export have the given field for roles. */

import { fieldsLikeRoles, valueAt } from './roles.ts';
import { sourceRecords } from '../source-records.ts';
import type { ConvertSource } from '../source.ts';

/** This number of users without a single role is unlikely if roles exist. */
const recordsSought = 1000;

export interface SoughtRoles {
  readonly isFound: boolean;
  /** Records that were examined. */
  readonly records: number;
  /** Fields whose names look like those of roles, the most frequent first. */
  readonly similar: readonly string[];
}

/** Looks for a field among the first records. @throws ExportFault as converting does */
export async function findRoles(
  source: ConvertSource,
  path: string,
  signal: AbortSignal,
): Promise<SoughtRoles> {
  const similar = new Map<string, number>();
  let records = 0;
  for await (const { read } of sourceRecords(source, signal)) {
    const row = read();
    if (row === undefined) continue;
    records += 1;
    if (valueAt(row, path) !== undefined) return sought(true, records, similar);
    for (const field of fieldsLikeRoles(row)) similar.set(field, (similar.get(field) ?? 0) + 1);
    if (records >= recordsSought) break;
  }
  return sought(false, records, similar);
}

function sought(isFound: boolean, records: number, similar: ReadonlyMap<string, number>): SoughtRoles {
  const byCount = [...similar].sort(([, one], [, other]) => other - one);
  return { isFound, records, similar: byCount.map(([field]) => field) };
}
