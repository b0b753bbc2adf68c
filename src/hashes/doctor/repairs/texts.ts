/** Repairs of the string: changes made by exporters, spreadsheets and shells. */

import { kindNames, rowOf } from '../../registry.ts';
import { parameters } from '../examination.ts';
import type { Repair, Subject, Variant } from '../repair.ts';

/** Schemes in braces, and names before another mark. */
const wrapper = /^(?:\{[^{}]{1,40}\}|(?:bcrypt|argon2|scrypt|pbkdf2|crypt|ldap|hash)[$:]?(?=[$]))/i;
/** Escapes that a shell, a template or a serialiser adds before a character. */
const escapes = /\\(?=[$/"'\\.])/g;

export const textRepairs: readonly Repair[] = [
  {
    name: 'white-space',
    parameter: parameters.hash,
    advice: 'Remove the white space or line end around the hash.',
    variants: rewritten((hash) => [hash.trim(), hash.replaceAll(/\s/g, '')]),
  },
  {
    name: 'quotes',
    parameter: parameters.hash,
    advice: "Remove the quotes (or a spreadsheet's apostrophe) that were left on the hash.",
    variants: rewritten((hash) => [
      hash.trim().replace(/^(["'`])([^]*)\1$/, '$2'),
      hash.trim().replace(/^'/, ''),
    ]),
  },
  {
    name: 'csv-doubling',
    parameter: parameters.hash,
    advice: 'Read the file as CSV: the hash still has the doubled quotes of a cell.',
    variants: rewritten((hash) => [
      hash
        .trim()
        .replaceAll('""', '"')
        .replaceAll(/^"+|"+$/g, ''),
    ]),
  },
  {
    name: 'escapes',
    parameter: parameters.hash,
    advice: 'Undo the escaping (backslashes, %24 or doubled $) that was left in the hash.',
    variants: rewritten((hash) => [
      hash.replaceAll(escapes, ''),
      hash.replaceAll('$$', '$'),
      unescaped(hash),
    ]),
  },
  {
    name: 'prefix',
    parameter: parameters.hash,
    advice: "Remove the exporter's prefix (such as {bcrypt}, {argon2}, bcrypt$ or argon2) before the hash.",
    variants: ({ hash }) => withoutKind([hash.replace(wrapper, '')], hash),
  },
  {
    name: 'missing-dollar',
    parameter: parameters.hash,
    advice: 'Put the $ back before the hash: it was cut off.',
    variants: ({ hash }) => withoutKind(hash.startsWith('$') ? [] : [`$${hash}`], hash),
  },
  {
    name: 'hashing-algorithm',
    parameter: parameters.algorithm,
    advice: 'Name the kind that the hash is of.',
    variants: otherKinds,
  },
];

/** The named kind does not change. */
function rewritten(rewrite: (hash: string) => readonly string[]): Repair['variants'] {
  return ({ hash, given }) =>
    rewrite(hash)
      .filter((each) => each !== hash)
      .map((each) => ({ hash: each, given }));
}

/** The inner hash shows its kind, whatever was named for the whole. */
function withoutKind(hashes: readonly string[], hash: string): Variant[] {
  return hashes.filter((each) => each !== hash).map((each) => ({ hash: each, given: undefined }));
}

function unescaped(hash: string): string {
  try {
    return decodeURIComponent(hash);
  } catch {
    return hash;
  }
}

/** Kinds with a pepper are in secrets.ts. */
function otherKinds({ given }: Subject): Variant[] {
  const names = kindNames
    .filter((kind) => kind !== given && kind !== 'bcrypt_peppered')
    .filter((kind) => rowOf(kind).parseUnmarked !== undefined || rowOf(kind).mustBeNamed !== undefined);
  const unnamed = given === 'bcrypt_peppered' ? [] : [{ given: undefined }];
  return [...unnamed, ...names.map((kind) => ({ given: kind }))];
}
