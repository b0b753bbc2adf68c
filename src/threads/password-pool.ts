import type { Outcome, PasswordResult, PasswordTask } from '../hashes/tasks.ts';
import type { HashLimits, HashPolicy } from '../domain/model.ts';
import type { Examination, ExamineInput } from '../hashes/doctor/examination.ts';
import { secretProblem, secretsFor } from '../hashes/accept.ts';
import { costOf, policyBytes, policyMs, workOf } from '../hashes/assess.ts';
import { parseStoredHash } from '../hashes/recognise.ts';
import { type Behalf, type TaskCost, TaskQueue } from './queue/task-queue.ts';
import { startThreads } from './piscina.ts';
import { ownModule } from '../process/own-module.ts';

export type PasswordTaskKind = PasswordTask['type'];

export interface PasswordPoolOptions {
  /** Worker threads, and so tasks that run at once. */
  readonly threads: number;
  /** Bytes that running tasks may allocate together. */
  readonly memoryBudgetBytes: number;
  /** Tasks that may wait. */
  readonly queueLimit: number;
  /** How long a task of a request may wait, ms. Default: without limit. */
  readonly waitLimitMs?: number;
  /** How new passwords are hashed, and the cost of a verification without a user. */
  readonly policy: HashPolicy;
  readonly workerFile?: URL;
  /** Called after each task that did not fail how many seconds it ran, its wait not counted. */
  readonly onTask?: (kind: PasswordTaskKind, seconds: number) => void;
  /** Called with the kind of each user's hash that a password was checked against. */
  readonly onVerified?: (kind: string) => void;
  /** Called when a thread died while idle; it has been replaced. */
  readonly onThreadError?: (error: unknown) => void;
}

export interface VerifyContext {
  readonly limits: HashLimits;
  /** Raw bytes of the scrypt variant's signer key. */
  readonly signerKey: Buffer | undefined;
  /** What the old system added to the end of each password before bcrypt: for the hashes imported as such. */
  readonly pepper?: Buffer | undefined;
}

/**
 * All methods reject with Refusal OVERLOADED or SHUTTING_DOWN at once when there is no room, or the wait would be too
 * long; with OVERLOADED after they have waited for too long; and with the reason of the signal of `behalf`, when it is
 * aborted before the task has begun.
 */
export interface PasswordPool {
  /** @throws Refusal OVERLOADED or SHUTTING_DOWN when a task that came now would be refused */
  requireRoom(behalf?: Behalf): void;
  /** Whether `password` has `hash`. A hash that cannot be verified (ceilings, signer key) is false at equal work. */
  verify(password: string, hash: string, context: VerifyContext, behalf?: Behalf): Promise<boolean>;
  /** A new hash by the policy. */
  hash(password: string, behalf?: Behalf): Promise<string>;
  /**
   * Verifies `hash` as `verify` does and returns false anyway; without one, costs what the policy costs. For unknown
   * users, so that time does not show which users exist.
   */
  verifyDecoy(
    password: string,
    hash: string | undefined,
    context: VerifyContext,
    behalf?: Behalf,
  ): Promise<false>;
  /**
   * What is wrong with a hash or what it is verified with. Blocks one thread for up to the budget of `input`, in the
   * background: people who wait go first.
   */
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

const passwordWorker = ownModule('../../workers/password', import.meta.url);

/** Next to nothing is allocated: strings are parsed, for a few milliseconds. */
const weighing: TaskCost = { bytes: 0, ms: 5, isAlone: true };
const background: Behalf = { isBackground: true };

/** Starts the threads. A task whose thread dies rejects with an ordinary Error; the thread is replaced. */
export function createPasswordPool(options: PasswordPoolOptions): PasswordPool {
  const { policy } = options;
  const { submit, queue, close } = startTasks(options);
  const byPolicy: TaskCost = { bytes: policyBytes(policy), ms: policyMs(policy) };

  /** Making a hash by the policy and throwing it away is the same computation as verifying one. */
  async function spendByPolicy(password: string, behalf?: Behalf): Promise<false> {
    await submit({ type: 'hash', password, policy }, byPolicy, { ...behalf, kind: 'verify' });
    return false;
  }

  /** @param onVerified left out for decoys */
  async function verify(
    password: string,
    hash: string,
    { limits, ...secrets }: VerifyContext,
    {
      behalf,
      onVerified,
    }: { readonly behalf?: Behalf | undefined; readonly onVerified?: typeof options.onVerified | undefined },
  ): Promise<boolean> {
    const result = parseStoredHash(hash, limits);
    if (!result.ok || secretProblem(result.parsed, secrets) !== undefined)
      return spendByPolicy(password, behalf);
    const { parsed } = result;
    const task = { type: 'verify', password, hash, limits, ...secretsFor(parsed, secrets) } as const;
    const isRight = await submit(task, { bytes: costOf(parsed).memoryBytes, ms: workOf(parsed) }, behalf);
    onVerified?.(parsed.kind);
    return isRight;
  }

  return {
    requireRoom(behalf) {
      queue.requireRoom(behalf);
    },
    verify: (password, hash, context, behalf) =>
      verify(password, hash, context, { behalf, onVerified: options.onVerified }),
    hash: (password, behalf) => submit({ type: 'hash', password, policy }, byPolicy, behalf),
    async verifyDecoy(password, hash, context, behalf) {
      await (hash === undefined
        ? spendByPolicy(password, behalf)
        : verify(password, hash, context, { behalf }));
      return false;
    },
    async examine(input) {
      // Which repairs there are to try takes milliseconds to find out: not here, where all requests wait.
      const bytes = await submit({ type: 'weigh', ...input }, weighing, background);
      const cost: TaskCost = { bytes, ms: input.budgetMs, isAlone: true };
      return submit({ type: 'examine', ...input }, cost, background);
    },
    get gauges() {
      const { running, waiting, bytesInFlight } = queue;
      return { running, waiting, bytesInFlight, threads: options.threads };
    },
    close,
  };
}

/** The threads and their queue. */
function startTasks(options: PasswordPoolOptions) {
  const { threads, memoryBudgetBytes, queueLimit, waitLimitMs } = options;
  const workers = startThreads<readonly PasswordTask[], readonly Outcome<PasswordResult<PasswordTask>>[]>({
    file: options.workerFile ?? passwordWorker,
    count: threads,
    // Each takes 16 MB. One at once, so that a library that does not load here is known at the start.
    startsWith: 1,
    // The queue never lets more run than there are threads; they wait here only while a dead thread is replaced.
    maxQueue: threads,
    onThreadError: options.onThreadError,
  });
  const queue = new TaskQueue({
    slots: threads,
    budgetBytes: memoryBudgetBytes,
    queueLimit,
    waitLimitMs,
    run: (tasks: readonly PasswordTask[]) => workers.run(tasks),
  });
  return {
    queue,
    submit: async <Task extends PasswordTask>(
      task: Task,
      cost: TaskCost,
      { kind = task.type, ...behalf }: Behalf & { readonly kind?: PasswordTaskKind } = {},
    ): Promise<PasswordResult<Task>> => {
      const outcome = await queue.submit(task, cost, behalf);
      if ('error' in outcome) throw outcome.error;
      options.onTask?.(kind, outcome.ms / 1000);
      // A thread answers a task with that task's result: what TypeScript cannot see through the union.
      return outcome.result as PasswordResult<Task>;
    },
    close: async (): Promise<void> => {
      queue.close();
      await queue.drained();
      await workers.close();
    },
  };
}
