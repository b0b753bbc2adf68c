import type { Outcome, PasswordResult, PasswordTask } from '../workers/protocol.ts';
import type { HashLimits, HashPolicy } from './model.ts';
import type { Examination, ExamineInput } from './password/doctor/examination.ts';
import { costOf, parseStoredHash, secretProblem, secretsFor, workOf } from './password/formats.ts';
import { policyBytes, policyMs } from './password/policy.ts';
import { TaskBatches, type TaskCost } from './task-batches.ts';
import { startThreads } from './threads.ts';

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
  /** Told after each task that did not fail how many seconds it ran, its wait not counted. */
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
  /**
   * Verifies `hash` as `verify` does and is false all the same; without one, costs what the policy costs. For unknown
   * users, so that time does not tell who exists.
   */
  verifyDecoy(password: string, hash: string | undefined, context: VerifyContext): Promise<false>;
  /** What is wrong with a hash or what it is verified with. Blocks one thread for up to the budget of `input`. */
  examine(input: ExamineInput): Promise<Examination>;
  readonly gauges: PasswordPoolGauges;
  /** Refuses what is new, finishes what was accepted, ends the threads. */
  close(): Promise<void>;
}

export interface PasswordPoolGauges {
  /** Threads at work. */
  readonly running: number;
  /** Tasks. */
  readonly waiting: number;
  readonly bytesInFlight: number;
  readonly threads: number;
}

const passwordWorker = new URL('../workers/password.ts', import.meta.url);

/** Next to nothing is allocated: strings are parsed. How long that takes is not known. */
const weighing: TaskCost = { bytes: 0, ms: Infinity };

/** Starts the threads. A task whose thread dies rejects with an ordinary Error; the thread is replaced. */
export function createPasswordPool(options: PasswordPoolOptions): PasswordPool {
  const { policy, threads } = options;
  const workers = startThreads<readonly PasswordTask[], readonly Outcome<PasswordResult<PasswordTask>>[]>({
    file: options.workerFile ?? passwordWorker,
    count: threads,
    // Admission never lets in more than there are threads; they queue here only while a dead thread is replaced.
    maxQueue: threads,
    onThreadError: options.onThreadError,
  });
  const { memoryBudgetBytes: budgetBytes, queueLimit } = options;
  const batches = new TaskBatches({
    slots: threads,
    budgetBytes,
    queueLimit,
    run: (tasks: readonly PasswordTask[]) => workers.run(tasks),
  });
  const byPolicy: TaskCost = { bytes: policyBytes(policy), ms: policyMs(policy) };

  async function submit<Task extends PasswordTask>(
    task: Task,
    cost: TaskCost,
    kind: PasswordTaskKind = task.type,
  ): Promise<PasswordResult<Task>> {
    const outcome = await batches.submit(task, cost);
    if ('error' in outcome) throw outcome.error;
    options.onTask?.(kind, outcome.ms / 1000);
    // A thread answers a task with that task's result: what TypeScript cannot see through the union.
    return outcome.result as PasswordResult<Task>;
  }

  /** Making a hash by the policy and throwing it away is the same computation as verifying one. */
  async function spendByPolicy(password: string): Promise<false> {
    await submit({ type: 'hash', password, policy }, byPolicy, 'verify');
    return false;
  }

  async function verify(password: string, hash: string, context: VerifyContext): Promise<boolean> {
    const { limits, ...secrets } = context;
    const result = parseStoredHash(hash, limits);
    if (!result.ok || secretProblem(result.parsed, secrets) !== undefined) return spendByPolicy(password);
    const { parsed } = result;
    const task = { type: 'verify', password, hash, limits, ...secretsFor(parsed, secrets) } as const;
    return submit(task, { bytes: costOf(parsed).memoryBytes, ms: workOf(parsed) });
  }

  return {
    verify,
    hash: (password) => submit({ type: 'hash', password, policy }, byPolicy),
    async verifyDecoy(password, hash, context) {
      await (hash === undefined ? spendByPolicy(password) : verify(password, hash, context));
      return false;
    },
    async examine(input) {
      // Which repairs there are to try takes milliseconds to find out: not here, where everybody waits.
      const bytes = await submit({ type: 'weigh', ...input }, weighing);
      return submit({ type: 'examine', ...input }, { bytes, ms: Infinity });
    },
    get gauges() {
      const { running, waiting, bytesInFlight } = batches;
      return { running, waiting, bytesInFlight, threads };
    },
    async close() {
      batches.close();
      await batches.drained();
      await workers.close();
    },
  };
}
