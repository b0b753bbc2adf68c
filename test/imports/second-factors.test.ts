/** Users with a second factor, whose codes are not asked for: held, kept or left out, and always counted. */
import { describe, expect, it } from 'vitest';
import type { Reject } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { bcryptHash, countsOf, openTestImports, person, type TestImports } from '../helpers/imports.ts';
import type { TestDatabase } from '../helpers/postgres.ts';
import type { TestStore } from '../helpers/store.ts';
import { useImports } from '../helpers/use-imports.ts';

let database: TestDatabase;
let store: TestStore;
let imports: TestImports;
let tenant: Tenant;

useImports({
  all: (used) => {
    ({ database, store, imports } = used);
  },
  each: (own) => {
    tenant = own;
  },
});

const totpDevices = [{ secretKey: 'JBSWY3DPEHPK3PXP' }];
const withTotp = (n: number, rest: Partial<NativeUser> = {}) => person(n, { totpDevices, ...rest });
const linked = (n: number): NativeUser => ({
  ...withTotp(n),
  loginMethods: [
    { recipeId: 'emailpassword', email: `l${n}@a.test`, passwordHash: bcryptHash(n), isPrimary: true },
    { recipeId: 'thirdparty', email: `l${n}@a.test`, thirdPartyId: 'google', thirdPartyUserId: `g${n}` },
  ],
});
const people = (count: number, from = 0) => Array.from({ length: count }, (_, n) => person(from + n));

async function devicesKept(): Promise<number> {
  const [row] = await store.sql<{ count: number }>(
    'select count(totp_devices)::int as count from user_details where app_no = $1',
    [tenant.appNo],
  );
  return row?.count ?? -1;
}

async function held(): Promise<number> {
  const { users } = await store.restrictions.list(tenant.appNo, undefined, 500);
  return users.filter(({ kept }) => kept.isHeld).length;
}

async function rejectsOf(id: string) {
  const rejects: Reject[] = [];
  for await (const page of imports.rejects(tenant, id)) rejects.push(...page);
  return rejects;
}

describe('flagged', () => {
  it('are kept and counted, also those that are decided individually, and no rejected ones', async () => {
    await imports.run(tenant, [withTotp(1), person(2), withTotp(3)]);
    const again = withTotp(4);
    const lines = [
      withTotp(1),
      withTotp(2),
      withTotp(3, { userMetadata: { changed: true } }),
      again,
      again,
      linked(5),
      person(6, { secondFactors: ['sms', 'webauthn'] }),
      withTotp(7, { secondFactors: ['totp', 'sms'] }),
      ...people(50, 10),
      withTotp(100, { loginMethods: [] }),
    ];
    const job = await imports.run(tenant, lines, { onConflict: 'reject' });
    expect(countsOf(job)).toEqual({ created: 54, updated: 0, unchanged: 1, skipped: 0, rejected: 4 });
    expect(job).toMatchObject({ secondFactor: 'flag', byFactor: { totp: 4, sms: 2, webauthn: 1 } });
    expect(await devicesKept()).toBe(5);
  });

  it('are summed over all chunks of a job, however it is cut', async () => {
    const lines = [
      ...people(20),
      ...Array.from({ length: 30 }, (_, n) => withTotp(100 + n)),
      ...people(20, 200),
    ];
    const cut = openTestImports(database.connection, { chunkBytes: 2048 });
    const job = await cut.run(tenant, lines, { pieceBytes: 777 }).finally(() => cut.dispose());
    expect(job.byFactor).toEqual({ totp: 30 });
    const dry = await imports.run(await store.newApp(), lines, { dryRun: true });
    expect(dry.byFactor).toEqual({ totp: 30 });
  });

  it('are counted again by an import of the same bytes', async () => {
    const lines = [...people(5), person(9, { secondFactors: ['sms'] })];
    for (const outcome of [{ created: 6 }, { unchanged: 6 }])
      expect(await imports.run(tenant, lines)).toMatchObject({ ...outcome, byFactor: { sms: 1 } });
  });
});

describe('dropped', () => {
  it('are imported without devices, and counted', async () => {
    const job = await imports.run(tenant, [...people(5), withTotp(9), linked(10)], { secondFactor: 'drop' });
    expect(job).toMatchObject({ created: 7, secondFactor: 'drop', byFactor: { totp: 2 } });
    expect(await devicesKept()).toBe(0);
  });

  it('leave what an earlier import kept', async () => {
    await imports.run(tenant, [withTotp(1)]);
    const job = await imports.run(tenant, [withTotp(1)], { secondFactor: 'drop' });
    expect(job).toMatchObject({ unchanged: 1, byFactor: { totp: 1 } });
    expect(await devicesKept()).toBe(1);
  });

  it('get their devices by a later import of the same bytes that keeps them', async () => {
    const lines = [...people(5), withTotp(9)];
    await imports.run(tenant, lines, { secondFactor: 'drop' });
    expect(await imports.run(tenant, lines)).toMatchObject({ updated: 1, unchanged: 5 });
    expect(await devicesKept()).toBe(1);
  });
});

describe('refused', () => {
  it('are imported with all that is known of the factor, counted, and may not sign in', async () => {
    const lines = [person(1), withTotp(2), person(3, { secondFactors: ['sms'] }), linked(4)];
    const job = await imports.run(tenant, lines, { secondFactor: 'refuse' });
    expect(job).toMatchObject({
      created: 4,
      rejected: 0,
      secondFactor: 'refuse',
      byFactor: { totp: 2, sms: 1 },
    });
    expect(await devicesKept()).toBe(2);
    expect(await held()).toBe(3);
  });

  it('are let in by a later import of the same bytes that only flags them, and held again', async () => {
    const lines = [...people(20), withTotp(30)];
    for (const [secondFactor, expected] of [
      ['refuse', 1],
      ['flag', 0],
      ['refuse', 1],
    ] as const) {
      await imports.run(tenant, lines, { secondFactor });
      expect(await held()).toBe(expected);
      expect(await imports.run(tenant, lines, { secondFactor })).toMatchObject({ unchanged: 21 });
    }
  });
});

it('are kept, and hold who has them, by records that belong to no job', async () => {
  expect(await imports.importRecords(tenant, [JSON.stringify(withTotp(1))])).toEqual([undefined]);
  expect([await devicesKept(), await held()]).toEqual([1, 1]);
});

it('that no core knows are refused by their name', async () => {
  const job = await imports.run(tenant, [
    JSON.stringify({ ...person(1), secondFactors: ['totp', 'gesture'] }),
  ]);
  expect(await rejectsOf(job.id)).toMatchObject([{ code: 'INVALID_FIELD', field: 'secondFactors' }]);
});
