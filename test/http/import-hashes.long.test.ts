/** Every hash of the known answers that this core claims to support: refused with the reason, or imported and used. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { newApp, newEmail, refusalOf, signIn } from '../helpers/people.ts';
import { readVectors, scryptVariantString, type Vector } from '../helpers/vectors.ts';

const kinds: Readonly<Record<string, { name: string; label: string }>> = {
  bcrypt: { name: 'bcrypt', label: 'BCrypt' },
  argon2i: { name: 'argon2', label: 'Argon2' },
  argon2d: { name: 'argon2', label: 'Argon2' },
  argon2id: { name: 'argon2', label: 'Argon2' },
  'firebase-scrypt': { name: 'provider_scrypt', label: 'scrypt' },
  'firebase-scrypt-supertokens': { name: 'firebase_scrypt', label: 'scrypt' },
};

const vectors = readVectors().filter(({ kind }) => kind in kinds);
/** Well formed, but below the algorithm's own minimum: malformed here. */
const belowFloor = ['070', '137'];
/** Contract, section 1: hashes are trimmed, `data=` is refused, and unused bits do not count. */
const trimmed = ['068'];
const withData = ['307'];
const spareBitsOnly = ['084', '267'];
const empty = ['082'];

const [malformed, overCeiling, mismatching, matching] = [
  vectors.filter(({ id, expect: kind }) => isMalformed(id, kind)),
  vectors.filter(({ id, expect: kind }) => kind === 'out-of-range' && !belowFloor.includes(id)),
  vectors.filter(({ id, expect: kind }) => kind === 'mismatch' && !spareBitsOnly.includes(id)),
  vectors.filter(
    ({ id, valid }) => (valid || [...trimmed, ...spareBitsOnly].includes(id)) && !withData.includes(id),
  ),
];
/** An empty password, or one with U+0000 or other bytes, cannot be sent; those are unit tests. */
const sendable = (vector: Vector): boolean =>
  vector.password !== undefined && vector.password !== '' && !vector.password.includes('\0');

function isMalformed(id: string, kind: Vector['expect']): boolean {
  if (trimmed.includes(id) || empty.includes(id)) return false;
  return kind === 'malformed' || belowFloor.includes(id) || withData.includes(id);
}

let core: TestCore;
const apps = new Map<string | undefined, string>();

beforeAll(async () => {
  core = await startTestCore();
  for (const key of new Set(vectors.map(({ signerKey }) => signerKey)))
    apps.set(key, await newApp(core, key === undefined ? {} : { provider_password_hashing_signer_key: key }));
});
afterAll(() => core.stop());

function prefixOf({ signerKey }: Vector): string {
  return apps.get(signerKey) ?? '';
}

function hashOf(vector: Vector): string {
  return vector.kind.startsWith('firebase') ? scryptVariantString(vector) : vector.hash;
}

function send(vector: Vector, more: object, email = newEmail()): Promise<Answer> {
  const path = `${prefixOf(vector)}/recipe/user/passwordhash/import`;
  return core.post(path, { email, passwordHash: hashOf(vector), ...more });
}

function titled(some: readonly Vector[]): (readonly [string, Vector])[] {
  return some.map((vector) => [`${vector.id} ${vector.kind} ${vector.hash.slice(0, 30)}`, vector] as const);
}

/** Prefixes and costs may be repeated, but no part of salt or hash. */
function expectNothingOf(hash: string, message: unknown): void {
  for (let at = 0; at + 12 <= hash.length; at += 1) expect(message).not.toContain(hash.slice(at, at + 12));
}

test('there are vectors of every sort', () => {
  expect([
    malformed.length,
    overCeiling.length,
    mismatching.length,
    matching.filter(sendable).length,
  ]).toEqual([22, 5, 6, 46]);
});

