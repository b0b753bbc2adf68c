/** The worker of imports, which tells how much of the rows that it returned last is left in its thread. */
import { Piscina } from 'piscina';
import type { ParsedChunk } from '../../src/imports/parse/types.ts';
import type { RowsTask } from '../../src/imports/tasks.ts';
import run from '../../workers/rows.ts';

let last: ParsedChunk | undefined;

export default function runAndRemember(task: RowsTask): unknown {
  if (task.type !== 'parse') return last && 'identities' in last.rows && last.rows.users.length;
  const returned = run(task) as unknown as { readonly [Piscina.valueSymbol]: ParsedChunk };
  last = returned[Piscina.valueSymbol];
  return returned;
}
