/** With the settings of the way back, an old system in PHP can verify every hash that is exported. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { providers, requireProvider } from '../../src/exports/providers/index.ts';
import { hashBcrypt } from '../../src/hashes/verify/bcrypt.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { askPhp, hasPhp } from '../helpers/php.ts';

const { wayBack } = requireProvider('laravel');
const settings = Object.fromEntries(
  Object.entries(wayBack?.settings ?? {}).map(([name, value]) => [name.toUpperCase(), String(value)]),
);

let core: TestCore;
beforeAll(async () => {
  const cheap = { ...settings, BCRYPT_LOG_ROUNDS: '4', ALLOW_HASH_EXPORT: 'true' };
  core = await startTestCore({ settings: cheap });
});
afterAll(() => core.stop());

const imported = `$2y$04$${hashBcrypt(Buffer.from('imported password'), 4).slice(7)}`;
const people = [
  { email: 'new@back.example', password: 'pässwörd of a new user', hash: undefined },
  { email: 'changed@back.example', password: 'a password that was set here', hash: imported },
  { email: 'old@back.example', password: 'imported password', hash: imported },
];

/** For each user, after a sign-up or an import, a change for one, and a sign-in of all. */
async function exportedHashes(): Promise<ReadonlyMap<string, string>> {
  for (const { email, password, hash } of people) {
    if (hash === undefined) await core.post('/recipe/signup', { email, password });
    else await core.post('/recipe/user/passwordhash/import', { email, passwordHash: hash });
  }
  const [, changed] = people;
  const signedIn = await core.post('/recipe/signin', {
    email: changed?.email,
    password: 'imported password',
  });
  const { recipeUserId } = signedIn.body as { recipeUserId: string };
  await core.put('/recipe/user', { recipeUserId, password: changed?.password });
  for (const { email, password } of people)
    expect((await core.post('/recipe/signin', { email, password })).body.status).toBe('OK');
  const { text } = await core.get('/bulk-export/users');
  const users = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ExportedUser);
  return new Map(
    users.map(({ loginMethods: [method] }) => [method?.email ?? '', method?.passwordHash ?? '']),
  );
}

interface ExportedUser {
  readonly loginMethods: readonly { readonly email: string; readonly passwordHash: string }[];
}

let hashes: ReadonlyMap<string, string>;
beforeAll(async () => {
  hashes = await exportedHashes();
});

it("makes hashes that begin as PHP's, and leaves those that came", () => {
  expect([...hashes.values()]).toHaveLength(3);
  for (const hash of hashes.values()) expect(hash).toMatch(/^\$2y\$04\$/);
  expect(hashes.get('old@back.example')).toBe(imported);
});

describe.skipIf(!hasPhp)('PHP (left out without it: apt-get install php-cli)', () => {
  it('calls all of them bcrypt, and the passwords right', () => {
    for (const { email, password } of people) {
      expect(askPhp(hashes.get(email) ?? '', password)).toEqual({ name: 'bcrypt', isRight: true });
      expect(askPhp(hashes.get(email) ?? '', 'wrong')).toEqual({ name: 'bcrypt', isRight: false });
    }
  });

  it('does not know the usual prefix as bcrypt, which is why there is a setting', () => {
    const hash = hashBcrypt(Buffer.from('secret'), 4);
    expect(askPhp(hash, 'secret')).toEqual({ name: 'unknown', isRight: true });
    expect(askPhp(hashBcrypt(Buffer.from('secret'), 4, '2y'), 'secret').name).toBe('bcrypt');
  });
});

it.each(providers.filter((each) => each.wayBack?.settings !== undefined).map((each) => [each.name, each]))(
  'takes the settings for %s',
  (_, provider) => {
    const lines = Object.entries(provider.wayBack?.settings ?? {});
    const environment = Object.fromEntries(lines.map(([name, value]) => [name.toUpperCase(), String(value)]));
    expect(() => loadConfig({ environment })).not.toThrow();
  },
);
