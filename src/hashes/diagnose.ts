/** Says what is wrong with a string that begins like none of the supported kinds, and the cure where there is one. */

import { fault, malformed, type Fault } from './kind.ts';
import { isRedacted, redactedReason } from './kinds/firebase-scrypt.ts';
import { kindNames, rowOf } from './registry.ts';
import { spellingOf } from './spellings.ts';

/**
 * The well-known hash strings that are not verified here, by how they begin: so that a refusal can say what it saw.
 * Schemes in braces are compared in lower case, because LDAP's are case-insensitive (RFC 2307 section 5.3).
 */

/** bcrypt over something else. Cutting the prefix off leaves a string that parses and never matches. */
const constructions = [['$bcrypt-sha256$', "passlib's bcrypt over a SHA-256 HMAC"]] as const;

export const prefixes = [
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

/** As long as the longest of `schemes`. */
const schemeCharactersLimit = 16;

/** What exporters put before a whole hash, in lower case (schemes in braces are case-insensitive). */
const wrappers = [
  '{argon2@springsecurity_v5_8}',
  '{argon2id}',
  '{argon2i}',
  '{argon2}',
  '{blf-crypt}',
  '{bcrypt}',
  '{scrypt@springsecurity_v5_8}',
  '{scrypt}',
  '{crypt}',
  '{ldap}',
  'bcrypt$',
  'bcrypt',
  'argon2$',
  'argon2',
] as const;

/** As long as the longest of them: what comes after is not looked at. */
const wrapperCharactersLimit = 32;

/** The fault of white space or quotes around a hash, undefined when there are none. */
export function faultOfSurroundings(hash: string): Fault | undefined {
  if (hash !== hash.trim()) return malformed('it has white space at its start or end: remove it');
  const first = hash[0];
  const last = hash.at(-1);
  if (first === "'" && last !== "'") {
    return malformed("a leading apostrophe (a spreadsheet export's guard) was left on: remove it");
  }
  if (isQuote(first) || isQuote(last)) return malformed('it was left in quotes: remove them');
  return undefined;
}

function isQuote(character: string | undefined): boolean {
  return character === '"' || character === "'" || character === '`';
}

/** The fault of a string that is not of a supported kind. Never empty-handed: the last resort lists what is supported. */
export function diagnose(hash: string): Fault {
  return (
    diagnoseKnown(hash) ??
    malformed(
      'it begins with none of $2a$, $2b$, $2y$, $argon2id$, $argon2i$, $argon2d$ and $f_scrypt$, ' +
        'nor like another kind that is known; where a hash does not tell its kind, set hashingAlgorithm',
    )
  );
}

/** The fault of a string that is recognised as something else, undefined when it is like nothing that is known. */
export function diagnoseKnown(hash: string): Fault | undefined {
  return (
    faultOfSurroundings(hash) ??
    faultOfMark(hash) ??
    faultOfConstruction(hash) ??
    faultOfWrapper(hash) ??
    faultOfForeignKind(unwrapped(hash)) ??
    faultOfShape(hash)
  );
}

function faultOfMark(hash: string): Fault | undefined {
  if (isRedacted(hash)) return malformed(redactedReason);
  if (hash.startsWith('!') || hash.startsWith('*')) {
    const cure = 'import this user by another way to sign in, or let a password be set by reset';
    return fault(
      'no-password',
      `it begins with ${hash.charAt(0)}, which marks an account without a password: ${cure}`,
    );
  }
  if (hash.slice(0, '{noop}'.length).toLowerCase() === '{noop}') {
    return malformed('{noop} marks a plain-text password, which is not a hash');
  }
  return undefined;
}

function faultOfConstruction(hash: string): Fault | undefined {
  const name = constructionOver(hash);
  if (name === undefined) return undefined;
  const warning = 'without its prefix it would parse and never match, so leave the prefix on';
  return fault(
    'unsupported',
    `it is ${name}, a construction of its own that is not supported yet; ${warning}`,
  );
}

function faultOfWrapper(hash: string): Fault | undefined {
  for (const wrapper of wrappersOf(hash)) {
    const inner = hash.slice(wrapper.length);
    if (spellingOf(inner) === undefined && shapeOf(inner) === undefined) continue;
    return malformed(`the exporter's prefix ${hash.slice(0, wrapper.length)} was left on: remove it`);
  }
  return undefined;
}

/** `{CRYPT}` wraps any crypt(3) string: what counts then is the kind inside. */
function unwrapped(hash: string): string {
  return hash.slice(wrappersOf(hash)[0]?.length ?? 0);
}

function wrappersOf(hash: string): readonly string[] {
  const lower = hash.slice(0, wrapperCharactersLimit).toLowerCase();
  return wrappers.filter((wrapper) => lower.startsWith(wrapper));
}

function faultOfForeignKind(hash: string): Fault | undefined {
  const name = foreignKind(hash);
  return name === undefined
    ? undefined
    : fault('unsupported', `it looks like ${name}, which is not supported yet`);
}

function faultOfShape(hash: string): Fault | undefined {
  const shape = shapeOf(hash);
  return shape && malformed(`it looks like ${shape.name}: if so, set hashingAlgorithm to ${shape.kind}`);
}

type Entry = readonly [prefix: string, name: string];

function named(hash: string, entries: readonly Entry[]): string | undefined {
  return entries.find(([prefix]) => hash.startsWith(prefix))?.[1];
}

/** What a construction over bcrypt is called, undefined for anything else. */
function constructionOver(hash: string): string | undefined {
  return named(hash, constructions);
}

/** The name of the kind that `hash` seems to be, undefined when it is like none that is known. */
function foreignKind(hash: string): string | undefined {
  return named(hash, prefixes) ?? named(hash.slice(0, schemeCharactersLimit).toLowerCase(), schemes);
}

const shapes = kindNames.flatMap((kind) =>
  (rowOf(kind).shapes ?? []).map(({ pattern, name }) => ({ kind, pattern, name })),
);

/** What a hash without a mark seems to be by its shape, and the name to give for it. */
function shapeOf(hash: string): { readonly name: string; readonly kind: string } | undefined {
  return shapes.find(({ pattern }) => pattern.test(hash));
}
