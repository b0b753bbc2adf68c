import { createHash, pbkdf2Sync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { secretProblem, secretsFor } from '../../src/hashes/accept.ts';
import { workOf } from '../../src/hashes/assess.ts';
import {
  digestString,
  hmacString,
  keycloakArgon2String,
  pbkdf2String,
  scryptString,
  springDigestString,
  springPbkdf2String,
  springSha256String,
} from '../../src/hashes/fields.ts';
import type { KeycloakArgon2 } from '../../src/hashes/fields.ts';
import type { HashSecrets } from '../../src/hashes/kind.ts';
import type { DigestName } from '../../src/hashes/parts/digested.ts';
import { encodeBare } from '../../src/hashes/parts/encodings.ts';
import { parseHash, parseStoredHash, storedForm } from '../../src/hashes/recognise.ts';
import { requireHash } from '../helpers/require-hash.ts';
import type { HashProblem } from '../../src/hashes/recognise.ts';
import { isKind, kindNames as names } from '../../src/hashes/registry.ts';
import type { HashKindName } from '../../src/hashes/registry.ts';
import { piFraction } from '../../src/hashes/verify/parts/blowfish.ts';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';
import { mutated, randomNumbers } from '../helpers/mutations.ts';
import { passwordOf, readVectors } from '../helpers/vectors.ts';
import type { Vector } from '../helpers/vectors.ts';

const vectors = readVectors();
const noSecrets = { signerKey: undefined };

const text = (value: unknown) => String(value);
const base64 = (value: unknown) => Buffer.from(text(value), 'base64');
const hex = (value: unknown) => Buffer.from(text(value), 'hex');

function scryptOf(params: object, salt: Buffer, key: Buffer): string {
  const { N, r, p } = params as Readonly<Record<string, number>>;
  return (
    scryptString({ iterations: Number(N), blockSize: Number(r), parallelism: Number(p), salt, key }) ?? ''
  );
}

function saltedDigest(digest: DigestName): (vector: Vector) => string {
  return ({ hash, params = {} }) =>
    digestString({ digest, hash: hex(hash), salt: Buffer.from(text(params.salt)), position: 'prefix' });
}

/** How an importer passes on the vectors of one kind: the name it states, and the one string it makes. */
interface Import {
  readonly given: HashKindName | undefined;
  readonly hash?: (vector: Vector) => string;
  readonly secrets?: (vector: Vector) => HashSecrets;
}

/** A string that contains the key, which is the configured one too. */
function carryingKey(keyOf: (hash: string) => string | undefined): Import {
  return { given: 'provider_scrypt', secrets: ({ hash }) => ({ signerKey: base64(keyOf(hash)) }) };
}

const namedKey = (hash: string) => /sk=([^$]+)\$/.exec(hash)?.[1];

const imports: Readonly<Record<string, Import>> = {
  'firebase-scrypt-kratos': carryingKey((hash) => hash.split('$').at(-1)),
  'firebase-scrypt-supabase': carryingKey(namedKey),
  'firebase-scrypt-clerk': carryingKey((hash) => hash.split('$')[2]),
  'firebase-scrypt-workos': carryingKey(namedKey),
  'keycloak-argon2': {
    given: undefined,
    hash: ({ hash, params = {} }) =>
      keycloakArgon2String(params as unknown as KeycloakArgon2, base64(params.salt), base64(hash)) ?? '',
  },
  'bcrypt-2x': { given: undefined },
  'bcrypt-sha256-django': { given: undefined },
  'wordpress-bcrypt': { given: undefined },
  'bcrypt-peppered': {
    given: 'bcrypt_peppered',
    secrets: ({ params }) => ({ signerKey: undefined, pepper: Buffer.from(params?.pepper as string) }),
  },
  'scrypt-kratos': { given: 'scrypt' },
  'scrypt-django': { given: undefined },
  'scrypt-werkzeug': { given: undefined },
  'scrypt-spring': { given: 'scrypt' },
  'scrypt-betterauth': { given: 'better_auth' },
  'scrypt-raw': {
    given: undefined,
    hash: ({ hash, params = {} }) => scryptOf(params, hex(params.saltHex), hex(hash)),
  },
  'scrypt-stytch': {
    given: undefined,
    hash: ({ hash, params = {} }) => scryptOf(params, Buffer.from(text(params.saltText)), base64(hash)),
  },
  'scrypt-auth0': {
    given: undefined,
    hash: ({ hash, params = {} }) => {
      const { cost: N, blockSize: r, parallelization: p, salt } = params as Record<string, string | number>;
      return scryptOf({ N, r, p }, Buffer.from(text(salt)), hex(hash));
    },
  },
  'ldap-sha': { given: undefined },
  'ldap-ssha': { given: 'ldap' },
  'ldap-ssha256': { given: undefined },
  'ldap-ssha384': { given: undefined },
  'ldap-ssha512': { given: undefined },
  md5: { given: 'md5' },
  sha256: { given: 'sha256' },
  'md5-django': { given: undefined },
  'sha1-django': { given: 'sha1' },
  'md5-kratos': { given: undefined },
  'sha1-kratos': { given: undefined },
  'sha256-kratos': { given: undefined },
  'sha512-kratos': { given: undefined },
  'md5-salted': { given: undefined, hash: saltedDigest('md5') },
  'sha256-salted': { given: undefined, hash: saltedDigest('sha256') },
  'spring-digest': {
    given: undefined,
    hash: ({ hash, params = {} }) => springDigestString(params.digest as DigestName, hash) ?? '',
  },
  'spring-sha256': { given: undefined, hash: ({ hash }) => springSha256String(hash) ?? '' },
  'hmac-kratos': { given: 'hmac' },
  'hmac-auth0': {
    given: undefined,
    hash: ({ hash, params = {} }) =>
      hmacString({ digest: params.digest as DigestName, hash: base64(hash), key: hex(params.keyHex) }),
  },
  'sha512-crypt': { given: undefined },
  'sha512-crypt-kratos': { given: 'sha512_crypt' },
  'sha256-crypt': { given: undefined },
  'md5-crypt': { given: 'md5_crypt' },
  'pbkdf2-passlib': { given: undefined },
  'pbkdf2-django': { given: 'pbkdf2' },
  'pbkdf2-werkzeug': { given: undefined },
  'pbkdf2-kratos-sha3': { given: 'pbkdf2_kratos' },
  'pbkdf2-raw': {
    given: undefined,
    hash: ({ hash, params = {} }) =>
      pbkdf2String({ ...(params as unknown as PbkdfParams), salt: hex(params.saltHex), key: hex(hash) }),
  },
  'pbkdf2-spring': {
    given: undefined,
    hash: ({ hash, params }) => springPbkdf2String(hash, params as unknown as PbkdfParams) ?? '',
  },
  'keycloak-pbkdf2': {
    given: undefined,
    hash: ({ hash, params = {} }) => {
      const { digest, hashIterations: iterations } = params as unknown as PbkdfParams;
      return pbkdf2String({ digest, iterations, salt: base64(params.salt), key: base64(hash) });
    },
  },
  'aspnet-identity-v2': { given: 'aspnet' },
  'aspnet-identity-v3': { given: 'aspnet' },
};

interface PbkdfParams {
  readonly digest: 'sha1' | 'sha256' | 'sha512';
  readonly iterations: number;
  readonly hashIterations: number;
  readonly saltLength: number;
}

interface Row extends Import {
  readonly title: string;
  readonly vector: Vector;
  readonly hash: () => string;
}

/** Tested in password-formats.test.ts: the kinds of the first import. */
const elsewhere = ['bcrypt', 'bcrypt-2a-cryptblowfish', 'argon2i', 'argon2d', 'argon2id', 'firebase-scrypt'];

/** Vectors named after a kind need only their string. */
function howToImport(name: string): Import | undefined {
  return imports[name] ?? (isKind(name) && !elsewhere.includes(name) ? { given: undefined } : undefined);
}

const rows: readonly Row[] = vectors.flatMap((vector) => {
  const how = howToImport(vector.kind);
  if (how === undefined) return [];
  const title = `${vector.id} ${vector.kind}: ${vector.expect ?? 'match'}`;
  return [{ ...how, title, vector, hash: () => how.hash?.(vector) ?? vector.hash }];
});

function problem(hash: string, given?: HashKindName): HashProblem {
  const result = parseHash(hash, given, limits);
  if (result.ok) throw new Error('was expected to be refused');
  return result;
}

/** As an import and a later sign-in do it: the stored string alone is verified. */
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
    expect(['malformed', 'out-of-range', 'no-password', 'unsupported']).toContain(
      problem(hash(), given).code,
    );
  });
});

