import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { RecentCache } from '../../src/store/recent-cache.ts';

let now = 1_000_000;

beforeEach(() => {
  // The cache reads performance.now() and rounds it by a timer.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function pass(ms: number): void {
  now += ms;
  vi.advanceTimersByTime(ms);
}

const tenantNo = (n: number) => ({ appId: 'shop', tenantId: 'public', tenantNo: n }) as Tenant;

/** A cache whose loads the test answers. */
function cacheWithLoads() {
  const loads: PromiseWithResolvers<Tenant | undefined>[] = [];
  const cache = new RecentCache<Tenant>();
  const find = () =>
    cache.find('shop/public', () => {
      const load = Promise.withResolvers<Tenant | undefined>();
      loads.push(load);
      return load.promise;
    });
  const answer = async (tenant: Tenant | undefined) => {
    loads.at(-1)?.resolve(tenant);
    await loads.at(-1)?.promise;
  };
  return { cache, loads, find, answer };
}

describe('RecentCache', () => {
  it('reads a tenant once for all requests that wait for it', async () => {
    const { loads, find, answer } = cacheWithLoads();
    const found = [find(), find(), find()];
    await answer(tenantNo(1));
    expect(await Promise.all(found.map((each) => Promise.resolve(each)))).toEqual([
      tenantNo(1),
      tenantNo(1),
      tenantNo(1),
    ]);
    expect(find()).toEqual(tenantNo(1));
    expect(loads).toHaveLength(1);
  });

  it('reads it again before it expires, and no request waits for that', async () => {
    const { loads, find, answer } = cacheWithLoads();
    const first = find();
    await answer(tenantNo(1));
    await first;
    pass(501);
    expect(find()).toEqual(tenantNo(1));
    expect(find()).toEqual(tenantNo(1));
    expect(loads).toHaveLength(2);
    await answer(tenantNo(2));
    expect(find()).toEqual(tenantNo(2));
  });

  it('counts the age from when the database was asked', async () => {
    const { loads, find, answer } = cacheWithLoads();
    const first = find();
    pass(1100);
    await answer(tenantNo(1));
    expect(await first).toEqual(tenantNo(1));
    expect(find()).toBeInstanceOf(Promise);
    expect(loads).toHaveLength(2);
  });

  it('stores nothing that was read before a change', async () => {
    const { cache, loads, find, answer } = cacheWithLoads();
    const before = find();
    cache.clear();
    const after = find();
    expect(loads).toHaveLength(2);
    loads[0]?.resolve(tenantNo(1));
    expect(await before).toEqual(tenantNo(1));
    expect(find()).toBe(after);
    await answer(tenantNo(2));
    expect(await after).toEqual(tenantNo(2));
    expect(find()).toEqual(tenantNo(2));
  });

  it('forgets a tenant that another core has removed', async () => {
    const { find, answer } = cacheWithLoads();
    const first = find();
    await answer(tenantNo(1));
    await first;
    pass(501);
    expect(find()).toEqual(tenantNo(1));
    await answer(undefined);
    expect(find()).toBeInstanceOf(Promise);
  });

  it('reports a failure to the requests that wait, and asks again for the next', async () => {
    const { loads, find, answer } = cacheWithLoads();
    const first = find();
    await answer(tenantNo(1));
    await first;
    pass(501);
    void find();
    loads[1]?.reject(new Error('the database is away'));
    await expect(loads[1]?.promise).rejects.toThrow();
    expect(find()).toEqual(tenantNo(1));
    pass(500);
    const late = find();
    expect(loads).toHaveLength(3);
    loads[2]?.reject(new Error('the database is away'));
    await expect(late).rejects.toThrow('the database is away');
    void find();
    expect(loads).toHaveLength(4);
  });
});
