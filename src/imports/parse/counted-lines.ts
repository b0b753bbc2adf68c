/** Lines of a chunk that are counted once it is known which of them are rejected. Types only. */

import type { SignInState } from '../../domain/jobs/sign-in-states.ts';
import type { SecondFactor } from '../model.ts';

export interface KeptOut {
  readonly state: SignInState;
  readonly lines: Uint32Array;
}

export interface FactorsOfLine {
  /** Physical line within the chunk, from 1. */
  readonly line: number;
  readonly factors: readonly SecondFactor[];
}
