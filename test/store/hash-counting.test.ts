/** The report counts an app once at a time, page by page, and stops when the core closes. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { HashLimits, HashPolicy, Tenant } from '../../src/domain/model.ts';
import { hashReportOperations } from '../../src/operations/passwords/hash-report.ts';
import type { OperationsContext } from '../../src/operations/context.ts';
import { createRowsPool, type RowsPool } from '../../src/threads/import-pool.ts';
import { knownHash } from '../helpers/people.ts';
import { openTestStore, passwordUser, type TestStore } from '../helpers/store.ts';

const policy: HashPolicy = { algorithm: 'BCRYPT', logRounds: 10 };

let store: TestStore;
let threads: RowsPool;
let tenant: Tenant;
let closing: AbortController;
let pages: number;
let onPage: () => void;
beforeAll(async () => {
  store = await openTestStore();
  threads = createRowsPool({ threads: 1 });
});
afterAll(async () => {
  await threads.close();
  await store.dispose();
});
beforeEach(async () => {
  tenant = await store.newApp();
  for (let n = 0; n < 7; n++)
    await store.users.putPasswordUser(passwordUser(tenant, `u${n}@b.test`, { passwordHash: knownHash }));
  [closing, pages, onPage] = [new AbortController(), 0, () => undefined];
});

function open() {
  const tally = (lines: string, limits: HashLimits) => {
    pages += 1;
    onPage();
    return threads.run({ type: 'tally', lines, limits, policy });
  };
  const context: Pick<OperationsContext, 'stores' | 'now' | 'hashReports'> = {
    stores: store,
    now: Date.now,
    hashReports: { policy, tally, closing: closing.signal },
  };
  return hashReportOperations(context, 2);
}

test('requests at the same time share one count; a later one gets a new one', async () => {
  const reports = open();
  const answers = await Promise.all(Array.from({ length: 10 }, () => reports.report(tenant, {})));
  expect(answers.map(({ users }) => users)).toEqual(Array(10).fill(7));
  expect(pages).toBe(4);
  const other = await store.newApp();
  expect((await reports.report(other, {})).users).toBe(0);
  await store.users.putPasswordUser(passwordUser(tenant, 'late@b.test', { passwordHash: knownHash }));
  expect((await reports.report(tenant, {})).kinds).toEqual([
    { kind: 'bcrypt', cost: { logRounds: 4 }, users: 8, share: 1, isWeak: true, isBelowPolicy: true },
  ]);
});

test('a core that closes ends the count after the page that it is at', async () => {
  const reports = open();
  onPage = () => {
    closing.abort();
  };
  await expect(reports.report(tenant, {})).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  expect(pages).toBe(1);
});

test('a count that failed does not stand in the way of the next', async () => {
  const reports = open();
  onPage = () => {
    throw new Error('a thread died');
  };
  await expect(reports.report(tenant, {})).rejects.toThrow('a thread died');
  onPage = () => undefined;
  expect((await reports.report(tenant, {})).users).toBe(7);
});
