import '../src/process/node-20.ts';
import { runConvertTask } from '../src/exports/convert/run-task.ts';
import { freeMemory } from '../src/process/free-memory.ts';
import { handingOver } from './hand-over.ts';
import type { ConvertResult, ConvertTask } from '../src/exports/tasks.ts';

/** One task of a conversion. Parses, and reads and writes temporary files of a join: it blocks. */
export default function runTask(task: ConvertTask): ConvertResult<ConvertTask> {
  const result = runConvertTask(task);
  if ('undecided' in result) {
    // The records return to be converted again.
    const { undecided } = result;
    return undecided === undefined ? result : handingOver(result, [undecided.bytes.buffer as ArrayBuffer]);
  }
  if (task.type === 'convert' || task.type === 'dates') freeMemory(task.records.bytes.buffer);
  return 'text' in result ? handingOver(result, [result.text.buffer as ArrayBuffer]) : result;
}
