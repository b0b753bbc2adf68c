/** The number of concurrent questions to an old system. */
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Crowded, mostWaiting, Pace, type Turn } from '../../src/features/old-systems/pace.ts';

const rules = { maxInFlight: 32, timeoutMs: 60_000, waitMs: 60_000 };

/** Enters as often as possible at once. */
async function fill(pace: Pace, count: number): Promise<Turn[]> {
  return Promise.all(Array.from({ length: count }, () => pace.enter(rules)));
}

test('begins with a few at once, and allows more for each quick answer while it is asked to the limit', async () => {
  const pace = new Pace();
  const turns = await fill(pace, 4);
  expect(pace.limit).toBe(4);
  const next = pace.enter(rules);
  turns[0]?.answered();
  turns.push(await next);
  expect(pace.limit).toBe(5);
  turns[1]?.answered();
  for (const turn of turns.slice(2)) turn.answered();
  const alone = await pace.enter(rules);
  alone.answered();
  expect(pace.limit).toBe(5);
});

test('never asks more than it may', async () => {
  const pace = new Pace();
  const few = { ...rules, maxInFlight: 2 };
  const turns = [await pace.enter(few), await pace.enter(few)];
  let entered = 0;
  const others = Array.from({ length: 40 }, () =>
    pace.enter(few).then((turn) => {
      entered++;
      turns.push(turn);
    }),
  );
  await Promise.resolve();
  expect([entered, pace.waiting]).toEqual([0, 40]);
  for (let done = 0; done < 42; done++) {
    turns.shift()?.answered();
    await others[done];
    expect(turns.length).toBeLessThanOrEqual(2);
  }
  expect([entered, pace.waiting]).toEqual([40, 0]);
});

test('of several without an answer one counts against the system, and fewer are sent', async () => {
  const pace = new Pace();
  const turns = await fill(pace, 4);
  expect(turns.map((turn) => turn.late())).toEqual([false, true, true, true]);
  expect(pace.limit).toBe(1);
  const alone = await pace.enter(rules);
  expect(alone.late()).toBe(false);
});

test('a question is late by load while others are answered', async () => {
  const pace = new Pace();
  const [first, second, third] = await fill(pace, 3);
  await delay(2);
  first?.answered();
  expect([second?.late(), third?.late()]).toEqual([true, true]);
  expect(pace.limit).toBe(1);
});

test('a slow answer lowers the limit once for all that were sent before it', async () => {
  const pace = new Pace();
  const slow = { ...rules, timeoutMs: 1 };
  const turns = await Promise.all(Array.from({ length: 4 }, () => pace.enter(slow)));
  await delay(5);
  for (const turn of turns) turn.answered();
  expect(pace.limit).toBe(2);
});

test('who would wait too long is refused when they come, and when they have', async () => {
  const pace = new Pace();
  const slow = { ...rules, maxInFlight: 1 };
  const turn = await pace.enter(slow);
  await expect(pace.enter({ ...slow, waitMs: 0 })).rejects.toThrow(Crowded);
  expect(pace.waiting).toBe(0);
  await expect(pace.enter({ ...slow, waitMs: 300 })).rejects.toMatchObject({ retryAfterMs: 250 });
  expect(pace.waiting).toBe(0);
  const late = Array.from({ length: mostWaiting }, () =>
    pace.enter({ ...rules, maxInFlight: 1, waitMs: 1e9 }),
  );
  expect(pace.waiting).toBe(mostWaiting);
  await expect(pace.enter({ ...rules, waitMs: 1e9 })).rejects.toThrow(Crowded);
  turn.left();
  for (const each of late) (await each).left();
  expect(pace.waiting).toBe(0);
});

test('who has gone waits no more', async () => {
  const changes: number[] = [];
  const pace = new Pace((change) => void changes.push(change));
  const one = { ...rules, maxInFlight: 1 };
  const turn = await pace.enter(one);
  const caller = new AbortController();
  const waiting = pace.enter(one, caller.signal);
  caller.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  turn.left();
  (await pace.enter(one)).left();
  expect([pace.waiting, changes]).toEqual([0, [1, -1]]);
});
