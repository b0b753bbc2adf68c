/** The core behind nginx and HAProxy: with their defaults, and with the snippets of docs/operate/proxy.md. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent, get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import net from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { hasHaproxy, hasNginx, type Proxy, startHaproxy, startNginx } from '../helpers/proxies.ts';
import { importUser, knownPassword, newEmail } from '../helpers/people.ts';

const page = readFileSync(new URL('../../docs/operate/proxy.md', import.meta.url), 'utf8');

function snippet(language: string, port: number): string {
  const [, text = ''] = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page) ?? [];
  return text.replaceAll('core:3567', `127.0.0.1:${port}`);
}

const nginxAsItComes = (port: number) =>
  `server { listen 8080; location / { proxy_pass http://127.0.0.1:${port}; } }`;
const haproxyAsItComes = (port: number) =>
  ['backend carryover', 'mode http', 'timeout connect 5s', 'timeout server 60s', 'option httpchk GET /readyz']
    .concat(`server core 127.0.0.1:${port} check inter 100ms`)
    .join('\n  ');

async function through<Result>(
  starting: Promise<Proxy>,
  work: (url: string) => Promise<Result>,
): Promise<Result> {
  const proxy = await starting;
  try {
    return await work(proxy.url);
  } finally {
    await proxy.stop();
  }
}

async function signIn(url: string, email: string): Promise<number> {
  const body = JSON.stringify({ email, password: knownPassword });
  const response = await fetch(`${url}/recipe/signin`, {
    method: 'POST',
    headers: { 'api-key': testApiKey },
    body,
  });
  await response.text();
  return response.status;
}

const unread = (core: TestCore) => core.log.filter((line) => line.includes('proxy_http_version 1.1'));

describe.each(['UWEBSOCKETS', 'NODE_HTTP'] as const)('%s behind a proxy', (frontEnd) => {
  let core: TestCore;
  let email: string;
  beforeAll(async () => {
    core = await startTestCore({ settings: { FRONT_END: frontEnd } });
    email = newEmail();
    await importUser(core, email);
  });
  afterAll(() => core.stop());
  const servesOldHttp = frontEnd === 'NODE_HTTP';

  test.runIf(hasNginx)('serves nginx with the snippet, and as it comes if it speaks HTTP/1.0', async () => {
    await through(startNginx(snippet('nginx', core.port)), async (url) => {
      for (let turn = 0; turn < 3; turn++) expect(await signIn(url, email)).toBe(200);
    });
    expect(unread(core)).toEqual([]);
    await through(startNginx(nginxAsItComes(core.port)), async (url) => {
      for (let turn = 0; turn < 4; turn++) expect(await signIn(url, email)).toBe(servesOldHttp ? 200 : 505);
    });
    await expect.poll(() => unread(core).length).toBe(servesOldHttp ? 0 : 1);
  });

  test.runIf(hasHaproxy)(
    'is UP for HAProxy with the snippet, and as it comes if it speaks HTTP/1.0',
    async () => {
      await through(startHaproxy(snippet('haproxy', core.port)), async (url) => {
        for (let turn = 0; turn < 3; turn++) expect(await signIn(url, email)).toBe(200);
      });
      await through(startHaproxy(haproxyAsItComes(core.port)), async (url) => {
        await expect.poll(() => signIn(url, email)).toBe(servesOldHttp ? 200 : 503);
      });
    },
  );
});

describe('AUTO behind a proxy as it comes', () => {
  let core: TestCore;
  let email: string;
  beforeEach(async () => {
    core = await startTestCore({ settings: { FRONT_END: 'AUTO' } });
    email = newEmail();
    await importUser(core, email);
  });
  afterEach(() => core.stop());
  const changes = () => core.log.filter((line) => line.includes('node:http serves from now on')).length;

  test.runIf(hasNginx)(
    'serves nginx from the fourth request on, and no kept connection ends by it',
    async () => {
      const kept = net.connect(core.port, '127.0.0.1');
      const ask = async (): Promise<string> => {
        kept.write('GET /hello HTTP/1.1\r\nHost: x\r\n\r\n');
        const [answer] = (await once(kept, 'data')) as [Buffer];
        return answer.toString();
      };
      // The header is absent only with uWebSockets.js.
      expect(await ask()).not.toContain('Keep-Alive');
      await through(startNginx(nginxAsItComes(core.port)), async (url) => {
        const answers = [];
        for (let turn = 0; turn < 3; turn++) answers.push(await signIn(url, email));
        await expect.poll(changes).toBe(1);
        for (let turn = 0; turn < 3; turn++) answers.push(await signIn(url, email));
        expect(answers).toEqual([505, 505, 505, 200, 200, 200]);
      });
      expect(await ask()).toMatch(/^HTTP\/1.1 200 (?:(?!Keep-Alive)[^])*Hello\n?$/);
      kept.destroy();
      expect(await headersOfNewConnection(core)).toHaveProperty('keep-alive', 'timeout=75');
    },
  );

  test.runIf(hasHaproxy)('is UP for HAProxy after the third check', async () => {
    await through(startHaproxy(haproxyAsItComes(core.port)), async (url) => {
      await expect.poll(changes).toBe(1);
      await expect.poll(() => signIn(url, email)).toBe(200);
    });
  });

  test('stays with the first where connections that bring a request come between', async () => {
    for (let turn = 0; turn < 4; turn++) {
      const socket = net.connect(core.port, '127.0.0.1', () => socket.destroy());
      await once(socket, 'close');
      expect(await headersOfNewConnection(core)).not.toHaveProperty('keep-alive');
    }
    expect(changes()).toBe(0);
  });
});

async function headersOfNewConnection({ port }: TestCore): Promise<IncomingHttpHeaders> {
  const agent = new Agent({ keepAlive: true });
  const [answer] = (await once(get({ port, path: '/hello', agent }), 'response')) as [IncomingMessage];
  await once(answer.resume(), 'end');
  agent.destroy();
  return answer.headers;
}

describe('connections of node:http', () => {
  let core: TestCore;
  beforeAll(async () => {
    core = await startTestCore({
      // A custom time chooses node:http.
      settings: { FRONT_END: 'AUTO', KEEP_ALIVE_TIMEOUT_MS: '1000', MAX_HEADER_BYTES: '16384' },
    });
  });
  afterAll(() => core.stop());

  test('state how long they may be idle, and end after that; a request has its own time', async () => {
    const answer = await core.get('/hello');
    expect(answer.headers.get('keep-alive')).toBe('timeout=1');
    const ended: string[] = [];
    const connect = async (name: string, text: string): Promise<void> => {
      const socket = net.connect(core.port, '127.0.0.1', () => socket.write(text));
      await once(socket.resume(), 'close');
      ended.push(name);
    };
    await Promise.all([
      connect('within a request', 'GET /hello HTTP/1.1\r\nHost: x\r\n'),
      connect('idle', 'GET /hello HTTP/1.1\r\nHost: x\r\n\r\n'),
    ]);
    expect(ended).toEqual(['idle', 'within a request']);
  });

  test('take heads as large as max_header_bytes says', async () => {
    const ask = (bytes: number) => fetch(`${core.url}/hello`, { headers: { trace: 'x'.repeat(bytes) } });
    expect((await ask(12_000)).status).toBe(200);
    expect((await ask(20_000)).status).toBe(431);
  });

  test('answer compressed JSON with the reason', async () => {
    const response = await fetch(`${core.url}/recipe/signin`, {
      method: 'POST',
      headers: { 'api-key': testApiKey, 'content-encoding': 'gzip' },
      body: gzipSync(JSON.stringify({ email: newEmail(), password: knownPassword })),
    });
    expect([response.status, await response.json()]).toEqual([
      415,
      { status: 'UNSUPPORTED_MEDIA_TYPE', message: 'A body of JSON must come without Content-Encoding' },
    ]);
  });
});
