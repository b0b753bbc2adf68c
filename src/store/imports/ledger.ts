/** The outcome of each line, for jobs that list each: a row a chunk, and a byte a line for the outcomes. */

import { plainArray } from '../../domain/pg-array.ts';
import type { Query } from '../../database/database.ts';
import type { JobRef } from '../../imports/model.ts';
import type { LedgerOfChunk, LineOutcome } from '../../imports/ports.ts';

const keep = `
  insert into import_ledger (app_no, job_id, lines_before, digests, outcomes)
  values ($1::int, $2::uuid, $3::bigint, decode($4, 'hex'), decode($5, 'hex'))`;

export async function keepLedger(query: Query, { appNo, id }: JobRef, ledger: LedgerOfChunk): Promise<void> {
  const { linesBefore, digests, outcomes } = ledger;
  await query(keep, [appNo, id, linesBefore, hexOf(digests), hexOf(outcomes)]);
}

function hexOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('hex');
}

/** The chunk of each line, which is the last one that begins before it. */
const find = `
  select l.lines_before as "linesBefore", encode(l.outcomes, 'hex') as outcomes
  from (
    select distinct l.lines_before from unnest($3::bigint[]) s (line)
    cross join lateral (
      select l.lines_before from import_ledger l
      where l.app_no = $1::int and l.job_id = $2::uuid and l.lines_before < s.line
      order by l.lines_before desc limit 1
    ) l
  ) c
  join import_ledger l on l.app_no = $1 and l.job_id = $2 and l.lines_before = c.lines_before
  order by l.lines_before`;

const change = `
  update import_ledger l set outcomes = decode(c.outcomes, 'hex')
  from unnest($3::bigint[], $4::text[]) c (lines_before, outcomes)
  where l.app_no = $1::int and l.job_id = $2::uuid and l.lines_before = c.lines_before`;

/** Of lines that were postponed. */
export async function keepSettled(
  query: Query,
  { appNo, id }: JobRef,
  settled: readonly LineOutcome[],
): Promise<void> {
  const lines = plainArray(settled, ({ line }) => line);
  const rows = await query<{ linesBefore: number; outcomes: string }>(find, [appNo, id, lines]);
  const chunks = rows.map((row) => ({ ...row, outcomes: Buffer.from(row.outcomes, 'hex') }));
  for (const { line, outcome } of settled) {
    const chunk = chunks.findLast(({ linesBefore }) => linesBefore < line);
    if (chunk) chunk.outcomes[line - chunk.linesBefore - 1] = outcome;
  }
  const columns = [
    plainArray(chunks, ({ linesBefore }) => linesBefore),
    plainArray(chunks, ({ outcomes }) => outcomes.toString('hex')),
  ];
  await query(change, [appNo, id, ...columns]);
}
