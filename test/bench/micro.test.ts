import { describe, expect, it } from 'vitest';
import { medianNs } from '../../bench/micro/clock.ts';
import { measurementOf, micro } from '../../bench/micro/micro.ts';
import { allOperations, operationGroups } from '../../bench/micro/operations.ts';
import { timeAll } from '../../bench/micro/micro.ts';
import { kindNames } from '../../src/hashes/registry.ts';

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
    expect(promised.map(({ name }) => name)).toEqual(kindNames.map((kind) => `password/${kind}`));
  });
});

describe('timing', () => {
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
    // After the calls that determine the size of a sample, and among the timed ones.
    const run = () => {
      const made = result();
      return ++calls < 2000 ? made : made === undefined ? fail() : made.then(fail);
    };
    await expect(medianNs({ name: 'a', run }, 1000)).rejects.toThrow('broken');
  });

  it('is next to the calibrating loop, for each operation in order', async () => {
    const slow = () => Buffer.alloc(100_000, 7).reverse();
    const operations = [
      { name: 'slow', run: slow },
      { name: 'quick', run: (n: number) => n },
    ];
    const [first, second] = await timeAll(operations, { rounds: 2, timeMs: 2 });
    expect(first?.ns).toBeGreaterThan(second?.ns ?? NaN);
    for (const timed of [first, second]) expect(timed?.calibrationNs).toBeGreaterThan(0);
    expect([first, second].every((timed) => Number.isFinite(timed?.calibrationNs))).toBe(true);
  });

  it('is relative to the calibrating loop, as is the promised value', () => {
    const run = (n: number) => n;
    const timed = [1000, 1200, 800].map((ns) => ({ ns, calibrationNs: 500 }));
    const plain = measurementOf({ name: 'plain', run }, timed);
    expect(plain).toMatchObject({ name: 'micro/plain', unit: 'ns/call', reference: 'calibrating loop' });
    expect(plain).toMatchObject({ value: 1000, referenceValue: 500, ratio: 2, spread: [1.6, 2.4] });
    expect(plain.atMost).toBeUndefined();
    const promised = measurementOf({ name: 'promised', run, promisedNs: 2000 }, timed);
    expect(promised).toMatchObject({ unit: 'ns/call', reference: 'calibrating loop', ratio: 2 });
    expect(promised).toMatchObject({ atMost: 4, details: { promisedNs: 2000 } });
  });

  it('runs each part of src/ in a process of its own', async () => {
    const said: string[] = [];
    const found = await micro.run({ quick: true, say: (line) => said.push(line) });
    expect(said).toHaveLength(operationGroups.length);
    expect(said[0]).toMatch(/^\d+ operations from .+ on: 1 processes$/);
    expect(found.map(({ name }) => name)).toEqual(operations.map(({ name }) => `micro/${name}`));
    for (const { ratio } of found) expect(ratio).toBeGreaterThan(0);
  });
});
