/**
 * The well-known hash strings that are not verified here, by how they begin: so that a refusal can say what it saw.
 * Schemes in braces are compared in lower case, because LDAP's are case-insensitive (RFC 2307 section 5.3).
 */

/** bcrypt over something else. Cutting the prefix off leaves a string that parses and never matches. */
const constructions = [['$bcrypt-sha256$', "passlib's bcrypt over a SHA-256 HMAC"]] as const;

const prefixes = [
  ['$apr1$', "Apache's md5-crypt"],
  ['$S$', "Drupal's SHA-512 phpass"],
  ['$y$', 'yescrypt'],
  ['$gy$', 'gost-yescrypt'],
  ['$7$', 'scrypt (crypt form)'],
  ['$pbkdf2', 'PBKDF2 with a digest other than sha1, sha256 and sha512'],
  ['pbkdf2_', "Django's PBKDF2 with a digest other than sha1, sha256 and sha512"],
  ['$hmac-', 'HMAC with a digest other than md5, sha1, sha256, sha384 and sha512'],
] as const;

const schemes = [
  ['{ssha', 'a salted digest of LDAP'],
  ['{sha', 'a digest of LDAP or Spring'],
  ['{md', 'MD4'],
  ['{pbkdf2', 'PBKDF2'],
] as const;

/** Bare digests by their number of hexadecimal characters. */
const digests: Readonly<Record<number, { readonly name: string; readonly kind: string }>> = {
  32: { name: 'MD5', kind: 'md5' },
  40: { name: 'SHA-1', kind: 'sha1' },
  64: { name: 'SHA-256', kind: 'sha256' },
  96: { name: 'SHA-384', kind: 'sha384' },
  128: { name: 'SHA-512', kind: 'sha512' },
};
const hexadecimal = /^[0-9A-Fa-f]+$/;
const betterAuth = /^[0-9a-f]{32}:[0-9a-f]{128}$/;
const springScrypt = /^\$[0-9a-f]{5,6}\$[A-Za-z0-9+/]+=*\$[A-Za-z0-9+/]+=*$/;
/** 49 bytes of which the first is 0: marker, 16 of salt, 32 of key. */
const aspNetTwo = /^A[A-P][A-Za-z0-9+/]{64}==$/;

/** As long as the longest of `schemes`. */
const schemeCharactersLimit = 16;

type Entry = readonly [prefix: string, name: string];

function named(hash: string, entries: readonly Entry[]): string | undefined {
  return entries.find(([prefix]) => hash.startsWith(prefix))?.[1];
}

/** What a construction over bcrypt is called, undefined for anything else. */
export function constructionOver(hash: string): string | undefined {
  return named(hash, constructions);
}

/** The name of the kind that `hash` seems to be, undefined when it is like none that is known. */
export function foreignKind(hash: string): string | undefined {
  return named(hash, prefixes) ?? named(hash.slice(0, schemeCharactersLimit).toLowerCase(), schemes);
}

/** What a hash without a mark seems to be by its shape, and the name to give for it. */
export function shapeOf(hash: string): { readonly name: string; readonly kind: string } | undefined {
  if (hexadecimal.test(hash)) {
    const digest = digests[hash.length];
    return digest && { ...digest, name: `a bare hexadecimal digest (${digest.name} by its length)` };
  }
  if (betterAuth.test(hash)) return { name: "better-auth's scrypt", kind: 'better_auth' };
  if (springScrypt.test(hash)) return { name: "Spring's scrypt", kind: 'scrypt' };
  return aspNetTwo.test(hash) ? { name: 'ASP.NET Identity version 2', kind: 'aspnet' } : undefined;
}
