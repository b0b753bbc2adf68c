import type { RowsResult, RowsTask } from '../imports/tasks.ts';
import { Refusal } from '../domain/errors.ts';
import { startThreads } from './piscina.ts';
import { ownModule } from '../process/own-module.ts';

export interface RowsPoolOptions {
  /** Worker threads, and so tasks that run at once. */
  readonly threads: number;
  /** Called when a thread died while idle; it has been replaced. */
  readonly onThreadError?: ((error: unknown) => void) | undefined;
  readonly workerFile?: URL;
  /** MiB of each thread's heap, else V8's own limit. A task that needs more is refused with OVERLOADED. */
  readonly heapLimitMb?: number;
}

/** The threads of imports. How many tasks wait is bounded by the chunks under way, which the engine counts by their bytes. */
export interface RowsPool {
  /** Rejects with an ordinary Error when the task's thread dies: the thread is replaced, other tasks go on. */
  run<Task extends RowsTask>(task: Task): Promise<RowsResult<Task>>;
  /** Tasks that run or wait. */
  readonly taskCount: number;
  /** Waits for the tasks that run or wait, then ends the threads. A task that is begun afterwards rejects. */
  close(): Promise<void>;
}

const rowsWorker = ownModule('../../workers/rows', import.meta.url);

/** Tasks that may wait for a thread: far more than chunks fit into an import's memory, so reaching it is a bug. */
const maxQueue = 4096;

/** The threads start with the first task: they take 20 MB each, and many a core never imports a file. */
export function createRowsPool({
  threads,
  onThreadError,
  workerFile,
  heapLimitMb,
}: RowsPoolOptions): RowsPool {
  const start = () =>
    startThreads<RowsTask, RowsResult<RowsTask>>({
      file: workerFile ?? rowsWorker,
      count: threads,
      maxQueue,
      heapLimitMb,
      onThreadError,
    });
  let workers: ReturnType<typeof start> | undefined;
  const running = new Set<Promise<unknown>>();
  let isClosed = false;

  return {
    async run<Task extends RowsTask>(task: Task): Promise<RowsResult<Task>> {
      if (isClosed) throw new Error('the threads of imports are closed');
      workers ??= start();
      const isMoved = task.type === 'body' || task.type === 'users';
      const result = workers.run(task, isMoved ? [task.bytes.buffer] : []);
      running.add(result);
      try {
        // A thread answers a task with that task's result: what TypeScript cannot see through the union.
        return (await result) as RowsResult<Task>;
      } catch (error) {
        throw isOutOfMemory(error) ? tooLarge() : error;
      } finally {
        running.delete(result);
      }
    },
    get taskCount() {
      return running.size;
    },
    async close() {
      isClosed = true;
      await Promise.allSettled(running);
      await workers?.close();
    },
  };
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY';
}

function tooLarge(): Refusal {
  return new Refusal('OVERLOADED', 'This takes more memory than a thread has: send less at a time', {
    retryAfterSeconds: 1,
  });
}
