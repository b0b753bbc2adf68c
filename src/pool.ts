import type { PasswordResult, PasswordTask } from '../workers/protocol.ts';
import { Admission } from './admission.ts';
import type { HashLimits, HashPolicy } from './model.ts';
import type { Examination, ExamineInput } from './password/doctor/examination.ts';
import { costOf, parseStoredHash, secretProblem, secretsFor } from './password/formats.ts';
import { policyBytes } from './password/policy.ts';
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
  readonly running: number;
  readonly waiting: number;
  readonly bytesInFlight: number;
  readonly threads: number;
}

const passwordWorker = new URL('../workers/password.ts', import.meta.url);

/** Next to nothing: strings are parsed, nothing is computed. */
const weighingBytes = 0;

/** Starts the threads. A task whose thread dies rejects with an ordinary Error; the thread is replaced. */
export function createPasswordPool(options: PasswordPoolOptions): PasswordPool {
  const { policy, threads } = options;
  const workers = startThreads<PasswordTask, PasswordResult<PasswordTask>>({
    file: options.workerFile ?? passwordWorker,
    count: threads,
    // Admission never lets in more than there are threads; they queue here only while a dead thread is replaced.
    maxQueue: threads,
    onThreadError: options.onThreadError,
  });
  const { memoryBudgetBytes: budgetBytes, queueLimit } = options;
  const admission = new Admission({ slots: threads, budgetBytes, queueLimit });

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

  /** Making a hash by the policy and throwing it away is the same computation as verifying one. */
  async function spendByPolicy(password: string): Promise<false> {
    await submit({ type: 'hash', password, policy }, policyBytes(policy), 'verify');
    return false;
  }

  async function verify(password: string, hash: string, context: VerifyContext): Promise<boolean> {
    const { limits, ...secrets } = context;
    const result = parseStoredHash(hash, limits);
    if (!result.ok || secretProblem(result.parsed, secrets) !== undefined) return spendByPolicy(password);
    const { parsed } = result;
    const task = { type: 'verify', password, hash, limits, ...secretsFor(parsed, secrets) } as const;
    return submit(task, costOf(parsed).memoryBytes);
  }

  return {
    verify,
    hash: (password) => submit({ type: 'hash', password, policy }, policyBytes(policy)),
    async verifyDecoy(password, hash, context) {
      await (hash === undefined ? spendByPolicy(password) : verify(password, hash, context));
      return false;
    },
    async examine(input) {
      // Which repairs there are to try takes milliseconds to find out: not here, where everybody waits.
      const bytes = await submit({ type: 'weigh', ...input }, weighingBytes);
      return submit({ type: 'examine', ...input }, bytes);
    },
    get gauges() {
      const { running, waiting, bytesInFlight } = admission;
      return { running, waiting, bytesInFlight, threads };
    },
    async close() {
      admission.close();
      await admission.drained();
      await workers.close();
    },
  };
}
