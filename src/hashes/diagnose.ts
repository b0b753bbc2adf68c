/** Explains a string that begins like none of the supported kinds, with the cure if there is one. */

import type { HashLimits } from '../domain/model.ts';
import { fault, malformed, type Fault, type FaultCode, type Shape } from './kind.ts';
import { isRedacted, redactedReason } from './kinds/firebase-scrypt.ts';
import { kindNames, rowOf, type HashKindName } from './registry.ts';
import { spellingOf } from './spellings.ts';
import { constructions, desCrypt, desPattern, unsupported, unsupportedSchemes } from './unsupported.ts';
import type { Unsupported } from './unsupported.ts';

/** The longest scheme in braces that is examined. */
const schemeCharactersLimit = 16;

/** Prefixes that exporters add to a whole hash, in lower case (schemes in braces are case-insensitive): the rest is examined. */
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

/** The length of the longest: the characters after it are not examined. */
const wrapperCharactersLimit = 32;

/** The fault of white space or quotes around a hash, undefined for a clean one. */
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

/** The fault of a string that is not of a supported kind. Always finds one: the last resort lists the supported kinds. */
export function diagnose(hash: string, limits: HashLimits): Fault {
  return (
    diagnoseKnown(hash, limits) ??
    malformed(
      'it begins with none of $2a$, $2b$, $2y$, $argon2id$, $argon2i$, $argon2d$ and $f_scrypt$, ' +
        'nor like another known kind; where a hash does not show its kind, set hashingAlgorithm',
    )
  );
}

/** The fault of a string that is recognised as something else, undefined when it resembles nothing known. */
export function diagnoseKnown(hash: string, limits: HashLimits): Fault | undefined {
  return (
    faultOfSurroundings(hash) ??
    faultOfMark(hash) ??
    faultOfConstruction(hash) ??
    faultOfWrapper(hash, limits) ??
    faultOfForeignKind(hash) ??
    faultOfShape(hash, limits)
  );
}

const otherWays = 'import this user by another way to sign in, or let a password be set by reset';

/** Strings that describe the account, or are not hashes at all. */
const marks: readonly (readonly [pattern: RegExp, code: FaultCode, reason: string])[] = [
  [
    /^\*[0-9A-Fa-f]{16,}$/,
    'malformed',
    "it begins as MySQL's PASSWORD() does and has not its 40 hexadecimal digits: it was cut off or added to",
  ],
  [/^!/, 'no-password', `it begins with !, which marks an account without a password: ${otherWays}`],
  [/^\*/, 'no-password', `it begins with *, which marks an account without a password: ${otherWays}`],
  [
    /^[123]\|$/,
    'no-password',
    `it is only the version that Nextcloud writes before a hash, so the account has no password: ${otherWays}`,
  ],
  [
    /^[123]\|/,
    'malformed',
    'it begins with the version that Nextcloud writes before a hash, and neither bcrypt nor Argon2 comes after it',
  ],
  [/^\{noop\}/i, 'malformed', '{noop} marks a plain-text password, which is not a hash'],
  [
    /^\{(?:plain|plaintext|clear|cleartext)\}/i,
    'malformed',
    'its scheme marks a plain-text password, which is not a hash',
  ],
  [
    /^[^|]{1,512}\|0\|/,
    'malformed',
    'it is a plain-text password of aspnet_Membership (format 0), which is not a hash',
  ],
  [
    /^[A-Za-z0-9+/]{20,512}={0,2}\|2\|[A-Za-z0-9+/]+={0,2}$/,
    'unsupported',
    'it is a password of aspnet_Membership that was encrypted with the machine key of the site (format 2), which is not a hash',
  ],
  [
    /^[A-Za-z0-9+/]{43}=\|1\|[A-Za-z0-9+/]+={0,2}$/,
    'unsupported',
    'it is a hash of aspnet_Membership with a digest of 32 bytes, SHA-256 or an HMAC, which it does not show: only SHA-1 is supported',
  ],
];

