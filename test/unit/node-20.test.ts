/** Additions for Node 20, compared with the functions that newer versions have. */
import { describe, expect, it } from 'vitest';
import { additions } from '../../src/process/node-20.ts';

type Method = (this: unknown, ...args: readonly unknown[]) => unknown;

const added = (name: string): Method => {
  const found = additions.find(([, each]) => each === name);
  if (!found) throw new Error(`nothing is added as ${name}`);
  return found[2] as Method;
};
const own = (name: string): Method => {
  const target = additions.find(([, each]) => each === name)?.[0] as Record<string, Method>;
  const method = target[name];
  if (!method) throw new Error(`this Node has no ${name}`);
  return method;
};

describe('what is added for Node 20', () => {
  it('replaces nothing that is there', () => {
    for (const [, name, method] of additions) expect(own(name)).not.toBe(method);
  });

  it.each([
    [[], []],
    [[1, 2, 3], []],
    [[], [1, 2]],
    [
      [1, 2, 3],
      [3, 1],
    ],
    [[2], [2, 3]],
    [
      [1, 2],
      [3, 4],
    ],
    [
      [2, 1],
      [1, 2],
    ],
  ])('gives for the sets %j and %j what the native methods give', (one, other) => {
    const names = additions.filter(([target]) => target === Set.prototype).map(([, name]) => name);
    expect(names).toHaveLength(7);
    for (const name of names) {
      const [given, expected] = [added, own].map((of) => of(name).call(new Set(one), new Set(other)));
      expect([name, given]).toEqual([name, expected]);
    }
  });

  it('groups as the native method does, with the index, in order', () => {
    const keyOf = (text: unknown, index: unknown): unknown => `${String(text).length}-${Number(index) % 2}`;
    const items = ['a', 'bb', 'c', 'dd', 'e', 'f'];
    const [given, expected] = [added, own].map((of) => of('groupBy').call(Map, items, keyOf));
    expect([...(given as Map<string, string[]>)]).toEqual([...(expected as Map<string, string[]>)]);
  });

  it('makes promises that are settled from outside', async () => {
    const make = added('withResolvers') as () => PromiseWithResolvers<number>;
    const [kept, broken] = [make(), make()];
    kept.resolve(7);
    broken.reject(new Error('no'));
    await expect(kept.promise).resolves.toBe(7);
    await expect(broken.promise).rejects.toThrow('no');
  });
});
