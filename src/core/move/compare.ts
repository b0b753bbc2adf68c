import type { Database } from '../../database/database.ts';
import { tablesOfApps } from './replication.ts';

interface Sum {
  readonly rows: number;
  /** Does not depend on the order of the rows. */
  readonly digest: string;
}

/** Rows of an app in each table. */
export type Sums = ReadonlyMap<string, Sum>;

/** A large app takes a while: about a second for a million rows. */
const timeoutMs = 600_000;

export async function sumsOf(database: Database, appNo: number): Promise<Sums> {
  const sums = new Map<string, Sum>();
  for (const table of await tablesOfApps(database)) {
    const [sum] = await database.transaction(
      (query) =>
        query<Sum>(
          `select count(*) as rows, coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text as digest
           from ${table} t where t.app_no = $1`,
          [appNo],
        ),
      { statementTimeoutMs: timeoutMs },
    );
    if (sum !== undefined) sums.set(table, sum);
  }
  return sums;
}

/** Tables that differ, with the numbers of rows. */
export function differences(source: Sums, target: Sums): readonly string[] {
  return [...new Set([...source.keys(), ...target.keys()])].flatMap((table) => {
    const [one, other] = [source.get(table), target.get(table)];
    if (one?.rows === other?.rows && one?.digest === other?.digest) return [];
    return [`${table} (${one?.rows ?? 0} rows, ${other?.rows ?? 0} there)`];
  });
}
