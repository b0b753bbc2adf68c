import type { RowsResult, RowsTask } from '../imports/tasks.ts';
import { Refusal } from '../domain/errors.ts';
import { startThreads } from './piscina.ts';
import { ownModule } from '../process/own-module.ts';

export interface RowsPoolOptions {
  readonly threads: number;
  /** Called when an idle thread died, or could not load its modules (LoadError). */
  readonly onThreadError?: ((error: unknown) => void) | undefined;
  readonly workerFile?: URL;
  /** MiB of each thread's heap, default V8's limit. A task that needs more is refused with OVERLOADED. */
  readonly heapLimitMb?: number;
}

/** The threads of imports. The engine limits waiting tasks by the bytes of their chunks. */
export interface RowsPool {
  /**
   * Rejects with an ordinary Error when the task's thread dies, which is replaced, and with LoadError when no thread can be started.
   * Other tasks continue.
   */
  run<Task extends RowsTask>(task: Task): Promise<RowsResult<Task>>;
  readonly taskCount: number;
  /** Waits for running and waiting tasks, then ends the threads. Later tasks reject. */
  close(): Promise<void>;
}

const rowsWorker = ownModule('../../workers/rows', import.meta.url);

/** Waiting tasks: far more than chunks fit into an import's memory, so reaching it is a bug. */
const maxQueue = 4096;

/** The threads start with the first task: they take 20 MB each, and many cores never import a file. */
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
        // A result has the type that belongs to its task, which TypeScript cannot infer through the union.
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
