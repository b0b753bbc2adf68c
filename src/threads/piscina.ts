import type { ResourceLimits, Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { loadings } from './loading.ts';

/** The one door to Piscina: a bounded number of worker threads that take one task each and stay. */
export interface Threads<Task, Result> {
  /** Rejects with what the task threw, or with an ordinary Error when its thread died; the thread is replaced. */
  /** @param moved memory of the task that is handed over to the thread, and gone here */
  run(task: Task, moved?: readonly ArrayBuffer[]): Promise<Result>;
  /** Ends the threads; the caller has seen every task's end. */
  close(): Promise<void>;
}

export interface ThreadsOptions {
  readonly file: URL;
  readonly count: number;
  /** Threads that start at once, the others when tasks overlap; all of them by default. */
  readonly startsWith?: number;
  /** Tasks that may wait for a thread. */
  readonly maxQueue: number;
  /** MiB of each thread's heap, else V8's own limit; over it a task rejects with ERR_WORKER_OUT_OF_MEMORY. */
  readonly heapLimitMb?: number | undefined;
  /** MiB of each thread's young objects, else V8's own limit: more is faster up to a point, and is never given back. */
  readonly youngHeapMb?: number | undefined;
  /** Called when a thread died while idle; it has been replaced. */
  readonly onThreadError?: ((error: unknown) => void) | undefined;
}

/** Starts the threads; they load while the caller goes on. */
export function startThreads<Task, Result>(options: ThreadsOptions): Threads<Task, Result> {
  const { file, count, startsWith = count, maxQueue, onThreadError } = options;
  const workers = new Piscina<Task, Result>({
    filename: file.href,
    minThreads: startsWith,
    maxThreads: count,
    concurrentTasksPerWorker: 1,
    idleTimeout: Infinity,
    // The cheapest hand-over measured here; threads sleep in the event loop, not in Atomics.wait.
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

/** Piscina hands it to V8, which takes what is missing for its own limit. */
function limitsOf({ heapLimitMb, youngHeapMb }: ThreadsOptions): ResourceLimits {
  return {
    ...(heapLimitMb !== undefined && { maxOldGenerationSizeMb: heapLimitMb }),
    ...(youngHeapMb !== undefined && { maxYoungGenerationSizeMb: youngHeapMb }),
  };
}

/**
 * Ending a thread while it loads its modules aborts the whole process in Node 22 (assertions in module_wrap.cc; an
 * exception of node-addon-api without a handler).
 * A thread's first message says that it has loaded; one that ends before then loads no more.
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
  // One that is started for a task is ready by now, so its first message has passed.
  workers.on('workerCreate', ({ id }: { readonly id: number }) => {
    const thread = workers.threads.find(({ threadId }) => threadId === id);
    if (thread === undefined || loading.has(thread)) return;
    loading.set(thread, Promise.resolve());
    thread.once('exit', () => {
      loading.delete(thread);
    });
  });
  // The one that takes a dead thread's place is begun after this event.
  workers.on('workerDestroy', () => {
    queueMicrotask(watch);
  });
  return async () => {
    watch();
    await Promise.all(loading.values());
  };
}
