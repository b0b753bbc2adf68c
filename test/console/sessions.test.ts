/** Who may see the console, and what a cookie opens. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isOfConsole } from '../../src/features/console/allowed.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { allRoutes } from '../helpers/route-table.ts';
import { clockOf } from './clock.ts';
import { signIn } from './client.ts';

const readKey = 'a-key-that-may-only-read-here';
const named = JSON.stringify([{ name: 'looker', scopes: ['read'], key: readKey }]);
const operator = { email: 'ops@example.com', password: 'a password with 1 number' };
const clock = clockOf();

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({ settings: { NAMED_KEYS: named }, overrides: { now: clock.now } });
  await core.post('/recipe/dashboard/user', operator);
});
afterAll(() => core.stop());

const newest = async (what: string) => {
  const { body } = await core.get('/config/audit', { what, limit: '1' });
  return (body.entries as { who: string; outcome: string; details: object }[])[0];
};

describe('a session', () => {
  it('begins with a key, and its cookie is for this site alone and for no script', async () => {
    const response = await fetch(`${core.url}/console/session`, {
      method: 'POST',
      body: JSON.stringify({ key: testApiKey, isSecure: true }),
    });
    expect(response.headers.get('set-cookie')).toMatch(
      /^carryover_console=[\w-]{100,}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200; Secure$/,
    );
    expect(await response.json()).toMatchObject({
      status: 'OK',
      name: 'api_keys',
      scopes: 'all',
      version: 'test',
    });
    expect(await newest('console.sign-in')).toMatchObject({ outcome: 'OK', details: { name: 'api_keys' } });
  });

  it.each([
    ['a wrong key', { key: 'a-key-that-nothing-knows' }],
    ['a wrong password', { ...operator, password: 'another password 1' }],
    ['nothing', {}],
  ])('does not begin with %s', async (_what, credential) => {
    const { body } = await core.post('/console/session', credential);
    expect(body).toEqual({ status: 'INVALID_CREDENTIALS_ERROR' });
  });

  it('needs the token of its pages with each request', async () => {
    const page = await signIn(core);
    expect((await page.send('/bulk-import/jobs')).http).toBe(200);
    for (const csrf of [undefined, '', 'f'.repeat(32)])
      expect((await page.send('/bulk-import/jobs', { csrf })).body).toMatchObject({
        status: 'INVALID_API_KEY',
      });
  });

  it('answers its token to its own pages', async () => {
    const page = await signIn(core);
    expect((await page.send('/console/session', { csrf: undefined })).body).toMatchObject({
      status: 'OK',
      csrf: page.csrf,
    });
    expect((await core.get('/console/session')).body).toEqual({ status: 'SIGNED_OUT', needsKey: true });
  });

  it('has the scopes of its key, and its name in the audit log', async () => {
    const page = await signIn(core, { key: readKey });
    expect((await page.send('/console/users')).http).toBe(200);
    const refused = await page.send('/console/runs', { method: 'POST', body: { kind: 'inspect' } });
    expect(refused.body).toMatchObject({ status: 'KEY_SCOPE_MISSING' });
    expect(refused.text).toContain("'looker'");
  });

  it('is one on another core with the same encryption key', async () => {
    const other = await startTestCore({ database: core.database, settings: { NAMED_KEYS: named } });
    const { cookie, csrf } = await signIn(core);
    const response = await fetch(`${other.url}/bulk-import/jobs`, {
      headers: { cookie, 'x-console-csrf': csrf },
    });
    expect(response.status).toBe(200);
    await other.stop();
  });

  it('ends with its key', async () => {
    const rotated = await startTestCore({ database: core.database });
    const { cookie, csrf } = await signIn(core, { key: readKey });
    const response = await fetch(`${rotated.url}/users/count`, {
      headers: { cookie, 'x-console-csrf': csrf },
    });
    expect(response.status).toBe(401);
    await rotated.stop();
  });

  it('ends after twelve hours', async () => {
    const page = await signIn(core);
    clock.advance(12 * 3_600_000 - 600_000);
    expect((await page.send('/users/count')).http).toBe(200);
    clock.advance(600_000);
    expect((await page.send('/users/count')).http).toBe(401);
    expect((await page.send('/console/session')).body).toEqual({ status: 'SIGNED_OUT', needsKey: true });
  });

  it('that was changed opens nothing', async () => {
    const { cookie, csrf } = await signIn(core);
    const changed = `${cookie.slice(0, -2)}${cookie.endsWith('AA') ? 'BB' : 'AA'}`;
    for (const value of [changed, 'carryover_console=', 'carryover_console=%%%'])
      expect(
        (await fetch(`${core.url}/users/count`, { headers: { cookie: value, 'x-console-csrf': csrf } }))
          .status,
      ).toBe(401);
  });
});

describe('a dashboard user', () => {
  it('signs in, and loses the console within two minutes of being removed', async () => {
    const leaver = { email: 'leaver@example.com', password: 'a password with 1 number' };
    await core.post('/recipe/dashboard/user', leaver);
    const page = await signIn(core, leaver);
    expect((await page.send('/users/count')).http).toBe(200);
    await core.delete('/recipe/dashboard/user', { email: leaver.email });
    clock.advance(119_000);
    expect((await page.send('/users/count')).http).toBe(200);
    clock.advance(2000);
    expect((await page.send('/users/count')).http).toBe(401);
    expect((await page.send('/console/session')).body).toEqual({ status: 'SIGNED_OUT', needsKey: true });
  });

  it('goes on with a renewed cookie, in all tabs', async () => {
    const page = await signIn(core, operator);
    clock.advance(125_000);
    const renewed = await page.send('/console/session');
    expect(renewed.body).toMatchObject({ status: 'OK', name: 'dashboard:ops@example.com', csrf: page.csrf });
    const cookie = renewed.headers.get('set-cookie')?.split(';')[0] ?? '';
    const again = await page.send('/users/count', { headers: { cookie } });
    expect(again.http).toBe(200);
  });

  it('whose page came by HTTPS keeps a cookie that only HTTPS carries', async () => {
    const page = await signIn(core, { ...operator, isSecure: true });
    const renewed = await page.send('/console/session');
    expect(renewed.headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  it('of the public app looks after all, one of another app after that alone', async () => {
    await core.put('/recipe/multitenancy/app/v2', { appId: 'shop' });
    const clerk = { email: 'clerk@example.com', password: 'a password with 1 number' };
    await core.post('/appid-shop/recipe/dashboard/user', clerk);
    const all = await signIn(core, operator);
    for (const app of ['', '/appid-shop']) {
      expect((await all.send(`${app}/users/count`)).http).toBe(200);
      expect((await all.send(`${app}/console/session`)).body.status).toBe('OK');
    }
    const own = await signIn({ url: `${core.url}/appid-shop` }, clerk);
    expect((await own.send('/users/count')).http).toBe(200);
    const elsewhere = { cookie: own.cookie, 'x-console-csrf': own.csrf };
    expect((await fetch(`${core.url}/users/count`, { headers: elsewhere })).status).toBe(401);
  });

  it('signs out everywhere', async () => {
    const page = await signIn(core, operator);
    const out = await page.send('/console/session', { method: 'DELETE' });
    expect(out.headers.get('set-cookie')).toContain(
      'carryover_console=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0',
    );
    clock.advance(125_000);
    expect((await page.send('/console/session')).body).toEqual({ status: 'SIGNED_OUT', needsKey: true });
  });
});

describe('what a cookie opens', () => {
  it('are routes that are there', () => {
    const table = allRoutes().map(({ method, path }) => ({ method, path }));
    const open = table.filter(({ method, path }) => isOfConsole(method, path));
    const listed = open
      .filter(({ path }) => !path.startsWith('/console/'))
      .map(({ method, path }) => `${method} ${path}`);
    expect(listed.toSorted()).toMatchInlineSnapshot(`
      [
        "GET /bulk-import/jobs",
        "GET /bulk-import/jobs/{id}",
        "GET /bulk-import/jobs/{id}/absent",
        "GET /bulk-import/jobs/{id}/conflicts",
        "GET /bulk-import/jobs/{id}/events",
        "GET /bulk-import/jobs/{id}/rejects",
        "GET /health",
        "GET /move/status",
        "GET /recipe/multitenancy/app/list/v2",
        "GET /recipe/multitenancy/tenant/list/v2",
        "GET /recipe/session/user",
        "GET /recipe/totp/device/list",
        "GET /recipe/user/legacy/report",
        "GET /recipe/user/passwordhash/report",
        "GET /recipe/user/roles",
        "GET /user/restrictions",
        "GET /users/count",
        "GET /users/count/active",
        "POST /bulk-import/jobs/{id}/undo",
        "POST /move",
        "POST /move/back",
        "POST /move/close",
        "POST /move/comparison",
        "POST /move/next",
        "POST /move/plan",
        "POST /recipe/session/remove",
        "POST /recipe/user/email/verify/token",
        "POST /recipe/user/password/reset/token",
        "POST /user/remove",
        "PUT /user/restrictions",
      ]
    `);
  });

  it('do not include those that give out hashes, emails or other credentials', async () => {
    const page = await signIn(core);
    for (const path of [
      '/bulk-export/users',
      '/users',
      '/user/id?userId=x',
      '/users/by-accountinfo?email=a@b.c',
      '/config/audit',
    ])
      expect((await page.send(path)).http).toBe(401);
    for (const path of ['/recipe/signin', '/recipe/session', '/recipe/user/passwordhash/import'])
      expect((await page.send(path, { method: 'POST', body: {} })).http).toBe(401);
  });
});

describe('the page', () => {
  it('lets nothing in from elsewhere, and may be in no frame', async () => {
    const { http, headers, text } = await core.get('/console');
    expect(http).toBe(200);
    expect(text).toContain('<div id="console">');
    expect(text).not.toMatch(/<script(?![^>]* src=)|style=|https?:\/\//);
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
  });

  it('has all that it names, and nothing else is served', async () => {
    const { text } = await core.get('/console');
    const names = [...text.matchAll(/(?:src|href)="\.\/(console\/[^"]+)"/g)].map(([, name]) => name ?? '');
    expect(names.length).toBeGreaterThan(1);
    for (const name of names) expect((await core.get(`/${name}`)).http).toBe(200);
    for (const name of ['index.html', 'licences.md', 'nothing.js', '..%2f..%2ffeature.ts'])
      expect((await core.get(`/console/${name}`)).http).toBe(404);
  });

  it('is small at first sight', async () => {
    const { text } = await core.get('/console');
    const names = [...text.matchAll(/(?:src|href)="\.\/(console\/[^"]+)"/g)].map(([, name]) => name ?? '');
    const sizes = names.map(async (name) => {
      const packed = await fetch(`${core.url}/${name}`, { headers: { 'accept-encoding': 'identity' } });
      return Number(packed.headers.get('content-length') ?? (await packed.arrayBuffer()).byteLength);
    });
    expect((await Promise.all(sizes)).reduce((sum, size) => sum + size, text.length)).toBeLessThan(150_000);
  });
});

describe('a core that requires no key', () => {
  it('lets its pages in without one', async () => {
    const open = await startTestCore({ settings: { REQUIRE_API_KEY: 'false' } });
    expect((await open.get('/console/session')).body).toEqual({ status: 'SIGNED_OUT', needsKey: false });
    const page = await signIn(open, {});
    expect((await page.send('/console/users')).http).toBe(200);
    await open.stop();
  });
});

describe('with console: false', () => {
  it('nothing of it is there', async () => {
    const without = await startTestCore({ settings: { CONSOLE: 'false' } });
    for (const path of ['/console', '/console/session', '/console/users'])
      expect((await without.get(path)).http).toBe(404);
    const { cookie, csrf } = await signIn(core);
    const response = await fetch(`${without.url}/users/count`, {
      headers: { cookie, 'x-console-csrf': csrf },
    });
    expect(response.status).toBe(401);
    await without.stop();
  });
});
