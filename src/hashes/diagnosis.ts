/** Says what is wrong with a string that begins like none of the supported kinds, and the cure where there is one. */

import { constructionOver, foreignKind, shapeOf } from './foreign.ts';
import { fault, malformed } from './outcome.ts';
import type { Fault } from './outcome.ts';
import { spellingOf } from './recogniser.ts';
import { isRedacted, redactedReason } from './scrypt-variant.ts';

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
