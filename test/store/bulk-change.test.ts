/** Writing the decisions about single records: all or none, with before-images. */
import { FactorSealer } from '../../src/imports/record/seal-factors.ts';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { changesOf } from '../../src/imports/decide/columns.ts';
import { noWrites } from '../../src/imports/decide/plan/plan.ts';
import type { Job } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { ChunkStore } from '../../src/imports/ports.ts';
import { identityKey } from '../../src/domain/identity.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { bcryptHash } from '../helpers/imports.ts';
import { look, newJob, openTestChunks, rulesWith, tablesOf, type TestChunks } from '../helpers/merging.ts';
import { alsoIn, credentialOf, passwordUser } from '../helpers/store.ts';
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

const hash = bcryptHash(1);
const record = (email: string, externalUserId?: string, rest: object = {}): NativeUser => ({
  ...(externalUserId !== undefined && { externalUserId }),
  loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: hash, ...rest }],
});

/** @returns the core's id */
async function existing(email: string, externalId?: string): Promise<string> {
  const user = passwordUser(tenant, email, { passwordHash: hash });
  await store.users.putPasswordUser(user);
  if (externalId !== undefined)
    await store.sql('update users set external_id = $2 where user_id = $1', [user.userId, externalId]);
  return user.userId;
}

/** Looks the records up and writes the decisions, in one transaction. */
const change = (users: readonly NativeUser[], of = job, tenants: Record<string, number> = {}) =>
  chunks.transaction(async (chunk) => {
    const { decided } = await look(chunk, of, users, rulesWith(tenants));
    return { decided, isWritten: await chunk.change({ job: of }, decided.changes) };
  });

const imageOf = async (userId: string): Promise<unknown> => {
  const [row] = await store.sql<{ image: unknown }>('select image_of($1, $2) as image', [
    tenant.appNo,
    userId,
  ]);
  return row?.image;
};
const imagesOf = async (of: Job) =>
  store.sql<{ user_id: string; before: unknown; after: unknown }>(
    'select user_id, before, after from import_before_images where job_id = $1 order by user_id',
    [of.id],
  );
const rowOf = async (userId: string) =>
  (await store.sql('select * from users where user_id = $1', [userId]))[0];
const pairs = () =>
  store.sql('select user_id, email from verified_emails where app_no = $1 order by 1, 2', [tenant.appNo]);

describe('the before-images of a job', () => {
  it('are its users as it found and left them', async () => {
    const [a, b] = [await existing('a@b.test', 'a'), await existing('b@b.test', 'b')];
    const untouched = await existing('c@b.test', 'c');
    const before = [await imageOf(a), await imageOf(b), await imageOf(untouched)];
    const users = [
      record('a@b.test', 'a', { passwordHash: bcryptHash(2) }),
      { ...record('moved@b.test', 'b'), userMetadata: { level: 1 } },
      { ...record('new@b.test', 'new'), userMetadata: {} },
      record('c@b.test', 'c'),
    ];
    const { decided, isWritten } = await change(users);
    expect(isWritten).toBe(true);
    expect(decided.counts).toEqual({ created: 1, updated: 2, unchanged: 1, skipped: 0 });
    expect(await imagesOf(job)).toEqual([
      { user_id: a, before: before[0], after: await imageOf(a) },
      { user_id: b, before: before[1], after: await imageOf(b) },
      { user_id: untouched, before: before[2], after: await imageOf(untouched) },
    ]);
    expect(before[2]).toMatchObject({ user: { base: null } });
    expect(decided.rebased).toBe(1);
    expect(await imageOf(b)).toMatchObject({
      user: { email: 'moved@b.test', password_hash: hash },
      identities: [{ kind: 1, user_id: b }],
      details: { metadata: { level: 1 } },
    });
    expect(before[1]).toMatchObject({ user: { email: 'b@b.test' }, details: null });
    expect(await imageOf(untouched)).toMatchObject({ user: { import_job: null } });
  });

  it('keep the first one of a user who changes twice, and the last one after that', async () => {
    const user = await existing('a@b.test', 'a');
    const first = await imageOf(user);
    await change([record('b@b.test', 'a')]);
    await change([record('c@b.test', 'a', { passwordHash: bcryptHash(2) })]);
    expect(await imagesOf(job)).toEqual([{ user_id: user, before: first, after: await imageOf(user) }]);
    const second = await newJob(store.database, tenant);
    const between = await imageOf(user);
    await change([record('d@b.test', 'a')], second);
    expect(await imagesOf(second)).toEqual([{ user_id: user, before: between, after: await imageOf(user) }]);
    expect((await imagesOf(job))[0]?.after).toEqual(between);
  });

  it('have one of a head whose details alone change', async () => {
    const user = await existing('a@b.test', 'a');
    const before = await imageOf(user);
    await change([{ ...record('a@b.test', 'a'), userRoles: [{ role: 'r' }] }]);
    expect(await imagesOf(job)).toEqual([{ user_id: user, before, after: await imageOf(user) }]);
    expect(await imageOf(user)).toMatchObject({ details: { roles: [{ role: 'r' }], metadata: null } });
  });
});

