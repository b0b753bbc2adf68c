/** `carryover import --canaries` against a whole core. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import type { Ended } from '../helpers/command.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';
import { codeAt } from '../../src/hashes/parts/one-time-code.ts';
import { signPassword } from '../helpers/scrypt-variant.ts';

const signerKey = Buffer.alloc(64, 3);
const otherKey = Buffer.alloc(64, 9);
let core: TestCore;
let place: Place;
beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());
beforeEach(async () => {
  place = await makePlace();
});
afterEach(() => place.remove());

const importing = (app: string, ...args: string[]): Promise<Ended> =>
  place.run(['import', '--yes', ...args, '--url', core.url, '--app', app.replace('/appid-', '')], {
    environment: { CARRYOVER_API_KEY: testApiKey },
  });
const jobsOf = async (app: string): Promise<unknown> => (await core.get(`${app}/bulk-import/jobs`)).body.jobs;
const usersOf = async (app: string): Promise<unknown> => (await core.get(`${app}/users/count`)).body.count;
const native = (email: string, passwordHash?: string): string =>
  `${JSON.stringify({ loginMethods: [passwordHash === undefined ? { recipeId: 'passwordless', email } : { recipeId: 'emailpassword', email, passwordHash }] })}\n`;

function firebaseExport(...names: readonly string[]): string {
  const users = names.map((name, at) => {
    const { hash: passwordHash, salt } = signPassword(name, signerKey);
    return { localId: `u${at}`, email: `${name}@example.com`, emailVerified: true, passwordHash, salt };
  });
  return JSON.stringify({ users });
}
const fromFirebase = ['--from', 'firebase', '--firebase-rounds', '8', '--firebase-mem-cost', '4'];

it('imports when every canary is right, and says which kinds none covers', async () => {
  const app = await newApp(core);
  const weak = `$md5$${Buffer.alloc(16, 1).toString('base64')}`;
  await place.write('users.ndjson', native('m@example.com', weak) + native('a@example.com', knownHash));
  await place.write('known.csv', `email,password\n A@Example.com ,${knownPassword}\n`);
  const { code, stderr } = await importing(app, 'users.ndjson', '--canaries', 'known.csv');
  expect(code).toBe(0);
  expect(stderr).toContain('Every canary was verified');
  expect(stderr).toContain(
    'No canary has a hash of these kinds, which were met while they were looked up: md5',
  );
  expect(await usersOf(app)).toBe(2);
});

it('reports a wrong signer key before a row is written, and imports with the right one', async () => {
  const wrong = await newApp(core, { firebase_password_hashing_signer_key: otherKey.toString('base64') });
  await place.write('users.json', firebaseExport('ada', 'bob', 'eve'));
  await place.write(
    'known.ndjson',
    ['ada', 'eve']
      .map((name) => `${JSON.stringify({ email: `${name}@example.com`, password: name })}\n`)
      .join(''),
  );
  const args = ['users.json', ...fromFirebase, '--canaries', 'known.ndjson'];
  const failed = await importing(wrong, ...args);
  expect({ code: failed.code, stdout: failed.stdout }).toEqual({ code: 2, stdout: '' });
  expect(failed.stderr).toContain('2 of 2 canaries failed, first canaries.0 (ada@example.com)');
  expect(failed.stderr).toContain('The passwords are right and the SIGNER KEY is wrong');
  expect(failed.stderr).toContain('Look at: provider_password_hashing_signer_key');
  expect([await jobsOf(wrong), await usersOf(wrong)]).toEqual([[], 0]);
  expect(await place.list(place.stateFolder)).toEqual([]);
  const right = await newApp(core, { firebase_password_hashing_signer_key: signerKey.toString('base64') });
  const done = await importing(right, ...args);
  expect(done.code).toBe(0);
  expect(await usersOf(right)).toBe(3);
  const signIn = { email: 'bob@example.com', password: 'bob' };
  expect((await core.post(`${right}/recipe/signin`, signIn)).body.status).toBe('OK');
});

it('refuses a canary who is not in the file, or has no password there, by name', async () => {
  const app = await newApp(core);
  await place.write('users.ndjson', native('a@example.com', knownHash) + native('b@example.com'));
  for (const [email, why] of [
    ['nobody@example.com', 'The canary nobody@example.com is not in the file'],
    ['b@example.com', 'The canary b@example.com is not in the file'],
  ] as const) {
    await place.write('known.csv', `email,password\n${email},secret-of-it\n`);
    const { code, stderr } = await importing(app, 'users.ndjson', '--canaries', 'known.csv');
    expect(code).toBe(2);
    expect(stderr).toContain(why);
    expect(stderr).not.toContain('secret-of-it');
  }
  await place.write(
    'users.ndjson',
    `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email: 'c@example.com' }] })}\n`,
  );
  await place.write('known.csv', 'email,password\nc@example.com,x\n');
  const bare = await importing(app, 'users.ndjson', '--canaries', 'known.csv');
  expect(bare.stderr).toContain('The canary c@example.com has no password hash in the file');
  expect(await jobsOf(app)).toEqual([]);
});

it.each([
  ['the standard input', '-', undefined, 'not read from the standard input'],
  ['too many', 'many.csv', `email,password\n${'a@example.com,x\n'.repeat(101)}`, 'a core takes 100'],
  ['a row without an email', 'bad.csv', 'email,password\n,x\n', 'row 1 has no email'],
])('refuses canaries: %s', async (_what, file, text, message) => {
  const app = await newApp(core);
  await place.write('users.ndjson', native('a@example.com', knownHash));
  if (text !== undefined) await place.write(file, text);
  const { code, stderr } = await importing(app, 'users.ndjson', '--canaries', file);
  expect(code).toBe(2);
  expect(stderr).toContain(message);
  expect(await jobsOf(app)).toEqual([]);
});

it('takes an import from the standard input, which is copied and so can be read twice', async () => {
  const app = await newApp(core);
  await place.write('known.csv', `email,password\na@example.com,${knownPassword}\n`);
  const args = [
    'import',
    '--yes',
    '-',
    '--canaries',
    'known.csv',
    '--url',
    core.url,
    '--app',
    app.replace('/appid-', ''),
  ];
  const { code } = await place.run(args, {
    input: native('a@example.com', knownHash),
    environment: { CARRYOVER_API_KEY: testApiKey },
  });
  expect(code).toBe(0);
  expect(await usersOf(app)).toBe(1);
});

it('holds codes against TOTP secrets, in a dry run too, and says how one has to be read', async () => {
  const key = Buffer.from('48656c6c6f21deadbeef', 'hex');
  const time = '2026-01-31T12:00:10Z';
  const code = codeAt(key, Math.floor(Date.parse(time) / 30_000));
  const person = (secretKey: string, more: object = {}) => {
    const loginMethods = [{ recipeId: 'passwordless', email: 'ada@example.com' }];
    return `${JSON.stringify({ loginMethods, totpDevices: [{ secretKey, ...more }] })}\n`;
  };
  const hex = key.toString('hex');
  await place.write('codes.csv', `email,code,time\nAda@example.com,${code},${time}\n`);
  await place.write('raw.ndjson', person(hex));
  await place.write('told.ndjson', person(hex, { secretEncoding: 'hex' }));
  const app = await newApp(core);
  const wrong = await importing(app, 'raw.ndjson', '--canaries', 'codes.csv', '--dry-run');
  expect(wrong.code).toBe(2);
  expect(wrong.stderr).toContain('first codeCanaries.0 (ada@example.com): The secret is hexadecimal');
  expect(wrong.stderr).toContain('Set "secretEncoding":"hex"');
  expect(wrong.stderr).not.toContain(hex);
  expect(await jobsOf(app)).toEqual([]);
  const right = await importing(app, 'told.ndjson', '--canaries', 'codes.csv', '--second-factor', 'flag');
  expect([right.code, await usersOf(app)]).toEqual([0, 1]);
  expect(right.stderr).toContain('Every canary was verified');
});
