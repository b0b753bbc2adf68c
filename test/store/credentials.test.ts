/**
 * The hash that a password is checked against: the user's own, and for an email without one that of a neighbour, so that unknown
 * emails cost the same as known ones.
 */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { findCredential, neighbourhood } from '../../src/store/sign-in/credentials.ts';
import { openDatabase } from '../../src/database/database.ts';
import { faultsOf, type Plan } from '../helpers/plans.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { credentialOf, openStoreOn, passwordUser, type TestStore, thirdPartyUser } from '../helpers/store.ts';

const secret = 'known to this test only';
const lowest = '00000000-0000-0000-0000-000000000000';
const highest = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

let database: TestDatabase;
let store: TestStore;
let tenant: Tenant;

beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStoreOn(database.connection);
  await store.sql('update decoy_secret set secret = $1', [secret]);
});
beforeEach(async () => {
  tenant = await store.newApp();
});
afterAll(async () => {
  await store.dispose();
  await database.drop();
});

const uuid = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
const dashed = (hex: string) => hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The position in the circle of keys at which the decoy of an email is sought. */
const placeOf = (where: Tenant, email: string) =>
  dashed(uuid(`${secret} ${where.appNo} ${where.tenantNo} ${email}`));

async function neighbourOf(email: string, where = tenant): Promise<string | undefined> {
  return (await store.users.findCredential(where, email)).neighbour;
}

/** Creates password users by SQL: at chosen keys, which no email could have. A hash of null means no password. */
async function put(keys: Record<string, string | null>, where = tenant): Promise<void> {
  for (const [key, hash] of Object.entries(keys)) {
    const user = passwordUser(where, `${key}@key.test`);
    await store.sql(
      `insert into users (app_no, recipe, email_verified, user_id, time_joined, email, password_hash)
       values ($1, 1, false, $2, 1, $3, $4)`,
      [where.appNo, user.userId, user.email, hash],
    );
    await store.sql('insert into identities values ($1, $2, 1, $3, $4)', [
      where.appNo,
      where.tenantNo,
      key,
      user.userId,
    ]);
  }
}

/** The key at this distance from a place. */
function beyond(place: string, by: bigint): string {
  const sum = (BigInt(`0x${place.replaceAll('-', '')}`) + by) & ((1n << 128n) - 1n);
  return dashed(sum.toString(16).padStart(32, '0'));
}

async function everyTenant(test: (where: Tenant) => Promise<void>): Promise<void> {
  for (const where of [tenant, await store.newTenant(tenant)]) await test(where);
}

