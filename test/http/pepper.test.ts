/** bcrypt over the password and a pepper, as Devise writes it: the pepper is in the configuration. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { newApp, newEmail, newTenant, refusalOf, signIn } from '../helpers/people.ts';
import { readVectors } from '../helpers/vectors.ts';

/** A row of a Devise table whose `config.pepper` was `demo-pepper`. */
const devise = {
  hash: '$2a$12$rQsv5mY5YJxLcrLFCq/j6efo50oF.dxnmnc3MgoxDN/2sOIyO/0TO',
  password: 'correct horse battery staple',
  pepper: 'demo-pepper',
};
const known = readVectors().find(({ kind, valid }) => kind === 'bcrypt-peppered' && valid);
const ofApp = {
  hash: known?.hash ?? '',
  password: known?.password ?? '',
  pepper: (known?.params?.pepper ?? '') as string,
};
const missing =
  "Password hash is in invalid peppered BCrypt format: no pepper is configured: set 'bcrypt_pepper'";

let core: TestCore;
let bare: TestCore;
beforeAll(async () => {
  core = await startTestCore({ settings: { BCRYPT_PEPPER: devise.pepper } });
  bare = await startTestCore();
});
afterAll(async () => {
  await core.stop();
  await bare.stop();
});

function importPeppered(
  to: TestCore,
  { hash }: { hash: string },
  email: string,
  prefix = '',
): Promise<Answer> {
  const input = { email, passwordHash: hash, hashingAlgorithm: 'bcrypt_peppered' };
  return to.post(`${prefix}/recipe/user/passwordhash/import`, input);
}

describe('a hash with the pepper of the environment', () => {
  test('is imported, and the old password signs in', async () => {
    const email = newEmail();
    expect((await importPeppered(core, devise, email)).http).toBe(200);
    expect(await signIn(core, email, devise.password)).toBe('OK');
  });

  test('does not sign in with another password, or with password and pepper', async () => {
    const email = newEmail();
    await importPeppered(core, devise, email);
    for (const wrong of ['correct horse battery stapler', `${devise.password}${devise.pepper}`])
      expect(await signIn(core, email, wrong)).toBe('WRONG_CREDENTIALS_ERROR');
  });

  test('imported as plain bcrypt does not sign in: the hash does not show the pepper', async () => {
    const email = newEmail();
    const input = { email, passwordHash: devise.hash };
    expect((await core.post('/recipe/user/passwordhash/import', input)).http).toBe(200);
    expect(await signIn(core, email, devise.password)).toBe('WRONG_CREDENTIALS_ERROR');
  });
});

test('without a pepper the import is refused, and the setting named', async () => {
  expect(refusalOf(await importPeppered(bare, devise, newEmail()))).toEqual([
    400,
    'INVALID_PASSWORD_HASH',
    missing,
  ]);
});

describe('the pepper of an app', () => {
  test('wins over the core’s, and a tenant’s over both', async () => {
    const app = await newApp(core, { bcrypt_pepper: ofApp.pepper });
    const tenant = await newTenant(core, app, { bcrypt_pepper: devise.pepper });
    for (const [prefix, right, wrong] of [
      [app, ofApp, devise],
      [tenant, devise, ofApp],
    ] as const) {
      const [email, other] = [newEmail(), newEmail()];
      await importPeppered(core, right, email, prefix);
      await importPeppered(core, wrong, other, prefix);
      expect(await signIn(core, email, right.password, prefix)).toBe('OK');
      expect(await signIn(core, other, wrong.password, prefix)).toBe('WRONG_CREDENTIALS_ERROR');
    }
  });

  test('may be set and removed later', async () => {
    const app = await newApp(bare);
    const put = (pepper: string | null) =>
      bare.put('/recipe/multitenancy/app/v2', {
        appId: app.replace('/appid-', ''),
        coreConfig: { bcrypt_pepper: pepper },
      });
    expect((await importPeppered(bare, ofApp, newEmail(), app)).http).toBe(400);
    await put(ofApp.pepper);
    const email = newEmail();
    expect((await importPeppered(bare, ofApp, email, app)).http).toBe(200);
    expect(await signIn(bare, email, ofApp.password, app)).toBe('OK');
    await put(null);
    expect(await signIn(bare, email, ofApp.password, app)).toBe('WRONG_CREDENTIALS_ERROR');
  });

  test('is read back as "***" everywhere, and not repeated when it is refused', async () => {
    const app = await newApp(core, { bcrypt_pepper: 'a secret pepper' });
    for (const path of [
      `${app}/recipe/multitenancy/tenant/v2`,
      `${app}/recipe/multitenancy/tenant/list/v2`,
      '/recipe/multitenancy/app/list/v2',
    ]) {
      const { text } = await core.get(path);
      expect(text).toContain('"bcrypt_pepper":"***"');
      expect(text).not.toContain('a secret pepper');
    }
    for (const pepper of ['a secret\npepper', '', 7, 'lone \ud800']) {
      const answer = await core.put('/recipe/multitenancy/app/v2', {
        appId: app.replace('/appid-', ''),
        coreConfig: { bcrypt_pepper: pepper },
      });
      expect(answer.http).toBe(400);
      expect(answer.text).not.toContain('a secret');
    }
    expect(core.log.join('')).not.toContain('a secret pepper');
    expect(core.log.join('')).not.toContain(devise.pepper);
  });
});
