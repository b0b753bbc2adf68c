/** What the threads of passwords are asked, and answer: types only, plain data only. */

import type { HashLimits, HashPolicy } from '../domain/model.ts';
import type { Examination, ExamineInput } from './doctor/examination.ts';
import type { HashPage } from './tally.ts';

export interface VerifyTask {
  readonly type: 'verify';
  readonly password: string;
  readonly hash: string;
  /** The worker holds the hash against these again: they may have been lowered since the import. */
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

/** What is wrong with a hash, or with what it is verified with. */
export interface ExamineTask extends ExamineInput {
  readonly type: 'examine';
}

/** What examining will allocate. */
export interface WeighTask extends ExamineInput {
  readonly type: 'weigh';
}

export type PasswordTask = VerifyTask | HashTask | WeighTask | ExamineTask;

/**
 * For `verify` whether the password is right, for `hash` the new hash, for `weigh` bytes, for `examine` what was found.
 */
export type PasswordResult<Task extends PasswordTask> = Task extends VerifyTask
  ? boolean
  : Task extends WeighTask
    ? number
    : Task extends ExamineTask
      ? Examination
      : string;

/** What became of one task of several that a thread took together; with a result, how many milliseconds it ran. */
export type Outcome<Result> = { readonly result: Result; readonly ms: number } | { readonly error: unknown };

/** Stored hashes of some users → how many of each kind and cost. */
export interface TallyTask extends HashPage {
  readonly type: 'tally';
}
