import { afterEach, describe, expect, test } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import { unnamed } from '../../src/domain/access/key-holder.ts';
import { parsePath } from '../../src/http/request/paths.ts';
import { createServer, type Server } from '../../src/http/server.ts';
import type { Route } from '../../src/http/routing/route.ts';
import { inBody } from '../../src/schema/validate.ts';
import { isNodeHttp, loadTestedFrontEnd } from '../helpers/front-end.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { type Answer, Wire } from '../helpers/wire.ts';

const key = 'a-key-of-the-front-end-tests';
const maxBodyBytes = 1000;
const headers = { 'api-key': key };
const credentials = { email: 'a@b.c', password: 'pässwörd €' };

interface Observed {
  readonly route: string;
  readonly method: string;
  readonly status: number;
}

interface Stand {
  readonly server: Server;
  readonly port: number;
  readonly logged: object[];
  /** The observations of finished requests, and the next one that finishes. */
  readonly observed: Observed[];
  readonly nextObserved: () => Promise<Observed>;
  readonly request: (method: string, path: string, init?: RequestInit) => Promise<Response>;
}

const cleanups: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

const names = ['public/public', 'public/t1', 'app1/public'];
const knownTenants = new Map(
  names.map((name) => {
    const [appId = '', tenantId = ''] = name.split('/');
    // The front end passes tenants on and reads only these fields.
    return [name, { appId, tenantId, settings: {} } as Tenant];
  }),
);

const echo: Route = {
  method: 'POST',
  path: '/recipe/signin',
  scope: 'tenant',
  needs: 'any',
  summary: '',
  tag: '',
  body: inBody.signIn,
  handle: ({ tenant, input }) => ({ status: 'OK', tenant, input, absent: undefined }),
};

function get(path: string, handle: Route['handle'], more: Partial<Route> = {}): Route {
  return { method: 'GET', path, scope: 'tenant', needs: 'any', summary: '', tag: '', ...more, handle };
}

async function start(routes: readonly Route[], options: { slowTenants?: boolean } = {}): Promise<Stand> {
  const logged: object[] = [];
  const observed: Observed[] = [];
  let told = Promise.withResolvers<Observed>();
  const keep = (details: object) => void logged.push(details);
  const server = createServer({
    frontEnd: await loadTestedFrontEnd(),
    routes,
    maxBodyBytes,
    apiKeys: { holderOf: (candidate) => (candidate === key ? unnamed : undefined) },
    tenants: {
      find(appId, tenantId) {
        const tenant = knownTenants.get(`${appId}/${tenantId}`);
        return options.slowTenants ? new Promise((resolve) => setImmediate(resolve, tenant)) : tenant;
      },
    },
    log: { debug: keep, info: keep, warn: keep, error: keep },
    metrics: {
      request: (route, method) => ({
        done(status) {
          observed.push({ route, method, status });
          told.resolve({ route, method, status });
          told = Promise.withResolvers();
        },
      }),
    },
  });
  const { port } = await server.listen('127.0.0.1', 0);
  cleanups.push(() => server.close());
  return {
    server,
    port,
    logged,
    observed,
    nextObserved: () => told.promise,
    request: (method, path, init) => fetch(`http://127.0.0.1:${port}${path}`, { method, headers, ...init }),
  };
}

async function open({ port }: Stand): Promise<Wire> {
  const wire = await Wire.open(port);
  cleanups.push(() => {
    wire.hangUp();
  });
  return wire;
}

function post(path: string, body: string | Uint8Array, head = ''): Buffer {
  const bytes = Buffer.from(body);
  const start = `POST ${path} HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n${head}`;
  return Buffer.concat([Buffer.from(`${start}Content-Length: ${bytes.length}\r\n\r\n`), bytes]);
}

async function refusalOf(response: Response): Promise<[number, string, string]> {
  const { status, message } = (await response.json()) as { status: string; message: string };
  return [response.status, status, message];
}

function codeOf(answer: Answer | undefined): string {
  return (JSON.parse(answer?.body ?? '{}') as { status?: string }).status ?? '';
}

