import { textOf } from '../../src/imports/ledger/outcomes.ts';
import type { TestStore } from './store.ts';

export interface Ledger {
  /** SHA-256 of each line, hexadecimal and concatenated. */
  readonly digests: string;
  readonly outcomes: readonly string[];
}

/** What a job has stored of each line, however it was cut into chunks. @throws Error if lines are missing between two chunks */
export async function ledgerOf({ sql }: Pick<TestStore, 'sql'>, job: string): Promise<Ledger> {
  const rows = await sql<{ before: number; digests: string; outcomes: string }>(
    `select lines_before::int as before, encode(digests, 'hex') as digests, encode(outcomes, 'hex') as outcomes
     from import_ledger where job_id = $1 order by lines_before`,
    [job],
  );
  let outcomes = '';
  for (const row of rows) {
    if (row.before * 2 !== outcomes.length)
      throw new Error(`the lines before ${row.before} are not all there`);
    outcomes += row.outcomes;
  }
  return {
    digests: rows.map(({ digests }) => digests).join(''),
    outcomes: Array.from(Buffer.from(outcomes, 'hex'), textOf),
  };
}
