import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OnConflict } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { createRowsPool, type RowsPool } from '../../src/threads/import-pool.ts';
import {
  bcryptHash,
  countsOf,
  openTestImports,
  person,
  type TestImports,
  textOf,
} from '../helpers/imports.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { credentialOf, openStoreOn, type TestStore } from '../helpers/store.ts';

let database: TestDatabase;
let store: TestStore;
let threads: RowsPool;
let imports: TestImports;

beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStoreOn(database.connection);
  threads = createRowsPool({ threads: 2 });
  imports = openTestImports(database.connection, { threads });
});

afterAll(async () => {
  await imports.dispose();
  await threads.close();
  await store.dispose();
  await database.drop();
});

const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };

/** Everything stored for an app's users, without generated values. */
async function tablesOf({ appNo }: Tenant) {
  const users = await store.sql(
    `select recipe, email_verified, time_joined, email, password_hash, third_party_id, third_party_user_id, phone,
       external_id, primary_user_id is not null as linked, t.metadata, roles_of(u.app_no, u.user_id::text) as roles,
       case when t.totp_devices -> 0 ? 'digest' then t.totp_devices -> 0 else t.totp_devices end as totp_devices,
       to_json(array(
         select case when n.tenant_no = 0 then 'public ' else 'other ' end || i.kind from identities_of(u.app_no, u.method) i
         join tenants n on n.app_no = i.app_no and n.tenant_no = i.tenant_no order by 1
       )) as identities
     from (select u.*, u as method from users u where u.app_no = $1) u
     left join user_details t on t.app_no = u.app_no and t.user_id = u.user_id
     order by recipe, email, phone, third_party_user_id`,
    [appNo],
  );
  const [identities] = await store.sql('select count(*)::int as count from identities where app_no = $1', [
    appNo,
  ]);
  return { users, identities };
}

const people = (count: number): NativeUser[] => Array.from({ length: count }, (_, n) => person(n));

describe('an import', () => {
  it('creates users as the records say, with ids that sort by their join dates', async () => {
    const tenant = await store.newApp();
    const job = await imports.run(tenant, people(200));
    expect(job).toMatchObject({ state: 'done', ...none, created: 200, byKind: { bcrypt: 200 } });
    expect(job.bytes).toBe(Buffer.byteLength(textOf(people(200))));
    const user = await store.users.findUser(tenant.appNo, 'legacy-7');
    expect(user).toEqual({
      id: 'legacy-7',
      isPrimaryUser: false,
      tenantIds: ['public'],
      timeJoined: 1_704_067_200_007,
      emails: ['person-7@example.com'],
      phoneNumbers: [],
      thirdParty: [],
      webauthn: { credentialIds: [] },
      loginMethods: [
        {
          recipeId: 'emailpassword',
          recipeUserId: 'legacy-7',
          tenantIds: ['public'],
          timeJoined: 1_704_067_200_007,
          verified: true,
          email: 'person-7@example.com',
        },
      ],
    });
    const credential = await credentialOf(store, tenant, 'person-7@example.com');
    expect(credential?.passwordHash).toBe(bcryptHash(7));
  });

  it('changes nothing the second time', async () => {
    const tenant = await store.newApp();
    await imports.run(tenant, people(300));
    const before = await tablesOf(tenant);
    const again = await imports.run(tenant, people(300));
    expect(countsOf(again)).toEqual({ ...none, unchanged: 300 });
    expect(again.byKind).toEqual({ bcrypt: 300 });
    expect(await tablesOf(tenant)).toEqual(before);
  });

  it.each<[OnConflict, object]>([
    ['update', { updated: 30, unchanged: 70, created: 50 }],
    ['skip', { skipped: 30, unchanged: 70, created: 50 }],
    ['reject', { rejected: 30, unchanged: 70, created: 50 }],
  ])('meets who is there: onConflict %s', async (onConflict, counts) => {
    const tenant = await store.newApp();
    await imports.run(tenant, people(100));
    const changed = people(150).map((user, n) =>
      n < 30 ? { ...user, loginMethods: [{ ...method(user), passwordHash: bcryptHash(n + 5000) }] } : user,
    );
    const job = await imports.run(tenant, changed, { onConflict });
    expect(countsOf(job)).toEqual({ ...none, ...counts });
    const credential = await credentialOf(store, tenant, 'person-3@example.com');
    expect(credential?.passwordHash).toBe(bcryptHash(onConflict === 'update' ? 5003 : 3));
    const rejects = await imports.allRejects(tenant, job.id);
    expect(rejects.map(({ code }) => code)).toEqual(
      onConflict === 'reject' ? Array(30).fill('ALREADY_EXISTS') : [],
    );
    expect(rejects.map(({ line }) => line)).toEqual(
      onConflict === 'reject' ? Array.from({ length: 30 }, (_, n) => n + 1) : [],
    );
  });

  it('writes every kind of record in one pass', async () => {
    const tenant = await store.newApp();
    const other = await store.newTenant(tenant);
    const job = await imports.run(tenant, everyKind(other.tenantId));
    expect(await imports.allRejects(tenant, job.id)).toEqual([]);
    expect(countsOf(job)).toEqual({ ...none, created: 6 });
    expect(await tablesOf(tenant)).toMatchSnapshot();
    const again = await imports.run(tenant, everyKind(other.tenantId));
    expect(countsOf(again)).toEqual({ ...none, unchanged: 6 });
  });
});

