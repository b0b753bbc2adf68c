/** The worker of imports, which reports how much of its last parsed lines, and of their rows, is still in its thread's memory. */
import { Piscina } from 'piscina';
import type { ParsedChunk } from '../../src/imports/parse/types.ts';
import type { RowsTask } from '../../src/imports/tasks.ts';
import run from '../../workers/rows.ts';

let lines: Uint8Array | undefined;
let last: ParsedChunk | undefined;

export default function runAndRemember(task: RowsTask): unknown {
  if (task.type !== 'parse')
    return [lines?.length, last && 'identities' in last.rows && last.rows.users.length];
  lines = task.bytes;
  const returned = run(task) as unknown as { readonly [Piscina.valueSymbol]: ParsedChunk };
  last = returned[Piscina.valueSymbol];
  return returned;
}