describe('a changed email', () => {
  it('stays verified for when it comes back', async () => {
    const user = await existing('a@b.test', 'ext');
    await store.sql('update users set email_verified = true where user_id = $1', [user]);
    await change([record('b@b.test', 'ext')]);
    expect(await rowOf(user)).toMatchObject({ email: 'b@b.test', email_verified: false });
    expect(await pairs()).toEqual([{ user_id: 'ext', email: 'a@b.test' }]);
    await change([record('a@b.test', 'ext')]);
    expect(await rowOf(user)).toMatchObject({ email: 'a@b.test', email_verified: true });
    const find = (email: string) => credentialOf(store, tenant, email);
    expect(await find('b@b.test')).toBeUndefined();
    expect(await find('a@b.test')).toMatchObject({ passwordHash: hash });
  });

  it('that was never verified leaves nothing behind', async () => {
    await existing('a@b.test', 'ext');
    await change([record('b@b.test', 'ext')]);
    expect(await pairs()).toEqual([]);
  });

  it('takes the identity out of all tenants of its user, and of no other', async () => {
    const other = await store.newTenant(tenant);
    const [user, bystander] = [await existing('a@b.test', 'ext'), passwordUser(other, 'b@b.test')];
    await store.users.putPasswordUser(bystander);
    await alsoIn(store.sql, other, user);
    const moved = record('c@b.test', 'ext', { tenantIds: ['public', 'other'] });
    const { isWritten } = await change([moved], job, { other: other.tenantNo });
    expect(isWritten).toBe(true);
    const identities = await store.sql(
      'select tenant_no, key::text, user_id from identities where app_no = $1 order by user_id, tenant_no',
      [tenant.appNo],
    );
    const key = (email: string) => identityKey(email).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
    expect(identities).toEqual([
      { tenant_no: 0, key: key('c@b.test'), user_id: user },
      { tenant_no: other.tenantNo, key: key('c@b.test'), user_id: user },
      { tenant_no: other.tenantNo, key: key('b@b.test'), user_id: bystander.userId },
    ]);
  });
});