describe('every vector', () => {
  const own = ['firebase-scrypt-supertokens'];
  /** Tested below, individually, as choices. */
  const choices = ['bcrypt-django', 'argon2-django', 'argon2-raw', 'django-unusable'];

  it('has a test', () => {
    const known = new Set([...rows.map(({ vector }) => vector.kind), ...elsewhere, ...own, ...choices]);
    expect(vectors.filter(({ kind }) => !known.has(kind))).toEqual([]);
  });

  it.each(vectors.filter(({ kind }) => kind === 'argon2-django').map(({ id, hash }) => [id, hash]))(
    '%s argon2-django is refused with the prefix to remove: it is Argon2 and nothing else',
    (_id, hash) => {
      expect(problem(hash).message).toContain("the exporter's prefix argon2 was left on");
      expect(parseHash(hash.slice('argon2'.length), undefined, limits).ok).toBe(true);
    },
  );

  it.each(vectors.filter(({ kind }) => kind === 'argon2-raw').map(({ id, hash }) => [id, hash]))(
    '%s argon2-raw is refused: a secret and further data are mixed in, and no string may hold the secret',
    (_id, hash) => {
      expect(parseHash(hash, 'argon2', limits).ok).toBe(false);
    },
  );

  it.each(vectors.filter(({ kind }) => kind === 'django-unusable').map(({ id, hash }) => [id, hash]))(
    '%s django-unusable has no password, whatever kind is named',
    (_id, hash) => {
      for (const given of [undefined, ...names]) {
        expect(problem(hash, given).code).toBe('no-password');
      }
    },
  );
});

