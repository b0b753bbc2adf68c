/** The worker of imports, which returns the niceness of its thread. */
import { getPriority } from 'node:os';
import run from '../../workers/rows.ts';
import type { RowsTask } from '../../src/imports/tasks.ts';

export default function runAndTell(task: RowsTask): unknown {
  run(task);
  return { niceness: getPriority() };
}
