/** The worker of imports, whose threads die: the environment data state after how many tasks of a type. */
import { getEnvironmentData } from 'node:worker_threads';
import type { RowsTask } from '../../src/imports/tasks.ts';
import run from '../../workers/rows.ts';

export const fateName = 'carryover-test-fate';

/** Cell 0: the number of tasks before a thread dies, once. */
export interface Fate {
  readonly type: RowsTask['type'];
  readonly cells: SharedArrayBuffer;
}

export default function runOrDie(task: RowsTask): unknown {
  const { type, cells } = getEnvironmentData(fateName) as unknown as Fate;
  if (task.type === type && Atomics.sub(new Int32Array(cells), 0, 1) === 0) process.exit(7);
  return run(task);
}
