import { describe, expect, it } from 'vitest';
import { ExchangeAudit } from '../../src/http/audit/exchange.ts';
import type { NativeResponse } from '../../src/http/front-ends/native.ts';
import type { RequestHead } from '../../src/http/request/head.ts';
import type { Admission } from '../../src/http/authorize.ts';
import { withoutKey } from '../../src/domain/access/key-holder.ts';
import { allRoutes } from '../helpers/route-table.ts';

/** The number of reads of the connection's address, a system call, for a request of this route. */
function readsOf(method: string, path: string): number {
  let reads = 0;
  const response = { getRemoteAddress: () => (reads++, '127.0.0.1') } as unknown as NativeResponse;
  const route = allRoutes().find((each) => each.method === method && each.path === path);
  if (route === undefined) throw new Error(`there is no ${method} ${path}`);
  const names = { appId: 'public', tenantId: 'public', endpoint: path };
  const admitted = {
    kind: 'admitted',
    route,
    names,
    id: '',
    hasCoreKey: true,
    holder: withoutKey,
  } as Extract<Admission, { kind: 'admitted' }>;
  const counted: unknown[] = [];
  const trail = {
    begin: () => Promise.resolve({ end: () => Promise.resolve() }),
    keep: () => Promise.resolve(),
    count: () => undefined,
    countByHour: (...all: unknown[]) => void counted.push(all),
  };
  const audit = new ExchangeAudit(trail, response, { path } as RequestHead);
  audit.judged(admitted);
  audit.begin(undefined, admitted)?.count({ status: 'OK' });
  if (route.audit?.when === 'hourly') expect(counted).toHaveLength(1);
  return reads;
}

describe('the address of a caller', () => {
  it.each([
    ['POST', '/recipe/session'],
    ['PUT', '/recipe/user/metadata'],
    ['POST', '/recipe/jwt'],
  ])('is not read for what is counted by the hour: %s %s', (method, path) => {
    expect(readsOf(method, path)).toBe(0);
  });

  it('is read for what has an entry of its own', () => {
    expect(readsOf('PUT', '/recipe/user')).toBe(1);
  });
});
