/** Worker threads that die and a pool that is full. */
import { setEnvironmentData } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Answer, startTestCore, type TestCore } from '../helpers/core.ts';
import { Gate } from '../helpers/gate.ts';
import { gateName } from '../helpers/gated-worker.ts';
import { metric } from '../helpers/metrics.ts';
import { importUser, newEmail, refusalOf, signIn } from '../helpers/people.ts';

const workerFile = new URL('../helpers/gated-worker.ts', import.meta.url);
let gate: Gate;
let core: TestCore;
let email: string;

async function start(settings: Record<string, string>): Promise<void> {
  gate = new Gate();
  setEnvironmentData(gateName, gate.asSignerKey.buffer);
  core = await startTestCore({ settings, overrides: { workerFile } });
  email = newEmail();
  await importUser(core, email);
}
afterEach(async () => {
  gate.open();
  await core.stop();
  setEnvironmentData(gateName, undefined);
});

function send(password: string): Promise<Answer> {
  return core.post('/recipe/signin', { email, password });
}

describe('a worker thread that dies in mid-task', () => {
  beforeEach(() => start({ HASHING_THREADS: '2' }));

  test.each(['exit', 'throw'])('(%s) costs its own request, a 500 whose id the log has', async (how) => {
    for (let round = 0; round < 3; round += 1) {
      const [http, status, message] = refusalOf(await send(how));
      expect([http, status]).toEqual([500, 'INTERNAL_ERROR']);
      const id = /^Internal error: ([0-9a-f-]{36})$/.exec(String(message))?.[1] ?? 'no id';
      const line = core.log.find((each) => each.includes(id));
      expect(JSON.parse(line ?? '{}')).toMatchObject({
        level: 'error',
        errorId: id,
        route: '/recipe/signin',
        err: { message: how === 'exit' ? 'worker exited with code: 7' : 'worker threw' },
      });
      expect(await signIn(core, email, 'right')).toBe('OK');
    }
  });

  test('does not affect other requests, and the pool whole', async () => {
    const held = send('hold');
    await gate.arrivals(1);
    const dying = send('exit');
    const others = [send('a'), send('b'), send('c')];
    expect((await dying).http).toBe(500);
    expect((await Promise.all(others)).map(({ body }) => body.status)).toEqual(['OK', 'OK', 'OK']);
    gate.open();
    expect((await held).body.status).toBe('OK');
    const gauges = ['running', 'waiting', 'bytes', 'threads'] as const;
    expect(await Promise.all(gauges.map((gauge) => metric(core, `carryover_hashing_pool_${gauge}`)))).toEqual(
      [0, 0, 0, 2],
    );
  });
});

describe('a full pool', () => {
  beforeEach(() => start({ HASHING_THREADS: '1', HASHING_QUEUE_LIMIT: '2' }));

  test('answers 503 with Retry-After at once, serves what it took, and is fine later', async () => {
    const taken = [send('hold 1')];
    await gate.arrivals(1);
    taken.push(send('hold 2'), send('hold 3'));
    await expect.poll(() => metric(core, 'carryover_hashing_pool_waiting')).toBe(2);

    // The gate is still closed: these answers do not wait for it.
    for (const path of ['/recipe/signin', '/recipe/signup']) {
      const answer = await core.post(path, { email: newEmail(), password: 'x' });
      expect(refusalOf(answer)).toEqual([503, 'OVERLOADED', 'The core is busy: try again later']);
      expect(answer.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect((await core.get('/health')).http).toBe(200);
    await importUser(core, newEmail());

    gate.open();
    expect((await Promise.all(taken)).map(({ body }) => body.status)).toEqual(['OK', 'OK', 'OK']);
    expect(await signIn(core, email, 'x')).toBe('OK');
    expect(await metric(core, 'carryover_requests_total', { route: '/recipe/signin', status: 503 })).toBe(1);
  });
});
