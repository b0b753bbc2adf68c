/** Users who have the keys of records: found, locked, and read as they are then. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../src/imports/model.ts';
import type { NativeLoginMethod, NativeUser } from '../../src/imports/record/native-record.ts';
import type { ChunkStore } from '../../src/imports/ports.ts';
import type { Holders } from '../../src/imports/parse/types.ts';
import { identityKey } from '../../src/domain/identity.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { bcryptHash } from '../helpers/imports.ts';
import {
  look,
  newJob,
  openTestChunks,
  rulesWith,
  someoneWaits,
  type TestChunks,
} from '../helpers/merging.ts';
import { alsoIn, link, passwordUser, putDetails, putPasswordless } from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

let opened: TestChunks;
let store: TestStore;
let chunks: ChunkStore;
let tenant: Tenant;
let job: Job;

beforeAll(async () => {
  opened = await openTestChunks();
  ({ store, chunks } = opened);
});
beforeEach(async () => {
  tenant = await store.newApp();
  job = await newJob(store.database, tenant);
});
afterAll(() => opened.dispose());

const password = (email: string, rest: object = {}): NativeLoginMethod => ({
  recipeId: 'emailpassword',
  email,
  passwordHash: bcryptHash(1),
  ...rest,
});
const record = (email: string, externalUserId?: string): NativeUser => ({
  ...(externalUserId !== undefined && { externalUserId }),
  loginMethods: [password(email)],
});

/** @returns the core's id */
async function existing(email: string, of = tenant): Promise<string> {
  const user = passwordUser(of, email);
  await store.users.putPasswordUser(user);
  return user.userId;
}

async function holdersOf(
  users: readonly NativeUser[],
  tenants: Record<string, number> = {},
): Promise<Holders> {
  const { holders } = await chunks.transaction((chunk) => look(chunk, job, users, rulesWith(tenants)));
  return holders;
}

const claim = (kind: number, key: string, { withExternal = false, line = 1, tenantNo = 0, of = job } = {}) =>
  store.sql(
    'insert into import_claims (job_id, kind, key, tenant_no, with_external, line, app_no) values ($1, $2, $3, $4, $5, $6, $7)',
    [of.id, kind, key, tenantNo, withExternal, line, of.appNo],
  );

describe('holders', () => {
  it('are found by identity and external id, and no other user is', async () => {
    const [a, b] = [await existing('a@b.test'), await existing('b@b.test')];
    await existing('c@b.test');
    await existing('a@b.test', await store.newApp());
    await store.sql(`update users set external_id = 'ext' where user_id = $1`, [b]);
    const holders = await holdersOf([record('a@b.test'), record('free@b.test', 'ext')]);
    expect(holders.identities).toEqual([
      { record: 0, method: 0, tenantNo: 0, kind: 1, userId: a, formerId: null, isClaimed: false },
    ]);
    expect(holders.externals).toEqual([{ record: 1, userId: b, isCoreId: false, isClaimed: false }]);
    expect(holders.tenants).toEqual([0]);
    expect(holders.methods).toMatchObject([
      {
        userId: a,
        email: 'a@b.test',
        externalId: null,
        tenants: [0],
        isOfThisJob: false,
        unchangedAtLine: null,
      },
      { userId: b, email: 'b@b.test', externalId: 'ext', tenants: [0], metadata: null },
    ]);
  });

  it('are whole users, with details at the head', async () => {
    const other = await store.newTenant(tenant);
    const [head, linked] = [await existing('head@b.test'), await existing('linked@b.test')];
    const third = await putPasswordless(store.sql, tenant, { email: 'p@b.test', phone: '+4930123456' });
    await link(store.sql, tenant, [head, linked, third]);
    await alsoIn(store.sql, other, third);
    await putDetails(store.sql, tenant, head, { metadata: { a: 1 }, roles: [{ role: 'r' }] });
    await store.sql('update users set import_job = $2 where user_id = $1', [linked, job.id]);
    const { methods } = await holdersOf([record('linked@b.test')]);
    expect(methods).toMatchObject([
      { userId: head, primaryUserId: head, metadata: { a: 1 }, roles: [{ role: 'r' }], isOfThisJob: false },
      { userId: linked, primaryUserId: head, metadata: null, roles: null, isOfThisJob: true },
      { userId: third, recipe: 3, phone: '+4930123456', tenants: [0, other.tenantNo] },
    ]);
  });

  it('are asked for in the tenants that are stated, and tenants that are gone are missing', async () => {
    const other = await store.newTenant(tenant);
    const user = await existing('a@b.test', other);
    const tenants = { other: other.tenantNo, gone: 77 };
    const methods = [password('a@b.test', { tenantIds: ['public', 'other', 'gone'] })];
    const holders = await holdersOf([{ loginMethods: methods }], tenants);
    expect(holders.tenants).toEqual([0, other.tenantNo]);
    expect(holders.identities).toMatchObject([{ tenantNo: other.tenantNo, userId: user }]);
  });

  it('know that an external id is a user’s core id', async () => {
    const user = await existing('a@b.test');
    const { externals, methods } = await holdersOf([record('free@b.test', user)]);
    expect(externals).toEqual([{ record: 0, userId: null, isCoreId: true, isClaimed: false }]);
    expect(methods).toEqual([]);
  });

  it('show what earlier records of this job have claimed', async () => {
    const user = await existing('held@b.test');
    await store.sql(`update users set external_id = 'of held' where user_id = $1`, [user]);
    const another = await newJob(store.database, tenant);
    const claimed = async (...users: NativeUser[]) => {
      const { identities, externals } = await holdersOf(users);
      return [identities, externals].map((each) => each.map(({ isClaimed }) => isClaimed));
    };
    await claim(1, identityKey('other@b.test'), { of: another });
    await claim(6, user, { of: another, withExternal: true });
    await claim(1, identityKey('wrong tenant@b.test'), { tenantNo: 1 });
    expect(await claimed(record('other@b.test'), record('wrong tenant@b.test'))).toEqual([[], []]);
    expect(await claimed(record('held@b.test', 'of held'))).toEqual([[false], [false]]);
    await claim(1, identityKey('free@b.test'));
    await claim(5, identityKey('free'));
    expect(await claimed(record('free@b.test', 'free'))).toEqual([[true], [true]]);
    await claim(6, user, { line: 7 });
    // The line that found the user unchanged did not state the external id.
    expect(await claimed(record('held@b.test', 'of held'))).toEqual([[true], [false]]);
    await claim(6, user, { line: 9, withExternal: true, tenantNo: 1 });
    expect(await claimed(record('held@b.test', 'of held'))).toEqual([[true], [true]]);
    const { methods } = await holdersOf([record('held@b.test')]);
    expect(methods).toMatchObject([{ unchangedAtLine: 9 }]);
  });
});

