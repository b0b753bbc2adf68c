import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashToken, newToken } from '../../src/operations/verification/tokens.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { importUser, newApp, newEmail, verificationToken } from '../helpers/people.ts';
import { withSql } from '../helpers/database-door.ts';

let core: TestCore;
let app: string;
let appNo: number;
beforeAll(async () => {
  core = await startTestCore();
  app = await newApp(core);
  const appId = app.replace('/appid-', '');
  [{ appNo }] = await withSql(
    core.database.connection,
    (sql) => sql<[{ appNo: number }]>`select app_no as "appNo" from carryover.apps where app_id = ${appId}`,
  );
});
afterAll(() => core.stop());

const verify = async (token: string): Promise<unknown> =>
  (await core.post(`${app}/recipe/user/email/verify`, { method: 'token', token })).body.status;
const consume = async (token: string): Promise<unknown> =>
  (await core.post(`${app}/recipe/user/password/reset/token/consume`, { token })).body.status;

/** Stored as a core stores one, whatever its text. */
async function keep(token: string, purpose: 1 | 2): Promise<string> {
  const [userId, expiresAt] = ['anybody', Date.now() + 3_600_000];
  await withSql(
    core.database.connection,
    (sql) => sql`
      insert into carryover.tokens (app_no, purpose, token_hash, tenant_no, user_id, email, expires_at)
      values (${appNo}, ${purpose}, ${Buffer.from(hashToken(token), 'hex')}, 0, ${userId}, 'a@b.test', ${expiresAt})`,
  );
  return token;
}

test('a token begins with the number of its app, and has 128 characters that fit into a link', async () => {
  const name = `app-${appNo.toString(16).padStart(8, '0')}`;
  const email = newEmail();
  const pair = { userId: (await importUser(core, email, app)).id, email };
  const { body } = await core.post(`${app}/recipe/user/password/reset/token`, pair);
  for (const token of [await verificationToken(core, pair, app), body.token as string]) {
    expect(token).toMatch(/^[A-Za-z0-9_-]{128}$/);
    expect(token.startsWith(name)).toBe(true);
    expect(encodeURIComponent(token)).toBe(token);
  }
  expect(new Set(Array.from({ length: 1000 }, () => newToken(appNo))).size).toBe(1000);
  expect(newToken(2 ** 31 - 1)).toMatch(/^app-7fffffff[A-Za-z0-9_-]{116}$/);
});

test('a token that names no app is invalid', async () => {
  const unnamed = () => randomBytes(96).toString('base64url');
  expect(await verify(await keep(unnamed(), 1))).toBe('EMAIL_VERIFICATION_INVALID_TOKEN_ERROR');
  expect(await consume(await keep(unnamed(), 2))).toBe('RESET_PASSWORD_INVALID_TOKEN_ERROR');
});

test('a token that names another app is invalid here', async () => {
  expect(await verify(await keep(newToken(appNo), 1))).toBe('OK');
  expect(await consume(await keep(newToken(appNo), 2))).toBe('OK');
  expect(await verify(await keep(newToken(appNo + 1), 1))).toBe('EMAIL_VERIFICATION_INVALID_TOKEN_ERROR');
  expect(await consume(await keep(newToken(appNo + 1), 2))).toBe('RESET_PASSWORD_INVALID_TOKEN_ERROR');
});
