/**
 * Possible constructions of an app's hashes from password and salt: those that fit every available value, for known passwords to
 * decide.
 */

import { buildHash } from '../../hashes/constructions.ts';
import { parseConstruction } from '../../hashes/parts/construction.ts';
import { digestBytes } from '../../hashes/parts/digested.ts';

const digests = ['md5', 'sha1', 'sha256', 'sha384', 'sha512'] as const;
type Digest = (typeof digests)[number];

/** The numbers that tutorials and frameworks use with each: .NET's Rfc2898DeriveBytes, Discourse, Node's examples, OWASP's advice. */
const iterations: Readonly<Partial<Record<Digest, readonly number[]>>> = {
  sha1: [1000, 10_000],
  sha256: [1000, 10_000, 64_000, 100_000, 310_000, 600_000],
  sha512: [1000, 10_000, 100_000, 210_000],
};

/** Keys longer than their digest: passport-local-mongoose and Payload, Gitea since 1.20 and before, Grafana. */
const longKeys: readonly (readonly [bytes: number, constructions: readonly string[]])[] = [
  [
    512,
    ['pbkdf2-sha256(iterations=25000)', 'pbkdf2-sha1(iterations=25000)', 'pbkdf2-sha512(iterations=25000)'],
  ],
  [
    50,
    [
      'pbkdf2-sha256(iterations=50000,salt=hex)',
      'pbkdf2-sha256(iterations=10000)',
      'pbkdf2-sha256(iterations=10000,salt=hex)',
    ],
  ],
];

/**
 * Constructions in the form of `--hash-as`, the likelier first.
 * @param pairs hashes and their salts, from their columns
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
  const found = texts.filter((text) => fitsAll(text, pairs));
  return found.length > 0 ? found : ofLongKeys(pairs);
}

/** The salt is used as text. */
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

/** PBKDF2 derives keys of any length. Most apps use the length of its digest: the least likely are not tried. */
function fitsAll(text: string, pairs: readonly (readonly [string, string])[]): boolean {
  const made = parseConstruction(text);
  if (typeof made === 'string') return false;
  return pairs.every(
    ([hash, salt]) =>
      buildHash(made, hash, salt).ok && (made.is !== 'pbkdf2' || bytesIn(hash) === digestBytes[made.digest]),
  );
}

function ofLongKeys(pairs: readonly (readonly [string, string])[]): readonly string[] {
  const known = longKeys.find(([bytes]) => pairs.every(([hash]) => bytesIn(hash) === bytes));
  return (known?.[1] ?? []).filter((text) => {
    const made = parseConstruction(text);
    return typeof made !== 'string' && pairs.every(([hash, salt]) => buildHash(made, hash, salt).ok);
  });
}

function bytesIn(hash: string): number {
  return /^[\da-f]+$/i.test(hash) ? hash.length / 2 : Buffer.from(hash, 'base64').length;
}