function method(user: NativeUser) {
  const [first] = user.loginMethods;
  if (!first) throw new Error('no login method');
  return first;
}

function everyKind(tenantId: string): NativeUser[] {
  const timeJoinedInMSSinceEpoch = 1_704_067_200_000;
  return [
    person(1, { userMetadata: { plan: 'pro' }, userRoles: [{ role: 'admin', tenantIds: ['public'] }] }),
    {
      externalUserId: 'linked',
      totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP', period: 30, skew: 1, deviceName: 'phone' }],
      loginMethods: [
        {
          recipeId: 'thirdparty',
          email: 'l@example.com',
          thirdPartyId: 'google',
          thirdPartyUserId: 'g-1',
          timeJoinedInMSSinceEpoch: timeJoinedInMSSinceEpoch - 1000,
        },
        {
          recipeId: 'emailpassword',
          email: 'l@example.com',
          passwordHash: bcryptHash(2),
          isPrimary: true,
          timeJoinedInMSSinceEpoch,
        },
      ],
    },
    {
      loginMethods: [
        { recipeId: 'passwordless', phoneNumber: '+15555550100', timeJoinedInMSSinceEpoch },
        { recipeId: 'passwordless', email: 'p@example.com', isVerified: true, timeJoinedInMSSinceEpoch },
      ],
    },
    {
      loginMethods: [
        {
          recipeId: 'passwordless',
          phoneNumber: '+15555550101',
          email: 'q@example.com',
          timeJoinedInMSSinceEpoch,
        },
      ],
    },
    {
      loginMethods: [
        {
          recipeId: 'emailpassword',
          email: 't@example.com',
          passwordHash: bcryptHash(3),
          tenantIds: ['public', tenantId],
          timeJoinedInMSSinceEpoch,
        },
      ],
    },
    {
      loginMethods: [
        {
          recipeId: 'emailpassword',
          email: 'u@example.com',
          passwordHash: bcryptHash(4),
          tenantIds: [tenantId],
          isPrimary: true,
          timeJoinedInMSSinceEpoch,
        },
      ],
    },
  ];
}

describe('records of several login methods', () => {
  it('are read by two tasks, not three: their keys are those that the chunk was parsed with', async () => {
    const tasks: string[] = [];
    const counted: RowsPool = {
      ...threads,
      run: (task) => {
        tasks.push(task.type);
        return threads.run(task);
      },
    };
    const counting = openTestImports(database.connection, { threads: counted });
    const tenant = await store.newApp();
    const [{ loginMethods: one }, { loginMethods: other }] = [person(1), person(2)];
    const linked = { loginMethods: [...one.map((each) => ({ ...each, isPrimary: true })), ...other] };
    const done = await counting.run(tenant, [linked]);
    expect(countsOf(done)).toEqual({ ...none, created: 1 });
    expect(tasks).toEqual(['parse', 'decide']);
    const again = await counting.run(tenant, [linked, person(3)]);
    expect(countsOf(again)).toEqual({ ...none, created: 1, unchanged: 1 });
    await counting.dispose();
  });
});

describe('a duplicate in one job', () => {
  const lines = (): NativeUser[] => {
    const users = people(120);
    users[60] = person(60, { externalUserId: 'legacy-3' });
    users[100] = { ...person(5), externalUserId: 'legacy-other' };
    users[110] = person(1000, { externalUserId: 'legacy-other' });
    users[119] = person(119, { externalUserId: 'legacy-2' });
    return users;
  };
  const expected = [
    { line: 61, code: 'DUPLICATE_IN_JOB', field: 'externalUserId' },
    { line: 101, code: 'DUPLICATE_IN_JOB', field: 'loginMethods.0.email' },
    { line: 111, code: 'DUPLICATE_IN_JOB', field: 'externalUserId' },
    { line: 120, code: 'DUPLICATE_IN_JOB', field: 'externalUserId' },
  ];

  it.each([300, 4096, 1_048_576])('is rejected wherever the chunks are cut: %i bytes', async (chunkBytes) => {
    const cut = openTestImports(database.connection, { threads, chunkBytes });
    const tenant = await store.newApp();
    const job = await cut.run(tenant, lines());
    expect(countsOf(job)).toEqual({ ...none, created: 116, rejected: 4 });
    expect(await cut.allRejects(tenant, job.id)).toMatchObject(expected);
    const again = await cut.run(tenant, lines());
    expect(countsOf(again)).toEqual({ ...none, unchanged: 116, rejected: 4 });
    expect(await cut.allRejects(tenant, again.id)).toMatchObject(expected);
    await cut.dispose();
  });

  it.each([300, 1_048_576])('and a dry run finds the same: %i bytes', async (chunkBytes) => {
    const cut = openTestImports(database.connection, { threads, chunkBytes });
    const tenant = await store.newApp();
    const dry = await cut.run(tenant, lines(), { dryRun: true });
    expect((await tablesOf(tenant)).users).toEqual([]);
    const real = await cut.run(tenant, lines());
    expect(countsOf(dry)).toEqual(countsOf(real));
    expect(dry.byKind).toEqual(real.byKind);
    expect(await cut.allRejects(tenant, dry.id)).toEqual(await cut.allRejects(tenant, real.id));
    await cut.dispose();
  });
});
