import { describe, expect, it } from 'vitest';
import { medianNs } from '../../bench/micro/clock.ts';
import { allOperations, timeAll } from '../../bench/micro/micro.ts';
import { isKind, kinds } from '../../src/password/kinds.ts';

const operations = allOperations();

describe('the micro-benchmarks', () => {
  it.each(operations.map((operation) => [operation.name, operation] as const))('%s works', async (_, one) => {
    for (const n of [0, 1, 2, 1000]) await one.run(n);
  });

  it('have names of their own, because runs are compared by them', () => {
    const names = operations.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  it('parse a hash of each kind, and promise what that may take', () => {
    const promised = operations.filter(({ promisedNs }) => promisedNs !== undefined);
    expect(promised.map(({ name }) => name)).toEqual(
      Object.keys(kinds)
        .filter(isKind)
        .map((kind) => `password/${kind}`),
    );
  });
});

describe('timing', () => {
  const options = { quick: true, say: () => undefined };

  it('is for one of what a call does', async () => {
    const run = (n: number) => [n];
    const one = await medianNs({ name: 'a', run }, 1);
    const millionth = await medianNs({ name: 'a', run, per: { unit: 'part', count: 1e6 } }, 1);
    expect(one).toBeGreaterThan(0);
    expect(millionth).toBeGreaterThan(0);
    expect(millionth).toBeLessThan(one);
  });

  it('waits for promises', async () => {
    let [started, ended] = [0, 0];
    const run = async () => {
      started++;
      await new Promise(setImmediate);
      ended++;
    };
    expect(await medianNs({ name: 'a', run }, 1)).toBeGreaterThan(0);
    expect(ended).toBe(started);
  });

  it.each([
    ['at once', () => undefined],
    ['later', () => Promise.resolve()],
  ])('throws what an operation throws %s', async (_, result) => {
    let calls = 0;
    const fail = () => {
      throw new Error('broken');
    };
    // Behind the calls that find out how many make a sample, and amid those that are timed.
    const run = () => {
      const made = result();
      return ++calls < 2000 ? made : made === undefined ? fail() : made.then(fail);
    };
    await expect(medianNs({ name: 'a', run }, 1000)).rejects.toThrow('broken');
  });

  it('is told against the calibrating loop, or against what is promised', async () => {
    const run = (n: number) => n;
    const [plain, promised] = await timeAll(
      [
        { name: 'plain', run },
        { name: 'promised', run, promisedNs: 2000 },
      ],
      options,
    );
    expect(plain).toMatchObject({ name: 'micro/plain', unit: 'ns/call', reference: 'calibrating loop' });
    expect(plain?.atMost).toBeUndefined();
    expect(promised).toMatchObject({ unit: 'µs', reference: '2 µs allowed', referenceValue: 2, atMost: 1 });
    expect(promised?.details?.calibrated).toBeGreaterThan(0);
  });

  it('ends when the run is stopped', async () => {
    const stop = new AbortController();
    const run = () => {
      stop.abort(new Error('stopped'));
    };
    const never = () => expect.unreachable('the run was stopped before');
    const both = [
      { name: 'a', run },
      { name: 'b', run: never },
    ];
    await expect(timeAll(both, { ...options, signal: stop.signal })).rejects.toThrow('stopped');
  });
});
