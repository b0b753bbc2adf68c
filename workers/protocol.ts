/** What crosses the border to a worker thread: types only, plain data only. */

import type { HashLimits, HashPolicy } from '../src/model.ts';

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

export type PasswordTask = VerifyTask | HashTask;

/** For `verify` whether the password is right, for `hash` the new hash. */
export type PasswordResult<Task extends PasswordTask> = Task extends VerifyTask ? boolean : string;
