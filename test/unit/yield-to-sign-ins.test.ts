import { expect, test } from 'vitest';
import { yieldingToSignIns } from '../../src/imports/chunks/yield-to-sign-ins.ts';

/** A user signs in at each of the first checks; every check is counted. */
function signingIn(looks: number) {
  const seen = { looks: 0 };
  return { seen, someoneSignsIn: () => ++seen.looks <= looks };
}

test('nothing waits without a sign-in', async () => {
  const { seen, someoneSignsIn } = signingIn(0);
  const pause = yieldingToSignIns(someoneSignsIn);
  for (let n = 0; n < 1000; n++) await pause();
  expect(seen.looks).toBe(1000);
});

test('a pause lasts while a user signs in', async () => {
  const { seen, someoneSignsIn } = signingIn(5);
  const pause = yieldingToSignIns(someoneSignsIn);
  await pause();
  expect(seen.looks).toBe(6);
  await pause();
  expect(seen.looks).toBe(7);
});

test('patience is that of 16 pauses together, and ends; another part of the work has its own', async () => {
  const { seen, someoneSignsIn } = signingIn(Infinity);
  const [first, second] = [yieldingToSignIns(someoneSignsIn), yieldingToSignIns(someoneSignsIn)];
  await first();
  const { looks } = seen;
  expect(looks).toBeGreaterThan(1);
  for (let n = 0; n < 15; n++) await first();
  expect(seen.looks).toBe(looks);
  await first();
  expect(seen.looks).toBe(2 * looks);
  await second();
  expect(seen.looks).toBe(3 * looks);
});
