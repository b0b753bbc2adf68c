import type { Worker } from 'node:worker_threads';
import { Piscina } from 'piscina';
import type { PasswordResult, PasswordTask } from '../workers/protocol.ts';
import { Admission } from './admission.ts';
import type { HashLimits, HashPolicy } from './model.ts';
import { costOf, parseStoredHash, secretProblem, secretsFor } from './password/formats.ts';
import { policyBytes } from './password/policy.ts';

export type PasswordTaskKind = PasswordTask['type'];

export interface PasswordPoolOptions {
  /** Worker threads, and so tasks that run at once. */
  readonly threads: number;
  /** Bytes that running tasks may allocate together. */
  readonly memoryBudgetBytes: number;
  /** Tasks that may wait. */
  readonly queueLimit: number;
  /** How new passwords are hashed, and what a verification for nobody costs. */
  readonly policy: HashPolicy;
  readonly workerFile?: URL;
  /** Told after each task how many seconds it ran, its wait not counted. */
  readonly onTask?: (kind: PasswordTaskKind, seconds: number) => void;
  /** Told when a thread died while idle; it has been replaced. */
  readonly onThreadError?: (error: unknown) => void;
}

export interface VerifyContext {
  readonly limits: HashLimits;
  /** Raw bytes of the scrypt variant's signer key. */
  readonly signerKey: Buffer | undefined;
  /** What the old system added to the end of each password before bcrypt: for the hashes imported as such. */
  readonly pepper?: Buffer | undefined;
}

/** All methods reject with Refusal OVERLOADED or SHUTTING_DOWN at once when there is no room. */
export interface PasswordPool {
  /** Whether `password` has `hash`. A hash that cannot be verified (ceilings, signer key) is false at equal work. */
  verify(password: string, hash: string, context: VerifyContext): Promise<boolean>;
  /** A new hash by the policy. */
  hash(password: string): Promise<string>;
  /** Costs what verifying against the policy costs: for unknown users, so that time does not tell who exists. */
  verifyDecoy(password: string): Promise<false>;
  readonly gauges: PasswordPoolGauges;
  /** Refuses what is new, finishes what was accepted, ends the threads. */
  close(): Promise<void>;
}

export interface PasswordPoolGauges {
  readonly running: number;
  readonly waiting: number;
  readonly bytesInFlight: number;
  readonly threads: number;
}

const passwordWorker = new URL('../workers/password.ts', import.meta.url);

/** Starts the threads. A task whose thread dies rejects with an ordinary Error; the thread is replaced. */
export function createPasswordPool(options: PasswordPoolOptions): PasswordPool {
  const { policy, threads } = options;
  const workers = startWorkers(options);
  const loaded = watchLoading(workers);
  const admission = new Admission({
    slots: threads,
    budgetBytes: options.memoryBudgetBytes,
    queueLimit: options.queueLimit,
  });

  function submit<Task extends PasswordTask>(
    task: Task,
    bytes: number,
    kind: PasswordTaskKind = task.type,
  ): Promise<PasswordResult<Task>> {
    return admission.run(bytes, async () => {
      const startedAt = performance.now();
      try {
        return (await workers.run(task)) as PasswordResult<Task>;
      } finally {
        options.onTask?.(kind, (performance.now() - startedAt) / 1000);
      }
    });
  }

  async function verifyDecoy(password: string): Promise<false> {
    // Making a hash by the policy and throwing it away is the same computation as verifying one.
    await submit({ type: 'hash', password, policy }, policyBytes(policy), 'verify');
    return false;
  }

  return {
    async verify(password, hash, { limits, ...secrets }) {
      const result = parseStoredHash(hash, limits);
      if (!result.ok || secretProblem(result.parsed, secrets) !== undefined) return verifyDecoy(password);
      const { parsed } = result;
      const task = { type: 'verify', password, hash, limits, ...secretsFor(parsed, secrets) } as const;
      return submit(task, costOf(parsed).memoryBytes);
    },
    hash: (password) => submit({ type: 'hash', password, policy }, policyBytes(policy)),
    verifyDecoy,
    get gauges() {
      const { running, waiting, bytesInFlight } = admission;
      return { running, waiting, bytesInFlight, threads };
    },
    async close() {
      admission.close();
      await admission.drained();
      await loaded();
      await workers.destroy();
    },
  };
}

function startWorkers(options: PasswordPoolOptions): Piscina<PasswordTask, boolean | string> {
  const { threads, workerFile = passwordWorker, onThreadError } = options;
  const workers = new Piscina<PasswordTask, boolean | string>({
    filename: workerFile.href,
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: 1,
    idleTimeout: Infinity,
    // The cheapest hand-over measured here; threads sleep in the event loop, not in Atomics.wait.
    atomics: 'disabled',
    // Admission never lets in more than there are threads; they queue here only while a dead thread is replaced.
    maxQueue: threads,
  });
  // Without a listener an idle thread's death would end the process.
  workers.on('error', (error: unknown) => onThreadError?.(error));
  return workers;
}

/**
 * Ending a thread while it loads its modules aborts the whole process in Node 22 (assertions in module_wrap.cc).
 * A thread's first message says that it has loaded; one that ends before then loads no more.
 * @returns a function that resolves when no thread is loading
 */
function watchLoading(workers: Piscina<PasswordTask, boolean | string>): () => Promise<void> {
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
  // The one that takes a dead thread's place is begun after this event.
  workers.on('workerDestroy', () => {
    queueMicrotask(watch);
  });
  return async () => {
    watch();
    await Promise.all(loading.values());
  };
}