describe('the order of the checks', () => {
  const appOnly = get('/user/id', () => ({ status: 'OK' }), { scope: 'app' });

  test('the path comes first', async () => {
    const { request } = await start([echo]);
    expect(await refusalOf(await request('POST', '/nowhere', { headers: {} }))).toEqual([
      404,
      'NOT_FOUND',
      'Not found',
    ]);
  });

  test('then the key, before version and verb', async () => {
    const { request } = await start([echo]);
    const wrong = { 'api-key': 'wrong', 'cdi-version': 'x' };
    for (const sent of [{}, wrong, { authorization: `Basic ${key}` }]) {
      expect(await refusalOf(await request('GET', '/recipe/signin', { headers: sent }))).toEqual([
        401,
        'INVALID_API_KEY',
        'Invalid API key',
      ]);
    }
  });

  test('a key may come as a bearer token', async () => {
    const { request } = await start([appOnly]);
    const response = await request('GET', '/user/id', { headers: { authorization: `Bearer ${key}` } });
    expect(response.status).toBe(200);
  });

  test('then the version, before the verb', async () => {
    const { request } = await start([echo]);
    const ask = (version: string) =>
      request('GET', '/recipe/signin', { headers: { ...headers, 'cdi-version': version } });
    expect(await refusalOf(await ask('five'))).toEqual([
      400,
      'CDI_VERSION_INVALID',
      'cdi-version header is invalid',
    ]);
    expect(await refusalOf(await ask('1.0'))).toEqual([
      400,
      'CDI_VERSION_NOT_SUPPORTED',
      'cdi-version 1.0 not supported',
    ]);
    expect((await ask('5.4')).status).toBe(405);
  });

  test('then the verb, before the tenant, saying what is allowed', async () => {
    const { request } = await start([echo]);
    const response = await request('PUT', '/nobody/recipe/signin');
    expect(response.headers.get('allow')).toBe('POST');
    expect(await refusalOf(response)).toEqual([405, 'METHOD_NOT_SUPPORTED', 'Method not supported']);
  });

  test('then the tenant, before the app-only rule and the body', async () => {
    const { request } = await start([echo, appOnly]);
    const [status, code, message] = await refusalOf(await request('GET', '/nobody/user/id'));
    expect([status, code]).toEqual([400, 'APP_OR_TENANT_NOT_FOUND']);
    expect(message).toMatch(/^AppId or tenantId not found/);
    const body = 'x'.repeat(maxBodyBytes + 1);
    expect((await refusalOf(await request('POST', '/appid-no/recipe/signin', { body })))[1]).toBe(
      'APP_OR_TENANT_NOT_FOUND',
    );
  });

  test('then the app-only rule, which the public tenant of any app passes', async () => {
    const { request } = await start([appOnly]);
    expect(await refusalOf(await request('GET', '/t1/user/id'))).toEqual([
      403,
      'APP_SPECIFIC_API',
      'Only public tenantId can call this app specific API',
    ]);
    expect((await request('GET', '/appid-app1/user/id')).status).toBe(200);
    expect((await request('GET', '/public/user/id')).status).toBe(200);
  });

  test('a tenant that is found later changes nothing', async () => {
    const { request } = await start([echo, appOnly], { slowTenants: true });
    expect((await request('GET', '/nobody/user/id')).status).toBe(400);
    expect((await request('GET', '/t1/user/id')).status).toBe(403);
    const response = await request('POST', '/t1/recipe/signin', { body: JSON.stringify(credentials) });
    expect(response.status).toBe(200);
  });

  test('a route may take care of an unknown tenant itself', async () => {
    const seen = get('/recipe/x', ({ names, tenant }) => ({ names, known: tenant !== undefined }), {
      tenantMayBeMissing: true,
    });
    const { request } = await start([seen]);
    const response = await request('GET', '/appid-app1/nobody/recipe/x');
    expect(await response.json()).toMatchObject({
      names: { appId: 'app1', tenantId: 'nobody' },
      known: false,
    });
  });

  test('an open path asks for no key, but still for an existing tenant where it names one', async () => {
    const hello = get('/hello', () => ({ status: 'OK' }), { scope: 'core', open: true });
    const { request } = await start([hello]);
    expect((await request('GET', '/hello', { headers: {} })).status).toBe(200);
    expect((await request('GET', '/t1/hello', { headers: {} })).status).toBe(200);
    expect((await request('GET', '/nobody/hello', { headers: {} })).status).toBe(400);
    expect((await request('PATCH', '/hello', { headers: {} })).status).toBe(405);
  });
});

