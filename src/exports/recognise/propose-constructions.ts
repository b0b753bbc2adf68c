/** How an app may have made its hashes of password and salt: what fits every value at hand, for known passwords to decide. */

import { buildHash } from '../../hashes/constructions.ts';
import { parseConstruction } from '../../hashes/parts/construction.ts';
import { digestBytes } from '../../hashes/parts/digested.ts';

const digests = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
type Digest = (typeof digests)[number];

/** What tutorials and frameworks have used with each: .NET's Rfc2898DeriveBytes, Discourse, Node's examples, OWASP's advice. */
const iterations: Readonly<Partial<Record<Digest, readonly number[]>>> = {
  sha1: [1000, 10_000],
  sha256: [1000, 10_000, 64_000, 100_000, 310_000, 600_000],
  sha512: [1000, 10_000, 100_000, 210_000],
};

/**
 * Constructions as `--hash-as` takes them, the likelier first.
 * @param pairs hashes and their salts, as the columns have them
 */
export function constructionsFor(
  pairs: readonly (readonly [hash: string, salt: string])[],
): readonly string[] {
  if (pairs.length === 0) return [];
  const isHex = pairs.every(([, salt]) => /^(?:[\da-f]{2})+$/i.test(salt));
  const decoded = isHex ? ',salt=hex' : ',salt=base64';
  const texts = digests.flatMap((digest) => [
    ...ofText(digest),
    ...keyed(digest, ''),
    ...keyed(digest, decoded),
  ]);
  return texts.filter((text) => fitsAll(text, pairs));
}

/** The salt is used as it is written. */
function ofText(digest: Digest): readonly string[] {
  return [
    `${digest}(password.salt)`,
    `${digest}(salt.password)`,
    ...(digest === 'md5' ? ['md5(md5(password).salt)', 'md5(md5(salt).md5(password))'] : []),
    ...(digest === 'sha1' ? ['sha1(salt.sha1(salt.sha1(password)))'] : []),
  ];
}

function keyed(digest: Digest, salt: string): readonly string[] {
  const times = iterations[digest] ?? [];
  return [
    ...times.map((each) => `pbkdf2-${digest}(iterations=${each}${salt})`),
    `hmac-${digest}(password,key=salt${salt})`,
  ];
}

/** PBKDF2 gives keys of any length. Apps mostly take as many bytes as its digest has: the least likely are not tried. */
function fitsAll(text: string, pairs: readonly (readonly [string, string])[]): boolean {
  const made = parseConstruction(text);
  if (typeof made === 'string') return false;
  return pairs.every(
    ([hash, salt]) =>
      buildHash(made, hash, salt).ok && (made.is !== 'pbkdf2' || bytesIn(hash) === digestBytes[made.digest]),
  );
}

function bytesIn(hash: string): number {
  return /^[\da-f]+$/i.test(hash) ? hash.length / 2 : Buffer.from(hash, 'base64').length;
}
