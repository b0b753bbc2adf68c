import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import { Sweeper } from '../../src/core/sweeper.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function scene(sweep: () => Promise<number>) {
  const log = { info: vi.fn(), error: vi.fn() };
  const swept = vi.fn(sweep);
  return { log, swept, sweeper: new Sweeper({ sweeps: [swept], log, intervalMs: 1000 }) };
}

describe('a sweeper', () => {
  test('sweeps at the start and after each interval, and says what it removed', async () => {
    const { sweeper, swept, log } = scene(() => Promise.resolve(3));
    expect(swept).not.toHaveBeenCalled();
    sweeper.start();
    await vi.advanceTimersByTimeAsync(2500);
    expect(swept).toHaveBeenCalledTimes(3);
    expect(log.info).toHaveBeenCalledWith({ removed: 3 }, 'expired data was removed');
    await sweeper.stop();
  });

  test('never runs two sweeps at once', async () => {
    const slow = Promise.withResolvers<number>();
    const { sweeper, swept } = scene(() => slow.promise);
    sweeper.start();
    sweeper.start();
    await vi.advanceTimersByTimeAsync(5000);
    expect(swept).toHaveBeenCalledTimes(1);
    slow.resolve(0);
    await vi.advanceTimersByTimeAsync(1000);
    expect(swept).toHaveBeenCalledTimes(2);
    await sweeper.stop();
  });

  test('goes on after a sweep that failed, and is silent about a database that is away', async () => {
    const fault = new Error('a bug');
    const outcomes = [Promise.reject(fault), Promise.reject(new Refusal('DATABASE_UNAVAILABLE'))];
    for (const outcome of outcomes) outcome.catch(() => undefined);
    const { sweeper, swept, log } = scene(() => outcomes.shift() ?? Promise.resolve(0));
    sweeper.start();
    await vi.advanceTimersByTimeAsync(2000);
    expect(swept).toHaveBeenCalledTimes(3);
    expect(log.error.mock.calls).toEqual([[{ err: fault }, 'expired data could not be removed']]);
    await sweeper.stop();
  });

  test('runs the others after one that failed', async () => {
    const log = { info: vi.fn(), error: vi.fn() };
    const sweeps = [
      () => Promise.resolve(1),
      () => Promise.reject(new Error('a bug')),
      () => Promise.resolve(2),
    ];
    const sweeper = new Sweeper({ sweeps, log, intervalMs: 1000 });
    sweeper.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(log.info.mock.calls).toEqual([[{ removed: 3 }, 'expired data was removed']]);
    await sweeper.stop();
  });

  test('waits for the sweep under way when it is stopped, and begins no other', async () => {
    const slow = Promise.withResolvers<number>();
    const { sweeper, swept } = scene(() => slow.promise);
    sweeper.start();
    const isStopped = vi.fn();
    const stopped = sweeper.stop().then(isStopped);
    await vi.advanceTimersByTimeAsync(5000);
    expect(isStopped).not.toHaveBeenCalled();
    slow.resolve(1);
    await stopped;
    await vi.advanceTimersByTimeAsync(5000);
    expect(swept).toHaveBeenCalledTimes(1);
  });
});
