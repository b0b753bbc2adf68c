/** What is said to whoever sent a hash that is refused. */

import { Refusal, refusals } from '../domain/errors.ts';
import type { RefusalCode } from '../domain/errors.ts';
import { rowOf } from './kinds.ts';
import type { Fault, FaultCode, HashKind } from './outcome.ts';

/** Why a hash was refused; `message` is public text and holds nothing of the hash beyond its recognised prefix. */
export interface HashProblem {
  readonly ok: false;
  readonly code: FaultCode;
  readonly message: string;
}

const refusalCodes: Readonly<Record<FaultCode, RefusalCode>> = {
  malformed: 'INVALID_PASSWORD_HASH',
  'no-password': 'INVALID_PASSWORD_HASH',
  unsupported: 'INVALID_PASSWORD_HASH',
  'out-of-range': 'HASH_OVER_CEILING',
  'signer-key-missing': 'SIGNER_KEY_MISSING',
  'pepper-missing': 'INVALID_PASSWORD_HASH',
};

/** `fault` as a problem; `given`: the kind that the caller named, for the headline. */
export function problemOf({ code, reason }: Fault, given: HashKind | undefined): HashProblem {
  const headline =
    code === 'out-of-range'
      ? refusals.HASH_OVER_CEILING.message
      : `Password hash is in invalid ${given === undefined ? '' : `${rowOf(given).label} `}format`;
  return { ok: false, code, message: `${headline}: ${reason}` };
}

/** The refusal that answers a request for `problem`. */
export function refusalOf(problem: HashProblem): Refusal {
  return new Refusal(refusalCodes[problem.code], problem.message);
}