describe('paths', () => {
  const at = (appId: string, tenantId: string, endpoint: string) => ({ appId, tenantId, endpoint });

  test.each([
    ['/recipe/signin', at('public', 'public', '/recipe/signin')],
    ['/Recipe/SignIn/', at('public', 'public', '/recipe/signin')],
    ['/T1/recipe/signin', at('public', 't1', '/recipe/signin')],
    ['/appid-App1/recipe/signin', at('app1', 'public', '/recipe/signin')],
    ['/APPID-app1/T-1/users', at('app1', 't-1', '/users')],
    ['/appid-app1/public/users', at('app1', 'public', '/users')],
    ['/%74%31/recipe%2dx', at('public', 't1', '/recipe-x')],
    ['/bulk-import/jobs', at('public', 'public', '/bulk-import/jobs')],
    [`/${'x'.repeat(64)}/users`, at('public', 'x'.repeat(64), '/users')],
  ])('%s is read', (path, expected) => {
    expect(parsePath(path)).toEqual(expected);
  });

  test('/ is the root, and the name of an app or a tenant alone is not', () => {
    expect(parsePath('/')).toEqual(at('public', 'public', '/'));
    for (const path of ['/t1', '/t1/', '/appid-a', '/appid-a/t1', '/public'])
      expect(parsePath(path)).toBeUndefined();
  });

  test.each([
    '//users',
    '/appid-/users',
    '/appid-a_b/users',
    '/a_b/users',
    '/a%2fb/users',
    '/%zz/users',
    '/%ff/users',
    '/%00/users',
    '/%E2%84%AA/users',
    `/${'x'.repeat(65)}/users`,
  ])('%s is not one of ours', async (path) => {
    expect(parsePath(path)).toBeUndefined();
    const { request } = await start([get('/users', () => ({}))]);
    expect((await request('GET', path)).status).toBe(404);
  });

  test('names no endpoint: 404', async () => {
    const { request } = await start([get('/users', () => ({}))]);
    for (const path of ['/t1', '/appid-app1', '/appid-app1/t1', '/users/x', '/t1/t1/users', '/users%2f']) {
      expect((await request('GET', path)).status, path).toBe(404);
    }
  });
});

