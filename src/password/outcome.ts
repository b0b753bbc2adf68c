/** What the parsers of this folder hand back: every field a verifier needs, or one fault that says what is wrong. */

export type HashKind = 'bcrypt' | 'argon2' | 'provider_scrypt';

export interface ParsedBcrypt {
  readonly kind: 'bcrypt';
  /** log2 of the rounds */
  readonly cost: number;
  /** The 60 characters as a `$2b$` implementation writes them: unused bits zero. */
  readonly canonical: string;
}

export interface ParsedArgon2 {
  readonly kind: 'argon2';
  readonly variant: 'd' | 'i' | 'id';
  readonly version: 16 | 19;
  /** KiB */
  readonly memoryKb: number;
  readonly iterations: number;
  readonly parallelism: number;
  /** Unpadded standard base64, already checked. Kept as text: an import never needs the bytes. */
  readonly salt: string;
  /** As `salt`. */
  readonly tag: string;
}

export interface ParsedScryptVariant {
  readonly kind: 'provider_scrypt';
  /** Base64 in either alphabet, padded or not, already checked; so are `salt` and `separator`. */
  readonly hash: string;
  readonly hashBytes: number;
  readonly salt: string;
  /** May be empty. */
  readonly separator: string;
  /** log2 of scrypt's N */
  readonly memoryCost: number;
  /** scrypt's r */
  readonly rounds: number;
}

export type ParsedHash = ParsedBcrypt | ParsedArgon2 | ParsedScryptVariant;

/**
 * - `malformed`: no implementation of the kind would have written this string;
 * - `out-of-range`: well formed, but dearer than a ceiling of the configuration;
 * - `no-password`: a mark that the account has no usable password;
 * - `unsupported`: a known kind that is not verified here;
 * - `signer-key-missing`: the scrypt variant without the key it was made with.
 */
export type FaultCode = 'malformed' | 'out-of-range' | 'no-password' | 'unsupported' | 'signer-key-missing';

/** `reason` becomes public text: it never holds a part of the hash beyond the recognised prefix. */
export interface Fault {
  readonly ok: false;
  readonly code: FaultCode;
  readonly reason: string;
}

export type Outcome<T extends ParsedHash> = { readonly ok: true; readonly parsed: T } | Fault;

export function fault(code: FaultCode, reason: string): Fault {
  return { ok: false, code, reason };
}

export function malformed(reason: string): Fault {
  return fault('malformed', reason);
}
