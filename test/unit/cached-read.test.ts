import { expect, test, vi } from 'vitest';
import { cachedRead } from '../../src/process/metrics/cached-read.ts';

test('a value is good for all who ask while it is valid', async () => {
  const read = vi.fn(() => Promise.resolve(7));
  const ask = cachedRead(read, { validMs: Infinity });
  expect(await Promise.all([ask(), ask()])).toEqual([7, 7]);
  expect(await ask()).toBe(7);
  expect(read).toHaveBeenCalledTimes(1);
});

test('after that it is read again, and a failure leaves the last one', async () => {
  const read = vi.fn(() => Promise.resolve(7));
  const ask = cachedRead(read, { validMs: 0 });
  expect(await ask()).toBe(7);
  read.mockResolvedValueOnce(8);
  expect(await ask()).toBe(8);
  read.mockRejectedValueOnce(new Error('the database is away'));
  expect(await ask()).toBe(8);
  expect(read).toHaveBeenCalledTimes(3);
});

test('no caller waits for a slow one, and it is not begun twice', async () => {
  const slow = Promise.withResolvers<number>();
  const read = vi.fn(() => slow.promise);
  const ask = cachedRead(read, { validMs: Infinity, waitMs: 0 });
  expect(await ask()).toBeUndefined();
  expect(await ask()).toBeUndefined();
  expect(read).toHaveBeenCalledTimes(1);
  slow.resolve(7);
  await slow.promise;
  await expect.poll(ask).toBe(7);
});
