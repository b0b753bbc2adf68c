import { expect, it } from 'vitest';
import { RareKeysOfApps } from '../../src/imports/chunks/rare-keys.ts';

const minute = 60_000;

function scene() {
  const state = { now: 0, fails: false, asked: [] as number[] };
  const keys = new RareKeysOfApps(
    (appNo) => {
      state.asked.push(appNo);
      const all = { marks: Float64Array.of(appNo), secret: 's', since: '1' };
      return state.fails ? Promise.reject(new Error('away')) : Promise.resolve(all);
    },
    () => state.now,
  );
  return { state, keys };
}

it('reads the keys of an app once for all uploads of ten minutes', async () => {
  const { state, keys } = scene();
  const [first, second] = await Promise.all([keys.of(1), keys.of(1)]);
  state.now = 9 * minute;
  expect(second).toBe(first);
  expect(await keys.of(1)).toBe(first);
  expect(state.asked).toEqual([1]);
  state.now = 10 * minute;
  expect(await keys.of(1)).not.toBe(first);
  state.now = -minute; // set back
  await keys.of(1);
  expect(state.asked).toEqual([1, 1, 1]);
});

it('keeps those of the four apps that were read last', async () => {
  const { state, keys } = scene();
  for (const app of [1, 2, 3, 4, 5]) await keys.of(app);
  for (const app of [5, 4, 3, 2]) await keys.of(app);
  expect(state.asked).toEqual([1, 2, 3, 4, 5]);
  await keys.of(1);
  expect(state.asked).toEqual([1, 2, 3, 4, 5, 1]);
});

it('reads again after a failure', async () => {
  const { state, keys } = scene();
  state.fails = true;
  await expect(keys.of(1)).rejects.toThrow('away');
  state.fails = false;
  await expect(keys.of(1)).resolves.toBeDefined();
  expect(state.asked).toEqual([1, 1]);
});
