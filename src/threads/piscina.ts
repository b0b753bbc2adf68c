import type { ResourceLimits } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { Loading, loadings } from './loading.ts';

/** The only user of Piscina: a bounded number of worker threads, each with one task at a time. */
export interface Threads<Task, Result> {
  /** Resolves when a thread has loaded its modules. Rejects with LoadError when none can. */
  readonly loaded: Promise<unknown>;
  /**
   * Rejects with the task's error, with an ordinary Error when its thread died, which is replaced, or with LoadError.
   * @param moved memory of the task that is transferred to the thread
   */
  run(task: Task, moved?: readonly ArrayBuffer[]): Promise<Result>;
  /** Ends the threads; the caller has awaited all tasks. */
  close(): Promise<void>;
}

export interface ThreadsOptions {
  readonly file: URL;
  readonly count: number;
  /** Threads that start at once, default all; the others start when tasks overlap. */
  readonly startsWith?: number;
  readonly maxQueue: number;
  /** MiB of each thread's heap, default V8's limit; beyond it a task rejects with ERR_WORKER_OUT_OF_MEMORY. */
  readonly heapLimitMb?: number | undefined;
  /** MiB of each thread's young generation, default V8's limit: more is faster up to a point, and is never freed. */
  readonly youngHeapMb?: number | undefined;
  /** Called when an idle thread died, or could not load its modules (LoadError). */
  readonly onThreadError?: ((error: unknown) => void) | undefined;
}

/**
 * Starts the threads; they load asynchronously. When none is left because their code cannot be loaded, the waiting tasks reject
 * and the next task starts threads again: it succeeds once the installation is repaired.
 */
export function startThreads<Task, Result>(options: ThreadsOptions): Threads<Task, Result> {
  const { file, onThreadError } = options;
  const loading = new Loading(file);
  let isEnding = false;
  let current: Piscina<Task, Result> | undefined = open();
  loadings.add(loading);

  function open(): Piscina<Task, Result> {
    const workers = createPiscina<Task, Result>(options);
    // Without a listener an idle thread's death would end the process.
    workers.on('error', (error: unknown) => {
      // After the other listeners of the thread's error.
      queueMicrotask(() => void loading.explain(error).then(onThreadError));
    });
    loading.follow(workers);
    // The replacement of a dead thread starts after this event.
    workers.on('workerDestroy', () => {
      queueMicrotask(() => {
        loading.watch();
        if (!isEnding && workers.threads.length === 0) giveUp(workers);
      });
    });
    return workers;
  }

  /** Piscina replaces a thread that cannot load once, and then lets its tasks wait for ever. */
  function giveUp(workers: Piscina<Task, Result>): void {
    if (current === workers) current = undefined;
    loading.giveUp();
    void workers.destroy();
  }

  return {
    loaded: loading.first,
    async run(task, moved = []) {
      const workers = (current ??= open());
      const result = workers.run(task, { transferList: [...moved] });
      loading.watch();
      try {
        return await result;
      } catch (error) {
        throw await loading.explain(error, current !== workers);
      }
    },
    async close() {
      await loading.ended();
      isEnding = true;
      await current?.destroy();
      loadings.delete(loading);
    },
  };
}

function createPiscina<Task, Result>(options: ThreadsOptions): Piscina<Task, Result> {
  const { file, count, startsWith = count, maxQueue } = options;
  return new Piscina<Task, Result>({
    filename: file.href,
    minThreads: startsWith,
    maxThreads: count,
    concurrentTasksPerWorker: 1,
    idleTimeout: Infinity,
    // The cheapest hand-over measured; threads sleep in the event loop, not in Atomics.wait.
    atomics: 'disabled',
    maxQueue,
    resourceLimits: limitsOf(options),
  });
}

/** V8 uses its own limit for what is undefined. */
function limitsOf({ heapLimitMb, youngHeapMb }: ThreadsOptions): ResourceLimits {
  return {
    ...(heapLimitMb !== undefined && { maxOldGenerationSizeMb: heapLimitMb }),
    ...(youngHeapMb !== undefined && { maxYoungGenerationSizeMb: youngHeapMb }),
  };
}
