/** A core never obeys a rule of hashes that it has read longer than a second ago. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { hashRuleStore, knownAfterMs } from '../../src/features/moves/store/hash-rules.ts';

const row = { appNo: 1, moveNo: 2, model: '$2y$04$model' };
const read = vi.fn<() => Promise<unknown[]>>();
const rules = () => hashRuleStore({ read: read as never, write: vi.fn() });

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  read.mockReset();
});
afterEach(() => {
  vi.useRealTimers();
});

it('reads them once for all passwords of a second, and then again', async () => {
  const store = rules();
  read.mockResolvedValueOnce([]).mockResolvedValueOnce([row]);
  expect(await Promise.all([store.find(1), store.find(1), store.find(2)])).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  vi.advanceTimersByTime(knownAfterMs - 1);
  expect(await store.find(1)).toBeUndefined();
  vi.advanceTimersByTime(1);
  expect(await store.find(1)).toEqual({ moveNo: 2, model: row.model });
  expect(read).toHaveBeenCalledTimes(2);
});

it('takes no password while it cannot read them, and asks again', async () => {
  const store = rules();
  read.mockResolvedValueOnce([]).mockRejectedValueOnce(new Error('away')).mockResolvedValueOnce([row]);
  await store.find(1);
  vi.advanceTimersByTime(knownAfterMs);
  await expect(store.find(1)).rejects.toThrow('away');
  expect(await store.find(1)).toMatchObject({ moveNo: 2 });
});

it('reads them again after a step of this core', async () => {
  const store = rules();
  read.mockResolvedValueOnce([]).mockResolvedValueOnce([{ ...row, model: null }]);
  await store.find(1);
  store.forget(1);
  expect(await store.find(1)).toEqual({ moveNo: 2, model: undefined });
});
