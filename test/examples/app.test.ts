/** The example app with the unmodified SDKs, over HTTP: the requests of a browser, without one. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { type ExampleApp, startExampleApp } from '../helpers/example-app.ts';
import { runExample } from '../helpers/process.ts';
import { type Page, WebClient } from '../helpers/web-client.ts';

let core: TestCore;
let app: ExampleApp;
beforeAll(async () => {
  core = await startTestCore();
  app = await startExampleApp(core, 'example');
});
afterAll(async () => {
  await app.stop();
  await core.stop();
});

const password = 'correct horse battery staple';

function signIn(client: WebClient, email: string, given = password): Promise<Page> {
  const formFields = [
    { id: 'email', value: email },
    { id: 'password', value: given },
  ];
  return client.post('/auth/signin', { formFields });
}

async function signedIn(email: string): Promise<WebClient> {
  const client = new WebClient(app.url);
  expect((await signIn(client, email)).body).toMatchObject({ status: 'OK' });
  return client;
}

const claimsOf = ({ body }: Page): unknown =>
  (body.claimValidationErrors as readonly { readonly id: string }[]).map(({ id }) => id);

/** The first match of its group on a page. */
async function shown(page: string, pattern: RegExp): Promise<string> {
  const { text } = await new WebClient(app.url).get(page);
  const found = pattern.exec(text)?.[1];
  expect(found, `${page}: ${text}`).toBeDefined();
  return (found ?? '').replaceAll('&amp;', '&');
}

