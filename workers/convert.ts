import '../src/process/node-20.ts';
import { runConvertTask } from '../src/exports/convert/run-task.ts';
import type { ConvertResult, ConvertTask } from '../src/exports/tasks.ts';

/** One task of a conversion. It parses, and reads and writes the temporary files of a join: it blocks. */
export default function runTask(task: ConvertTask): ConvertResult<ConvertTask> {
  return runConvertTask(task);
}