describe('the neighbour of an email', () => {
  it('is the user whose key comes first at or after its place', async () => {
    await everyTenant(async (where) => {
      const place = placeOf(where, 'nobody@b.test');
      await put({ [beyond(place, 2n)]: 'second', [beyond(place, -1n)]: 'last' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('second');
      await put({ [beyond(place, 1n)]: 'first' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('first');
      await put({ [place]: 'there' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('there');
    });
  });

  it('is at the beginning when no user comes after the place', async () => {
    await everyTenant(async (where) => {
      const place = placeOf(where, 'nobody@b.test');
      await put({ [beyond(place, -1n)]: 'just before' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('just before');
      await put({ [lowest]: 'the first of all' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('the first of all');
      await put({ [highest]: 'the last of all' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('the last of all');
    });
  });

  it('is no user in an empty tenant, though its app has users', async () => {
    expect(await store.users.findCredential(tenant, 'a@b.test')).toEqual({
      credential: undefined,
      neighbour: undefined,
    });
    await store.users.putPasswordUser(passwordUser(tenant, 'a@b.test'));
    expect(await neighbourOf('a@b.test', await store.newTenant(tenant))).toBeUndefined();
  });

  it('is the user themself without others, and no social user', async () => {
    const own = passwordUser(tenant, 'a@b.test');
    await store.users.putPasswordUser(own);
    await store.users.putThirdPartyUser(thirdPartyUser(tenant, 'g1', { email: 'social@b.test' }));
    const { userId, passwordHash } = own;
    expect(await store.users.findCredential(tenant, 'a@b.test')).toEqual({
      credential: { userId, passwordHash },
      neighbour: passwordHash,
    });
    for (const email of ['social@b.test', 'nobody@b.test'])
      expect(await store.users.findCredential(tenant, email)).toEqual({
        credential: undefined,
        neighbour: passwordHash,
      });
  });

  it('is another one when its hash changes, and when it goes', async () => {
    const place = placeOf(tenant, 'nobody@b.test');
    await put({ [beyond(place, 1n)]: 'first', [beyond(place, 2n)]: 'second' });
    for (let i = 0; i < 3; i++) expect(await neighbourOf('nobody@b.test')).toBe('first');
    await store.sql(
      `update users set password_hash = 'better' where app_no = $1 and password_hash = 'first'`,
      [tenant.appNo],
    );
    expect(await neighbourOf('nobody@b.test')).toBe('better');
    await store.sql('delete from identities where app_no = $1 and key = $2', [
      tenant.appNo,
      beyond(place, 1n),
    ]);
    expect(await neighbourOf('nobody@b.test')).toBe('second');
  });

  it('has a hash: users without one are skipped, round the circle too', async () => {
    await everyTenant(async (where) => {
      const place = placeOf(where, 'nobody@b.test');
      const after = (n: bigint) => beyond(place, n);
      await put({ [after(0n)]: null, [after(1n)]: null, [after(-2n)]: null, [after(-1n)]: 'behind' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('behind');
      await put({ [after(2n)]: 'before' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('before');
    });
  });

  it('is sought among so many and no more', async () => {
    await everyTenant(async (where) => {
      const place = placeOf(where, 'nobody@b.test');
      const without = Array.from({ length: neighbourhood - 1 }, (_, n) => [beyond(place, BigInt(n)), null]);
      await put(Object.fromEntries(without) as Record<string, null>, where);
      await put({ [beyond(place, 1000n)]: 'the last of them' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('the last of them');
      await put({ [beyond(place, 500n)]: null }, where);
      // Nor is he found among the first ones of the circle, unless he is one of these.
      await put({ [lowest]: 'the first of all' }, where);
      expect(await neighbourOf('nobody@b.test', where)).toBe('the first of all');
    });
  });

  it('is of the same tenant', async () => {
    const [one, other] = [await store.newTenant(tenant), await store.newTenant(tenant)];
    const at = (where: Tenant, by: bigint) => beyond(placeOf(where, 'nobody@b.test'), by);
    await put({ [at(tenant, 2n)]: 'of the public one' });
    await put({ [at(tenant, 1n)]: 'of one', [at(other, 1n)]: 'of one' }, one);
    await put({ [at(other, 2n)]: 'of the other' }, other);
    expect(await neighbourOf('nobody@b.test')).toBe('of the public one');
    expect(await neighbourOf('nobody@b.test', one)).toBe('of one');
    expect(await neighbourOf('nobody@b.test', other)).toBe('of the other');
  });

  it('of a public tenant without near users is one of its app’s', async () => {
    const other = await store.newTenant(tenant);
    const place = placeOf(tenant, 'nobody@b.test');
    const crowd = Array.from({ length: neighbourhood }, (_, n) => [beyond(place, BigInt(n)), `hash ${n}`]);
    await put(Object.fromEntries(crowd) as Record<string, string>, other);
    await put({ [beyond(place, -1n)]: 'of the public one' });
    expect(await neighbourOf('nobody@b.test')).toBe('hash 0');
    await store.sql('delete from identities where app_no = $1 and key = $2', [
      tenant.appNo,
      beyond(place, 7n),
    ]);
    expect(await neighbourOf('nobody@b.test')).toBe('of the public one');
    expect(await neighbourOf('nobody@b.test', await store.newTenant(tenant))).toBeUndefined();
  });

  it('is another one for another secret', async () => {
    const users = Array.from({ length: 50 }, (_, n) => passwordUser(tenant, `user${n}@b.test`));
    await Promise.all(users.map((user) => store.users.putPasswordUser(user)));
    const emails = Array.from({ length: 50 }, (_, n) => `nobody${n}@b.test`);
    const all = () => Promise.all(emails.map((email) => neighbourOf(email)));
    const before = await all();
    expect(await all()).toEqual(before);
    await store.sql(`update decoy_secret set secret = 'another'`);
    try {
      const same = (await all()).filter((hash, n) => hash === before[n]);
      expect(same.length).toBeLessThan(10);
    } finally {
      await store.sql('update decoy_secret set secret = $1', [secret]);
    }
  });
});

describe('among many users of four kinds', () => {
  const kinds = { bcrypt: 1200, argon2: 400, scrypt: 300, md5: 100 };
  const kindOf = (hash = '') => hash.split(' ')[0] ?? '';
  const names = Object.entries(kinds).flatMap(([kind, n]) =>
    Array.from({ length: n }, (_, i) => `${kind} ${i}`),
  );

  async function populated(number: number): Promise<Tenant> {
    const made = { ...tenant, tenantNo: number };
    const users = names.map((name) =>
      passwordUser(made, `${name.replace(' ', '')}@b.test`, { passwordHash: name }),
    );
    await store.sql('insert into tenants values ($1, $2, $3) on conflict do nothing', [
      made.appNo,
      number,
      String(number),
    ]);
    await Promise.all(users.map((user) => store.users.putPasswordUser(user)));
    return made;
  }

  it.each([0, 7])('unknown emails draw the mix of tenant %i', async (number) => {
    const where = await populated(number);
    const draws = 4000;
    const emails = Array.from({ length: draws }, (_, n) => `stranger${n}@b.test`);
    const drawn = await Promise.all(emails.map((email) => neighbourOf(email, where)));
    for (const [kind, n] of Object.entries(kinds)) {
      const share = n / names.length;
      // Twice the variance of a random draw of one user: the gaps between keys, which are exponential, add the same amount again.
      const sigma = Math.sqrt(share * (1 - share) * (1 / draws + 1 / names.length));
      const seen = drawn.filter((hash) => kindOf(hash) === kind).length / draws;
      expect(Math.abs(seen - share), kind).toBeLessThan(5 * sigma);
    }
    const users = new Set(drawn);
    expect(users.size).toBeGreaterThan(names.length / 2);
    expect(await Promise.all(emails.slice(0, 500).map((email) => neighbourOf(email, where)))).toEqual(
      drawn.slice(0, 500),
    );
    const known = await Promise.all(
      names.map((name) => credentialOf(store, where, `${name.replace(' ', '')}@b.test`)),
    );
    expect(known.map((each) => each?.passwordHash)).toEqual(names);
  });

  it('every look-up goes along the index of its tenant, without statistics', async () => {
    const live = openDatabase({ target: database.connection, poolSize: 1 });
    try {
      const where = await populated(7);
      const parameters = findCredential.parameters([{ tenant: where, email: 'stranger@b.test' }]);
      const [row] = await live.read<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        `explain (analyze, verbose, format json) ${findCredential.text}`,
        parameters,
      );
      const plan = row?.['QUERY PLAN'][0].Plan;
      if (!plan) throw new Error('no plan');
      expect(faultsOf(plan)).toEqual([]);
      expect(JSON.stringify(plan)).not.toMatch(/"Node Type":"(Incremental )?Sort"/);
      const used = JSON.stringify(plan).match(/"Index Name":"[a-z_]+"/g) ?? [];
      // Two for the tenant's circle, five for the public one's, one for the user.
      expect(used.filter((name) => name.includes('identities_of_tenant_by_key'))).toHaveLength(2);
      expect(used.filter((name) => name.includes('identities_pkey'))).toHaveLength(6);
    } finally {
      await live.close(1000);
    }
  });
});