describe('vectors that leave a choice', () => {
  const of = (id: string) => vectors.find((vector) => vector.id === id)?.hash ?? '';

  it('068: white space at the end is refused and named, because the API has trimmed what it was sent', () => {
    expect(problem(of('068')).message).toContain('white space');
  });

  it.each(['084', '267'])('%s: spare bits are cleared, because old PHP code wrote them', (id) => {
    expect(parseHash(of(id), undefined, limits).ok).toBe(true);
  });

  it('155: both alphabets of base64 are taken for the scrypt variant, because exports hold both', () => {
    const vector = vectors.find(({ id }) => id === '155');
    expect(vector?.valid).toBe(true);
    expect(vector?.hash).toContain('_');
    expect(parseHash(`$f_scrypt$${of('155')}$AAAA$m=14$r=8$s=Bw==`, 'provider_scrypt', limits).ok).toBe(true);
  });

  it('307: data= is refused with the reason, because no verifier here is given it', () => {
    expect(problem(of('307'))).toMatchObject({ code: 'unsupported' });
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

describe('scrypt variant in other spellings', () => {
  const of = (id: string) => vectors.find((vector) => vector.id === id)?.hash ?? '';
  const key = base64(vectors.find(({ id }) => id === '142')?.signerKey);

  it.each(['147', '148', '150', '151'])('%s refuses another key than the configured one', (id) => {
    const parsed = requireHash(of(id), 'provider_scrypt', limits);
    const other = { signerKey: Buffer.alloc(64) };
    expect(secretProblem(parsed, other)?.message).toContain('that it carries is not the configured one');
    expect(secretProblem(parsed, noSecrets)?.code).toBe('signer-key-missing');
  });

  it('stores them all without the key', () => {
    const parsed = requireHash(of('150'), 'provider_scrypt', limits);
    expect(secretProblem(parsed, { signerKey: key })).toBeUndefined();
    const stored = storedForm(of('150'), parsed);
    expect(stored).toMatch(/^\$f_scrypt\$[^$]+\$42xEC\+ixf3L2lw==\$m=14\$r=8\$s=Bw==$/);
    expect(stored).not.toContain(key.toString('base64'));
    expect(storedForm(of('151'), requireHash(of('151'), 'provider_scrypt', limits))).toBe(stored);
  });

  it.each([
    [of('147').replace('p=1', 'p=2'), 'its p must be 1'],
    [of('147').replace('ln=14', 'ln=99'), 'its m must be'],
    [of('147').replace('ln=14,', ''), 'its parameters are not complete'],
    [of('148').replace('v=1', 'v=2'), 'it must be $fbscrypt$v=1'],
    [of('148').replace(/sk=[^$]+/, 'sk='), 'the signer key that it must carry'],
    [of('151').replace('$m=14', '$m=14$m=14'), 'its parameters are not complete'],
    [of('151').replace('$m=14', '$m=31'), 'over the ceiling'],
    [of('150').replace('$14', ''), 'write it as $f_scrypt$'],
  ])('refuses what is damaged (%#)', (hash, reason) => {
    expect(problem(hash, 'provider_scrypt').message).toContain(reason);
  });
});

describe('scrypt', () => {
  const phc =
    '$scrypt$ln=4,r=8,p=1$QNx4N454ppMeKmDjxyrhsh7Q/PYBQw$zeGG+tsAueRzkvXfE1/F58KOKFEFfI0KpBYwE/3ZUWg';

  it.each([
    ['ln=4', 'ln=0', 'malformed'],
    ['ln=4', 'ln=33', 'malformed'],
    ['ln=4', 'ln=21', 'out-of-range'],
    ['p=1', 'p=17', 'out-of-range'],
    ['p=1', 'p=0', 'malformed'],
    ['r=8', 'r=0', 'malformed'],
    ['ln=4,r=8', 'ln=16,r=1', 'malformed'],
    ['r=8', 'r=8,r=8', 'malformed'],
    ['QNx4', 'QNx', 'malformed'],
    ['ZUWg', '', 'malformed'],
  ])('refuses %s as %s: %s', (from, to, code) => {
    expect(problem(phc.replace(from, to)).code).toBe(code);
  });

  it('takes a password of better-auth in any normal form', () => {
    const vector = vectors.find(({ id }) => id === '302');
    const hash = vector?.hash ?? '';
    const parsed = requireHash(hash, 'better_auth', limits);
    expect(verifyParsed(parsed, Buffer.from('ｃｏｒｒｅｃｔ horse battery'), noSecrets)).toBe(true);
    expect(storedForm(hash, parsed)).toBe(`$carryover$better_auth$${hash}`);
    expect(problem(hash).message).toContain('set hashingAlgorithm to better_auth');
  });

  it('asks for the name of what Spring writes, and for its prefix to be taken off', () => {
    const hash = vectors.find(({ id }) => id === '280')?.hash ?? '';
    expect(problem(hash).message).toContain('set hashingAlgorithm to scrypt');
    expect(problem(`{scrypt}${hash}`, 'scrypt').message).toContain('prefix {scrypt} was left on');
  });

  it('has no string for an N that is no power of two', () => {
    const fields = { blockSize: 8, parallelism: 1, salt: Buffer.alloc(8), key: Buffer.alloc(32) };
    expect(scryptString({ ...fields, iterations: 1000 })).toBeUndefined();
  });
});

describe('PBKDF2', () => {
  const phc = '$pbkdf2-sha256$i=1000,l=32$c2FsdHNhbHQ$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA';

  it.each([
    ['$i=1000', '$i=0', 'its iteration count'],
    ['$i=1000', '$i=01000', 'its iteration count'],
    ['$i=1000', '$i=10000000000000', 'its iteration count'],
    [',l=32', ',l=31', 'its l is not'],
    [',l=32', ',l=32,l=32', 'each once'],
    [',l=32', ',k=32', 'each once'],
    ['c2FsdHNhbHQ', '', 'its salt is empty'],
    ['c2FsdHNhbHQ', 'c2FsdHNhbHR', 'its salt is empty, damaged'],
    [',l=32', '', undefined],
  ])('reads %s as %s', (from, to, reason) => {
    const result = parseHash(phc.replace(from, to), undefined, limits);
    if (reason === undefined) expect(result.ok).toBe(true);
    else
      expect(result).toMatchObject({ code: 'malformed', message: expect.stringContaining(reason) as string });
  });

  it('counts the iterations of each block of derived key', () => {
    const fields = { digest: 'sha1', iterations: 2_500_001, salt: Buffer.alloc(8) } as const;
    const keyOf = (bytes: number) => ({ ...fields, key: Buffer.alloc(bytes) });
    expect(parseHash(pbkdf2String(keyOf(60)), undefined, limits).ok).toBe(true);
    expect(problem(pbkdf2String(keyOf(61)))).toMatchObject({ code: 'out-of-range' });
    expect(problem(pbkdf2String(keyOf(61))).message).toContain('10000000 set by pbkdf2_max_iterations');
  });

  it('takes the labels that Kratos means otherwise from a caller that says Kratos', () => {
    const hash = phc.replace('sha256', 'sha224');
    expect(problem(hash).message).toContain('to pbkdf2, or for hashes of Kratos to pbkdf2_kratos');
    expect(problem(hash.replace('i=1000', 'i=0')).message).toContain('its iteration count');
    expect(requireHash(hash, 'pbkdf2_kratos', limits)).toMatchObject({ digest: 'sha3-224' });
    expect(parseStoredHash(hash, limits)).toMatchObject({ parsed: { digest: 'sha3-224' } });
  });

  it('takes them for SHA-2 from a caller that names pbkdf2', () => {
    const salt = Buffer.from('saltsalt');
    const key = pbkdf2Sync('pw', salt, 1000, 48, 'sha384');
    const hash = `$pbkdf2-sha384$i=1000,l=48$${encodeBare(salt)}$${encodeBare(key)}`;
    const parsed = requireHash(hash, 'pbkdf2', limits);
    const stored = parseStoredHash(storedForm(hash, parsed), limits);
    if (!stored.ok) throw new Error(stored.message);
    expect(verifyParsed(stored.parsed, Buffer.from('pw'), noSecrets)).toBe(true);
    expect(verifyParsed(stored.parsed, Buffer.from('pW'), noSecrets)).toBe(false);
  });

  it('recognises version 3 of ASP.NET Identity, and asks for the name of version 2', () => {
    const [two, three] = ['184', '188'].map((id) => vectors.find((vector) => vector.id === id)?.hash ?? '');
    expect(requireHash(three ?? '', undefined, limits).kind).toBe('aspnet');
    expect(problem(two ?? '').message).toContain('set hashingAlgorithm to aspnet');
  });

  it('has no string for Spring hashes that are shorter than their salt', () => {
    const encoder = { digest: 'sha1', iterations: 1, saltLength: 8 } as const;
    expect(springPbkdf2String('0011223344556677', encoder)).toBeUndefined();
    expect(springPbkdf2String('no hexadecimal digits', encoder)).toBeUndefined();
  });
});

describe('crypt(3) and phpass', () => {
  const sha512 =
    vectors.find(({ id }) => id === '222')?.hash ?? vectors.find(({ id }) => id === '226')?.hash ?? '';
  const md5 = '$1$TVEiiKNb$SN6/pUaRQS/E8Jh46As2C/';
  const phpass = '$P$9IQRaTwmfeRo7ud9Fh4E2PdI0S3r.L0';

  it.each([
    [sha512.slice(0, -1), 'malformed'],
    [`${sha512.slice(0, -1)}z`, 'malformed'],
    [`${sha512.slice(0, -1)}!`, 'malformed'],
    ['$6$rounds=999$salt$x', 'malformed'],
    ['$6$rounds=1000001$salt$x', 'out-of-range'],
    ['$6$rounds=5000$seventeen characters$x', 'malformed'],
    ['$6$salt$x$y', 'malformed'],
    ['$5$salt', 'malformed'],
    [md5.replace('TVEiiKNb', 'TVEiiKNbb'), 'malformed'],
    [`${md5}$`, 'malformed'],
    [phpass.replace('$P$9', '$P$4'), 'malformed'],
    [phpass.replace('$P$9', '$P$K'), 'out-of-range'],
    [`${phpass}a`, 'malformed'],
  ])('refuses %s as %s', (hash, code) => {
    expect(problem(hash).code).toBe(code);
  });

  it('has no hash for passwords that crypt(3) refuses', () => {
    const parsed = requireHash(
      '$6$rounds=1000$roundstoolow$kUMsbe306n21p9R.FRkW3IGn.S9NPN0x50YhH1xhLsPuWGsUSklZt58jaTfF4ZEQpyUNGc0dqbpBYYBaHHrsX.',
      undefined,
      limits,
    );
    expect(verifyParsed(parsed, Buffer.alloc(512, 'a'), noSecrets)).toBe(false);
  });

  it('has no hash for passwords that phpass refuses', () => {
    const parsed = requireHash(phpass, undefined, limits);
    expect(verifyParsed(parsed, Buffer.alloc(4097, 'a'), noSecrets)).toBe(false);
  });
});

describe('digests', () => {
  const template = (source: string, salt = 'c2FsdA==') =>
    `$md5$${source}$${salt}$${Buffer.alloc(16, 1).toString('base64')}`;
  const pf = (source: string) => `pf=${Buffer.from(source).toString('base64')}`;
  const verified = (hash: string, password: string | Buffer, given?: HashKindName) =>
    verifyParsed(requireHash(hash, given, limits), Buffer.from(password), noSecrets);
  const digest = (...parts: readonly (string | Buffer)[]) =>
    createHash('md5')
      .update(Buffer.concat(parts.map((part) => Buffer.from(part))))
      .digest();

  it.each([
    [template(pf('{SALT}')), 'malformed'],
    [template(pf('{PASSWORD}{PASSWORD}')), 'malformed'],
    [template(pf('{SALT}{PASSWORD}{SALT}')), 'malformed'],
    [template(`${pf('{PASSWORD}')},i=10000`), undefined],
    [template(`${pf('{PASSWORD}')},i=10001`), 'out-of-range'],
    [template(`${pf('{PASSWORD}')},i=0`), 'malformed'],
    [template(`${pf('{PASSWORD}')},pe=latin1`), 'malformed'],
    [template(`i=1,${pf('{PASSWORD}')}`), undefined],
    [template('i=1'), 'malformed'],
    [template(pf('{PASSWORD}'), 'salt'.repeat(44)), 'malformed'],
    [`${template(pf('{PASSWORD}'))}$`, 'malformed'],
    ['$md5$', 'malformed'],
    ['$md5$$', 'malformed'],
    ['$md5$$$', 'malformed'],
    ['md5$salt$', 'malformed'],
    [`md5$${'s'.repeat(129)}$${'0'.repeat(32)}`, 'malformed'],
    ['{SHA}', 'malformed'],
    ['{SSHA}ddSFGmjXYPbZC+NXR2kCzBRjqiE=', 'malformed'],
    ['{MD5}{salt}905e382a25eed53e22224223b3581092', 'malformed'],
    ['$hmac-md5$$MTIzNDU=', 'malformed'],
    ['$hmac-crc$$MTIzNDU=', 'unsupported'],
  ])('reads %s: %s', (hash, code) => {
    const result = parseHash(hash, undefined, limits);
    expect(result.ok ? undefined : result.code).toBe(code);
  });

  it('says what a bare digest may be, and takes it by its name', () => {
    const bare = digest('password').toString('hex');
    expect(problem(bare).message).toContain(
      'as long as MD5 in hexadecimal digits: if it is that digest of the password alone, without a salt, set hashingAlgorithm to md5',
    );
    expect(problem(bare, 'sha256').message).toContain('set hashingAlgorithm to md5');
    expect(problem(bare.slice(1), 'md5').message).toContain('its hash is damaged');
    expect(verified(bare.toUpperCase(), 'password', 'md5')).toBe(true);
  });

  it('digests in the order and as often as the fields say', () => {
    const salt = Buffer.from('salt');
    const suffix = digestString({ digest: 'md5', hash: digest('pw', salt), salt, position: 'suffix' });
    const prefix = digestString({ digest: 'md5', hash: digest(salt, 'pw'), salt, position: 'prefix' });
    const thrice = digestString({
      digest: 'md5',
      hash: digest(digest(digest('pw', salt))),
      salt,
      iterations: 3,
    });
    for (const hash of [suffix, prefix, thrice]) {
      expect(verified(hash, 'pw')).toBe(true);
      expect(verified(hash, 'pW')).toBe(false);
    }
    expect(digestString({ digest: 'md5', hash: digest('pw') })).toBe(
      `$md5$${digest('pw').toString('base64')}`,
    );
  });

  it('encodes the password as the fields say', () => {
    const hash = digest(Buffer.from('pässword', 'utf16le'));
    expect(verified(digestString({ digest: 'md5', hash, passwordEncoding: 'utf16le' }), 'pässword')).toBe(
      true,
    );
  });

  it('has no string for what Spring does not write', () => {
    expect(springSha256String('00')).toBeUndefined();
    expect(springDigestString('md5', '{salt}00')).toBeUndefined();
    expect(springDigestString('md5', `salt}${'0'.repeat(32)}`)).toBeUndefined();
    expect(springDigestString('md5', digest('pw').toString('hex'))).toBe(
      `$md5$${digest('pw').toString('base64')}`,
    );
  });

  it('recognises schemes of LDAP in any case, and {LDAP} as the prefix to remove', () => {
    expect(verified('{ssha}25ro4PKC8jhQZ26jVsozhX/xaP0suHgX', 'boabspasswurd')).toBe(true);
    expect(problem('{ldap}{SSHA}25ro4PKC8jhQZ26jVsozhX/xaP0suHgX').message).toContain('{ldap} was left on');
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

describe('algorithms', () => {
  it('are reached by workers only: import from formats.ts, and let the pool verify', () => {
    const root = new URL('../../src/', import.meta.url);
    const sources = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.ts') && !file.startsWith('password/algorithms/'),
    );
    expect(sources.length).toBeGreaterThan(50);
    const reaching = sources.filter((file) =>
      /from '.*\/algorithms\//.test(readFileSync(new URL(file, root), 'utf8')),
    );
    expect(reaching).toEqual([]);
  });
});

describe('damaged strings of every kind', () => {
  it('are never more than a refusal, named or not', () => {
    const random = randomNumbers(20_260_102);
    const seeds = rows.map(({ hash }) => hash());
    for (let round = 0; round < 20_000; round += 1) {
      const hash = mutated(seeds[random(seeds.length)] ?? '', random);
      const result = parseHash(hash, [undefined, ...names][random(names.length + 1)], limits);
      if (!result.ok) expect(result.message.startsWith('Password hash ')).toBe(true);
      else expect(parseStoredHash(storedForm(hash, result.parsed), limits)).toMatchObject({ ok: true });
    }
  });

  it('are not quoted in what is said about them', () => {
    for (const { hash } of vectors.filter(({ hash }) => hash.length >= 34)) {
      for (const given of names) {
        const result = parseHash(hash, given, limits);
        if (!result.ok) expect(result.message).not.toContain(hash.slice(-20));
      }
    }
  });
});
