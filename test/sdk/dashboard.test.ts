/** The dashboard's API as the SDK serves it in an Express app, against a core. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { errorHandler, middleware } from 'supertokens-node/framework/express/index.js';
import Dashboard from 'supertokens-node/recipe/dashboard/index.js';
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SdkCore, signUp, signUpSocially, startCoreWithSdk } from '../helpers/sdk.ts';

const operator = { email: 'operator@example.com', password: 'correct horse 1' };
let core: SdkCore;
let server: Server;
let session: string;

beforeAll(async () => {
  core = await startCoreWithSdk({ appId: 'shop', recipes: [Dashboard.init()] });
  const app = express();
  app.use(middleware());
  app.use(errorHandler());
  await new Promise<void>((resolve) => {
    server = app.listen(0, '127.0.0.1', () => {
      resolve();
    });
  });
  const made = await core.post(`${core.app}/recipe/dashboard/user`, operator);
  expect(made.body.status).toBe('OK');
  session = (await signIn()).sessionId as string;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await core.stop();
});

interface Asked {
  readonly method?: string;
  readonly body?: object;
  readonly with?: string;
  readonly tenantId?: string;
}

/** The answer that the dashboard's page would get. */
async function ask(path: string, { method = 'GET', body, with: key = session, tenantId }: Asked = {}) {
  const { port } = server.address() as AddressInfo;
  const base = `http://127.0.0.1:${port}/auth${tenantId === undefined ? '' : `/${tenantId}`}/dashboard/api`;
  const response = await fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  return { http: response.status, ...answer };
}

const signIn = (given: object = operator) =>
  ask('/signin', { method: 'POST', body: given, with: '' }) as Promise<Record<string, unknown>>;

describe('who operates the app', () => {
  it('signs in with the right password alone', async () => {
    expect(await signIn()).toMatchObject({
      http: 200,
      status: 'OK',
      sessionId: expect.any(String) as string,
    });
    for (const wrong of [{ password: 'wrong' }, { email: 'nobody@example.com' }])
      expect(await signIn({ ...operator, ...wrong })).toEqual({
        http: 200,
        status: 'INVALID_CREDENTIALS_ERROR',
      });
  });

  it('is admitted until signing out, and no other user is', async () => {
    const { sessionId } = await signIn();
    const own = { with: sessionId as string };
    expect(await ask('/users/count', own)).toMatchObject({ http: 200, status: 'OK' });
    await ask('/signout', { ...own, method: 'POST' });
    expect((await ask('/users/count', own)).http).toBe(401);
    expect((await ask('/users/count', { with: 'made up' })).http).toBe(401);
  });
});

describe('users', () => {
  let ada: string;
  beforeAll(async () => {
    ada = await signUp('public', 'ada@example.com');
    await signUpSocially('public', 'g-1', 'bob@mail.test');
  });

  const emails = async (query: string) => {
    const answer = (await ask(`/users?limit=10${query}`)) as { users?: { emails: string[] }[] };
    return answer.users?.flatMap((user) => user.emails).sort();
  };

  it('are listed, counted, and found by what the tags name', async () => {
    expect(await ask('/search/tags')).toEqual({
      http: 200,
      status: 'OK',
      tags: ['email', 'phone', 'provider'],
    });
    expect(await emails('')).toEqual(['ada@example.com', 'bob@mail.test']);
    expect(await emails('&email=ADA')).toEqual(['ada@example.com']);
    expect(await emails('&email=example;mail&provider=goo')).toEqual(['bob@mail.test']);
    expect(await emails('&phone=%2B44')).toEqual([]);
    expect(await ask('/users/count')).toEqual({ http: 200, status: 'OK', count: 2 });
  });

  it('are shown with their metadata, sessions and roles, and changed', async () => {
    const query = `?userId=${ada}&recipeId=emailpassword`;
    expect(await ask(`/user${query}`)).toMatchObject({ status: 'OK', user: { emails: ['ada@example.com'] } });
    const metadata = { userId: ada, data: JSON.stringify({ plan: 'gold' }) };
    expect(await ask('/user/metadata', { method: 'PUT', body: metadata })).toMatchObject({ status: 'OK' });
    expect(await ask(`/user/metadata?userId=${ada}`)).toMatchObject({ status: 'OK', data: { plan: 'gold' } });
    expect(await ask(`/user/sessions?userId=${ada}`)).toMatchObject({ status: 'OK', sessions: [] });
    await ask('/userroles/role', { method: 'PUT', body: { role: 'reader', permissions: ['read'] } });
    const role = { userId: ada, role: 'reader' };
    expect(await ask('/userroles/user/roles', { method: 'PUT', body: role })).toMatchObject({ status: 'OK' });
    expect(await ask(`/userroles/user/roles?userId=${ada}`)).toMatchObject({ roles: ['reader'] });
    const password = { recipeUserId: ada, newPassword: 'another one 2' };
    expect(await ask('/user/password', { method: 'PUT', body: password })).toMatchObject({ status: 'OK' });
  });

  it('are removed', async () => {
    const id = await signUp('public', 'cyd@example.com');
    expect(await ask(`/user?userId=${id}`, { method: 'DELETE' })).toMatchObject({ status: 'OK' });
    expect(await emails('&email=cyd')).toEqual([]);
  });
});

describe('a tenant', () => {
  const customers = { tenantId: 'customers' };
  const settingOf = async (key: string) => {
    const shown = (await ask('/tenant', customers)) as {
      tenant?: { coreConfig: { key: string; value: unknown }[] };
    };
    return shown.tenant?.coreConfig.find((each) => each.key === key)?.value;
  };
  const change = (name: string, value: unknown) =>
    ask('/tenant/core-config', { ...customers, method: 'PUT', body: { name, value } });

  it('is shown with its settings, and they are changed', async () => {
    await Multitenancy.createOrUpdateTenant('customers');
    expect(await settingOf('totp_max_attempts')).toBe(5);
    expect(await change('totp_max_attempts', 6)).toEqual({ http: 200, status: 'OK' });
    expect(await settingOf('totp_max_attempts')).toBe(6);
    expect(await change('totp_max_attempts', 'many')).toMatchObject({
      status: 'INVALID_CONFIG_ERROR',
      message: expect.stringContaining("'totp_max_attempts' must be") as string,
    });
  });
});
