/** What every spelling of a digest ends in. */

import { saltBytesLimit } from './ceilings.ts';
import { malformed } from './outcome.ts';
import type { Outcome } from './outcome.ts';
import type { ParsedDigest } from './parsed.ts';
import { digestBytes } from './template.ts';
import type { DigestName, Piece } from './template.ts';

/** What is digested to what. */
interface Digested<Kind extends DigestName | 'ldap'> {
  readonly kind: Kind;
  readonly digest: DigestName;
  readonly pieces: readonly Piece[];
  readonly expected: Buffer | undefined;
}

/** What a spelling may say beside pieces and hash. */
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
