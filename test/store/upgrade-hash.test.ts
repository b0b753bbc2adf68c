/** A hash that a sign-in replaces, and the effects of later imports, changes and undos. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { OnConflict } from '../../src/imports/model.ts';
import { hashMark } from '../../src/domain/digests.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { bcryptHash, openTestImports, person, type TestImports } from '../helpers/imports.ts';
import { someoneWaits } from '../helpers/merging.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { openStoreOn, passwordUser, type TestStore } from '../helpers/store.ts';

const at = Date.UTC(2026, 5, 1);
const counts = { created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };

let database: TestDatabase;
let store: TestStore;
let imports: TestImports;
let tenant: Tenant;
beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStoreOn(database.connection);
  imports = openTestImports(database.connection);
});
beforeEach(async () => {
  tenant = await store.newApp();
});
afterAll(async () => {
  await imports.dispose();
  await store.dispose();
  await database.drop();
});

interface StoredUser {
  readonly userId: string;
  readonly email: string;
  readonly passwordHash: string;
}

const stored = () =>
  store.sql<StoredUser>(
    `select user_id as "userId", email, password_hash as "passwordHash" from users where app_no = $1 order by email`,
    [tenant.appNo],
  );
const hashes = async () => (await stored()).map(({ passwordHash }) => passwordHash);
const marks = (appNo = tenant.appNo) =>
  store.sql(
    `select last_at as "lastAt", proven_at as "provenAt", encode(proven_hash, 'hex') as proven, upgraded_at as "upgradedAt",
       encode(upgraded_from, 'hex') as "from", encode(upgraded_to, 'hex') as "to"
     from sign_ins where app_no = $1 order by user_id`,
    [appNo],
  );

async function imported(passwordHash: string, email = 'a@b.test'): Promise<string> {
  await store.users.putPasswordUser(passwordUser(tenant, email, { passwordHash }));
  return (await stored()).find((user) => user.email === email)?.userId ?? '';
}

const upgrade = (userId: string, from: string, to: string) =>
  store.users.upgradeHash({ appNo: tenant.appNo, userId, from, to, at });

describe('a mark', () => {
  it.each(['', '$2b$04$x', 'salt with é and 😀', 'x'.repeat(5000)])(
    'is the same here and in SQL: %#',
    async (text) => {
      const [row] = await store.sql<{ mark: string }>(`select encode(hash_mark($1), 'hex') as mark`, [text]);
      expect(hashMark(text)).toBe(row?.mark);
    },
  );
});

describe('an upgrade', () => {
  it('replaces the hash that was verified, and notes which it was', async () => {
    const id = await imported('old');
    await imported('other', 'b@b.test');
    expect(await upgrade(id, 'old', 'new')).toBe(true);
    expect(await hashes()).toEqual(['new', 'other']);
    expect(await marks()).toEqual([
      {
        lastAt: 0,
        provenAt: at,
        proven: hashMark('new'),
        upgradedAt: at,
        from: hashMark('old'),
        to: hashMark('new'),
      },
    ]);
  });

  it('leaves a hash that was replaced since, and a user who is gone', async () => {
    const id = await imported('old');
    await imported('newer');
    expect(await upgrade(id, 'old', 'new')).toBe(false);
    expect(await hashes()).toEqual(['newer']);
    await store.users.removeUser(tenant.appNo, id, true);
    expect(await upgrade(id, 'newer', 'new')).toBe(false);
    expect(await marks()).toEqual([]);
  });

  it('waits for a change under way, and leaves what that one set', async () => {
    const id = await imported('old');
    const isLocked = Promise.withResolvers<undefined>();
    const changing = store.database.transaction(async (query) => {
      await query(`update users set password_hash = 'changed' where user_id = $1`, [id]);
      isLocked.resolve(undefined);
      await someoneWaits(store.sql);
    });
    await isLocked.promise;
    expect(await upgrade(id, 'old', 'new')).toBe(false);
    await changing;
    expect(await hashes()).toEqual(['changed']);
  });

  it('happens once of 100 at the same time, over two cores', async () => {
    const id = await imported('old');
    const another = store.anotherCore();
    const done = await Promise.all(
      Array.from({ length: 100 }, (_, n) => {
        const { users } = n % 2 === 0 ? store : another;
        return users.upgradeHash({ appNo: tenant.appNo, userId: id, from: 'old', to: `new ${n}`, at });
      }),
    );
    expect(done.filter(Boolean)).toHaveLength(1);
    expect(await hashes()).toEqual([`new ${done.indexOf(true)}`]);
  });

  it('keeps when the user signed in last, and the mark of the hash before the first upgrade', async () => {
    const id = await imported('old');
    await store.sql('insert into sign_ins (app_no, user_id, last_at) values ($1, $2, 7)', [tenant.appNo, id]);
    await upgrade(id, 'old', 'new');
    await upgrade(id, 'new', 'newest');
    expect(await marks()).toMatchObject([{ lastAt: 7, from: hashMark('old'), to: hashMark('newest') }]);
    await imported('imported');
    await upgrade(id, 'imported', 'better');
    expect(await marks()).toMatchObject([{ from: hashMark('imported'), to: hashMark('better') }]);
  });
});

describe('a single import afterwards', () => {
  it('of the hash that was replaced changes nothing, of any other it does', async () => {
    const id = await imported('old');
    await upgrade(id, 'old', 'new');
    const again = await store.users.putPasswordUser(
      passwordUser(tenant, 'a@b.test', { passwordHash: 'old' }),
    );
    expect(again).toEqual({ outcome: 'existing', userId: id });
    expect(await hashes()).toEqual(['new']);
    await imported('another');
    expect(await hashes()).toEqual(['another']);
  });

  it('is heeded again once the password was changed: then the old hash is another password', async () => {
    const id = await imported('old');
    await upgrade(id, 'old', 'new');
    await store.users.changeUser({ appNo: tenant.appNo, userId: id, passwordHash: 'chosen' });
    await imported('old');
    expect(await hashes()).toEqual(['old']);
    expect(await upgrade(id, 'old', 'new again')).toBe(true);
    await imported('old');
    expect(await hashes()).toEqual(['new again']);
  });
});

describe('a bulk import afterwards', () => {
  const people = Array.from({ length: 40 }, (_, n) => person(n));
  const run = async (users = people, onConflict: OnConflict = 'update') => {
    const { created, updated, unchanged, skipped, rejected } = await imports.run(tenant, users, {
      onConflict,
    });
    return { created, updated, unchanged, skipped, rejected };
  };
  async function upgradeSome(isMeant: (n: number) => boolean): Promise<void> {
    const users = await stored();
    await Promise.all(
      users
        .filter((_, n) => isMeant(n))
        .map(({ userId, email, passwordHash }) => upgrade(userId, passwordHash, `new of ${email}`)),
    );
  }

  it.each([
    ['some', (n: number) => n % 20 === 0],
    ['half', (n: number) => n % 2 === 0],
    ['all', () => true],
  ])('of the same file finds all users unchanged when %s were upgraded', async (_, isMeant) => {
    await run();
    await upgradeSome(isMeant);
    const before = await hashes();
    for (const onConflict of ['update', 'skip', 'reject'] as const)
      expect(await run(people, onConflict)).toEqual({ ...counts, unchanged: 40 });
    expect(await hashes()).toEqual(before);
  });

  it('finds them unchanged when it decides records individually, too', async () => {
    const verified = people.map((user, n) => ({ ...user, userMetadata: { n } }));
    await run();
    await upgradeSome(() => true);
    const before = await hashes();
    expect(await run(verified)).toEqual({ ...counts, updated: 40 });
    expect(await run(verified)).toEqual({ ...counts, unchanged: 40 });
    expect(await hashes()).toEqual(before);
  });

  it('keeps an upgraded hash against one that is new at the source, unless theirs are to count', async () => {
    await run();
    await upgradeSome(() => true);
    const changed = people.map((user, n) => ({
      ...user,
      loginMethods: user.loginMethods.map((method) => ({ ...method, passwordHash: bcryptHash(n + 1000) })),
    }));
    const before = await hashes();
    expect(await run(changed, 'reject')).toEqual({ ...counts, rejected: 40 });
    expect(await hashes()).toEqual(before);
    expect(await run(changed, 'theirs')).toEqual({ ...counts, updated: 40 });
    expect(await hashes()).toContain(bcryptHash(1007));
    expect(await run(changed)).toEqual({ ...counts, unchanged: 40 });
    // A hash that this import replaced counts as a different password.
    expect(await run()).toEqual({ ...counts, updated: 40 });
    expect(await hashes()).toContain(bcryptHash(7));
  });

  it('leaves the password that was changed after the upgrade', async () => {
    await run();
    await upgradeSome((n) => n === 0);
    const [first] = await stored();
    await store.users.changeUser({
      appNo: tenant.appNo,
      userId: first?.userId ?? '',
      passwordHash: 'chosen by the user',
    });
    expect(await run()).toEqual({ ...counts, unchanged: 40 });
    expect(await hashes()).toContain('chosen by the user');
  });
});

describe('an undo', () => {
  const signIn = (userId: string) =>
    store.signIns.mark({ appNo: tenant.appNo, userId, at: Date.now() + 60_000, passwordHash: bcryptHash(1) });

  it('leaves users that the import created and a sign-in upgraded, except with force', async () => {
    const job = await imports.run(tenant, [person(1), person(2)]);
    const [user] = await stored();
    await signIn(user?.userId ?? '');
    await upgrade(user?.userId ?? '', user?.passwordHash ?? '', 'new');
    expect(await imports.undo(tenant, job.id, false)).toMatchObject({
      removed: 1,
      left: [{ reason: 'SIGNED_IN' }],
    });
    expect(await hashes()).toEqual(['new']);
    expect(await imports.undo(tenant, job.id, true)).toMatchObject({ removed: 1, left: [] });
    expect([await hashes(), await marks()]).toEqual([[], []]);
  });

  it('leaves users that the import changed and a sign-in upgraded, and puts them back with force', async () => {
    await imports.run(tenant, [person(1)]);
    const job = await imports.run(tenant, [{ ...person(1), userMetadata: { a: 1 } }]);
    const [user] = await stored();
    // Signed in before the import, upgraded after it.
    await upgrade(user?.userId ?? '', user?.passwordHash ?? '', 'new');
    expect(await imports.undo(tenant, job.id, false)).toMatchObject({
      restored: 0,
      left: [{ reason: 'CHANGED_SINCE' }],
    });
    expect(await hashes()).toEqual(['new']);
    expect(await imports.undo(tenant, job.id, true)).toMatchObject({ restored: 1, left: [] });
    // The password is the same: it will be upgraded again.
    expect(await hashes()).toEqual([bcryptHash(1)]);
  });
});