describe('a malformed hash is refused with the reason', () => {
  test.each(titled(malformed))('%s', async (_title, vector) => {
    const { name = '', label = '' } = kinds[vector.kind] ?? {};
    const given = refusalOf(await send(vector, { hashingAlgorithm: name }));
    expect(given).toEqual([
      400,
      'INVALID_PASSWORD_HASH',
      expect.stringMatching(new RegExp(`^Password hash is in invalid ${label} format: .{10,}`)),
    ]);
    // Unless named bcrypt, WordPress's construction is a separate, supported kind.
    if (vector.hash.startsWith('$wp$')) return;
    const left = refusalOf(await send(vector, {}));
    expect(left).toEqual([
      400,
      'INVALID_PASSWORD_HASH',
      expect.stringMatching(/^Password hash is in invalid format: .{10,}/),
    ]);
    for (const [, , message] of [given, left]) expectNothingOf(hashOf(vector), message);
  });
});

describe('a hash over a ceiling is refused by the name of its setting', () => {
  test.each(titled(overCeiling))('%s', async (_title, vector) => {
    const refusal = refusalOf(await send(vector, { hashingAlgorithm: kinds[vector.kind]?.name }));
    expect(refusal).toEqual([
      400,
      'HASH_OVER_CEILING',
      expect.stringMatching(/over the ceiling of \d+( \w+)? set by [a-z0-9_]+$/),
    ]);
    expectNothingOf(hashOf(vector), refusal[2]);
  });
});

describe('a good hash is imported and its password signs in', () => {
  test.each(titled(matching.filter(sendable)))('%s', async (_title, vector) => {
    const email = newEmail();
    const { http, body } = await send(vector, { hashingAlgorithm: kinds[vector.kind]?.name }, email);
    expect([http, body.status]).toEqual([200, 'OK']);
    const { password = '' } = vector;
    expect(await signIn(core, email, password, prefixOf(vector))).toBe('OK');
    // The first character, because bcrypt ends at 72 bytes.
    const wrong = `${password.startsWith('x') ? 'y' : 'x'}${password.replace(/^./su, '')}`;
    expect(await signIn(core, email, wrong, prefixOf(vector))).toBe('WRONG_CREDENTIALS_ERROR');
  });

  test.each(titled(matching.filter((vector) => !sendable(vector))))(
    'imported only: %s',
    async (_title, vector) => {
      const { body } = await send(vector, { hashingAlgorithm: kinds[vector.kind]?.name });
      expect(body.status).toBe('OK');
    },
  );
});

/** Kinds that a hash shows by its beginning, and those that have to be named. */
const further: readonly (readonly [kind: string, name?: string])[] = [
  ['bcrypt-2x'],
  ['bcrypt-sha256-django'],
  ['wordpress-bcrypt'],
  ['phpass'],
  ['sha512-crypt'],
  ['sha256-crypt'],
  ['md5-crypt'],
  ['ldap-ssha'],
  ['pbkdf2'],
  ['pbkdf2-django'],
  ['pbkdf2-werkzeug'],
  ['scrypt'],
  ['scrypt-django'],
  ['scrypt-werkzeug'],
  ['scrypt-betterauth', 'better_auth'],
  ['aspnet-identity-v3', 'aspnet'],
  ['md5', 'md5'],
  ['sha256', 'sha256'],
];

describe('a hash of a further kind is imported, stored so that it shows its kind, and signs in', () => {
  test.each(further)('%s', async (kind, hashingAlgorithm) => {
    const vector = readVectors().find((each) => each.kind === kind && each.valid && sendable(each));
    const email = newEmail();
    const input = { email, passwordHash: vector?.hash, hashingAlgorithm };
    expect((await core.post('/recipe/user/passwordhash/import', input)).body.status).toBe('OK');
    expect(await signIn(core, email, vector?.password ?? '')).toBe('OK');
    expect(await signIn(core, email, `${vector?.password ?? ''}x`)).toBe('WRONG_CREDENTIALS_ERROR');
  });
});

describe('a hash of another password is imported and does not sign in', () => {
  test.each(titled(mismatching))('%s', async (_title, vector) => {
    const email = newEmail();
    expect((await send(vector, { hashingAlgorithm: kinds[vector.kind]?.name }, email)).http).toBe(200);
    expect(await signIn(core, email, vector.password ?? '', prefixOf(vector))).toBe(
      'WRONG_CREDENTIALS_ERROR',
    );
  });
});