function faultOfMark(hash: string): Fault | undefined {
  if (isRedacted(hash)) return malformed(redactedReason);
  const found = marks.find(([pattern]) => pattern.test(hash));
  return found && fault(found[1], found[2]);
}

/** Django's documentation on wrapping old digests: the site writes the hasher, with a name like this. */
const wrapped = /^[a-z0-9_]{1,32}_wrapped_[a-z0-9_]{1,32}\$/i;

function faultOfConstruction(hash: string): Fault | undefined {
  if (wrapped.test(hash))
    return fault(
      'unsupported',
      "it is of a hasher of the site's own that wraps older hashes (wrapped, as Django's documentation calls it): " +
        'what it hashed is a digest of the password, by code that only the site has; let the old system check these ' +
        'passwords at the first sign-in (docs/guide/without-hashes.md), or have these users set a new one',
    );
  const name = named(hash, constructions);
  if (name === undefined) return undefined;
  const warning = 'without its prefix it would parse and never match, so leave the prefix on';
  return fault(
    'unsupported',
    `it is ${name}, a construction of its own that is not supported yet; ${warning}`,
  );
}

function faultOfWrapper(hash: string, limits: HashLimits): Fault | undefined {
  for (const wrapper of wrappersOf(hash)) {
    const inner = hash.slice(wrapper.length);
    if (spellingOf(inner) === undefined && shapeOf(inner, limits) === undefined) continue;
    return malformed(`the exporter's prefix ${hash.slice(0, wrapper.length)} was left on: remove it`);
  }
  return undefined;
}

function wrappersOf(hash: string): readonly string[] {
  const lower = hash.slice(0, wrapperCharactersLimit).toLowerCase();
  return wrappers.filter((wrapper) => lower.startsWith(wrapper));
}

/** `{CRYPT}` wraps any crypt(3) string: the kind inside counts then. */
function faultOfForeignKind(hash: string): Fault | undefined {
  const wrapper = wrappersOf(hash)[0] ?? '';
  const inner = hash.slice(wrapper.length);
  const isDes = wrapper === desCrypt.mark && desPattern.test(inner);
  const name = isDes
    ? desCrypt.name
    : (named(inner, unsupported) ?? named(schemeOf(inner), unsupportedSchemes));
  return name === undefined
    ? undefined
    : fault('unsupported', `it looks like ${name}, which is not supported yet`);
}

function schemeOf(hash: string): string {
  return hash.slice(0, schemeCharactersLimit).toLowerCase();
}

/** A kind is suggested only if it can read the string. */
function faultOfShape(hash: string, limits: HashLimits): Fault | undefined {
  const found = shapeOf(hash, limits);
  if (found === undefined) return undefined;
  const { kind, shape } = found;
  if (shape.isUnsalted !== true)
    return malformed(`it looks like ${shape.name}: if so, set hashingAlgorithm to ${kind}`);
  const ifSalted = `it is as long as ${shape.name} in hexadecimal digits`;
  const advice = `if it is that digest of the password alone, without a salt, set hashingAlgorithm to ${kind}`;
  return { ...malformed(`${ifSalted}: ${advice}`), ifSalted };
}

function shapeOf(hash: string, limits: HashLimits): KindShape | undefined {
  return shapes.find(({ kind, shape }) => shape.pattern.test(hash) && isReadAs(kind, hash, limits));
}

function isReadAs(kind: HashKindName, hash: string, limits: HashLimits): boolean {
  const outcome = rowOf(kind).parseUnmarked?.(hash, limits);
  return outcome !== undefined && (outcome.ok || outcome.code === 'out-of-range');
}

function named(hash: string, entries: readonly Unsupported[]): string | undefined {
  return entries.find(({ mark }) => hash.startsWith(mark))?.name;
}

interface KindShape {
  readonly kind: HashKindName;
  readonly shape: Shape;
}

const shapes: readonly KindShape[] = kindNames.flatMap((kind) =>
  (rowOf(kind).shapes ?? []).map((shape) => ({ kind, shape })),
);
