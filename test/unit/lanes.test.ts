import { expect, test } from 'vitest';
import { openLanes } from '../../src/imports/chunks/lanes.ts';

/** Work that begins, and ends when the test decides. */
function held(begun: number[], number: number) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return {
    end: () => {
      resolve(undefined);
    },
    work: async () => {
      begun.push(number);
      await promise;
      return number;
    },
  };
}

test('as many chunks as lanes are under way, the others in the order of asking', async () => {
  const begun: number[] = [];
  const chunks = [0, 1, 2, 3].map((number) => held(begun, number));
  const lanes = openLanes(2, () => false);
  const results = chunks.map(({ work }) => lanes.run(work));
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1]);
  chunks[1]?.end();
  expect(await results[1]).toBe(1);
  expect(begun).toEqual([0, 1, 2]);
  for (const { end } of chunks) end();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
});

test('while a user signs in it is one at a time, and all of them again afterwards', async () => {
  const begun: number[] = [];
  const chunks = [0, 1, 2, 3, 4].map((number) => held(begun, number));
  let someoneSignsIn = true;
  const lanes = openLanes(3, () => someoneSignsIn);
  const results = chunks.map(({ work }) => lanes.run(work));
  await new Promise(setImmediate);
  expect(begun).toEqual([0]);
  someoneSignsIn = false;
  chunks[0]?.end();
  await results[0];
  await new Promise(setImmediate);
  expect(begun).toEqual([0, 1, 3]);
  for (const { end } of chunks) end();
  expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
});

test('a lane is free again when its work fails', async () => {
  const lanes = openLanes(1, () => true);
  await expect(lanes.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await lanes.run(() => Promise.resolve(1))).toBe(1);
});
