import { beforeEach, describe, expect, test, vi } from 'vitest';
import { OutageLog } from '../../src/database/outage-log.ts';

const log = { info: vi.fn(), warn: vi.fn() };
let now = 0;
let hasBegun = true;
let outages: OutageLog;
beforeEach(() => {
  vi.clearAllMocks();
  now = 1_700_000_000_000;
  outages = new OutageLog({ log, now: () => now, hasBegun: () => hasBegun });
});

const fail = (message: string, writes: boolean, code = 'CERT_UNTRUSTED') => {
  outages.failed(Object.assign(new Error(message), { code }), writes);
};

const reasons = () => log.warn.mock.calls.map(([fields]) => (fields as { reason: string }).reason);

describe('an outage', () => {
  test('before the database was reached at all is reported elsewhere', () => {
    hasBegun = false;
    fail('not yet', true);
    hasBegun = true;
    outages.succeeded(true);
    expect([log.warn.mock.calls, log.info.mock.calls]).toEqual([[], []]);
  });

  test('is logged once with its reason and the cure, and once when it is over', () => {
    outages.succeeded(true);
    for (const message of ['untrusted', 'another']) fail(message, true);
    expect(log.warn.mock.calls).toEqual([
      [
        { reason: 'untrusted', advice: expect.stringContaining('sslrootcert') as string },
        'the database cannot be used',
      ],
    ]);
    now += 3000;
    for (let n = 0; n < 2; n++) outages.succeeded(true);
    expect(log.info.mock.calls).toEqual([[{ afterMs: 3000 }, 'the database can be used again']]);
  });

  test.each([true, false])(
    'is not over when only others than those that failed succeed (writes: %s)',
    (writes) => {
      fail('a full disk', writes);
      outages.succeeded(!writes);
      expect(log.info).not.toHaveBeenCalled();
      outages.succeeded(writes);
      expect(log.info).toHaveBeenCalledTimes(1);
    },
  );

  test('is logged again with each new code, not with each message', () => {
    fail('connection lost', true, 'CONNECTION_CLOSED');
    fail('refused 1', false, 'ECONNREFUSED');
    fail('refused 2', true, 'ECONNREFUSED');
    expect(reasons()).toEqual(['connection lost', 'refused 1']);
  });

  test('that comes and goes is logged every ten seconds', () => {
    for (let n = 0; n < 30; n++) {
      fail(`${n}`, true);
      outages.succeeded(true);
      now += 1000;
    }
    expect(reasons()).toEqual(['0', '10', '20']);
    expect(log.info).toHaveBeenCalledTimes(3);
  });

  test('states why each of several addresses failed', () => {
    const errors = ['::1', '127.0.0.1'].map((address) => new Error(`connect ECONNREFUSED ${address}:1`));
    outages.failed(new AggregateError(errors), false);
    expect(log.warn.mock.calls[0]?.[0]).toMatchObject({
      reason: 'connect ECONNREFUSED ::1:1; connect ECONNREFUSED 127.0.0.1:1',
    });
  });
});
