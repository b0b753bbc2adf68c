/** The worker of imports, and the niceness of its own thread afterwards, and what its heap may have for what is new. */
import { getPriority } from 'node:os';
import { resourceLimits } from 'node:worker_threads';
import run from '../../workers/rows.ts';
import type { RowsTask } from '../../src/imports/tasks.ts';

export default function runAndTell(task: RowsTask): unknown {
  run(task);
  return { niceness: getPriority(), youngHeapMb: resourceLimits.maxYoungGenerationSizeMb };
}
