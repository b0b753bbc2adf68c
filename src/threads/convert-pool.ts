import type { ConvertResult, ConvertTask } from '../exports/tasks.ts';
import type { ConvertPool } from '../exports/convert/ports.ts';
import { startThreads } from './piscina.ts';
import { ownModule } from '../process/own-module.ts';

export interface ConvertPoolOptions {
  /** Worker threads, and so tasks that run at once. */
  readonly threads: number;
  readonly workerFile?: URL;
}

const convertWorker = ownModule('../../workers/convert', import.meta.url);

/** Tasks for each thread that may wait: a conversion keeps a few ahead, so that no thread is ever idle. */
const queuePerThread = 16;

/** Starts the threads that convert exports. A task whose thread dies rejects; the thread is replaced. */
export function createConvertPool({ threads, workerFile }: ConvertPoolOptions): ConvertPool {
  const workers = startThreads<ConvertTask, ConvertResult<ConvertTask>>({
    file: workerFile ?? convertWorker,
    count: threads,
    maxQueue: threads * queuePerThread,
  });
  return {
    threads,
    run: <Task extends ConvertTask>(task: Task) => workers.run(task) as Promise<ConvertResult<Task>>,
    close: () => workers.close(),
  };
}