describe('the example', () => {
  it('imports its users, and says how to undo that in their app', () => {
    expect(app.stdout()).toMatch(/created +4[^]*rejected +0/);
    expect(app.stdout()).toMatch(/To undo it: .* undo \S+ --url \S+ --app example\n/);
  });

  it('serves pages whose scripts and styles are there', async () => {
    const visitor = new WebClient(app.url);
    for (const path of ['/', '/sign-in', '/auth/verify-email', '/code', '/callback', '/admin']) {
      const page = await visitor.get(path);
      expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
      for (const [, asset = ''] of page.text.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g))
        expect((await visitor.get(asset)).http, asset).toBe(200);
    }
  });

  it('signs in with the old password only, and asks for a verified email first', async () => {
    const barbara = new WebClient(app.url);
    expect((await signIn(barbara, 'barbara@example.com', 'another')).body).toEqual({
      status: 'WRONG_CREDENTIALS_ERROR',
    });
    expect((await barbara.get('/api/me')).http).toBe(401);
    expect((await signIn(barbara, 'barbara@example.com')).body).toMatchObject({ status: 'OK' });
    const refused = await barbara.get('/api/me');
    expect([refused.http, claimsOf(refused)]).toEqual([403, ['st-ev']]);
    expect((await barbara.post('/auth/user/email/verify/token')).body).toEqual({ status: 'OK' });

    const link = await shown('/stand-ins/outbox', /href="([^"]+token=[^"]+)"/);
    expect((await barbara.get(link)).text).toContain('Verify my email');
    const token = new URL(link).searchParams.get('token');
    const verified = await barbara.post('/auth/user/email/verify', { method: 'token', token });
    expect(verified.body).toMatchObject({ status: 'OK' });
    expect((await barbara.get('/api/me')).body).toMatchObject({
      userId: 'shop-3',
      emails: ['barbara@example.com'],
      roles: [],
    });
  });

  it('shows the orders to the user that the import made an admin, and to no other', async () => {
    const ada = await signedIn('ada@example.com');
    expect((await ada.get('/api/me')).body).toMatchObject({ userId: 'shop-1', roles: ['admin'] });
    expect((await ada.get('/api/admin')).body).toEqual({ orders: expect.any(Array) as unknown });
    const donald = await signInSocially('Donald');
    const refused = await donald.get('/api/admin');
    expect([refused.http, claimsOf(refused)]).toEqual([403, ['st-role']]);
  });

  it('refreshes a session whose access token has expired', async () => {
    const ada = await signedIn('ada@example.com');
    const before = (await ada.get('/api/me')).body;
    await expect.poll(() => Date.now()).toBeGreaterThan(Date.parse(String(before.tokenUntil)));
    expect((await ada.send('GET', '/api/me')).body).toEqual({ message: 'try refresh token' });
    const after = (await ada.get('/api/me')).body;
    expect(after.userId).toBe('shop-1');
    expect(Date.parse(String(after.tokenFrom))).toBeGreaterThan(Date.parse(String(before.tokenFrom)));
  });

  it('ends a session whose old refresh token comes again, and writes to its user', async () => {
    const ada = await signedIn('ada@example.com');
    const thief = new WebClient(app.url);
    for (const [name, value] of ada.cookies) thief.cookies.set(name, value);
    expect((await ada.send('POST', '/auth/session/refresh')).http).toBe(200);
    expect((await ada.get('/api/me')).http).toBe(200);
    const stolen = await thief.send('POST', '/auth/session/refresh');
    expect([stolen.http, stolen.body]).toEqual([401, { message: 'token theft detected' }]);
    expect((await ada.get('/api/admin')).http).toBe(401);
    expect((await ada.send('POST', '/auth/session/refresh')).http).toBe(401);
    expect(await shown('/stand-ins/outbox', /(You were signed out)/)).toBe('You were signed out');
  });

  it('ends the session with a sign-out, also for clients that kept its tokens', async () => {
    const ada = await signedIn('ada@example.com');
    const kept = new WebClient(app.url);
    for (const [name, value] of ada.cookies) kept.cookies.set(name, value);
    expect((await ada.post('/auth/signout')).body).toEqual({ status: 'OK' });
    expect((await ada.get('/api/me')).http).toBe(401);
    expect((await kept.get('/api/admin')).http).toBe(401);
    expect((await kept.send('POST', '/auth/session/refresh')).http).toBe(401);
  });

  it('asks users with a TOTP device for its code, which works once', async () => {
    const grace = await signedIn('grace@example.com');
    const refused = await grace.get('/api/me');
    expect([refused.http, claimsOf(refused)]).toEqual([403, ['st-mfa']]);
    const wrong = await grace.post('/auth/totp/verify', { totp: 'no code' });
    expect(wrong.body).toMatchObject({ status: 'INVALID_TOTP_ERROR' });
    const totp = await shown('/stand-ins/phone', /<output[^>]*>(\d{6})</);
    expect((await grace.post('/auth/totp/verify', { totp })).body).toEqual({ status: 'OK' });
    expect((await grace.get('/api/me')).body).toMatchObject({ userId: 'shop-2' });
    const overlooker = await signedIn('grace@example.com');
    const again = await overlooker.post('/auth/totp/verify', { totp });
    expect(again.body).toMatchObject({ status: 'INVALID_TOTP_ERROR' });
  });

  it('recognises a social user of the import, and creates a new one otherwise', async () => {
    const donald = await signInSocially('Donald');
    expect((await donald.get('/api/me')).body).toMatchObject({
      userId: 'shop-4',
      emails: ['donald@example.com'],
    });
    const nina = (await (await signInSocially('Nina')).get('/api/me')).body;
    expect(nina).toMatchObject({ emails: ['nina@example.com'] });
    expect(nina.userId).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('finds its users unchanged when it is started again', async () => {
    const second = await startExampleApp(core, 'example');
    expect(second.stdout()).toMatch(/created +0[\s\S]*unchanged +4/);
    expect(await second.stop()).toBe(0);
  });

  it('ends with the cure where its core is not there, and where a port is taken', async () => {
    const lost = await failedStart({ CARRYOVER_URL: 'http://127.0.0.1:1' });
    expect(lost).toEqual([1, expect.stringContaining('no core answers at http://127.0.0.1:1: start it')]);
    const taken = await failedStart({
      CARRYOVER_URL: core.url,
      EXAMPLE_PROVIDER_PORT: new URL(app.url).port,
    });
    expect(taken).toEqual([1, expect.stringContaining('set EXAMPLE_PROVIDER_PORT to another')]);
  });
});

/** @returns exit code and output of the program */
async function failedStart(environment: Readonly<Record<string, string>>): Promise<unknown> {
  const program = runExample({
    environment: {
      CARRYOVER_API_KEY: core.apiKey,
      EXAMPLE_APP_ID: 'another',
      EXAMPLE_PORT: '0',
      ...environment,
    },
  });
  const [code] = await program.ended;
  return [code, program.stderr()];
}

/** By the pages of the stand-in provider, where a visitor chooses an account. */
async function signInSocially(name: string): Promise<WebClient> {
  const client = new WebClient(app.url);
  const redirectURIOnProviderDashboard = `${app.url}/callback`;
  const query = new URLSearchParams({ thirdPartyId: 'example-id', redirectURIOnProviderDashboard });
  const asked = await client.get(`/auth/authorisationurl?${query.toString()}`);
  const address = String(asked.body.urlWithQueryParams);
  const chosen = await choose(await (await fetch(address)).text(), name, address);
  const back = new URL(chosen.headers.get('location') ?? '');
  expect(`${back.origin}${back.pathname}`).toBe(redirectURIOnProviderDashboard);
  const signedUp = await client.post('/auth/signinup', {
    thirdPartyId: 'example-id',
    redirectURIInfo: {
      redirectURIOnProviderDashboard,
      redirectURIQueryParams: Object.fromEntries(back.searchParams),
      pkceCodeVerifier: asked.body.pkceCodeVerifier,
    },
  });
  expect(signedUp.body).toMatchObject({ status: 'OK' });
  return client;
}

/** Presses the button of this name in the form of the page. */
async function choose(page: string, name: string, address: string): Promise<Response> {
  const [, action = '', form = ''] =
    /<form method="post" action="([^"]+)">([\s\S]*?)<\/form>/.exec(page) ?? [];
  const sub = new RegExp(`value="(\\d+)"><strong>${name}`).exec(form)?.[1];
  expect(sub, page).toBeDefined();
  const body = new URLSearchParams({ sub: sub ?? '' });
  return fetch(new URL(action.replaceAll('&amp;', '&'), address), {
    method: 'POST',
    body,
    redirect: 'manual',
  });
}
