/** An import's report about users without a password here, and how they sign in. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { knows, type OldSystem, ownSource, startOldSystem } from '../helpers/old-system.ts';
import { knownHash, newEmail, signIn } from '../helpers/people.ts';
import { withTestKey } from '../helpers/use-core.ts';

let core: TestCore;
let old: OldSystem;
let place: Place;
beforeAll(async () => {
  old = await startOldSystem(knows('right'));
  const LEGACY_SOURCES = JSON.stringify([ownSource(old.url)]);
  [core, place] = await Promise.all([startTestCore({ settings: { LEGACY_SOURCES } }), makePlace()]);
});
afterAll(() => Promise.all([core.stop(), old.close(), place.remove()]));

test('an import names the old systems that no user can sign in by, because the core does not ask them', async () => {
  const exported = (email: string): string =>
    JSON.stringify({
      Users: [{ Username: email, Attributes: [{ Name: 'email', Value: email }], Enabled: true }],
    });
  await place.write('cognito.json', exported(newEmail()));
  const run = (source: string, ...more: string[]) => {
    const args = [
      'import',
      '--yes',
      'cognito.json',
      '--without-password',
      `legacy:${source}`,
      '--dry-run',
      ...more,
    ];
    return place.run([...args, '--url', core.url], withTestKey);
  };
  const [unknown, known] = [await run('elsewhere'), await run('old')];
  expect(unknown.stdout).toContain("  passwords that the old system 'elsewhere' knows: 1\n");
  expect(unknown.stdout).toContain(
    "No user can sign in by 'elsewhere' yet: legacy_sources of this app does not",
  );
  expect([known.code, known.stdout]).toEqual([0, expect.not.stringContaining('No user can sign in')]);
  expect(JSON.parse((await run('elsewhere', '--json')).stdout)).toMatchObject({
    legacySourcesNotAsked: ['elsewhere'],
  });
});

test('the report of a job names old systems that are not asked', async () => {
  const record = (source: string) => {
    const email = newEmail();
    return JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, legacy: source }] });
  };
  const headers = { 'api-key': core.apiKey };
  const send = async (...sources: string[]) => {
    const body = sources.map((source) => `${record(source)}\n`).join('');
    const sent = await fetch(`${core.url}/bulk-import/jobs`, { method: 'PUT', headers, body });
    const { job } = (await sent.json()) as { job: { id: string; legacySourcesNotAsked?: string[] } };
    const { body: found } = await core.get(`/bulk-import/jobs/${job.id}`);
    return [job.legacySourcesNotAsked, (found.job as typeof job).legacySourcesNotAsked];
  };
  expect(await send('old', 'nope')).toEqual([['nope'], ['nope']]);
  expect(await send('old')).toEqual([undefined, undefined]);
});

test('an import of people without passwords says so', async () => {
  const phone = (n: number) => ({ recipeId: 'passwordless', phoneNumber: `+4915112345${n}` });
  await place.write(
    'codes.ndjson',
    `${JSON.stringify({ externalUserId: 'c1', loginMethods: [phone(601)] })}\n`,
  );
  const codes = await place.run(['import', '--yes', 'codes.ndjson', '--url', core.url], withTestKey);
  expect(codes.stdout).toContain('  passwords: none. Those who can sign in do so by a code');
  const hashed = { recipeId: 'emailpassword', email: newEmail(), passwordHash: knownHash };
  await place.write('hashes.ndjson', `${JSON.stringify({ externalUserId: 'c2', loginMethods: [hashed] })}\n`);
  const hashes = await place.run(['import', '--yes', 'hashes.ndjson', '--url', core.url], withTestKey);
  expect(hashes.stdout).toMatch(/created +1\n[^]*password hashes: 1 bcrypt/);
  expect(hashes.stdout).not.toContain('passwords: none');
});

test('users of a source that no setting has sign in after a reset, as the same users', async () => {
  const email = newEmail();
  const loginMethods = [{ recipeId: 'emailpassword', email, legacy: 'none' }];
  const { body } = await core.post('/bulk-import/import', { externalUserId: `old-${email}`, loginMethods });
  expect(body.status).toBe('OK');
  expect(await signIn(core, email, 'any')).toBe('WRONG_CREDENTIALS_ERROR');
  const signUp = await core.post('/recipe/signup', { email, password: 'any' });
  expect(signUp.body.status).toBe('EMAIL_ALREADY_EXISTS_ERROR');
  const userId = `old-${email}`;
  const { token } = (await core.post('/recipe/user/password/reset/token', { userId, email })).body;
  const reset = await core.post('/recipe/user/password/reset/token/consume', { token, method: 'token' });
  expect(reset.body).toMatchObject({ status: 'OK', userId });
  await core.put('/recipe/user', { recipeUserId: userId, password: 'a new one' });
  expect(await signIn(core, email, 'a new one')).toBe('OK');
});
