import type { Outcome, PasswordResult, PasswordTask } from '../hashes/tasks.ts';
import type { HashLimits, HashPolicy } from '../domain/model.ts';
import type { Examination, ExamineInput } from '../hashes/doctor/examination.ts';
import { hashLimitsBy } from '../config/tenant-settings.ts';
import { secretProblem, secretsFor } from '../hashes/accept.ts';
import type { HashSecrets } from '../hashes/kind.ts';
import { costOf, policyBytes, policyMs, workOf } from '../hashes/assess.ts';
import { parseStoredHash } from '../hashes/recognise.ts';
import { type Behalf, type TaskCost, TaskQueue } from './queue/task-queue.ts';
import { startThreads } from './piscina.ts';
import { ownModule } from '../process/own-module.ts';

export type PasswordTaskKind = PasswordTask['type'];

export interface PasswordPoolOptions {
  readonly threads: number;
  /** Bytes that running tasks may allocate together. */
  readonly memoryBudgetBytes: number;
  readonly queueLimit: number;
  /** Maximum wait of a request's task, ms. Default: unlimited. */
  readonly waitLimitMs?: number;
  /** How new passwords are hashed, and the cost of a verification without a user. */
  readonly policy: HashPolicy;
  readonly workerFile?: URL;
  /** Called after each successful task with its run time, without its wait. */
  readonly onTask?: (kind: PasswordTaskKind, seconds: number) => void;
  /** Called with the kind of each user's hash that a password was checked against. */
  readonly onVerified?: (kind: string) => void;
  /** Called when an idle thread died, or could not load its modules (LoadError). */
  readonly onThreadError?: (error: unknown) => void;
}

export interface VerifyContext {
  readonly limits: HashLimits;
  /** Raw bytes of the scrypt variant's signer key. */
  readonly signerKey: Buffer | undefined;
  /** Appended by the old system to passwords before bcrypt; used for hashes imported as such. */
  readonly pepper?: Buffer | undefined;
}

/**
 * Methods reject with Refusal OVERLOADED or SHUTTING_DOWN at once without room or if the predicted wait is too long, with
 * OVERLOADED after too long a wait, and with the reason of `behalf.signal` if it aborts before the task begins.
 */
export interface PasswordPool {
  /** @throws Refusal OVERLOADED or SHUTTING_DOWN if a new task would be refused */
  requireRoom(behalf?: Behalf): void;
  /** False, at equal work, for a hash that cannot be verified (ceilings, signer key). */
  verify(password: string, hash: string, context: VerifyContext, behalf?: Behalf): Promise<boolean>;
  /** Hashes by the policy. */
  hash(password: string, behalf?: Behalf): Promise<string>;
  /** Makes a hash of the spelling and the cost of `model`, a stored hash. @throws Error if `secrets` lack what it needs */
  hashLike(password: string, model: string, secrets: HashSecrets, behalf?: Behalf): Promise<string>;
  /**
   * For unknown users, so that time does not reveal which users exist: verifies `hash` and returns false anyway; without one,
   * takes the work of the policy.
   */
  verifyDecoy(
    password: string,
    hash: string | undefined,
    context: VerifyContext,
    behalf?: Behalf,
  ): Promise<false>;
  /**
   * Finds problems of a hash or of the settings that verify it. Blocks one thread up to the budget of `input`, in the background:
   * requests go first.
   */
  examine(input: ExamineInput): Promise<Examination>;
  /** Resolves when a thread has loaded its modules. Rejects with LoadError when none can. */
  readonly loaded: Promise<unknown>;
  readonly gauges: PasswordPoolGauges;
  /** Refuses new tasks, finishes accepted ones, ends the threads. */
  close(): Promise<void>;
}

export interface PasswordPoolGauges {
  readonly running: number;
  readonly waiting: number;
  readonly bytesInFlight: number;
  readonly threads: number;
}

const passwordWorker = ownModule('../../workers/password', import.meta.url);

/** Strings are parsed for a few milliseconds; almost nothing is allocated. */
const weighing: TaskCost = { bytes: 0, ms: 5, isAlone: true };
const background: Behalf = { isBackground: true };
/** Of hashes that were accepted. */
const noCeilings = hashLimitsBy(() => Number.MAX_SAFE_INTEGER);

/** Starts the threads. A task whose thread dies rejects with an ordinary Error; the thread is replaced. */
export function createPasswordPool(options: PasswordPoolOptions): PasswordPool {
  const { policy } = options;
  const { submit, queue, loaded, close } = startTasks(options);
  const byPolicy: TaskCost = { bytes: policyBytes(policy), ms: policyMs(policy) };

  /** Making a hash costs the same as verifying one. */
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
    hashLike(password, model, secrets, behalf) {
      const result = parseStoredHash(model, noCeilings);
      if (!result.ok) return Promise.reject(new Error('a hash whose like is to be made cannot be read'));
      const cost = { bytes: costOf(result.parsed).memoryBytes, ms: workOf(result.parsed) };
      const task = { type: 'like', password, model, ...secretsFor(result.parsed, secrets) } as const;
      return submit(task, cost, { ...behalf, kind: 'hash' });
    },
    async verifyDecoy(password, hash, context, behalf) {
      await (hash === undefined
        ? spendByPolicy(password, behalf)
        : verify(password, hash, context, { behalf }));
      return false;
    },
    async examine(input) {
      // Finding the possible repairs takes milliseconds, too long for the thread that serves requests.
      const bytes = await submit({ type: 'weigh', ...input }, weighing, background);
      const cost: TaskCost = { bytes, ms: input.budgetMs, isAlone: true };
      return submit({ type: 'examine', ...input }, cost, background);
    },
    loaded,
    get gauges() {
      const { running, waiting, bytesInFlight } = queue;
      return { running, waiting, bytesInFlight, threads: options.threads };
    },
    close,
  };
}

function startTasks(options: PasswordPoolOptions) {
  const { threads, memoryBudgetBytes, queueLimit, waitLimitMs } = options;
  const workers = startThreads<readonly PasswordTask[], readonly Outcome<PasswordResult<PasswordTask>>[]>({
    file: options.workerFile ?? passwordWorker,
    count: threads,
    // Each takes 16 MB. One starts at once, so that a library that fails to load is found at the start.
    startsWith: 1,
    // The queue runs at most `threads` tasks; they wait here only while a dead thread is replaced.
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
    loaded: workers.loaded,
    submit: async <Task extends PasswordTask>(
      task: Task,
      cost: TaskCost,
      { kind = task.type, ...behalf }: Behalf & { readonly kind?: PasswordTaskKind } = {},
    ): Promise<PasswordResult<Task>> => {
      const outcome = await queue.submit(task, cost, behalf);
      if ('error' in outcome) throw outcome.error;
      options.onTask?.(kind, outcome.ms / 1000);
      // A result has the type that belongs to its task, which TypeScript cannot infer through the union.
      return outcome.result as PasswordResult<Task>;
    },
    close: async (): Promise<void> => {
      queue.close();
      await queue.drained();
      await workers.close();
    },
  };
}
