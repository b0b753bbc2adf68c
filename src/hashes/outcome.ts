/** What the parsers of this folder hand back: the parsed hash, or one fault that says what is wrong. */

import type { HashLimits } from '../domain/model.ts';
import type { HashKind } from './parsed.ts';

export type { HashKind, ParsedArgon2, ParsedBcrypt, ParsedHash, ParsedScryptVariant } from './parsed.ts';

/**
 * - `malformed`: no implementation of the kind would have written this string;
 * - `out-of-range`: well formed, but dearer than a ceiling of the configuration;
 * - `no-password`: a mark that the account has no usable password;
 * - `unsupported`: a known kind that is not verified here;
 * - `signer-key-missing`: the scrypt variant without the key it was made with;
 * - `pepper-missing`: a peppered hash without the pepper.
 */
export type FaultCode =
  'malformed' | 'out-of-range' | 'no-password' | 'unsupported' | 'signer-key-missing' | 'pepper-missing';

/** `reason` becomes public text: it never holds a part of the hash beyond the recognised prefix. */
export interface Fault {
  readonly ok: false;
  readonly code: FaultCode;
  readonly reason: string;
}

export type Outcome<T extends { readonly kind: HashKind }> =
  { readonly ok: true; readonly parsed: T } | Fault;

/** Reads a whole hash string, prefix included, and holds it against the ceilings; never throws. */
export type Parser<T extends { readonly kind: HashKind }> = (hash: string, limits: HashLimits) => Outcome<T>;

export function fault(code: FaultCode, reason: string): Fault {
  return { ok: false, code, reason };
}

export function malformed(reason: string): Fault {
  return fault('malformed', reason);
}