describe('bodies', () => {
  const json = JSON.stringify(credentials);

  test('are answered as JSON, without what is undefined', async () => {
    const { request } = await start([echo]);
    const response = await request('POST', '/t1/recipe/signin', { body: json });
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.text()).toBe(
      JSON.stringify({
        status: 'OK',
        tenant: { appId: 'public', tenantId: 't1', settings: {} },
        input: credentials,
      }),
    );
  });

  test('may be split at every byte behind the request line, inside characters too', async () => {
    const stand = await start([echo]);
    const wire = await open(stand);
    const probe = await open(stand);
    const request = post('/recipe/signin', json);
    for (let at = request.indexOf('\r\n') + 2; at < request.length; at++) {
      wire.send(request.subarray(0, at));
      // A round trip elsewhere: by then the server has read the first part alone.
      await probe.send(post('/recipe/signin', json)).answer();
      const answer = await wire.send(request.subarray(at)).answer();
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ input: credentials });
    }
  });

  test('may come byte by byte', async () => {
    const stand = await start([echo]);
    const wire = await open(stand);
    const probe = await open(stand);
    const request = post('/recipe/signin', json);
    const headBytes = request.indexOf('\r\n\r\n');
    wire.send(request.subarray(0, headBytes));
    for (const byte of request.subarray(headBytes)) {
      wire.send(Uint8Array.of(byte));
      await probe.send(post('/recipe/signin', json)).answer();
    }
    expect((await wire.answer())?.status).toBe(200);
  });

  test.each([
    ['nothing', ''],
    ['no JSON', '{"email":'],
    ['a list', '[]'],
    ['null', 'null'],
    ['a text', '"{}"'],
    ['invalid UTF-8', Buffer.from('7b2261223a22ff227d', 'hex')],
    ['a surrogate in UTF-8', Buffer.from('7b2261223a22eda080227d', 'hex')],
    ['half a character', Buffer.from('7b2261223a22c3', 'hex')],
  ])('%s is no JSON object', async (_, body) => {
    const { request } = await start([echo]);
    expect(await refusalOf(await request('POST', '/recipe/signin', { body }))).toEqual([
      400,
      'INVALID_JSON_INPUT',
      'Invalid Json Input',
    ]);
  });

  test('a byte order mark is no part of the JSON', async () => {
    const { request } = await start([echo]);
    expect((await request('POST', '/recipe/signin', { body: `\ufeff${json}` })).status).toBe(200);
  });

  test('the first failing field is named', async () => {
    const { request } = await start([echo]);
    expect(await refusalOf(await request('POST', '/recipe/signin', { body: '{"password":""}' }))).toEqual([
      400,
      'INVALID_FIELD',
      "Field name 'email' is invalid in JSON input",
    ]);
  });

  test('escaped U+0000 and lone surrogates are refused', async () => {
    const { request } = await start([echo]);
    for (const escape of ['\\u0000', '\\ud800']) {
      const body = `{"email":"a@b","password":"x${escape}"}`;
      expect((await refusalOf(await request('POST', '/recipe/signin', { body })))[2]).toMatch(
        /^Field name 'password' is invalid in JSON input: /,
      );
    }
  });

  test('may have the greatest length and not one byte more', async () => {
    const { request } = await start([echo]);
    const fit = json.padEnd(json.length + maxBodyBytes - Buffer.byteLength(json));
    expect((await request('POST', '/recipe/signin', { body: fit })).status).toBe(200);
    expect(await refusalOf(await request('POST', '/recipe/signin', { body: `${fit} ` }))).toEqual([
      413,
      'BODY_TOO_LARGE',
      'The request body is larger than max_body_bytes',
    ]);
  });

  test('that are too long are refused before they are sent, and the connection closes', async () => {
    const stand = await start([echo]);
    const wire = await open(stand);
    wire.send(
      `POST /recipe/signin HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\nContent-Length: 9999999\r\n\r\n`,
    );
    const answer = await wire.answer();
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([413, 'close']);
    await wire.closed;
  });

  test('an unexpected body is skipped', async () => {
    const stand = await start([get('/users', () => ({ status: 'OK' }))]);
    const wire = await open(stand);
    const request = `GET /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\nContent-Length: 3\r\n\r\nabc`;
    expect((await wire.send(request).answer())?.status).toBe(200);
    expect((await wire.send(request).answer())?.status).toBe(200);
  });
});