describe('an external id that is adopted', () => {
  it('takes verified pairs and tokens with it', async () => {
    const [user, other] = [await existing('a@b.test'), await existing('other@b.test')];
    for (const id of [user, other]) {
      await store.sql(`insert into verified_emails values ($1, $2, 'former@b.test')`, [tenant.appNo, id]);
      await store.sql(
        `insert into tokens values ($1, 1, sha256($2::text::bytea), 0, $2::text, 'a@b.test', 1)`,
        [tenant.appNo, id],
      );
    }
    await store.sql(`insert into verified_emails values ($1, 'ext', 'former@b.test')`, [tenant.appNo]);
    await change([record('a@b.test', 'ext')]);
    expect(await rowOf(user)).toMatchObject({ external_id: 'ext', email: 'a@b.test' });
    expect(await pairs()).toEqual(
      [
        { user_id: 'ext', email: 'former@b.test' },
        { user_id: other, email: 'former@b.test' },
      ].toSorted((x, y) => (x.user_id < y.user_id ? -1 : 1)),
    );
    const tokens = await store.sql('select user_id from tokens where app_no = $1', [tenant.appNo]);
    expect(tokens.map((row) => Object.values(row)[0] as string).sort()).toEqual([other, 'ext'].sort());
  });

  it('may bring its user a verified email', async () => {
    const user = await existing('a@b.test');
    await store.sql(`insert into verified_emails values ($1, 'ext', 'a@b.test')`, [tenant.appNo]);
    await change([record('a@b.test', 'ext')]);
    expect(await rowOf(user)).toMatchObject({ external_id: 'ext', email_verified: true });
  });
});

describe('a key that another transaction takes meanwhile', () => {
  it.each([
    ['an identity', record('wanted@b.test', 'a'), () => existing('wanted@b.test')],
    ['an external id', record('a@b.test', 'wanted'), () => existing('c@b.test', 'wanted')],
    ['an identity of a new user', record('wanted@b.test'), () => existing('wanted@b.test')],
    ['an external id of a new user', record('new@b.test', 'wanted'), () => existing('c@b.test', 'wanted')],
  ])('costs what was to be changed, and the transaction goes on: %s', async (what, wanting, take) => {
    const isUpdate = !what.includes('new user');
    await existing('a@b.test', what === 'an identity' ? 'a' : undefined);
    await existing('b@b.test', 'b');
    const users = [
      record('b@b.test', 'b', { passwordHash: bcryptHash(2) }),
      { ...wanting, userMetadata: { a: 1 } },
    ];
    await chunks.transaction(async (chunk) => {
      const first = await look(chunk, job, users);
      expect(first.decided.counts).toMatchObject(isUpdate ? { updated: 2 } : { created: 1, updated: 1 });
      await take();
      const before = await tablesOf(store.sql, tenant);
      expect(await chunk.change({ job }, first.decided.changes)).toBe(false);
      const second = await look(chunk, job, users);
      expect(second.holders.identities.length + second.holders.externals.length).toBeGreaterThan(
        first.holders.identities.length + first.holders.externals.length,
      );
      expect(await imagesOf(job)).toEqual([]);
      expect(await tablesOf(store.sql, tenant)).toEqual(before);
      expect(await chunk.change({ job }, changesOf(noWrites(), new FactorSealer(undefined)))).toBe(true);
    });
    expect(await imagesOf(job)).toEqual([]);
  });
});

describe('removed identities', () => {
  it('are those of that user in that tenant', async () => {
    const other = await store.newTenant(tenant);
    const user = await existing('a@b.test');
    await alsoIn(store.sql, other, user);
    const key = identityKey('a@b.test');
    const removed = (rest: object) => {
      const writes = noWrites();
      writes.removedIdentities.push({ tenantNo: 0, kind: 1, key, userId: user, ...rest });
      return chunks.transaction((chunk) =>
        chunk.change({ job }, changesOf(writes, new FactorSealer(undefined))),
      );
    };
    const left = async () =>
      (
        await store.sql<{ n: number }>('select tenant_no as n from identities where app_no = $1 order by 1', [
          tenant.appNo,
        ])
      ).map(({ n }) => n);
    const wrong = [{ userId: uuidv7() }, { tenantNo: 99 }, { kind: 3 }, { key: identityKey('b@b.test') }];
    for (const each of wrong) expect(await removed(each)).toBe(true);
    expect(await left()).toEqual([0, other.tenantNo]);
    expect(await removed({})).toBe(true);
    expect(await left()).toEqual([other.tenantNo]);
  });
});
