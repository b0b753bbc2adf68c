/** What is asked of a kind of hash: its row in the registry. A kind is a construction; its spellings share one. */

import type { HashLimits } from '../domain/model.ts';

/** Every field that a verifier needs, by the kind that it is of. */
interface OfKind {
  readonly kind: string;
}

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
  /** `reason` without its advice, where that holds only for a hash without a salt of its own. */
  readonly ifSalted?: string;
}

/** What a parser returns: the parsed hash, or one fault that says what is wrong. */
export type Outcome<Parsed extends OfKind> = { readonly ok: true; readonly parsed: Parsed } | Fault;

/** Reads a whole hash string, prefix included, and holds it against the ceilings; never throws. */
export type Parser<Parsed extends OfKind> = (hash: string, limits: HashLimits) => Outcome<Parsed>;

/** What lies in the configuration and never in a row. */
export interface HashSecrets {
  /** Raw bytes of the scrypt variant's signer key. */
  readonly signerKey: Uint8Array | undefined;
  /** What the old system added to the end of each password before bcrypt. */
  readonly pepper?: Uint8Array | undefined;
}

/** Parameters by their names; of a digest also how it is put together. */
export type ClassCost = Readonly<Record<string, number | string>>;

/** `digest sha256, iterations 600000`; empty when nothing is to be said. */
export function costText(cost: ClassCost): string {
  return Object.entries(cost)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ');
}

/** How hashes without a mark look, and what that is called: so that a refusal can name the kind. */
export interface Shape {
  readonly pattern: RegExp;
  readonly name: string;
  /** It shows no more than the length of a digest, which a salted one has too. */
  readonly isUnsalted?: true;
}

/** A spelling with one length: a shorter one was cut off. */
export interface WholeLength {
  /** Everything up to the part whose length is known. */
  readonly head: RegExp;
  /** Characters after it in a whole hash. */
  readonly characters: number;
  readonly part: string;
}

/** One kind of hash: each question that is asked of it anywhere, but for its verifier, which only threads may import. */
export interface HashKind<Parsed extends OfKind> {
  /** For messages. */
  readonly label: string;
  /** Names that other systems use for it, in lower case. */
  readonly aliases?: readonly string[];

  /** How its spellings begin, up to the delimiter that ends a mark (see spellings.ts), each with its parser. */
  readonly spellings: readonly (readonly [mark: string, parse: Parser<Parsed>])[];
  /** A beginning that no delimiter ends, or a damaged mark: the parser of the first spelling says best what is wrong. */
  readonly beginning?: string;
  /**
   * Reads a spelling that no mark distinguishes from other kinds, or whose mark another kind has: only for a caller that
   * names this kind.
   */
  readonly parseUnmarked?: Parser<Parsed>;
  /** How such spellings look. */
  readonly shapes?: readonly Shape[];
  /** Its marks say too little, or parameters are elsewhere, so that an import has to name it: what to name, and why. */
  readonly mustBeNamed?: string;
  /** A kind whose name may be given for this one too. */
  readonly partOf?: string;

  /** The secret that it is verified with. */
  readonly secret?: keyof HashSecrets;
  /** Why it cannot be verified with these secrets, undefined when it can. Required where there is a secret. */
  readonly faultOfSecret?: (parsed: Parsed, secrets: HashSecrets) => Fault | undefined;
  /** What is stored where that is not the string as it came; undefined: as it came. */
  readonly storedAs?: (parsed: Parsed) => string | undefined;

  /** Bytes that one verification allocates at its peak. */
  readonly bytes: (parsed: Parsed) => number;
  /** Estimated milliseconds of one verification on one core of 2023. */
  readonly work: (parsed: Parsed) => number;
  /** Its cost by name: what reports count by. Nothing in it identifies a hash. */
  readonly cost: (parsed: Parsed) => ClassCost;
  /** Whether guessing passwords is cheap for a thief: see assess.ts. */
  readonly isWeak: (parsed: Parsed) => boolean;
  /** Whether no other password in practical use matches as this one does: see parts/certainty.ts. */
  readonly isCertain: (password: Buffer, pepper: Uint8Array | undefined) => boolean;

  /** Spellings with one length. */
  readonly wholes?: readonly WholeLength[];
  /** The most likely causes of a mismatch, most likely first, where they are not those of most kinds. */
  readonly causes?: (parsed: Parsed, secrets: HashSecrets) => readonly string[];
}

export function fault(code: FaultCode, reason: string): Fault {
  return { ok: false, code, reason };
}

export function malformed(reason: string): Fault {
  return fault('malformed', reason);
}
