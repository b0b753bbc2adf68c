import { readFileSync } from 'node:fs';

/** A known answer of test/vectors/vectors.json. */
export interface Vector {
  readonly id: string;
  readonly kind: string;
  readonly password?: string;
  /** Instead of `password` if the bytes are not UTF-8. */
  readonly passwordHex?: string;
  readonly hash: string;
  readonly signerKey?: string;
  readonly params?: Readonly<Record<string, string | number | object>>;
  readonly valid: boolean;
  readonly expect?: 'mismatch' | 'malformed' | 'out-of-range' | 'no-password';
}

const file = new URL('../vectors/vectors.json', import.meta.url);

export function readVectors(): readonly Vector[] {
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];
}

export function passwordOf({ password, passwordHex }: Vector): Buffer {
  return passwordHex === undefined ? Buffer.from(password ?? '', 'utf8') : Buffer.from(passwordHex, 'hex');
}

/** The one-string form of a scrypt variant vector whose parts are separate. */
export function scryptVariantString({ hash, params = {} }: Vector): string {
  if (hash.startsWith('$f_scrypt$')) return hash;
  const { salt, memCost, rounds, saltSeparator } = params as Record<string, string>;
  return `$f_scrypt$${hash}$${String(salt)}$m=${String(memCost)}$r=${String(rounds)}$s=${String(saltSeparator)}`;
}
