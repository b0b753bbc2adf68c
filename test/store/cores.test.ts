/** Rows of cores: those that are here, and the counts of those that have ended. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { coreStore, type CoreReport, type CoreStore } from '../../src/store/cores.ts';
import { openTestStore, type TestStore } from '../helpers/store.ts';

let store: TestStore;
let cores: CoreStore;
beforeAll(async () => {
  store = await openTestStore();
  cores = coreStore(store.database);
});
beforeEach(() => store.sql('truncate cores', []));
afterAll(() => store.dispose());

const nothing = { at: [], counts: {} };
const reportOf = (since: number): CoreReport => ({
  host: 'a',
  threads: 1,
  running: 0,
  waiting: 0,
  backlog: 0,
  memoryBytes: 1,
  day: { since, signIns: nothing, carried: nothing },
});

async function renewed(report: CoreReport | undefined): Promise<string> {
  const id = randomUUID();
  await cores.renew(id, '1', report);
  return id;
}
const age = (id: string, seconds: number) =>
  store.sql('update cores set seen_at = seen_at - $2::bigint where core_id = $1::uuid', [id, seconds * 1000]);
const rows = async () => (await store.sql('select core_id from cores', [])).length;

it('list a core until it leaves, and its day after that', async () => {
  const id = await renewed(reportOf(1));
  expect(await cores.list()).toMatchObject([{ id, figures: { host: 'a' } }]);
  await cores.leave(id, reportOf(2));
  expect(await cores.list()).toEqual([]);
  expect(await cores.days()).toEqual([{ isHere: false, day: reportOf(2).day }]);
});

it('have the last report of a core that left without one', async () => {
  const id = await renewed(reportOf(1));
  await cores.leave(id, undefined);
  expect(await cores.days()).toEqual([{ isHere: false, day: reportOf(1).day }]);
});

it('go after a minute without a day, and after a day with one', async () => {
  await age(await renewed(undefined), 61);
  const ended = await renewed(reportOf(1));
  await age(ended, 86_000);
  await renewed(undefined);
  expect(await rows()).toBe(2);
  await age(ended, 500);
  await renewed(undefined);
  expect((await cores.days()).filter(({ day }) => day !== null)).toEqual([]);
});

it('are those of a hundred cores at most, however often one restarts', async () => {
  await store.sql(
    `insert into cores (core_id, version, seen_at, figures)
     select gen_random_uuid(), '1', (extract(epoch from now()) * 1000)::bigint - 100000 - n, '{"day": {}}' from generate_series(1, 300) n`,
    [],
  );
  await renewed(reportOf(1));
  expect(await rows()).toBe(101);
});