describe('framing', () => {
  const smuggled = post('/recipe/signin', JSON.stringify(credentials)).toString();

  /** Sends an attack with a request after its body. */
  async function attack(framing: string, body: string, line = 'POST /recipe/signin') {
    let calls = 0;
    const stand = await start([{ ...echo, handle: () => ({ calls: ++calls }) }]);
    const wire = await open(stand);
    wire.send(`${line} HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n${framing}\r\n\r\n${body}${smuggled}`);
    const answer = await wire.answer();
    await wire.closed;
    expect([calls, wire.rest]).toEqual([0, '']);
    return answer;
  }

  test.each([
    ['two lengths', 'Content-Length: 3\r\nContent-Length: 4', 'abc'],
    ['two equal lengths', 'Content-Length: 3\r\nContent-Length: 3', 'abc'],
    ['an empty length and another', 'Content-Length:\r\nContent-Length: 3', 'abc'],
    ['two equal lengths of nothing', 'Content-Length: 0\r\nContent-Length: 0', ''],
    ['no length at all', 'Content-Length:', ''],
    ['a signed length', 'Content-Length: +3', 'abc'],
    ['a negative length', 'Content-Length: -3', 'abc'],
    ['a hexadecimal length', 'Content-Length: 0x3', 'abc'],
    ['a list of lengths', 'Content-Length: 3, 3', 'abc'],
    ['an encoding that ends in chunked', 'Transfer-Encoding: xchunked', '0\r\n\r\n'],
    ['two encodings in one', 'Transfer-Encoding: gzip, chunked', '0\r\n\r\n'],
    ['two encodings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity', '0\r\n\r\n'],
    ['chunked in capitals', 'Transfer-Encoding: Chunked', '0\r\n\r\n'],
    ['no encoding at all', 'Transfer-Encoding:', ''],
    ['an empty encoding and a length', 'Transfer-Encoding:\r\nContent-Length: 3', 'abc'],
  ])('%s: 400, and nothing behind it is served', async (_, framing, body) => {
    const answer = await attack(framing, body);
    expect([answer?.status, codeOf(answer), answer?.headers.get('connection')]).toEqual([
      400,
      'INVALID_FRAMING',
      'close',
    ]);
  });

  test.each([
    ['a length and an encoding', 'Content-Length: 3\r\nTransfer-Encoding: chunked'],
    ['an encoding and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 3'],
  ])('%s: refused by the library itself', async (_, framing) => {
    let calls = 0;
    const stand = await start([{ ...echo, handle: () => ({ calls: ++calls }) }]);
    const wire = await open(stand);
    wire.send(
      `POST /recipe/signin HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n${framing}\r\n\r\n0\r\n\r\n${smuggled}`,
    );
    await wire.closed;
    expect(wire.rest).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
    expect(wire.rest.match(/HTTP\/1\.1/g)).toHaveLength(1);
    expect(calls).toBe(0);
  });

  test('chunked: 411', async () => {
    const answer = await attack('Transfer-Encoding: chunked', '3\r\nabc\r\n0\r\n\r\n');
    expect([answer?.status, codeOf(answer)]).toEqual([411, 'LENGTH_REQUIRED']);
  });

  test.each([
    ['an unknown path', 'POST /nowhere', 404],
    ['a wrong verb', 'PUT /recipe/signin', 405],
    ['HEAD', 'HEAD /recipe/signin', 405],
    ['an unknown tenant', 'POST /nobody/recipe/signin', 400],
  ])('closes the connection too when %s is answered first', async (_, line, status) => {
    const answer = await attack('Content-Length: 0\r\nContent-Length: 44', '', line);
    // node:http reads no further than to the second length.
    expect(answer?.status).toBe(isNodeHttp ? 400 : status);
  });

  test('serves nothing behind a bad request whose tenant is still being looked up', async () => {
    let calls = 0;
    const stand = await start([{ ...echo, handle: () => ({ calls: ++calls }) }], { slowTenants: true });
    const wire = await open(stand);
    wire.send(`POST /recipe/signin HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n`);
    wire.send(`Content-Length: 0\r\nContent-Length: 0\r\n\r\n${smuggled}`);
    await wire.closed;
    expect(calls).toBe(0);
  });
});

