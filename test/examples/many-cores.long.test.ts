/** Three cores on one database behind a real HAProxy, with the configuration of examples/many-cores. */
import { readFileSync } from 'node:fs';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { uriOf } from '../helpers/bulk-client.ts';
import { freePort } from '../helpers/free-port.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { addressOf, type Program, runMain } from '../helpers/process.ts';
import { hasHaproxy, type Proxy, startHaproxyOf } from '../helpers/proxies.ts';

const apiKey = 'many-cores-key-0123456789';
const configuration = readFileSync(new URL('../../examples/many-cores/haproxy.cfg', import.meta.url), 'utf8');
const names = ['core-1', 'core-2', 'core-3'] as const;
type Name = (typeof names)[number];

interface Answer {
  readonly http: number;
  readonly headers: Headers;
  readonly body: Record<string, unknown>;
}

async function ask(url: string, route: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(`${url}${route}`, {
    ...init,
    headers: { 'api-key': apiKey, ...(init.headers as Record<string, string> | undefined) },
  });
  const text = await response.text();
  return {
    http: response.status,
    headers: response.headers,
    body: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}

const post = (url: string, route: string, body: object) =>
  ask(url, route, { method: 'POST', body: JSON.stringify(body) });
const signIn = (url: string, email: string) =>
  post(url, '/recipe/signin', { email, password: knownPassword });

describe.runIf(hasHaproxy)('three cores behind HAProxy', () => {
  let database: TestDatabase;
  let ports: Readonly<Record<Name, number>>;
  const programs = new Map<Name, Program>();
  let proxy: Proxy;

  async function start(name: Name): Promise<void> {
    const program = runMain({
      environment: {
        HOST: '127.0.0.1',
        PORT: String(ports[name]),
        API_KEYS: apiKey,
        ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
        POSTGRESQL_CONNECTION_URI: uriOf(database.connection),
        DRAIN_DELAY_MS: '2000',
        SHUTDOWN_TIMEOUT_MS: '10000',
      },
    });
    programs.set(name, program);
    await program.printed(/"msg":"ready"/);
  }
  const urlOf = (name: Name): string => `http://127.0.0.1:${ports[name]}`;
  const program = (name: Name): Program => {
    const found = programs.get(name);
    if (found === undefined) throw new Error(`${name} was not started`);
    return found;
  };

  beforeAll(async () => {
    database = await createDatabase();
    const [one, two, three] = await Promise.all([freePort(), freePort(), freePort()]);
    ports = { 'core-1': one, 'core-2': two, 'core-3': three };
    await Promise.all(names.map(start)); // one migrates, the others wait
    proxy = await startHaproxyOf(
      configuration,
      Object.fromEntries(names.map((name) => [name, `127.0.0.1:${ports[name]}`])),
    );
    for (const name of names) expect(await addressOf(program(name))).toBe(urlOf(name));
  });
  afterAll(async () => {
    await proxy.stop();
    await Promise.all([...programs.values()].map((each) => each.end()));
    await database.drop();
  });

  const line = (email: string): string =>
    `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: knownHash }] })}\n`;
  const tus = { 'tus-resumable': '1.0.0' };
  const bytesOf = async (url: string, job: string) =>
    Number((await ask(url, job, { method: 'HEAD', headers: tus })).headers.get('upload-offset'));

  test('an upload goes on at another core with each part, and is watched from any', async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => line(`part-${n}@many.test`));
    // The same user again, in the last part: the first line wins, whichever core reads it.
    const file = Buffer.from([...lines, line('part-0@many.test'), 'no record\n'].join(''));
    const made = await ask(urlOf('core-1'), '/bulk-import/jobs', {
      method: 'POST',
      headers: { ...tus, 'upload-length': String(file.length) },
    });
    expect(made.http).toBe(201);
    const job = new URL(made.headers.get('location') ?? '', urlOf('core-1')).pathname;
    for (let part = 0, from = 0; from < file.length; part++) {
      const core = urlOf(names[part % 3] ?? 'core-1');
      expect(await bytesOf(urlOf(names[(part + 1) % 3] ?? 'core-1'), job)).toBe(from);
      const to = Math.min(from + 150_000, file.length);
      const sent = await ask(core, job, {
        method: 'PATCH',
        headers: {
          ...tus,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(from),
        },
        body: file.subarray(from, to),
      });
      expect(sent.http).toBe(204);
      from = Number(sent.headers.get('upload-offset'));
    }
    const jobs = await Promise.all(names.map((name) => ask(urlOf(name), job)));
    for (const { body } of jobs)
      expect(body.job).toMatchObject({ state: 'done', lines: 3002, created: 3000, rejected: 2 });
    const rejects = await fetch(`${urlOf('core-3')}${job}/rejects`, { headers: { 'api-key': apiKey } });
    expect((await rejects.text()).split('\n').filter(Boolean)).toHaveLength(2);
    expect((await signIn(proxy.url, 'part-2999@many.test')).body.status).toBe('OK');
  });

  test('a core that is killed in an upload leaves it to the next one', async () => {
    const lines = Array.from({ length: 20_000 }, (_, n) => line(`kill-${n}@many.test`));
    const file = Buffer.from(lines.join(''));
    const made = await ask(proxy.url, '/bulk-import/jobs', {
      method: 'POST',
      headers: { ...tus, 'upload-length': String(file.length) },
    });
    const job = new URL(made.headers.get('location') ?? '', proxy.url).pathname;
    const send = (url: string, from: number) =>
      ask(url, job, {
        method: 'PATCH',
        headers: {
          ...tus,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': String(from),
        },
        body: file.subarray(from),
      });
    const broken = send(urlOf('core-2'), 0).catch(() => undefined);
    await expect.poll(() => bytesOf(urlOf('core-1'), job), { interval: 5 }).toBeGreaterThan(0);
    await program('core-2').end('SIGKILL');
    await broken;
    let answer: Answer;
    do answer = await send(proxy.url, await bytesOf(proxy.url, job));
    while (answer.http !== 204); // 423 while the killed core's part is still held
    const { body } = await ask(proxy.url, job);
    expect(body.job).toMatchObject({ state: 'done', lines: 20_000, created: 20_000, rejected: 0 });
    await start('core-2');
  });

  test('cores are replaced one at a time, and no request fails', async () => {
    const over = new AbortController();
    const outcomes = new Map<string, number>();
    const person = async (n: number): Promise<void> => {
      while (!over.signal.aborted) {
        const answer = await signIn(proxy.url, `part-${n}@many.test`).catch(String);
        if (typeof answer !== 'string' && answer.http === 503 && answer.headers.has('retry-after')) {
          // A core that has just started on a busy machine may have no room yet; an SDK waits as long, too.
          await delay(Number(answer.headers.get('retry-after')) * 1000, undefined, {
            signal: over.signal,
          }).catch(() => undefined);
          continue;
        }
        const outcome = typeof answer === 'string' ? answer : `${answer.http} ${String(answer.body.status)}`;
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await turn();
      }
    };
    const people = Array.from({ length: 6 }, (_, n) => person(n));
    for (const name of names) {
      expect(await program(name).end('SIGTERM')).toEqual([0, null]);
      await start(name);
      // HAProxy has to see it before the next one is stopped.
      await expect.poll(async () => (await ask(urlOf(name), '/readyz')).http).toBe(200);
    }
    over.abort();
    await Promise.all(people);
    expect([...outcomes.keys()]).toEqual(['200 OK']);
  });

  test('a tenant, its settings and its removal are seen by the others within a second', async () => {
    const tenant = { tenantId: 'branch', coreConfig: { password_reset_token_lifetime: 1_234_000 } };
    const asked = (name: Name) =>
      post(urlOf(name), '/branch/recipe/signin', { email: 'a@many.test', password: 'x' });
    await Promise.all(names.map(asked));
    const made = await ask(urlOf('core-1'), '/recipe/multitenancy/tenant/v2', {
      method: 'PUT',
      body: JSON.stringify(tenant),
    });
    expect(made.body).toEqual({ status: 'OK', createdNew: true });
    for (const name of names)
      await expect.poll(async () => (await asked(name)).body.status).toBe('WRONG_CREDENTIALS_ERROR');
    expect(
      await post(urlOf('core-2'), '/recipe/multitenancy/tenant/remove', { tenantId: 'branch' }),
    ).toMatchObject({
      body: { status: 'OK' },
    });
    for (const name of names) await expect.poll(async () => (await asked(name)).http).toBe(400);
  });
});
