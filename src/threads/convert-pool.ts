import type { ConvertResult, ConvertTask } from '../exports/tasks.ts';
import type { ConvertPool } from '../exports/convert/ports.ts';
import { startThreads } from './piscina.ts';
import { ownModule } from '../process/own-module.ts';

export interface ConvertPoolOptions {
  readonly threads: number;
  readonly workerFile?: URL;
}

const convertWorker = ownModule('../../workers/convert', import.meta.url);

/** Waiting tasks for each thread: a conversion queues a few, so that no thread is idle. */
const queuePerThread = 16;

/** With V8's default of 48 a converting thread takes 30 MiB more and is no faster. */
const youngHeapMb = 12;

/** Starts the threads that convert exports. A task whose thread dies rejects; the thread is replaced. */
export function createConvertPool({ threads, workerFile }: ConvertPoolOptions): ConvertPool {
  const workers = startThreads<ConvertTask, ConvertResult<ConvertTask>>({
    file: workerFile ?? convertWorker,
    count: threads,
    maxQueue: threads * queuePerThread,
    youngHeapMb,
  });
  return {
    threads,
    run: <Task extends ConvertTask>(task: Task) =>
      workers.run(task, movedOf(task)) as Promise<ConvertResult<Task>>,
    close: () => workers.close(),
  };
}

/** Only the thread needs the records; a copy would be garbage in both. */
function movedOf(task: ConvertTask): readonly ArrayBuffer[] {
  return task.type === 'convert' || task.type === 'dates' ? [task.records.bytes.buffer as ArrayBuffer] : [];
}
