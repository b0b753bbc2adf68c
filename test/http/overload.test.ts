/**
 * More sign-ins than can be computed: no work for clients that have left, and requests that cannot be served in time are refused
 * at once.
 */
import { setEnvironmentData } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { Gate } from '../helpers/gate.ts';
import { gateName } from '../helpers/gated-worker.ts';
import { metric } from '../helpers/metrics.ts';
import { importUser, newEmail, signIn } from '../helpers/people.ts';
import { Wire } from '../helpers/wire.ts';

const workerFile = new URL('../helpers/gated-worker.ts', import.meta.url);
/** Estimated at two seconds or more; the worker of these tests takes as long as the gate is closed. */
const dearHash = '$2b$15$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';
let gate: Gate;
let core: TestCore;

async function start(settings: Record<string, string> = {}): Promise<string> {
  gate = new Gate();
  setEnvironmentData(gateName, gate.asSignerKey.buffer);
  core = await startTestCore({ settings: { HASHING_THREADS: '1', ...settings }, overrides: { workerFile } });
  const email = newEmail();
  await importUser(core, email);
  return email;
}

afterEach(async () => {
  gate.open();
  await core.stop();
  setEnvironmentData(gateName, undefined);
});

function waiting(): Promise<number> {
  return metric(core, 'carryover_hashing_pool_waiting');
}

/** Sends a request whose answer is not awaited. */
async function ask(method: string, path: string, input: object): Promise<Wire> {
  const body = JSON.stringify(input);
  const wire = await Wire.open(core.port);
  const head = `${method} ${path} HTTP/1.1\r\nHost: a\r\napi-key: ${core.apiKey}\r\nContent-Length: ${body.length}\r\n\r\n`;
  return wire.send(head + body);
}

function expectComeBack({ http, body, headers }: Answer): void {
  expect([http, body.status]).toEqual([503, 'OVERLOADED']);
  expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
}

describe('a caller who hangs up', () => {
  test('is not computed for, whatever the request: those who stayed are served', async () => {
    const email = await start();
    const held = core.post('/recipe/signin', { email, password: 'hold' });
    await gate.arrivals(1);
    const newcomer = newEmail();
    const leaving = await Promise.all([
      ...[1, 2, 3].map((n) => ask('POST', '/recipe/signin', { email, password: `hold ${n}` })),
      ask('POST', '/recipe/user/passwordhash/verify', { email, password: 'hold' }),
      ask('POST', '/recipe/signup', { email: newcomer, password: 'hold' }),
    ]);
    const staying = core.post('/recipe/signin', { email, password: 'stay' });
    await expect.poll(waiting).toBe(6);
    for (const wire of leaving) wire.hangUp();
    await expect.poll(waiting).toBe(1);
    gate.open();
    expect((await held).body.status).toBe('OK');
    expect((await staying).body.status).toBe('OK');
    expect(gate.arrived).toBe(1);
    const signUp = await core.post('/recipe/signup', { email: newcomer, password: 'x' });
    expect(signUp.body.status).toBe('OK');
    expect(await metric(core, 'carryover_requests_total', { route: '/recipe/signin', status: 499 })).toBe(3);
  });

  test('is no guess, as nothing was computed, and no error', async () => {
    const email = await start({ GUESSES_PER_ACCOUNT: '3' });
    const held = core.post('/recipe/signin', { email, password: 'hold' });
    await gate.arrivals(1);
    for (let round = 0; round < 10; round += 1) {
      const wire = await ask('POST', '/recipe/signin', { email, password: 'x' });
      await expect.poll(waiting).toBe(1);
      wire.hangUp();
      await expect.poll(waiting).toBe(0);
    }
    gate.open();
    expect((await held).body.status).toBe('OK');
    expect(await signIn(core, email, 'x')).toBe('OK');
    expect(core.log.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });
});

describe('who would wait for too long', () => {
  test('is refused at once, by what those before them take', async () => {
    await start({ WAIT_LIMIT_MS: '3000' });
    const email = newEmail();
    const imported = { email, passwordHash: dearHash };
    expect((await core.post('/recipe/user/passwordhash/import', imported)).http).toBe(200);
    const held = core.post('/recipe/signin', { email, password: 'hold' });
    await gate.arrivals(1);
    // One for each thread may always wait.
    const wire = await ask('POST', '/recipe/signin', { email, password: 'waits' });
    await expect.poll(waiting).toBe(1);
    for (const path of ['/recipe/signin', '/recipe/signup'])
      expectComeBack(await core.post(path, { email, password: 'x' }));
    expect(await waiting()).toBe(1);
    wire.hangUp();
    gate.open();
    await held;
  });

  test('is refused while they wait, when their time is over', async () => {
    const email = await start({ WAIT_LIMIT_MS: '100' });
    const held = core.post('/recipe/signin', { email, password: 'hold' });
    await gate.arrivals(1);
    expectComeBack(await core.post('/recipe/signin', { email, password: 'late' }));
    expect(await waiting()).toBe(0);
    gate.open();
    expect((await held).body.status).toBe('OK');
    expect(await signIn(core, email, 'x')).toBe('OK');
  });
});
