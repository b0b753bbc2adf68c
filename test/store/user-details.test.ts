import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import {
  inTurn,
  link,
  useStore,
  passwordUser,
  putDetails,
  putPasswordless,
  thirdPartyUser,
} from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

let store: TestStore;
let tenant: Tenant;

useStore((opened, app) => {
  [store, tenant] = [opened, app];
});

const metadata = { theme: 'dark', nested: { list: [1, null, 'ü'] } };
const totpDevices = [{ secretKey: 'JBSWY3DPEHPK3PXP' }];

async function putPassword(email = 'a@b.test'): Promise<string> {
  const user = passwordUser(tenant, email);
  await store.users.putPasswordUser(user);
  return user.userId;
}

/** A password, a social and a passwordless method that are one user, the first its head. */
async function putLinked(): Promise<[string, string, string]> {
  const social = thirdPartyUser(tenant, 'g1');
  const head = await putPassword();
  await store.users.putThirdPartyUser(social);
  const ids: [string, string, string] = [
    head,
    social.userId,
    await putPasswordless(store.sql, tenant, { phone: '+4912345' }),
  ];
  await link(store.sql, tenant, ids);
  return ids;
}

const find = (id: string) => store.details.metadata(tenant.appNo, id);
const remove = (id: string, all: boolean) => store.users.removeUser(tenant.appNo, id, all);
const mark = (userId: string, at: number) => store.signIns.mark({ appNo: tenant.appNo, userId, at });

async function count(table: 'user_details' | 'sign_ins'): Promise<number> {
  const [row] = await store.sql<{ n: number }>(`select count(*) as n from ${table} where app_no = $1`, [
    tenant.appNo,
  ]);
  return Number(row?.n);
}

async function lastSignIns(): Promise<Record<string, number>> {
  const rows = await store.sql<{ user_id: string; last_at: number }>(
    'select user_id, last_at from sign_ins where app_no = $1',
    [tenant.appNo],
  );
  return Object.fromEntries(rows.map((row) => [row.user_id, row.last_at]));
}

describe('removing', () => {
  it('a user takes details and marks along, and no other user’s', async () => {
    const [gone, kept] = [await putPassword(), await putPassword('b@b.test')];
    for (const id of [gone, kept]) {
      await putDetails(store.sql, tenant, id, { metadata, totpDevices });
      await mark(id, 1);
    }
    await remove(gone, true);
    expect([await count('user_details'), await count('sign_ins')]).toEqual([1, 1]);
    expect(await find(kept)).toEqual(metadata);
  });

  it('a linked user takes them by the id of any method', async () => {
    const ids = await putLinked();
    await putDetails(store.sql, tenant, ids[0], { metadata });
    for (const id of ids) await mark(id, 1);
    await remove(ids[2], true);
    expect([await count('user_details'), await count('sign_ins')]).toEqual([0, 0]);
  });

  it('method by method, the head first, takes the marks of each and the details with the last', async () => {
    const ids = await putLinked();
    await putDetails(store.sql, tenant, ids[0], { metadata });
    for (const id of ids) await mark(id, 1);
    for (const [i, id] of ids.entries()) {
      const left = ids.slice(i);
      expect(Object.keys(await lastSignIns()).sort()).toEqual([...left].sort());
      expect(await find(ids[0])).toEqual(metadata);
      await remove(id, false);
    }
    expect([await count('user_details'), await count('sign_ins')]).toEqual([0, 0]);
  });

  it('all methods individually at the same instant, on two cores, leaves no details behind', async () => {
    const cores = [store, store.anotherCore()];
    for (let round = 0; round < 10; round++) {
      const ids = await putLinked();
      await putDetails(store.sql, tenant, ids[0], { metadata });
      await Promise.all(ids.map((id, i) => inTurn(cores, i).users.removeUser(tenant.appNo, id, false)));
      expect(await count('user_details')).toBe(0);
    }
  });
});

describe('the mark of a sign-in', () => {
  it('is the latest, whatever the order in which marks arrive', async () => {
    const id = await putPassword();
    await mark(id, 1000);
    await mark(id, 1001);
    await mark(id, 500);
    expect(await lastSignIns()).toEqual({ [id]: 1001 });
  });

  it('is set for many at once, and for one many times at once', async () => {
    const ids = await Promise.all(Array.from({ length: 30 }, (_, i) => putPassword(`user${i}@b.test`)));
    const cores = [store, store.anotherCore()];
    const at = (n: number) => ids.map((userId, i) => ({ appNo: tenant.appNo, userId, at: n * 100 + i }));
    const marks = [...at(2), ...at(1).reverse(), ...at(3), ...at(2).reverse()];
    await Promise.all(marks.map((each, i) => inTurn(cores, i).signIns.mark(each)));
    expect(await lastSignIns()).toEqual(Object.fromEntries(ids.map((id, i) => [id, 300 + i])));
  });

  it('is stored of existing users only', async () => {
    await mark(passwordUser(tenant, 'x').userId, 1);
    expect(await count('sign_ins')).toBe(0);
  });

  it('set while the user is removed leaves none behind', async () => {
    const other = store.anotherCore();
    for (let round = 0; round < 10; round++) {
      const id = await putPassword();
      await Promise.all([mark(id, 1), other.users.removeUser(tenant.appNo, id, true), mark(id, 2)]);
      await mark(id, 3);
      expect(await count('sign_ins')).toBe(0);
    }
  });
});
