import { describe, expect, it } from 'vitest';
import { piFraction } from '../../src/password/algorithms/pi.ts';
import { verifyParsed } from '../../src/password/algorithms/verifiers.ts';
import {
  parseHash,
  parseStoredHash,
  requireHash,
  secretProblem,
  secretsFor,
  storedForm,
  workOf,
} from '../../src/password/formats.ts';
import type { HashKind, HashProblem, HashSecrets } from '../../src/password/formats.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';
import { passwordOf, readVectors } from '../helpers/vectors.ts';
import type { Vector } from '../helpers/vectors.ts';

const vectors = readVectors();
const noSecrets = { signerKey: undefined };

/** How an importer hands over the vectors of one kind: the name it gives, and the one string it makes. */
interface Import {
  readonly given: HashKind | undefined;
  readonly hash?: (vector: Vector) => string;
  readonly secrets?: (vector: Vector) => HashSecrets;
}

const imports: Readonly<Record<string, Import>> = {
  'bcrypt-2x': { given: undefined },
  'bcrypt-sha256-django': { given: undefined },
  'wordpress-bcrypt': { given: undefined },
  'bcrypt-peppered': {
    given: 'bcrypt_peppered',
    secrets: ({ params }) => ({ signerKey: undefined, pepper: Buffer.from(params?.pepper as string) }),
  },
};

interface Row extends Import {
  readonly title: string;
  readonly vector: Vector;
  readonly hash: () => string;
}

const rows: readonly Row[] = vectors.flatMap((vector) => {
  const how = imports[vector.kind];
  if (how === undefined) return [];
  const title = `${vector.id} ${vector.kind}: ${vector.expect ?? 'match'}`;
  return [{ ...how, title, vector, hash: () => how.hash?.(vector) ?? vector.hash }];
});

function problem(hash: string, given?: HashKind): HashProblem {
  const result = parseHash(hash, given, limits);
  if (result.ok) throw new Error('was expected to be refused');
  return result;
}

/** As an import and a later sign-in do it: what verifies is the stored string, without a word beside it. */
function carriedOver({ given, hash, secrets, vector }: Row, password = passwordOf(vector)): boolean {
  const found = secrets?.(vector) ?? noSecrets;
  const imported = requireHash(hash(), given, limits);
  expect(secretProblem(imported, found)).toBeUndefined();
  const stored = parseStoredHash(storedForm(hash(), imported), limits);
  if (!stored.ok) throw new Error(stored.message);
  expect(workOf(stored.parsed)).toBeGreaterThan(0);
  return verifyParsed(stored.parsed, password, secretsFor(stored.parsed, found));
}

describe('vectors', () => {
  const computed = rows.filter(({ vector }) => vector.valid || vector.expect === 'mismatch');
  const refused = rows.filter((row) => !computed.includes(row));

  it.each(computed.map((row) => [row.title, row] as const))('%s', (_title, row) => {
    expect(carriedOver(row)).toBe(row.vector.valid);
    if (row.vector.valid) expect(carriedOver(row, Buffer.from('certainly not this one'))).toBe(false);
  });

  it.each(refused.map((row) => [row.title, row] as const))('%s', (_title, { hash, given }) => {
    expect(['malformed', 'out-of-range', 'no-password']).toContain(problem(hash(), given).code);
  });
});

describe('bcrypt and what is built on it', () => {
  const bugged = '$2x$05$/OK.fbVrR/bpIqNJ5ianF.CE5elHaaO4EbggVDjb8P19RukzXSM3e';
  const ordinary = '$2a$10$ndCGPWg5JFMQH/Kl6xKe.OGNaiG7CFIAVsgAOJU75Q6g5/FpY5eX6';

  it('takes its tables from pi', () => {
    const words = piFraction(18 + 4 * 256);
    expect(words[0]).toBe(0x243f6a88);
    expect(words[17]).toBe(0x8979fb1b);
    expect(words[18]).toBe(0xd1310ba6);
    expect(words.at(-1)).toBe(0x3ac372e6);
  });

  it('never takes $2x$ for another version, and lets it go by the name of bcrypt', () => {
    expect(requireHash(bugged, 'bcrypt', limits).kind).toBe('bcrypt_2x');
    const other = requireHash(bugged.replace('$2x$', '$2a$'), undefined, limits);
    expect(verifyParsed(other, Buffer.from('a3', 'hex'), noSecrets)).toBe(false);
    const hash = requireHash(bugged, undefined, limits);
    expect(verifyParsed(hash, Buffer.from('a3', 'hex'), noSecrets)).toBe(true);
  });

  it('trims a WordPress password as PHP does', () => {
    const hash = '$wp$2y$10$Q1xinFjrZeLWJBvxviIL6u834Fu.evIEFHAUVisQ5O.w9Dm0sMdES';
    const parsed = requireHash(hash, undefined, limits);
    expect(verifyParsed(parsed, Buffer.from(' \tadmin\v\n'), noSecrets)).toBe(true);
    expect(verifyParsed(parsed, Buffer.from('admin\u00a0'), noSecrets)).toBe(false);
    expect(problem(hash, 'bcrypt').message).toContain('set hashingAlgorithm to bcrypt_wordpress');
  });

  it('reads a peppered hash by its name only, and needs the pepper', () => {
    const parsed = requireHash(ordinary, 'bcrypt_peppered', limits);
    expect(secretProblem(parsed, noSecrets)).toMatchObject({ code: 'pepper-missing' });
    expect(secretProblem(parsed, { ...noSecrets, pepper: Buffer.alloc(0) })?.message).toContain('no pepper');
    expect(verifyParsed(parsed, Buffer.from('testpassword3'), noSecrets)).toBe(false);
    expect(storedForm(ordinary, parsed)).toBe(`$carryover$bcrypt_peppered$${ordinary}`);
    expect(storedForm(ordinary, requireHash(ordinary, undefined, limits))).toBe(ordinary);
  });

  it('085 bcrypt-django is refused with the prefix to remove: it is bcrypt and nothing else', () => {
    const vector = vectors.find(({ id }) => id === '085');
    expect(problem(vector?.hash ?? '').message).toContain("the exporter's prefix bcrypt$ was left on");
  });

  it('holds what is inside against the ceiling of bcrypt', () => {
    expect(problem(bugged.replace('$05$', '$31$')).code).toBe('out-of-range');
    expect(problem(`bcrypt_sha256$${ordinary.replace('$10$', '$31$')}`).code).toBe('out-of-range');
  });
});

describe('tags', () => {
  it.each(['$carryover$', '$carryover$bcrypt', '$carryover$bcrypt$$2b$', '$carryover$constructor$x'])(
    'refuses %s',
    (hash) => {
      expect(problem(hash).message).toContain('its tag names no kind');
    },
  );

  it('must agree with the name that is given', () => {
    expect(problem('$carryover$bcrypt_peppered$x', 'bcrypt').message).toContain('to bcrypt_peppered');
    expect(problem('$carryover$bcrypt_peppered$x').code).toBe('malformed');
  });
});
