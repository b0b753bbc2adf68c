/** The common end of every spelling of a digest, and the cost of digests. */

import { malformed, type ClassCost, type HashKind, type Outcome } from '../kind.ts';
import { saltBytesLimit } from '../limits.ts';
import { anotherPassword, otherSalt } from './causes.ts';

/** Bytes of a digest. */
export const digestBytes = {
  md5: 16,
  sha1: 20,
  sha256: 32,
  sha384: 48,
  sha512: 64,
} as const;

export type DigestName = keyof typeof digestBytes;

/** The password, or bytes that are the same for every password. */
export type Piece = 'password' | Buffer;

export interface ParsedDigest<Kind extends DigestName | 'ldap'> {
  readonly kind: Kind;
  readonly digest: DigestName;
  /** The digested parts, in order. */
  readonly pieces: readonly Piece[];
  /** The digest of the digest, this many times in all. */
  readonly iterations: number;
  readonly passwordEncoding: 'utf8' | 'utf16le';
  /** As long as the digest. */
  readonly expected: Buffer;
}

/** Milliseconds of one digest of a short message in rounds of them: see digest-rounds.ts. */
export const digestMs = 0.45e-3;

/** Bytes that a digest takes: its state and a short message, generously. */
export const digestStateBytes = 8192;

/** The inputs of a digest and its result. */
interface Digested<Kind extends DigestName | 'ldap'> {
  readonly kind: Kind;
  readonly digest: DigestName;
  readonly pieces: readonly Piece[];
  readonly expected: Buffer | undefined;
}

/** Options of a spelling in addition to pieces and hash. */
export type DigestOptions = Pick<ParsedDigest<DigestName>, 'iterations' | 'passwordEncoding'>;

export const longSalt = malformed(`its salt is longer than ${saltBytesLimit} bytes`);

export const damaged = malformed(
  'its hash is damaged or not as long as its digest (it may have been cut off)',
);

/** Checks the length of what is expected. */
export function digested<Kind extends DigestName | 'ldap'>(
  { expected, ...rest }: Digested<Kind>,
  options: DigestOptions = { iterations: 1, passwordEncoding: 'utf8' },
): Outcome<ParsedDigest<Kind>> {
  if (expected?.length !== digestBytes[rest.digest]) return damaged;
  return { ok: true, parsed: { ...rest, ...options, expected } };
}

/** The common part of all plain digests, which cost next to nothing: weak, but some users still have them. */
export const digestRow = {
  bytes: () => digestStateBytes,
  work: ({ iterations }) => iterations * digestMs,
  cost: digestCost,
  isWeak: () => true,
  // Digests of the password between constant bytes. UTF-16 represents everything that UTF-8 does.
  isCertain: () => true,
  causes: () => [anotherPassword, otherSalt],
} satisfies Partial<HashKind<ParsedDigest<DigestName | 'ldap'>>>;

/** Its composition. */
export function digestCost({
  pieces,
  iterations,
  passwordEncoding,
}: Pick<ParsedDigest<DigestName>, 'pieces' | 'iterations' | 'passwordEncoding'>): ClassCost {
  return {
    form: pieces.length > 1 ? 'salted' : 'plain',
    iterations,
    ...(passwordEncoding !== 'utf8' && { passwordEncoding }),
  };
}
