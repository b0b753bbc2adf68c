/** Users for tests of the whole core, and its answers about them. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { User } from '../../src/domain/model.ts';
import type { Answer, TestCore } from './core.ts';

/** bcrypt at its minimum cost, of vector 064 and its neighbours. */
export const knownHash = '$2b$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';
export const knownPassword = 'abc';

export const coreId = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

let count = 0;

/** An address that no other user in this run has. */
export function newEmail(): string {
  count += 1;
  return `user-${count}-${randomUUID().slice(0, 8)}@example.com`;
}

/** A new app, so that tests of one file share a core without interfering. @returns its path prefix */
export async function newApp(core: TestCore, coreConfig: object = {}): Promise<string> {
  const appId = `app-${randomUUID()}`;
  const made = await core.put('/recipe/multitenancy/app/v2', { appId, coreConfig });
  expect(made.body).toEqual({ status: 'OK', createdNew: true });
  return `/appid-${appId}`;
}

/** A tenant of that app. @returns its path prefix, including the app's */
export async function newTenant(core: TestCore, app = '', coreConfig: object = {}): Promise<string> {
  const tenantId = `tenant-${randomUUID()}`;
  const made = await core.put(`${app}/recipe/multitenancy/tenant/v2`, { tenantId, coreConfig });
  expect(made.body).toEqual({ status: 'OK', createdNew: true });
  return `${app}/${tenantId}`;
}

export function userOf(answer: Answer): User {
  expect([answer.http, answer.body.status]).toEqual([200, 'OK']);
  return answer.body.user as User;
}

/** A user whose password is `knownPassword`. `prefix`: app and tenant as in the path. */
export async function importUser(core: TestCore, email: string, prefix = ''): Promise<User> {
  const path = `${prefix}/recipe/user/passwordhash/import`;
  return userOf(await core.post(path, { email, passwordHash: knownHash }));
}

export async function signInUp(
  core: TestCore,
  thirdPartyUserId: string,
  email: { id: string; isVerified?: boolean },
  prefix = '',
): Promise<User> {
  const input = { thirdPartyId: 'google', thirdPartyUserId, email };
  return userOf(await core.post(`${prefix}/recipe/signinup`, input));
}

/** The status word of a sign-in. */
export async function signIn(core: TestCore, email: string, password: string, prefix = ''): Promise<unknown> {
  return (await core.post(`${prefix}/recipe/signin`, { email, password })).body.status;
}

export async function verificationToken(
  core: TestCore,
  pair: { userId: string; email: string },
  prefix = '',
): Promise<string> {
  const { body } = await core.post(`${prefix}/recipe/user/email/verify/token`, pair);
  expect(body).toEqual({ status: 'OK', token: expect.stringMatching(/^[A-Za-z0-9_-]{128}$/) as string });
  return body.token as string;
}

/** Status, code and message of a refusal, in one comparable value. */
export function refusalOf({ http, body }: Answer): readonly [number, unknown, unknown] {
  expect(Object.keys(body)).toEqual(['status', 'message']);
  return [http, body.status, body.message];
}