describe('the lock on holders', () => {
  it.each(['the head', 'another login method'])('makes others wait who change %s', async (which) => {
    const [head, linked] = [await existing('head@b.test'), await existing('linked@b.test')];
    await link(store.sql, tenant, [head, linked]);
    const events: string[] = [];
    let other: Promise<unknown> = Promise.resolve();
    await chunks.transaction(async (chunk) => {
      await look(chunk, job, [record('linked@b.test')]);
      other = store
        .sql('update users set password_hash = null where user_id = $1', [
          which === 'the head' ? head : linked,
        ])
        .then(() => events.push('other'));
      await someoneWaits(store.sql);
      events.push('commit');
    });
    await other;
    expect(events).toEqual(['commit', 'other']);
  });

  it('makes a removal of the tenant wait', async () => {
    const gone = await store.newTenant(tenant);
    const events: string[] = [];
    let removal: Promise<unknown> = Promise.resolve();
    const user = { loginMethods: [password('a@b.test', { tenantIds: ['gone'] })] };
    await chunks.transaction(async (chunk) => {
      await look(chunk, job, [user], rulesWith({ gone: gone.tenantNo }));
      removal = store.tenants.removeTenant(tenant.appId, gone.tenantId).then(() => events.push('removed'));
      await someoneWaits(store.sql);
      events.push('commit');
    });
    await removal;
    expect(events).toEqual(['commit', 'removed']);
    expect((await holdersOf([user], { gone: gone.tenantNo })).tenants).toEqual([]);
  });

  it('follows a key that moved to another user while it was waited for', async () => {
    const [before, after] = [await existing('a@b.test'), await existing('b@b.test')];
    const isLocked = Promise.withResolvers<undefined>();
    const moving = store.database.transaction(async (query) => {
      await query('update users set email_verified = true where user_id = $1', [before]);
      isLocked.resolve(undefined);
      await someoneWaits(store.sql);
      await query('update identities set user_id = $2 where user_id = $1', [before, after]);
    });
    await isLocked.promise;
    const { identities, methods } = await holdersOf([record('a@b.test')]);
    await moving;
    expect(identities).toMatchObject([{ userId: after }]);
    expect(methods.map(({ userId }) => userId)).toEqual([after]);
  });

  it('finds no user when the holder was removed while it was waited for', async () => {
    const gone = await existing('a@b.test');
    const isLocked = Promise.withResolvers<undefined>();
    const removing = store.database.transaction(async (query) => {
      await query('delete from users where user_id = $1', [gone]);
      await query('delete from identities where user_id = $1', [gone]);
      isLocked.resolve(undefined);
      await someoneWaits(store.sql);
    });
    await isLocked.promise;
    expect(await holdersOf([record('a@b.test')])).toEqual({
      identities: [],
      externals: [],
      methods: [],
      tenants: [0],
    });
    await removing;
  });
});
