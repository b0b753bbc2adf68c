/**
 * A worker of imports controlled by its first record: `exit` ends its thread, `throw` throws; otherwise it answers with the
 * records.
 */
import type { RowsTask } from '../../src/imports/tasks.ts';

export default function run(task: RowsTask): unknown {
  if (task.type !== 'passwords') return undefined;
  const text = task.records[0]?.text;
  if (text === 'exit') process.exit(7);
  if (text === 'throw') throw new Error('worker threw');
  return task.records;
}
