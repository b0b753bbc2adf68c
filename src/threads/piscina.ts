import type { ResourceLimits, Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { loadings } from './loading.ts';

/** The only user of Piscina: a bounded number of worker threads, each with one task at a time. */
export interface Threads<Task, Result> {
  /**
   * Rejects with the task's error, or with an ordinary Error when its thread died; the thread is replaced.
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
  /** Called when an idle thread died and has been replaced. */
  readonly onThreadError?: ((error: unknown) => void) | undefined;
}

/** Starts the threads; they load asynchronously. */
export function startThreads<Task, Result>(options: ThreadsOptions): Threads<Task, Result> {
  const { file, count, startsWith = count, maxQueue, onThreadError } = options;
  const workers = new Piscina<Task, Result>({
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
  // Without a listener an idle thread's death would end the process.
  workers.on('error', (error: unknown) => onThreadError?.(error));
  const loaded = watchLoading(workers);
  loadings.add(loaded);
  return {
    run: (task, moved = []) => workers.run(task, { transferList: [...moved] }),
    async close() {
      await loaded();
      await workers.destroy();
      loadings.delete(loaded);
    },
  };
}

/** V8 uses its own limit for what is undefined. */
function limitsOf({ heapLimitMb, youngHeapMb }: ThreadsOptions): ResourceLimits {
  return {
    ...(heapLimitMb !== undefined && { maxOldGenerationSizeMb: heapLimitMb }),
    ...(youngHeapMb !== undefined && { maxYoungGenerationSizeMb: youngHeapMb }),
  };
}

/**
 * Node 22 aborts the process if a thread ends while it loads its modules (assertions in module_wrap.cc; an unhandled exception of
 * node-addon-api). A thread's first message shows that it has loaded.
 * @returns a function that resolves when no thread is loading
 */
function watchLoading(workers: Pick<Piscina, 'threads' | 'on'>): () => Promise<void> {
  const loading = new Map<Worker, Promise<void>>();
  const watch = (): void => {
    for (const thread of workers.threads.filter((each) => !loading.has(each))) {
      const loads = new Promise<void>((resolve) => {
        thread.once('message', resolve).once('exit', resolve);
      });
      loading.set(thread, loads);
      thread.once('exit', () => {
        loading.delete(thread);
      });
    }
  };
  watch();
  // A thread that was started for a task has already sent its first message.
  workers.on('workerCreate', ({ id }: { readonly id: number }) => {
    const thread = workers.threads.find(({ threadId }) => threadId === id);
    if (thread === undefined || loading.has(thread)) return;
    loading.set(thread, Promise.resolve());
    thread.once('exit', () => {
      loading.delete(thread);
    });
  });
  // The replacement of a dead thread starts after this event.
  workers.on('workerDestroy', () => {
    queueMicrotask(watch);
  });
  return async () => {
    watch();
    await Promise.all(loading.values());
  };
}
