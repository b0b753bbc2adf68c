/** The interface of a kind of hash, a row of the registry. A kind is a construction; its spellings share one. */

import type { HashLimits } from '../domain/model.ts';

/** Every field that a verifier needs, by the kind that it is of. */
interface OfKind {
  readonly kind: string;
}

/**
 * - `malformed`: no implementation of the kind would have written this string;
 * - `out-of-range`: well formed, but more expensive than a ceiling of the configuration;
 * - `no-password`: a mark that the account has no usable password;
 * - `unsupported`: a known kind that is not verified here;
 * - `signer-key-missing`: the scrypt variant without the key it was made with;
 * - `pepper-missing`: a peppered hash without the pepper.
 */
export type FaultCode =
  'malformed' | 'out-of-range' | 'no-password' | 'unsupported' | 'signer-key-missing' | 'pepper-missing';

/** `reason` becomes public text: it never contains a part of the hash beyond the recognised prefix. */
export interface Fault {
  readonly ok: false;
  readonly code: FaultCode;
  readonly reason: string;
  /** `reason` without its advice, which may hold only for a hash without a salt. */
  readonly ifSalted?: string;
}

/** A parser's result: the parsed hash, or one fault. */
export type Outcome<Parsed extends OfKind> = { readonly ok: true; readonly parsed: Parsed } | Fault;

/** Reads a whole hash string, including its prefix, and checks it against the ceilings; never throws. */
export type Parser<Parsed extends OfKind> = (hash: string, limits: HashLimits) => Outcome<Parsed>;

/** Secrets from the configuration, which are never in a row. */
export interface HashSecrets {
  /** Raw bytes of the scrypt variant's signer key. */
  readonly signerKey: Uint8Array | undefined;
  /** The old system's suffix of each password before bcrypt. */
  readonly pepper?: Uint8Array | undefined;
}

/** Parameters by their names; for a digest also its composition. */
export type ClassCost = Readonly<Record<string, number | string>>;

/** `digest sha256, iterations 600000`; empty without parameters. */
export function costText(cost: ClassCost): string {
  return Object.entries(cost)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/** The look of hashes without a mark, and their name, so that a refusal can name the kind. */
export interface Shape {
  readonly pattern: RegExp;
  readonly name: string;
  /** It shows no more than the length of a digest, which a salted one has too. */
  readonly isUnsalted?: true;
}

/** A spelling with one length: a shorter string was truncated. */
export interface WholeLength {
  /** Everything before the part of known length. */
  readonly head: RegExp;
  /** Characters after it in a whole hash. */
  readonly characters: number;
  readonly part: string;
}

/** One kind of hash: everything that is asked of it, except for its verifier, which only threads may import. */
export interface HashKind<Parsed extends OfKind> {
  /** For messages. */
  readonly label: string;
  /** Names that other systems use for it, in lower case. */
  readonly aliases?: readonly string[];

  /** The beginnings of its spellings, up to the delimiter that ends a mark (see spellings.ts), each with its parser. */
  readonly spellings: readonly (readonly [mark: string, parse: Parser<Parsed>])[];
  /** A beginning that no delimiter ends, or a damaged mark: the parser of the first spelling reports the fault best. */
  readonly beginning?: string;
  /** Reads a spelling whose mark is missing or shared with another kind: only for a caller that names this kind. */
  readonly parseUnmarked?: Parser<Parsed>;
  /** The look of such spellings. */
  readonly shapes?: readonly Shape[];
  /** Its marks show too little, or parameters are elsewhere, so that an import has to name it: the name, and why. */
  readonly mustBeNamed?: string;
  /** A kind whose name may also be given for this one. */
  readonly partOf?: string;

  /** The secret that it is verified with. */
  readonly secret?: keyof HashSecrets;
  /** Why it cannot be verified with these secrets, undefined when it can. Required where there is a secret. */
  readonly faultOfSecret?: (parsed: Parsed, secrets: HashSecrets) => Fault | undefined;
  /** The string that is stored if it is not the original; undefined: the original. */
  readonly storedAs?: (parsed: Parsed) => string | undefined;

  /** Bytes that one verification allocates at its peak. */
  readonly bytes: (parsed: Parsed) => number;
  /** Estimated milliseconds of one verification on one core of 2023. */
  readonly work: (parsed: Parsed) => number;
  /** Its cost by name, by which reports count. Contains nothing that identifies a hash. */
  readonly cost: (parsed: Parsed) => ClassCost;
  /** Whether guessing passwords is cheap for a thief: see assess.ts. */
  readonly isWeak: (parsed: Parsed) => boolean;
  /** Whether no other password in practical use matches as this one does: see parts/certainty.ts. */
  readonly isCertain: (password: Buffer, pepper: Uint8Array | undefined) => boolean;

  /** Spellings with one length. */
  readonly wholes?: readonly WholeLength[];
  /** The most likely causes of a mismatch, most likely first, if they differ from those of most kinds. */
  readonly causes?: (parsed: Parsed, secrets: HashSecrets) => readonly string[];
}

export function fault(code: FaultCode, reason: string): Fault {
  return { ok: false, code, reason };
}

export function malformed(reason: string): Fault {
  return fault('malformed', reason);
}