describe('connections', () => {
  test('serve one request after the other', async () => {
    const stand = await start([echo, get('/users', () => ({ status: 'OK' }))]);
    const wire = await open(stand);
    for (let round = 0; round < 3; round++) {
      expect((await wire.send(post('/recipe/signin', JSON.stringify(credentials))).answer())?.status).toBe(
        200,
      );
      expect((await wire.send(post('/nowhere', 'abc')).answer())?.status).toBe(404);
      expect((await wire.send(post('/users', 'abc')).answer())?.status).toBe(405);
    }
  });

  test('answer pipelined requests in order, when each is answered without waiting', async () => {
    const stand = await start([echo]);
    const wire = await open(stand);
    const bodies = ['1@x', '2@x', '3@x'].map((email) => JSON.stringify({ email, password: 'p' }));
    wire.send(Buffer.concat(bodies.map((body) => post('/recipe/signin', body))));
    for (const body of bodies) {
      const answer = await wire.answer();
      expect(JSON.parse(answer?.body ?? '')).toMatchObject({ input: JSON.parse(body) as object });
    }
  });

  test('end when a request is pipelined behind one that is still unanswered', async () => {
    const gate = Promise.withResolvers<object>();
    const stand = await start([get('/users', () => gate.promise)]);
    const request = `GET /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n\r\n`;
    const wire = await open(stand);
    wire.send(request + request);
    await wire.closed;
    expect(wire.rest).toBe('');
    expect(stand.server.inFlight).toBe(1);
    const ended = stand.nextObserved();
    gate.resolve({ status: 'OK' });
    expect((await ended).status).toBe(499);
    expect(stand.server.inFlight).toBe(0);
  });

  test.skipIf(isNodeHttp)('end when the request line itself comes in pieces, by uWebSockets.js', async () => {
    const stand = await start([echo]);
    const [wire, probe] = [await open(stand), await open(stand)];
    wire.send('POST /recipe/signin HTTP');
    await probe.send(post('/nowhere', '')).answer();
    await wire.send('/1.1\r\nHost: x\r\n\r\n').closed;
    expect(wire.rest).toMatch(/^HTTP\/1\.1 505 /);
  });

  test.runIf(isNodeHttp)('may bring the request line itself in pieces, by node:http', async () => {
    const stand = await start([echo]);
    const [wire, probe] = [await open(stand), await open(stand)];
    wire.send('POST /nowhere HTTP');
    await probe.send(post('/nowhere', '')).answer();
    expect((await wire.send('/1.1\r\nHost: x\r\n\r\n').answer())?.status).toBe(404);
  });

  test.runIf(isNodeHttp)('speak HTTP/1.0 too, and end with its answer, by node:http', async () => {
    const stand = await start([get('/users', () => ({ status: 'OK' }))]);
    const wire = await open(stand);
    await wire.send(`GET /users HTTP/1.0\r\nApi-Key: ${key}\r\nConnection: keep-alive\r\n\r\n`).closed;
    expect(wire.rest).toMatch(/^HTTP\/1\.1 200 OK\r\n.*\r\nConnection: close\r\n.*\{"status":"OK"\}$/s);
    expect(wire.rest).not.toContain('Keep-Alive');
  });

  test.runIf(!isNodeHttp)('speak HTTP/1.1 only, by uWebSockets.js', async () => {
    const stand = await start([echo]);
    const wire = await open(stand);
    await wire.send(`GET /hello HTTP/1.0\r\nHost: x\r\n\r\n`).closed;
    expect(wire.rest).toMatch(/^HTTP\/1\.1 505 /);
  });

  test('take a head of 4 KiB and no longer one', async () => {
    const stand = await start([get('/users', () => ({ status: 'OK' }))]);
    const head = (length: number) =>
      `GET /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\nX: ${'x'.repeat(length)}\r\n\r\n`;
    const wire = await open(stand);
    expect((await wire.send(head(3900)).answer())?.status).toBe(200);
    await wire.send(head(4200)).closed;
    expect(wire.rest).toMatch(/^HTTP\/1\.1 431 /);
  });

  test('reveal neither library nor version, and that JSON is JSON', async () => {
    const stand = await start([get('/users', () => ({ status: 'OK' }))]);
    const answer = await (
      await open(stand)
    )
      .send(`GET /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n\r\n`)
      .answer();
    expect([...(answer?.headers.keys() ?? [])].sort()).toEqual([
      'content-length',
      'content-type',
      'date',
      ...(isNodeHttp ? ['keep-alive'] : []),
      'x-content-type-options',
    ]);
    expect(answer?.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('a sender that asks first whether to send gets a 100', async () => {
    const stand = await start([echo]);
    const wire = await open(stand);
    const body = JSON.stringify(credentials);
    const bytes = post('/recipe/signin', body, 'Expect: 100-continue\r\n');
    wire.send(bytes.subarray(0, -Buffer.byteLength(body)));
    expect(await wire.answer()).toMatchObject({ status: 100 });
    expect((await wire.send(body).answer())?.status).toBe(200);
  });

  test('HEAD is a verb like others, and its answer has no body', async () => {
    const stand = await start([get('/users', () => ({ status: 'OK' }))]);
    const wire = await open(stand);
    wire.send(`HEAD /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n\r\n`);
    wire.send(`GET /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\nConnection: close\r\n\r\n`);
    await wire.closed;
    expect(wire.rest).toMatch(
      /^HTTP\/1\.1 405 [\s\S]*?Content-Length: 66\r\n[\s\S]*?\r\n\r\nHTTP\/1\.1 200 /,
    );
  });

  test('a request that is never finished is dropped', async () => {
    const stand = await start([echo]);
    const wire = await open(stand);
    const ended = stand.nextObserved();
    wire.send(post('/recipe/signin', JSON.stringify(credentials)).subarray(0, -1));
    await wire.closed;
    expect(await ended).toEqual({ route: '/recipe/signin', method: 'POST', status: 499 });
    expect(stand.server.inFlight).toBe(0);
  });
});

describe('hang-ups', () => {
  test('before the answer: the operation ends in its own time and its outcome is dropped', async () => {
    const entered = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<object>();
    const stand = await start([
      get('/users', () => {
        entered.resolve(undefined);
        return gate.promise;
      }),
      get('/users/count', () => ({ status: 'OK' })),
    ]);
    const wire = await open(stand);
    wire.send(`GET /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n\r\n`);
    await entered.promise;
    wire.hangUp();
    await wire.closed;
    await stand.request('GET', '/users/count');
    expect(stand.server.inFlight).toBe(1);
    const ended = stand.nextObserved();
    gate.resolve({ status: 'OK' });
    expect(await ended).toEqual({ route: '/users', method: 'GET', status: 499 });
    expect(stand.server.inFlight).toBe(0);
    expect(stand.logged).toEqual([]);
  });

  test('inside a body: nothing is run', async () => {
    let calls = 0;
    const stand = await start([{ ...echo, handle: () => ({ calls: ++calls }) }]);
    const wire = await open(stand);
    const other = await open(stand);
    wire.send(post('/recipe/signin', JSON.stringify(credentials)).subarray(0, -1));
    await other.send(post('/nowhere', '')).answer();
    const ended = stand.nextObserved();
    wire.hangUp();
    expect((await ended).status).toBe(499);
    expect([calls, stand.server.inFlight]).toEqual([0, 0]);
  });

  test('a failure after the client has left is still logged', async () => {
    const entered = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<object>();
    const stand = await start([
      get('/users', () => {
        entered.resolve(undefined);
        return gate.promise;
      }),
    ]);
    const wire = await open(stand);
    wire.send(`GET /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n\r\n`);
    await entered.promise;
    wire.hangUp();
    await wire.closed;
    const ended = stand.nextObserved();
    gate.reject(new Error('broken'));
    await ended;
    expect(stand.logged).toHaveLength(1);
  });
});

describe('failures', () => {
  test('a bug is a 500 whose id the log has too, and reveals nothing', async () => {
    const cause = new Error('select secret from users');
    const stand = await start([get('/users', () => Promise.reject(cause))]);
    const [status, code, message] = await refusalOf(await stand.request('GET', '/users'));
    expect([status, code]).toEqual([500, 'INTERNAL_ERROR']);
    expect(message).toMatch(/^Internal error: [0-9a-f-]{36}$/);
    const [entry] = stand.logged;
    expect(entry).toMatchObject({ err: cause, errorId: message.slice(-36), route: '/users' });
  });

  test('a handler that throws at once is no different', async () => {
    const { request } = await start([
      get('/users', () => {
        throw new TypeError('oops');
      }),
    ]);
    expect((await request('GET', '/users')).status).toBe(500);
  });

  test('an expected refusal is answered with its text, and not logged', async () => {
    const stand = await start([
      get('/users', () => Promise.reject(new Refusal('INVALID_CORE_CONFIG', 'Invalid core config: x'))),
      get('/users/count', () => Promise.reject(new Refusal('OVERLOADED'))),
    ]);
    expect(await refusalOf(await stand.request('GET', '/users'))).toEqual([
      400,
      'INVALID_CORE_CONFIG',
      'Invalid core config: x',
    ]);
    const busy = await stand.request('GET', '/users/count');
    expect([busy.status, busy.headers.get('retry-after')]).toEqual([503, '1']);
    expect(stand.logged).toEqual([]);
  });

  test('are measured by route and by known verb only', async () => {
    const stand = await start([get('/users', () => ({ status: 'OK' }))]);
    await stand.request('GET', '/USERS/');
    await stand.request('LINK', '/users');
    await stand.request('GET', '/made/up/by/a/client');
    expect(stand.observed).toEqual([
      { route: '/users', method: 'GET', status: 200 },
      { route: '/users', method: 'other', status: 405 },
      { route: 'unmatched', method: 'GET', status: 404 },
    ]);
  });
});

describe('listening and shutting down', () => {
  const bare = async () => {
    const server = createServer({
      frontEnd: await loadTestedFrontEnd(),
      routes: [],
      maxBodyBytes,
      apiKeys: { holderOf: () => unnamed },
      tenants: { find: () => undefined },
      log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    cleanups.push(() => server.close());
    return server;
  };

  test('a taken port is reported', async () => {
    const { port } = await start([]);
    await expect((await bare()).listen('127.0.0.1', port)).rejects.toThrow(
      `cannot listen on 127.0.0.1:${port}`,
    );
  });

  // A port that the system chose is never shared, so only an explicit one shows it.
  test('two cores do not share a port that both ask for', async () => {
    const chosen = await bare();
    const { port } = await chosen.listen('127.0.0.1', 0);
    await chosen.close();
    await (await bare()).listen('127.0.0.1', port);
    await expect((await bare()).listen('127.0.0.1', port)).rejects.toThrow('is the port taken?');
  });

  test('what is in flight is answered, what is new is refused, and then it is over', async () => {
    const entered = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<object>();
    const stand = await start([
      get('/users', () => {
        entered.resolve(undefined);
        return gate.promise;
      }),
      get('/users/count', () => ({ status: 'OK' })),
    ]);
    const request = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n\r\n`;
    const [busy, live, idle] = [await open(stand), await open(stand), await open(stand)];
    busy.send(request('/users'));
    await entered.promise;
    expect((await live.send(request('/users/count')).answer())?.status).toBe(200);
    const closing = stand.server.close();

    const refused = await live.send(request('/users/count')).answer();
    expect([refused?.status, codeOf(refused), refused?.headers.get('connection')]).toEqual([
      503,
      'SHUTTING_DOWN',
      'close',
    ]);
    expect(refused?.headers.get('retry-after')).toBe('1');
    await live.closed;
    await expect(Wire.open(stand.port)).rejects.toThrow('ECONNREFUSED');

    gate.resolve({ status: 'OK' });
    const answered = await busy.answer();
    expect([answered?.status, answered?.headers.get('connection')]).toEqual([200, 'close']);
    await closing;
    await idle.closed;
    await stand.server.close();
  });

  test('waits for an operation whose client has gone', async () => {
    const entered = Promise.withResolvers<undefined>();
    const gate = Promise.withResolvers<object>();
    const stand = await start([
      get('/users', () => {
        entered.resolve(undefined);
        return gate.promise;
      }),
    ]);
    const wire = await open(stand);
    wire.send(`GET /users HTTP/1.1\r\nHost: x\r\nApi-Key: ${key}\r\n\r\n`);
    await entered.promise;
    wire.hangUp();
    let isClosed = false;
    const closing = stand.server.close().then(() => {
      isClosed = true;
    });
    await wire.closed;
    expect(isClosed).toBe(false);
    gate.resolve({});
    await closing;
    expect(stand.server.inFlight).toBe(0);
  });
});
