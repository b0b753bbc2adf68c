/** Apps take turns at the threads for passwords: one app's costly hashes make no other wait. */
import { describe, expect, test } from 'vitest';
import { type Behalf, TaskQueue, type TaskQueueOptions } from '../../src/threads/queue/task-queue.ts';
import { createPasswordPool } from '../../src/threads/password-pool.ts';
import type { Outcome } from '../../src/hashes/tasks.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';

/** Tasks by their names, whose first letter is the party: `a1`, `b2`. They end when the test decides. */
function scene(options: Partial<TaskQueueOptions<string, string>> = {}) {
  const running = new Map<string, () => void>();
  const started: string[] = [];
  const ended = new Map<string, string>();
  const clock = { ms: 0 };
  const queue = new TaskQueue<string, string>({
    slots: 2,
    budgetBytes: 1000,
    queueLimit: 100,
    now: () => clock.ms,
    run: (tasks) => {
      started.push(...tasks);
      const { promise, resolve } = Promise.withResolvers<readonly Outcome<string>[]>();
      running.set(tasks[0] ?? '', () => {
        resolve(tasks.map((task) => ({ result: task, ms: 1 })));
      });
      return promise;
    },
    ...options,
  });
  const behalfOf = (name: string): Behalf => ({ party: name.charCodeAt(0) });
  const add = (ms: number, ...names: readonly string[]): void => {
    for (const name of names)
      queue.submit(name, { bytes: 1, ms }, behalfOf(name)).then(
        () => ended.set(name, 'done'),
        (error: unknown) => ended.set(name, (error as { code: string }).code),
      );
  };
  const end = async (name: string): Promise<void> => {
    running.get(name)?.();
    running.delete(name);
    await turn();
  };
  return { queue, clock, started, ended, add, end };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const names = (party: string, count: number) => Array.from({ length: count }, (_, n) => `${party}${n}`);

describe('parties', () => {
  test('take turns by the time that they are given, not by their numbers', async () => {
    const { started, add, end } = scene({ slots: 1 });
    add(200, ...names('a', 4));
    await turn();
    add(60, ...names('b', 6));
    for (let n = 0; n < 10; n++) await end(started[n] ?? '');
    expect(started.slice(0, 6)).toEqual(['a0', 'b0', 'b1', 'b2', 'b3', 'a1']);
    expect(started).toHaveLength(10);
  });

  test('leave a slot to others: of what one has it holds all but one while another waits', async () => {
    const { started, add, end } = scene({ slots: 3 });
    add(100, ...names('a', 8));
    await turn();
    expect(started).toEqual(['a0', 'a1', 'a2']);
    add(100, ...names('b', 2));
    await end('a0');
    expect(started.slice(3)).toEqual(['b0']);
    await end('b0');
    expect(started.slice(3)).toEqual(['b0', 'b1']);
    // No other waits any more.
    await end('b1');
    expect(started.slice(3)).toEqual(['b0', 'b1', 'a3']);
  });

  test('with tasks that take long leave a slot free while another app is about', async () => {
    const { started, add, end, clock } = scene();
    add(10, 'b0');
    await end('b0');
    add(15_000, ...names('a', 4));
    await turn();
    expect(started).toEqual(['b0', 'a0']);
    for (const name of names('c', 5)) {
      add(100, name);
      await turn();
      expect(started.at(-1)).toBe(name);
      clock.ms += 100;
      await end(name);
    }
    clock.ms += 14_500;
    await end('a0');
    expect(started.at(-1)).toBe('a1');
  });

  test('that are alone have all slots, also for what takes long', async () => {
    const { started, add, clock } = scene();
    add(10, 'b0');
    clock.ms += 3_700_000;
    add(15_000, ...names('a', 4));
    await turn();
    expect(started).toEqual(['b0', 'a0']);
    const alone = scene();
    alone.add(15_000, ...names('a', 4));
    await turn();
    expect(alone.started).toEqual(['a0', 'a1']);
  });

  test('are let in by what they wait for, not by what others do', async () => {
    const { add, ended, started, end } = scene({ waitLimitMs: 5000 });
    add(10, 'b0');
    await end('b0');
    add(3000, ...names('a', 20));
    await turn();
    expect([...ended.values()].filter((each) => each === 'OVERLOADED').length).toBeGreaterThan(10);
    add(100, ...names('b', 9).slice(1));
    await turn();
    expect([...ended].filter(([name, how]) => name.startsWith('b') && how === 'OVERLOADED')).toEqual([]);
    for (let n = 1; n < 9; n++) await end(`b${n}`);
    expect(started.filter((name) => name.startsWith('b'))).toHaveLength(9);
  });

  test('with most of a full queue yield to one with less, and no party yields to them', async () => {
    const { queue, add, ended, started, end } = scene({ queueLimit: 10 });
    add(10, ...names('a', 12));
    await turn();
    add(10, 'b0', 'b1');
    await turn();
    expect([...ended]).toEqual([
      ['a11', 'OVERLOADED'],
      ['a10', 'OVERLOADED'],
    ]);
    add(10, 'a12');
    await turn();
    expect(ended.get('a12')).toBe('OVERLOADED');
    expect(queue.waiting).toBe(10);
    for (let n = 0; n < 14; n++) await end(started[n] ?? '');
    expect(ended.get('b1')).toBe('done');
    add(10, ...names('b', 20).slice(2));
    await turn();
    expect(queue.waiting).toBeLessThanOrEqual(10);
  });

  test('do not fill memory: their lanes are forgotten', async () => {
    const { queue, end } = scene();
    for (let party = 0; party < 3000; party++) {
      const submitted = queue.submit(`t${party}`, { bytes: 1, ms: 1 }, { party });
      await end(`t${party}`);
      await submitted;
    }
    expect([queue.waiting, queue.running]).toEqual([0, 0]);
  });
});

/** PBKDF2 at the ceiling: some seconds. */
const costly = `$pbkdf2-sha256$i=10000000,l=32$c29tZXNhbHRzb21lc2FsdA$${'A'.repeat(43)}`;
const quick = '$2b$04$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';

test('sign-ins of an app go on while another one floods both threads with hashes of seconds', async () => {
  const pool = createPasswordPool({
    threads: 2,
    memoryBudgetBytes: 2 ** 30,
    queueLimit: 100,
    waitLimitMs: 600_000,
    policy: { algorithm: 'ARGON2', memoryKb: 64, iterations: 1, parallelism: 1 },
  });
  const context = { limits, signerKey: undefined };
  const leaving = new AbortController();
  const behalf = { party: 2, signal: leaving.signal };
  try {
    expect(await pool.verify('abc', quick, context, { party: 1 })).toBe(true);
    let flooded = 0;
    const flood = Array.from({ length: 30 }, () =>
      pool.verify('x', costly, context, behalf).then(
        () => (flooded += 1),
        () => undefined,
      ),
    );
    for (let n = 0; n < 50; n++) expect(await pool.verify('abc', quick, context, { party: 1 })).toBe(true);
    // Fifty at 1 ms each: the first of the others has not ended.
    expect(flooded).toBeLessThanOrEqual(1);
    expect(pool.gauges.running).toBe(1);
    leaving.abort();
    await Promise.all(flood);
  } finally {
    await pool.close();
  }
});
