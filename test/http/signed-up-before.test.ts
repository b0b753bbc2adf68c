/** An attacker signs up with an email before its owner is imported: the imported account must not be theirs. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';
import { knownHash, knownPassword, newApp } from '../helpers/people.ts';

let core: TestCore;
let app: string;

beforeAll(async () => {
  core = await startTestCore();
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core);
});

const email = 'ada@example.com';
const passwordOfStranger = 'the-stranger-chose-1t';

async function signUp(): Promise<string> {
  const { body } = await core.post(`${app}/recipe/signup`, { email, password: passwordOfStranger });
  return (body as { recipeUserId: string }).recipeUserId;
}

async function beginSession(userId: string): Promise<string> {
  const { body } = await core.post(`${app}/recipe/session`, {
    userId,
    userDataInJWT: {},
    userDataInDatabase: {},
    enableAntiCsrf: false,
  });
  return (body as { refreshToken: { token: string } }).refreshToken.token;
}

const refresh = async (refreshToken: string) => {
  const input = { refreshToken, enableAntiCsrf: false, useDynamicSigningKey: true };
  return (await core.post(`${app}/recipe/session/refresh`, input)).body.status;
};

interface Answer {
  readonly job: { readonly id: string; readonly updated: number };
}

async function runImport(method: object, onConflict = 'update'): Promise<Answer> {
  const loginMethod = { recipeId: 'emailpassword', email, isVerified: true, ...method };
  const response = await fetch(`${core.url}${app}/bulk-import/jobs?onConflict=${onConflict}`, {
    method: 'PUT',
    headers: { 'api-key': testApiKey },
    body: `${JSON.stringify({ externalUserId: 'ada', loginMethods: [loginMethod] })}\n`,
  });
  return (await response.json()) as Answer;
}

async function importAda(method: object): Promise<void> {
  expect(await runImport(method)).toMatchObject({ job: { updated: 1, rejected: 0 } });
}

async function conflictsOf(jobId: string): Promise<unknown[]> {
  const response = await fetch(`${core.url}${app}/bulk-import/jobs/${jobId}/conflicts`, {
    headers: { 'api-key': testApiKey },
  });
  const text = await response.text();
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

const signIn = (password: string) => core.post(`${app}/recipe/signin`, { email, password });

async function verifyEmail(userId: string): Promise<void> {
  const { body } = await core.post(`${app}/recipe/user/email/verify/token`, { userId, email });
  const { token } = body as { token: string };
  await core.post(`${app}/recipe/user/email/verify`, { method: 'token', token });
}

describe('who signed up with the email and never verified it', () => {
  test('loses the password to that of the record, and the sessions', async () => {
    const token = await beginSession(await signUp());
    await importAda({ passwordHash: knownHash });
    expect((await signIn(passwordOfStranger)).body.status).toBe('WRONG_CREDENTIALS_ERROR');
    expect((await signIn(knownPassword)).body.status).toBe('OK');
    expect(await refresh(token)).toBe('UNAUTHORISED');
  });

  test('does so too after a change of the password, which takes a session alone', async () => {
    const recipeUserId = await signUp();
    const changed = 'the-stranger-chose-2t';
    await core.put(`${app}/recipe/user`, { recipeUserId, password: changed });
    const token = await beginSession(recipeUserId);
    await importAda({ passwordHash: knownHash });
    expect((await signIn(changed)).body.status).toBe('WRONG_CREDENTIALS_ERROR');
    expect((await signIn(knownPassword)).body.status).toBe('OK');
    expect(await refresh(token)).toBe('UNAUTHORISED');
  });

  test('does so too where the record only names the old system', async () => {
    const token = await beginSession(await signUp());
    await importAda({ legacy: 'old' });
    expect((await signIn(passwordOfStranger)).body.status).not.toBe('OK');
    expect(await refresh(token)).toBe('UNAUTHORISED');
  });
});

describe('who signed up with the email and verified it', () => {
  test('keeps a password that the record has none for, and the sessions', async () => {
    const userId = await signUp();
    await verifyEmail(userId);
    const token = await beginSession(userId);
    await importAda({ legacy: 'old' });
    expect((await signIn(passwordOfStranger)).body.status).toBe('OK');
    expect(await refresh(token)).toBe('OK');
  });

  test('keeps the password and the sessions against a record that does not say that it is verified', async () => {
    const userId = await signUp();
    await verifyEmail(userId);
    const token = await beginSession(userId);
    const { job } = await runImport({ passwordHash: knownHash, isVerified: false }, 'theirs');
    expect(job).toMatchObject({ conflicts: 1, rejected: 0 });
    expect(await conflictsOf(job.id)).toMatchObject([{ group: 'password', done: 'kept' }]);
    expect((await signIn(passwordOfStranger)).body.status).toBe('OK');
    expect((await signIn(knownPassword)).body.status).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await refresh(token)).toBe('OK');
  });
});

test('a reset link that was followed for another email shows nothing', async () => {
  const { body } = await core.post(`${app}/recipe/signup`, {
    email: 'stranger@example.com',
    password: passwordOfStranger,
  });
  const { recipeUserId } = body as { recipeUserId: string };
  const reset = { userId: recipeUserId, email: 'stranger@example.com' };
  const { body: made } = await core.post(`${app}/recipe/user/password/reset/token`, reset);
  const { token } = made as { token: string };
  const used = await core.post(`${app}/recipe/user/password/reset/token/consume`, { method: 'token', token });
  expect(used.body.status).toBe('OK');
  await core.put(`${app}/recipe/user`, { recipeUserId, email });
  await importAda({ passwordHash: knownHash });
  expect((await signIn(passwordOfStranger)).body.status).toBe('WRONG_CREDENTIALS_ERROR');
  expect((await signIn(knownPassword)).body.status).toBe('OK');
});
