/** Notes about passwords that were checked without a sign-in: the proof, before the cut-over, that users will be able to sign in. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import type { PasswordCheck, SignInMark } from '../../src/operations/ports/ports.ts';
import { inTurn, openTestStore, passwordUser, type TestStore } from '../helpers/store.ts';

let store: TestStore;
let tenant: Tenant;
let userId: string;

beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  tenant = await store.newApp();
  userId = await newUser('a@b.test');
});
afterAll(() => store.dispose());

async function newUser(email: string): Promise<string> {
  const user = passwordUser(tenant, email, { passwordHash: 'old' });
  await store.users.putPasswordUser(user);
  return user.userId;
}

const check = (isRight: boolean, at: number, rest: Partial<PasswordCheck> = {}) =>
  store.signIns.markCheck({ appNo: tenant.appNo, userId, passwordHash: 'old', isRight, at, ...rest });
const signIn = (at: number, rest: Partial<SignInMark> = {}) =>
  store.signIns.mark({ appNo: tenant.appNo, userId, at, ...rest });

interface Row {
  readonly last_at: number;
  readonly proven_at: number | null;
  readonly is_proven: boolean | null;
  readonly refused_at: number | null;
  readonly refusals: number;
}

async function noted(id = userId): Promise<Row | undefined> {
  const [row] = await store.sql<Row>(
    `select s.last_at, s.proven_at, s.proven_hash = hash_mark(u.password_hash) as is_proven, s.refused_at, s.refusals
     from sign_ins s join users u using (app_no, user_id) where s.app_no = $1 and s.user_id = $2`,
    [tenant.appNo, id],
  );
  return row;
}

const nothing: Row = { last_at: 0, proven_at: null, is_proven: null, refused_at: null, refusals: 0 };

describe('a check', () => {
  it('that is right proves the hash and is no sign-in', async () => {
    await check(true, 5);
    expect(await noted()).toEqual({ ...nothing, proven_at: 5, is_proven: true });
  });

  it('that is wrong is counted until a right one comes', async () => {
    for (const at of [1, 2, 3]) await check(false, at);
    expect(await noted()).toEqual({ ...nothing, refused_at: 3, refusals: 3 });
    await check(true, 4);
    expect(await noted()).toEqual({ ...nothing, proven_at: 4, is_proven: true, refused_at: 3 });
    await check(false, 5);
    expect(await noted()).toMatchObject({ proven_at: 4, is_proven: true, refused_at: 5, refusals: 1 });
  });

  it('proves no other hash than the one it was right for', async () => {
    await check(true, 1);
    await store.users.putPasswordUser(passwordUser(tenant, 'a@b.test', { passwordHash: 'imported again' }));
    expect(await noted()).toMatchObject({ proven_at: 1, is_proven: false });
    await check(true, 2, { passwordHash: 'imported again' });
    expect(await noted()).toMatchObject({ proven_at: 2, is_proven: true });
    await check(true, 2, { passwordHash: 'old' });
    expect(await noted()).toMatchObject({ is_proven: false });
  });

  it('leaves the last sign-in alone, in either order', async () => {
    await signIn(7);
    await check(false, 9);
    await check(true, 10);
    expect(await noted()).toMatchObject({ last_at: 7, proven_at: 10, refused_at: 9, refusals: 0 });
    const other = (userId = await newUser('b@b.test'));
    await check(true, 10);
    await signIn(7);
    expect(await noted(other)).toMatchObject({ last_at: 7, proven_at: 10 });
  });

  it('of a user who is gone leaves nothing', async () => {
    await store.users.removeUser(tenant.appNo, userId, true);
    await check(true, 1);
    expect(await store.sql('select 1 from sign_ins where app_no = $1', [tenant.appNo])).toEqual([]);
  });

  it('goes with the user', async () => {
    await check(false, 1);
    await store.users.removeUser(tenant.appNo, userId, true);
    expect(await store.sql('select 1 from sign_ins where app_no = $1', [tenant.appNo])).toEqual([]);
  });
});

describe('a sign-in', () => {
  it('with a password proves the hash, and ends the refusals', async () => {
    await check(false, 1);
    await signIn(2, { passwordHash: 'old' });
    expect(await noted()).toEqual({
      last_at: 2,
      proven_at: 2,
      is_proven: true,
      refused_at: 1,
      refusals: 0,
    });
  });

  it('without one proves nothing', async () => {
    await check(false, 1);
    await signIn(2);
    expect(await noted()).toEqual({ ...nothing, last_at: 2, refused_at: 1, refusals: 1 });
  });

  it('that comes late takes nothing back', async () => {
    await signIn(9, { passwordHash: 'old' });
    await signIn(5, { passwordHash: 'another' });
    expect(await noted()).toMatchObject({ last_at: 9, proven_at: 9, is_proven: true });
  });

  it('that was verified before an upgrade and noted after it leaves the new hash proven', async () => {
    const { appNo } = tenant;
    expect(await store.users.upgradeHash({ appNo, userId, from: 'old', to: 'new', at: 10 })).toBe(true);
    expect(await noted()).toMatchObject({ is_proven: true });
    await signIn(11, { passwordHash: 'old' });
    await check(true, 12);
    expect(await noted()).toMatchObject({ last_at: 11, proven_at: 12, is_proven: true });
    await signIn(13, { passwordHash: 'new' });
    expect(await noted()).toMatchObject({ last_at: 13, proven_at: 13, is_proven: true });
  });
});

describe('many at once', () => {
  it('come out as if they had come one after the other', async () => {
    await Promise.all([
      check(false, 1),
      check(true, 2, { passwordHash: 'older' }),
      check(false, 3),
      check(true, 4),
      check(false, 5),
      check(false, 6),
    ]);
    expect(await noted()).toEqual({
      last_at: 0,
      proven_at: 4,
      is_proven: true,
      refused_at: 6,
      refusals: 2,
    });
  });

  it('of two cores count each, and neither sees a deadlock', async () => {
    const cores = [store, store.anotherCore()];
    const ids = await Promise.all(Array.from({ length: 50 }, (_, n) => newUser(`user${n}@b.test`)));
    const order = [...ids, ...ids.toReversed()];
    await Promise.all(
      order.flatMap((id, n) => {
        const each = { appNo: tenant.appNo, userId: id, passwordHash: 'old', isRight: false, at: n };
        return [inTurn(cores, n).signIns.markCheck(each), inTurn(cores, n + 1).signIns.markCheck(each)];
      }),
    );
    const rows = await Promise.all(ids.map((id) => noted(id)));
    expect(rows.map((row) => row?.refusals)).toEqual(ids.map(() => 4));
  });
});
