import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CoreRegister } from '../../src/core/core-register.ts';

const beatMs = 5000;

describe('the count of the cores', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  /** @param others found by the beats, one after the other; undefined: the database is away */
  async function countsOf(others: readonly (number | undefined)[]): Promise<number[]> {
    const left = others.values();
    const register = new CoreRegister(
      {
        renew: () => {
          const found = left.next().value;
          return found === undefined ? Promise.reject(new Error('away')) : Promise.resolve(found);
        },
        list: () => Promise.resolve([]),
        days: () => Promise.resolve([]),
        leave: () => Promise.resolve(),
      },
      '1.0.0',
    );
    await register.start();
    const counts = [register.count];
    while (counts.length < others.length) {
      await vi.advanceTimersByTimeAsync(beatMs);
      counts.push(register.count);
    }
    await register.stop();
    return counts;
  }

  it('rises at once and falls once three beats in turn found fewer', async () => {
    expect(await countsOf([0, 2, 0, 2, 0, 0, 1, 0, 0])).toEqual([1, 3, 3, 3, 3, 3, 2, 2, 2]);
  });

  it('stays while the database is away', async () => {
    expect(await countsOf([2, undefined, undefined, undefined, undefined])).toEqual([3, 3, 3, 3, 3]);
  });
});
