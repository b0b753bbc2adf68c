/** The displayed properties of a hash, without the hash: its class, whether it is weak, whether a match was certain. */
import { pbkdf2Sync, scryptSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { HashPolicy } from '../../src/domain/model.ts';
import { hashClass, isBelowPolicy, isCertain, isWeak, policyClass } from '../../src/hashes/assess.ts';
import { fitsBcrypt } from '../../src/hashes/parts/certainty.ts';
import { parseHash, parseStoredHash } from '../../src/hashes/recognise.ts';
import { unsupported } from '../../src/hashes/unsupported.ts';
import { hashKindNamed, kinds } from '../../src/hashes/registry.ts';
import type { ParsedHash } from '../../src/hashes/registry.ts';
import { type HashTally, tallyHashes, TallySum } from '../../src/hashes/tally.ts';
import { buggyKey } from '../../src/hashes/verify/bcrypt-2x.ts';
import { hashBcrypt } from '../../src/hashes/verify/bcrypt.ts';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';
import { readVectors, scryptVariantString } from '../helpers/vectors.ts';

const argon2: HashPolicy = { algorithm: 'ARGON2', memoryKb: 19_456, iterations: 2, parallelism: 1 };
const bcrypt: HashPolicy = { algorithm: 'BCRYPT', logRounds: 12 };

function parsed(hash: string): ParsedHash {
  const result = parseStoredHash(hash, defaultLimits);
  if (!result.ok) throw new Error(result.message);
  return result.parsed;
}

const argon2Hash = (m: number, t: number, variant = 'id', v = 19): string =>
  `$argon2${variant}$v=${v}$m=${m},t=${t},p=1$c29tZXNhbHQ$MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY`;
const bcryptHash = (cost: number, mark = '2b'): string =>
  `$${mark}$${String(cost).padStart(2, '0')}$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2`;
const hex = (digits: number): string => '0123456789abcdef'.repeat(8).slice(0, digits);
const pbkdf2 = (digest: string, iterations: number): string =>
  `pbkdf2_${digest}$${iterations}$salt$${Buffer.alloc({ sha1: 20, sha512: 64 }[digest] ?? 32, 1).toString('base64')}`;

describe('the class of a hash', () => {
  it.each([
    [bcryptHash(10), 'bcrypt', { logRounds: 10 }],
    [bcryptHash(5, '2x'), 'bcrypt_2x', { logRounds: 5 }],
    [
      argon2Hash(65_536, 3, 'i', 16),
      'argon2',
      { variant: 'i', version: 16, memoryKb: 65_536, iterations: 3, parallelism: 1 },
    ],
    [pbkdf2('sha256', 1000), 'pbkdf2', { digest: 'sha256', iterations: 1000 }],
    [`$carryover$md5$${hex(32)}`, 'md5', { form: 'plain', iterations: 1 }],
    [`sha1$salt$${hex(40)}`, 'sha1', { form: 'salted', iterations: 1 }],
    [
      `{SSHA}${Buffer.alloc(28, 1).toString('base64')}`,
      'ldap',
      { digest: 'sha1', form: 'salted', iterations: 1 },
    ],
  ])('%s is %s', (hash, kind, cost) => {
    expect(hashClass(parsed(hash))).toEqual({ kind, cost });
  });

  it('has numbers and words only, of every kind of the vectors: never a salt or a hash', () => {
    const seen = new Set<string>();
    for (const vector of readVectors().filter(({ valid }) => valid)) {
      const given = hashKindNamed(vector.kind);
      const text = given === 'provider_scrypt' ? scryptVariantString(vector) : vector.hash;
      const result = parseHash(text, given, defaultLimits);
      if (!result.ok) continue;
      const { kind, cost } = hashClass(result.parsed);
      seen.add(kind);
      for (const value of Object.values(cost)) {
        if (typeof value === 'string')
          expect(value).toMatch(/^(d|i|id|md5|sha[0-9-]+|plain|salted|utf16le)$/);
        else expect(Number.isSafeInteger(value)).toBe(true);
      }
    }
    expect(seen.size).toBeGreaterThan(15);
    expect([...seen].every((kind) => Object.hasOwn(kinds, kind))).toBe(true);
  });
});

/** The page states the figures by which a hash is weak. */
const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/reference/hashes.md'), 'utf8');

describe('the figures of the page', () => {
  const rows = [...page.matchAll(/^\| PBKDF2 with (\S+) +\| ([\d,]+) iterations/gm)];
  it('are those of the code', () => {
    expect(rows.map(([, digest]) => digest)).toEqual(['SHA-1', 'SHA-256', 'SHA-512']);
    for (const [, digest = '', figure = ''] of rows) {
      const [name, least] = [digest.replace('-', '').toLowerCase(), Number(figure.replaceAll(',', ''))];
      expect([isWeak(parsed(pbkdf2(name, least))), isWeak(parsed(pbkdf2(name, least - 1)))]).toEqual([
        false,
        true,
      ]);
    }
    const [, cost = ''] = /^\| bcrypt, of every kind +\| cost (\d+)/m.exec(page) ?? [];
    expect([isWeak(parsed(bcryptHash(Number(cost)))), isWeak(parsed(bcryptHash(Number(cost) - 1)))]).toEqual([
      false,
      true,
    ]);
    const settings = [...page.matchAll(/(\d+) MiB with (\d+)/g)];
    expect(settings).toHaveLength(5);
    for (const [, mib, passes] of settings) {
      expect(isWeak(parsed(argon2Hash(Number(mib) * 1024, Number(passes))))).toBe(false);
      expect(isWeak(parsed(argon2Hash(Number(mib) * 512, Number(passes))))).toBe(true);
    }
  });
});

describe('weak', () => {
  it.each([
    [bcryptHash(9), true],
    [bcryptHash(10), false],
    [bcryptHash(9, '2x'), true],
    [argon2Hash(19_456, 2), false],
    [argon2Hash(19_456, 1), true],
    [argon2Hash(47_104, 1), false],
    [argon2Hash(7_168, 5), false],
    [argon2Hash(7_168, 4), true],
    [pbkdf2('sha256', 599_999), true],
    [pbkdf2('sha256', 600_000), false],
    [pbkdf2('sha1', 600_000), true],
    [pbkdf2('sha1', 1_299_999), true],
    [pbkdf2('sha1', 1_300_000), false],
    [pbkdf2('sha512', 209_999), true],
    [pbkdf2('sha512', 210_000), false],
    [`scrypt$131072$salt$8$1$${Buffer.alloc(64, 1).toString('base64')}`, false],
    [`scrypt$16384$salt$8$1$${Buffer.alloc(64, 1).toString('base64')}`, true],
    [`scrypt$16384$salt$8$5$${Buffer.alloc(64, 1).toString('base64')}`, false],
    [`$carryover$sha512$${hex(128)}`, true],
    [`md5$salt$${hex(32)}`, true],
    ['$1$saltsalt$qjXMvbEw8oaL.CzflDtaK/', true],
    ['$P$BkGHaA2BWRJ1OtqRS3bQ3pjdxb6bSM1', true],
  ])('%s: %s', (hash, expected) => {
    expect(isWeak(parsed(hash))).toBe(expected);
  });
});

describe('below the policy', () => {
  it.each([
    [argon2Hash(19_456, 2), false],
    [argon2Hash(65_536, 3), false],
    // The same amount written in total, but in less memory; more memory, but written less often.
    [argon2Hash(9_728, 4), true],
    [argon2Hash(38_911, 1), true],
    [argon2Hash(38_912, 1), false],
    [argon2Hash(65_536, 3, 'i'), true],
    [argon2Hash(65_536, 3, 'id', 16), true],
    [bcryptHash(15), true],
    [`$carryover$md5$${hex(32)}`, true],
  ])('of Argon2id, %s: %s', (hash, expected) => {
    expect(isBelowPolicy(parsed(hash), argon2)).toBe(expected);
  });

  it.each([
    [bcryptHash(12), false],
    [bcryptHash(11), true],
    [bcryptHash(12, '2x'), true],
    [argon2Hash(19_456, 2), false],
    [argon2Hash(19_456, 1), true],
    [pbkdf2('sha256', 5_000_000), true],
  ])('of bcrypt, %s: %s', (hash, expected) => {
    expect(isBelowPolicy(parsed(hash), bcrypt)).toBe(expected);
  });

  it('is no hash that the policy makes', () => {
    expect(policyClass(argon2)).toEqual(hashClass(parsed(argon2Hash(19_456, 2))));
    expect(policyClass(bcrypt)).toEqual(hashClass(parsed(bcryptHash(12))));
  });
});

describe('a match is certain', () => {
  const of = (kind: ParsedHash['kind'], password: string, pepper?: string): boolean =>
    isCertain({ kind }, Buffer.from(password), pepper === undefined ? undefined : Buffer.from(pepper));

  it('of a usual password, whatever the kind', () => {
    for (const kind of Object.keys(kinds) as ParsedHash['kind'][])
      expect([kind, of(kind, 'correct horse battery', 'pepper')]).toEqual([kind, true]);
  });

  it.each<[ParsedHash['kind'], string, boolean]>([
    ['bcrypt', 'x'.repeat(71), true],
    // May be the beginning of a longer one.
    ['bcrypt', 'x'.repeat(72), false],
    ['bcrypt', 'x'.repeat(73), false],
    ['bcrypt', 'é'.repeat(36), false],
    ['bcrypt', 'a\0a', false],
    ['bcrypt_2x', 'straße', false],
    ['bcrypt_2x', 'x'.repeat(72), false],
    ['bcrypt', 'straße', true],
    ['bcrypt_sha256', 'x'.repeat(100), true],
    ['bcrypt_wordpress', 'x'.repeat(100), true],
    ['bcrypt_wordpress', ' x', false],
    ['bcrypt_wordpress', 'x\n', false],
    ['bcrypt_wordpress', 'x y', true],
    ['pbkdf2', 'a\0', false],
    ['scrypt', 'a\0', false],
    ['provider_scrypt', 'a\0', false],
    ['pbkdf2', 'x'.repeat(200), true],
    ['better_auth', 'Å', false],
    ['better_auth', 'ﬁ', false],
    ['argon2', 'a\0', true],
    ['hmac', 'a\0', true],
    ['sha512_crypt', 'x'.repeat(200), true],
  ])('of %s with %j: %s', (kind, password, expected) => {
    expect(of(kind, password)).toBe(expected);
  });

  it('of a peppered one only when both fit', () => {
    expect(of('bcrypt_peppered', 'x'.repeat(65), 'pepper')).toBe(true);
    expect(of('bcrypt_peppered', 'x'.repeat(66), 'pepper')).toBe(false);
    expect(of('bcrypt_peppered', 'x', 'pep\0per')).toBe(false);
  });

  it.each<[ParsedHash['kind'], string, string, (other: Buffer) => string]>([
    ['bcrypt', 'x'.repeat(72), 'x'.repeat(73), (other) => hashBcrypt(other, 4)],
    ['bcrypt', 'a\0a', 'a', (other) => hashBcrypt(other, 4)],
    [
      'pbkdf2',
      'a\0',
      'a',
      (other) => `pbkdf2_sha256$1$salt$${pbkdf2Sync(other, 'salt', 1, 32, 'sha256').toString('base64')}`,
    ],
    [
      'scrypt',
      'a\0',
      'a',
      (other) => `scrypt:2:8:1$salt$${scryptSync(other, 'salt', 64, { N: 2, r: 8, p: 1 }).toString('hex')}`,
    ],
  ])('never of %s where it takes %j and %j for one', (kind, password, other, make) => {
    const made = parsed(make(Buffer.from(other)));
    expect(verifyParsed(made, Buffer.from(password), { signerKey: undefined, pepper: undefined })).toBe(true);
    expect(of(kind, password)).toBe(false);
  });

  it('never of $2x$ where the bug makes two passwords one', () => {
    expect(buggyKey(Buffer.from('a£'))).toEqual(buggyKey(Buffer.from('b£')));
    expect(of('bcrypt_2x', 'a£')).toBe(false);
  });

  it('says what bcrypt can take', () => {
    expect([
      fitsBcrypt(Buffer.from('x')),
      fitsBcrypt(Buffer.alloc(72, 1)),
      fitsBcrypt(Buffer.from('\0')),
    ]).toEqual([true, false, false]);
  });
});

describe('a tally', () => {
  const tally = (hashes: readonly string[]): HashTally =>
    tallyHashes({ lines: hashes.join('\n'), limits: defaultLimits, policy: argon2 });

  it('counts classes, and what cannot be read', () => {
    const hashes = [
      bcryptHash(10),
      bcryptHash(10),
      argon2Hash(19_456, 2),
      'broken',
      bcryptHash(31),
      bcryptHash(4),
    ];
    expect(tally(hashes)).toEqual({
      users: 6,
      unreadable: 2,
      classes: [
        { kind: 'bcrypt', cost: { logRounds: 10 }, isWeak: false, isBelowPolicy: true, users: 2 },
        { ...hashClass(parsed(argon2Hash(19_456, 2))), isWeak: false, isBelowPolicy: false, users: 1 },
        { kind: 'bcrypt', cost: { logRounds: 4 }, isWeak: true, isBelowPolicy: true, users: 1 },
      ],
    });
    expect(tally([])).toEqual({ users: 0, unreadable: 0, classes: [] });
  });

  it('keeps a thousand classes apart, and loses no user beyond', () => {
    const sum = new TallySum();
    const part = tally(Array.from({ length: 3000 }, (_, n) => pbkdf2('sha256', n + 1)));
    sum.add(part);
    sum.add(tally(Array.from({ length: 3000 }, (_, n) => pbkdf2('sha256', n + 5001))));
    const { users, classes } = sum.total;
    expect(users).toBe(6000);
    expect(classes.reduce((all, each) => all + each.users, 0)).toBe(6000);
    expect(classes.length).toBe(1001);
    expect(classes.at(-1)).toEqual({
      kind: 'pbkdf2',
      cost: {},
      isWeak: true,
      isBelowPolicy: true,
      users: 5000,
    });
  });
});

it('has no kind that a refusal calls unsupported by how it begins', () => {
  const marks = Object.values(kinds).flatMap(({ spellings }) => spellings.map(([mark]) => mark));
  const shadowed = marks.filter((mark) => unsupported.some((each) => mark === each.mark));
  expect(shadowed).toEqual([]);
});
