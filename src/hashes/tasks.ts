/** Requests to the threads of passwords, and their answers. Types only, plain data only. */

import type { HashLimits, HashPolicy } from '../domain/model.ts';
import type { Examination, ExamineInput } from './doctor/examination.ts';
import type { HashPage } from './tally.ts';

export interface VerifyTask {
  readonly type: 'verify';
  readonly password: string;
  readonly hash: string;
  /** The worker checks the hash against these again: they may have been lowered since the import. */
  readonly limits: HashLimits;
  /** Raw bytes; sent only with a hash that needs it. */
  readonly signerKey: Uint8Array | undefined;
  /** As `signerKey`. */
  readonly pepper?: Uint8Array | undefined;
}

export interface HashTask {
  readonly type: 'hash';
  readonly password: string;
  readonly policy: HashPolicy;
}

/** Makes a hash of the spelling and the cost of another one. */
export interface LikeTask {
  readonly type: 'like';
  readonly password: string;
  /** A stored hash. */
  readonly model: string;
  /** As in `VerifyTask`. */
  readonly signerKey: Uint8Array | undefined;
  readonly pepper?: Uint8Array | undefined;
}

/** Finds the fault of a hash, or of the secrets for its verification. */
export interface ExamineTask extends ExamineInput {
  readonly type: 'examine';
}

/** Estimates the bytes that examining allocates. */
export interface WeighTask extends ExamineInput {
  readonly type: 'weigh';
}

export type PasswordTask = VerifyTask | HashTask | LikeTask | WeighTask | ExamineTask;

/** For `verify` whether the password is right, for `hash` and `like` the new hash, for `weigh` bytes, for `examine` the findings. */
export type PasswordResult<Task extends PasswordTask> = Task extends VerifyTask
  ? boolean
  : Task extends WeighTask
    ? number
    : Task extends ExamineTask
      ? Examination
      : string;

/** The outcome of one of several tasks of a thread; with a result, the milliseconds that it ran. */
export type Outcome<Result> = { readonly result: Result; readonly ms: number } | { readonly error: unknown };

/** Stored hashes of some users → the number of each kind and cost. */
export interface TallyTask extends HashPage {
  readonly type: 'tally';
}
