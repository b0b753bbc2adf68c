/** A user who was imported and removed here is not imported again with the next export. */
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { bcryptHash, countsOf, openTestImports, person, type TestImports } from '../helpers/imports.ts';
import type { TestDatabase } from '../helpers/postgres.ts';
import { passwordUser, type TestStore } from '../helpers/store.ts';
import { useImports } from '../helpers/use-imports.ts';

let database: TestDatabase;
let store: TestStore;
let imports: TestImports;
let tenant: Tenant;

useImports(
  {
    all: (used) => {
      ({ database, store, imports } = used);
    },
    each: (own) => {
      tenant = own;
    },
  },
  { chunkBytes: 2000 },
);

const people = (count: number, from = 0) => Array.from({ length: count }, (_, n) => person(from + n));
const remove = (userId: string, all = true) => store.users.removeUser(tenant.appNo, userId, all);
const userOf = (userId: string) => store.users.findUser(tenant.appNo, userId);

async function tombstones(): Promise<number> {
  const [row] = await store.sql<{ n: number }>(
    'select count(distinct person)::int as n from tombstones where app_no = $1',
    [tenant.appNo],
  );
  return row?.n ?? -1;
}

async function codes(id: string): Promise<unknown[]> {
  return (await imports.allRejects(tenant, id)).map(({ line, code, externalUserId }) => [
    line,
    code,
    externalUserId,
  ]);
}

const password = (email: string, rest: object = {}) =>
  ({ recipeId: 'emailpassword', email, passwordHash: bcryptHash(1), ...rest }) as const;
const google = (id: string, rest: object = {}) =>
  ({
    recipeId: 'thirdparty',
    thirdPartyId: 'google',
    thirdPartyUserId: id,
    email: 'g@a.test',
    ...rest,
  }) as const;
const phone = { recipeId: 'passwordless', phoneNumber: '+4930123456' } as const;
const linked: NativeUser = {
  externalUserId: 'linked',
  loginMethods: [password('linked@a.test', { isPrimary: true }), google('g1'), phone],
};

describe('a person who was removed', () => {
  it('is rejected when the file comes again, and no other record is', async () => {
    await imports.run(tenant, people(60));
    await remove('legacy-7');
    await remove('legacy-31');
    const job = await imports.run(tenant, [...people(60), ...people(5, 100)]);
    expect(countsOf(job)).toMatchObject({ created: 5, unchanged: 58, rejected: 2 });
    expect(await codes(job.id)).toEqual([
      [8, 'REMOVED_HERE', 'legacy-7'],
      [32, 'REMOVED_HERE', 'legacy-31'],
    ]);
    const [reject] = await imports.allRejects(tenant, job.id);
    expect(reject?.message).toContain('--restore-removed');
    expect(await userOf('legacy-7')).toBeUndefined();
    // As the dry run reports.
    expect(await imports.run(tenant, people(60), { dryRun: true })).toMatchObject({
      unchanged: 58,
      rejected: 2,
    });
  });

  it.each<[string, NativeUser]>([
    ['external id', { externalUserId: 'linked', loginMethods: [password('else@a.test')] }],
    ['email', { loginMethods: [password('linked@a.test')] }],
    ['email without a password', { loginMethods: [{ recipeId: 'passwordless', email: 'linked@a.test' }] }],
    ['provider identity', { externalUserId: 'other', loginMethods: [google('g1')] }],
    ['phone number', { loginMethods: [phone] }],
    ['second login method', { loginMethods: [password('else@a.test', { isPrimary: true }), google('g1')] }],
  ])('is known by the %s', async (_, record) => {
    await imports.run(tenant, [linked]);
    await remove('linked');
    for (const onConflict of ['update', 'skip', 'reject'] as const) {
      const job = await imports.run(tenant, [person(1), record], { onConflict });
      expect(await codes(job.id)).toContainEqual([2, 'REMOVED_HERE', record.externalUserId]);
    }
  });

  it('comes back where that is asked for, and the tombstone goes', async () => {
    await imports.run(tenant, [linked, ...people(3)]);
    await remove('linked');
    await remove('legacy-0');
    const restoreRemoved = true;
    expect(await imports.run(tenant, [linked], { restoreRemoved, dryRun: true })).toMatchObject({
      created: 1,
    });
    expect(await tombstones()).toBe(2);
    expect(await imports.run(tenant, [linked], { restoreRemoved })).toMatchObject({
      created: 1,
      restoreRemoved,
    });
    expect(await tombstones()).toBe(1);
    expect(await userOf('linked')).toMatchObject({ id: 'linked' });
    expect(await imports.run(tenant, [linked])).toMatchObject({ unchanged: 1 });
    const itself = { ...person(0), restoreRemoved };
    expect(await imports.run(tenant, [itself])).toMatchObject({ created: 1 });
    expect(await tombstones()).toBe(0);
  });

  it('may sign up afresh, and what the old export says never reaches the new account', async () => {
    await imports.run(tenant, [person(1), { loginMethods: [password('bare@a.test')] }]);
    await remove('legacy-1');
    const bare = await store.sql<{ user_id: string }>('select user_id from users where app_no = $1', [
      tenant.appNo,
    ]);
    await remove(bare[0]?.user_id ?? '');
    for (const email of ['person-1@example.com', 'bare@a.test'])
      expect(await store.users.putPasswordUser(passwordUser(tenant, email))).toEqual({ outcome: 'created' });
    const before = await store.sql('select * from users where app_no = $1 order by 1, 4', [tenant.appNo]);
    const job = await imports.run(tenant, [person(1), { loginMethods: [password('bare@a.test')] }]);
    expect(countsOf(job)).toMatchObject({ rejected: 2, updated: 0 });
    expect(await store.sql('select * from users where app_no = $1 order by 1, 4', [tenant.appNo])).toEqual(
      before,
    );
  });

  it('is no obstacle to a user who has the external id by now', async () => {
    await imports.run(tenant, [person(1), person(2)]);
    await remove('legacy-1');
    const moved = { ...person(2), loginMethods: person(1).loginMethods };
    expect(await imports.run(tenant, [moved], { sameIds: true })).toMatchObject({ updated: 1 });
    expect(await tombstones()).toBe(1);
  });

  it('is rejected by the queue and the single import, too', async () => {
    await imports.run(tenant, [person(1)]);
    await remove('legacy-1');
    const texts = [person(2), person(1)].map((record) => JSON.stringify(record));
    expect(await imports.importRecords(tenant, texts)).toMatchObject([undefined, { code: 'REMOVED_HERE' }]);
    const restored = JSON.stringify({ ...person(1), restoreRemoved: true });
    expect(await imports.importRecords(tenant, [restored])).toEqual([undefined]);
  });

  it('stays known to its app only', async () => {
    await imports.run(tenant, [person(1)]);
    await remove('legacy-1');
    const other = await store.newApp();
    expect(await imports.run(other, [person(1)])).toMatchObject({ created: 1 });
  });
});

