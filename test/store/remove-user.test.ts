import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { someoneWaits } from '../helpers/merging.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { link, openStoreOn, passwordUser, type TestStore, thirdPartyUser } from '../helpers/store.ts';

let server: TestDatabase;
let store: TestStore;
let importing: Database;

beforeAll(async () => {
  server = await createMigratedDatabase();
  store = await openStoreOn(server.connection);
  importing = openDatabase({ target: server.connection, poolSize: 1 });
});
afterAll(async () => {
  await importing.close(1000);
  await store.dispose();
  await server.drop();
});

it('removes a login method, too, that was being linked to the user', async () => {
  const tenant = await store.newApp();
  const head = passwordUser(tenant, 'a@b.test');
  const late = thirdPartyUser(tenant, 'late', { email: 'late@social.test' });
  await store.users.putPasswordUser(head);
  await store.users.putThirdPartyUser(late);
  await link(store.sql, tenant, [head.userId]);

  let removal: Promise<void> | undefined;
  await importing.transaction(async (query) => {
    await query('select from users where app_no = $1 and user_id = $2 for update', [
      tenant.appNo,
      head.userId,
    ]);
    removal = store.users.removeUser(tenant.appNo, head.userId, true);
    await someoneWaits(store.sql);
    await query('update users set primary_user_id = $2 where app_no = $1 and user_id = $3', [
      tenant.appNo,
      head.userId,
      late.userId,
    ]);
  });
  await removal;
  expect(await store.sql('select user_id from users where app_no = $1', [tenant.appNo])).toEqual([]);
  expect(await store.sql('select user_id from identities where app_no = $1', [tenant.appNo])).toEqual([]);
});
