import { Worker } from 'node:worker_threads';
import { LoadError } from './load-error.ts';

/** One for each set of threads of this process: see Loading. */
export const loadings = new Set<Pick<Loading, 'ended'>>();

/** Resolves when no thread is loading its modules: until then `process.exit` may abort the process. */
export async function threadsLoaded(): Promise<void> {
  await Promise.all(Array.from(loadings, (loading) => loading.ended()));
}

/** A pool of Piscina. */
interface Workers {
  readonly threads: readonly Worker[];
  on(event: 'workerCreate', listener: (worker: { readonly id: number }) => void): unknown;
}

interface Failure {
  /** As the thread threw it. */
  readonly error: unknown;
  readonly explained: Promise<LoadError>;
}

/**
 * Which threads are loading their modules, and why they could not. Node 22 aborts the process if a thread ends meanwhile
 * (assertions in module_wrap.cc; an unhandled exception of node-addon-api). A thread's first message shows that it has loaded.
 */
export class Loading {
  readonly #file: URL;
  readonly #threads = new Map<Worker, Promise<void>>();
  readonly #first = Promise.withResolvers<undefined>();
  #workers: Workers | undefined;
  /** Until a thread has loaded. */
  #failure: Failure | undefined;

  /** @param file that the threads run */
  constructor(file: URL) {
    this.#file = file;
    this.#first.promise.catch(() => undefined);
  }

  /** Resolves when a thread has loaded; rejects with LoadError at `giveUp` before that. */
  get first(): Promise<undefined> {
    return this.#first.promise;
  }

  /** Watches the threads of a new pool, from its start on. */
  follow(workers: Workers): void {
    this.#workers = workers;
    this.watch();
    // A thread that was started for a task has already sent its first message.
    workers.on('workerCreate', ({ id }) => {
      const thread = workers.threads.find(({ threadId }) => threadId === id);
      if (thread !== undefined && !this.#threads.has(thread)) this.#add(thread, Promise.resolve());
    });
  }

  /** Call after threads may have been started. */
  watch(): void {
    for (const thread of this.#workers?.threads ?? [])
      if (!this.#threads.has(thread)) this.#add(thread, this.#loads(thread));
  }

  /** Resolves when no thread is loading. */
  async ended(): Promise<void> {
    this.watch();
    await Promise.all([...this.#threads.values(), this.#failure?.explained]);
  }

  /** No thread is left. */
  giveUp(): void {
    void this.#failure?.explained.then(this.#first.reject);
  }

  /**
   * @param error of a task or of an idle thread
   * @param isGivenUp the task was still waiting when no thread was left
   * @returns LoadError if that is the cause, else the error
   */
  explain(error: unknown, isGivenUp = false): Promise<unknown> {
    const failure = this.#failure;
    return failure !== undefined && (isGivenUp || failure.error === error)
      ? failure.explained
      : Promise.resolve(error);
  }

  #add(thread: Worker, loads: Promise<void>): void {
    this.#threads.set(thread, loads);
    thread.once('exit', () => {
      this.#threads.delete(thread);
    });
  }

  #loads(thread: Worker): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<undefined>();
    let isLoading = true;
    const fail = (error: unknown): void => {
      if (isLoading) this.#failure = { error, explained: explained(this.#file, error) };
      isLoading = false;
    };
    thread
      .once('message', () => {
        isLoading = false;
        this.#failure = undefined;
        this.#first.resolve(undefined);
        resolve(undefined);
      })
      .once('error', fail)
      .once('exit', (code) => {
        fail(new Error(`it ended with exit code ${code}`));
        resolve(undefined);
      });
    return promise;
  }
}

/** Piscina requires a file before it imports it, which hides why that fails: a thread that only imports it shows the reason. */
function explained(file: URL, error: unknown): Promise<LoadError> {
  const { promise, resolve } = Promise.withResolvers<LoadError>();
  const say = (reason: unknown): void => {
    resolve(new LoadError(file, reason instanceof Error ? reason : new Error(String(reason))));
  };
  new Worker(file).once('error', say).once('exit', () => {
    say(error);
  });
  return promise;
}