describe('no tombstone is left', () => {
  it('by an undo, of a user who signed up here, or while login methods stay', async () => {
    const { id } = await imports.run(tenant, [person(1), linked]);
    await imports.undo(tenant, id, false);
    const here = passwordUser(tenant, 'here@a.test');
    await store.users.putPasswordUser(here);
    await remove(here.userId);
    await imports.run(tenant, [linked]);
    await remove('linked', false);
    expect(await tombstones()).toBe(0);
    expect(await imports.run(tenant, [linked])).toMatchObject({ updated: 1 });
    await remove('linked', true);
    expect(await tombstones()).toBe(1);
  });

  it('by a tenant that is removed, but of people who were elsewhere, too', async () => {
    const { tenantId } = await store.newTenant(tenant);
    const recordIn = (n: number, tenantIds: string[]): NativeUser => ({
      externalUserId: `t${n}`,
      loginMethods: [password(`t${n}@a.test`, { tenantIds })],
    });
    await imports.run(tenant, [recordIn(0, [tenantId]), recordIn(1, [tenantId, 'public'])]);
    await remove('t0');
    await remove('t1');
    expect(await tombstones()).toBe(2);
    await store.tenants.removeTenant(tenant.appId, tenantId);
    expect(await tombstones()).toBe(1);
    await store.tenants.removeApp(tenant.appId);
    expect(await tombstones()).toBe(0);
  });
});

it('a tombstone cannot be found by who knows the email but not the secret', async () => {
  await imports.run(tenant, [person(1)]);
  await remove('legacy-1');
  const rows = await store.sql<{ digest: string }>('select digest from tombstones where app_no = $1', [
    tenant.appNo,
  ]);
  expect(rows).toHaveLength(2);
  const guess = `select tombstone_digest($1, $2::int, 1, identity_key(1::smallint, 'person-1@example.com', null, null, null), 0) as digest`;
  const [known] = await store.sql<{ secret: string }>('select secret from decoy_secret');
  const guessed = async (secret: string) =>
    (await store.sql<{ digest: string }>(guess, [secret, tenant.appNo]))[0]?.digest;
  const digests = rows.map(({ digest }) => digest);
  expect(digests).toContain(await guessed(known?.secret ?? ''));
  for (const secret of ['', uuidv7()]) expect(digests).not.toContain(await guessed(secret));
});

it('only records that may be of a removed user are looked for', async () => {
  const asked: number[] = [];
  const watched = openTestImports(database.connection, {
    chunkBytes: 1_048_576,
    wrap: (chunks) => ({
      transaction: (work) =>
        chunks.transaction((chunk) =>
          work({
            ...chunk,
            findRemoved: (job, keys) => {
              asked.push(keys.externals.record.split(',').length);
              return chunk.findRemoved(job, keys);
            },
          }),
        ),
    }),
  });
  await watched.run(tenant, people(50));
  await watched.run(tenant, people(50));
  expect(asked).toEqual([]);
  await remove('legacy-1');
  expect(await watched.run(tenant, people(50))).toMatchObject({ unchanged: 49, rejected: 1 });
  expect(asked).toEqual([1]);
  await watched.dispose();
});
