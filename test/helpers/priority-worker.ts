/** The worker of imports, and the niceness of its own thread afterwards. */
import { getPriority } from 'node:os';
import run from '../../workers/rows.ts';
import type { RowsTask } from '../../src/imports/tasks.ts';

export default function runAndTell(task: RowsTask): unknown {
  run(task);
  return { niceness: getPriority() };
}
