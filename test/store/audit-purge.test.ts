/** Old entries of the audit log: removed in batches, by any core that sweeps. */
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { removeOldAudit } from '../../src/features/audit/purge.ts';
import { openTestStore, type TestStore } from '../helpers/store.ts';

const limit = Date.UTC(2026, 5, 1);
let store: TestStore;
beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(() => store.sql('truncate audit', []));
afterAll(() => store.dispose());

async function keep(count: number, at: number): Promise<void> {
  const ids = Array.from({ length: count }, () => uuidv7({ msecs: at }));
  await store.sql(
    `insert into audit (id, begun_at, app_id, tenant_id, who, what, details)
     select id, $2::bigint, 'public', 'public', 'core', 'role.put', '{}' from unnest($1::uuid[]) id`,
    [`{${ids.join()}}`, at],
  );
}
const left = async () =>
  (await store.sql<{ begun_at: number }>('select begun_at from audit order by id', [])).map(
    ({ begun_at: at }) => at,
  );

it('removes what is from before, in as many batches as it takes', async () => {
  await keep(12_001, limit - 1);
  await keep(2, limit);
  expect(await removeOldAudit(store.database, undefined)).toBe(0);
  expect(await removeOldAudit(store.database, limit)).toBe(12_001);
  expect(await left()).toEqual([limit, limit]);
});

it('ends after its share, and the next sweep goes on', async () => {
  await keep(6000, limit - 1);
  expect(await removeOldAudit(store.database, limit, 1)).toBe(5000);
  expect(await removeOldAudit(store.database, limit, 1)).toBe(1000);
});

it('is done by two cores at once, each entry by one of them', async () => {
  await keep(12_000, limit - 1);
  await keep(1, limit);
  const removed = await Promise.all([
    removeOldAudit(store.database, limit),
    removeOldAudit(store.anotherCore().database, limit),
  ]);
  expect(removed[0] + removed[1]).toBe(12_000);
  expect(await left()).toEqual([limit]);
});

it('does not wait for what another core is removing', async () => {
  await keep(3, limit - 1);
  await store.anotherCore().database.transaction(async (other) => {
    await other('delete from audit where id = (select id from audit order by id limit 1)', []);
    expect(await removeOldAudit(store.database, limit)).toBe(2);
  });
  expect(await left()).toEqual([]);
});
