/** Disabled users, through imports: three-way, undone, exported, and the same in whatever way a record is written. */
import { describe, expect, it } from 'vitest';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import type { OperationsContext } from '../../src/operations/context.ts';
import { createOperations } from '../../src/operations/operations.ts';
import {
  bcryptHash,
  openTestImports,
  person,
  type RunOptions,
  type TestImports,
} from '../helpers/imports.ts';
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

const linked = (n: number, rest: Partial<NativeUser> = {}): NativeUser => ({
  externalUserId: `legacy-${n}`,
  loginMethods: [
    { recipeId: 'emailpassword', email: `l${n}@a.test`, passwordHash: bcryptHash(n), isPrimary: true },
    { recipeId: 'thirdparty', email: `l${n}@a.test`, thirdPartyId: 'google', thirdPartyUserId: `g${n}` },
  ],
  ...rest,
});

const run = (lines: readonly NativeUser[], options?: RunOptions) => imports.run(tenant, lines, options);

async function keptOf(externalId: string) {
  return (await store.restrictions.find(tenant.appNo, externalId))?.kept;
}
const isDisabled = async (externalId: string) => (await keptOf(externalId))?.isDisabled === true;
const set = (userId: string, change: { isDisabled?: boolean | number; isHeld?: boolean }) =>
  store.restrictions.change({ appNo: tenant.appNo, userId, ...change });

async function rows(): Promise<number> {
  const [row] = await store.sql<{ count: number }>(
    'select count(*)::int as count from user_details where app_no = $1',
    [tenant.appNo],
  );
  return row?.count ?? -1;
}

describe.each([
  ['a user of one login method', (rest: Partial<NativeUser>) => person(1, rest)],
  ['a linked user', (rest: Partial<NativeUser>) => linked(1, rest)],
])('%s', (_, user) => {
  const id = user({}).externalUserId ?? '';
  /** The source's statements, import by import, or a change here. @returns whether the user is disabled then */
  const after = async (...steps: readonly (boolean | undefined | { here: boolean })[]) => {
    for (const step of steps) {
      if (typeof step === 'object') await set(id, { isDisabled: step.here });
      else await run([user(step === undefined ? {} : { isDisabled: step })]);
    }
    return isDisabled(id);
  };

  it.each([
    ['is as the source says', [true], true],
    ['is free when the source lifts it', [true, false], false],
    ['is disabled when the source does it later', [undefined, true], true],
    ['stays as it is where the record does not say', [true, undefined], true],
    ['stays lifted here while the source has not changed', [true, { here: false }, true], false],
    ['stays disabled here while the source has not changed', [false, { here: true }, false], true],
    ['stays disabled here though the source never said so', [undefined, { here: true }, false], true],
    ['stays disabled here though the source lifts its own', [true, { here: true }, false], true],
    ['is asked again once the source has lifted it too', [true, { here: false }, false, true], true],
    ['is disabled again by a source that changed twice', [true, false, true], true],
    ['is not pinned by a change here that changed nothing', [false, { here: false }, true], true],
  ] as const)('%s', async (_name, steps, expected) => {
    expect(await after(...steps)).toBe(expected);
  });

  const soon = Date.parse('2100-01-01');
  /** A number: disabled until then, by the source or here. @returns until when, or whether without an end */
  const untilAfter = async (
    ...steps: readonly (boolean | number | undefined | { here: boolean | number })[]
  ) => {
    for (const step of steps) {
      if (typeof step === 'object') await set(id, { isDisabled: step.here });
      else if (typeof step === 'number') await run([user({ isDisabled: true, disabledUntil: step })]);
      else await run([user(step === undefined ? {} : { isDisabled: step })]);
    }
    return (await keptOf(id))?.isDisabled ?? false;
  };

  it.each([
    ['as the source says', [soon], soon],
    ['longer when the source extends it', [soon, soon + 1], soon + 1],
    ['for a time when the source shortens it', [true, soon], soon],
    ['for good when the source takes the end away', [soon, true], true],
    ['no more when the source lifts it', [soon, false], false],
    ['no more when the file is imported again and the time has passed', [soon, 1], false],
    ['as before where the record does not say', [soon, undefined], soon],
    ['not, where it was lifted here and the source has not changed', [soon, { here: false }, soon], false],
    ['not, where it was lifted here and the source extends it', [soon, { here: false }, soon + 1], false],
    ['for good as set here, though the source has an end', [soon, { here: true }, soon + 1], true],
    ['until when it was set here, though the source lifts its own', [true, { here: soon }, false], soon],
    ['again by the source once it has lifted it too', [soon, { here: false }, false, soon], soon],
  ] as const)('is disabled until a time: %s', async (_name, steps, expected) => {
    expect(await untilAfter(...steps)).toBe(expected);
  });

  it('is unchanged by the same time, and updated by another', async () => {
    expect(await run([user({ disabledUntil: soon })])).toMatchObject({
      created: 1,
      byState: { disabled: 1 },
    });
    expect(await run([user({ isDisabled: true, disabledUntil: soon })])).toMatchObject({ unchanged: 1 });
    const longer = user({ disabledUntil: soon + 1 });
    const refused = await run([longer], { onConflict: 'reject' });
    expect(await imports.allRejects(tenant, refused.id)).toMatchObject([
      { code: 'ALREADY_EXISTS', field: 'isDisabled' },
    ]);
    const changing = await run([longer]);
    expect(changing).toMatchObject({ updated: 1 });
    expect(await imports.undo(tenant, changing.id, false)).toMatchObject({ restored: 1, left: [] });
    expect(await keptOf(id)).toMatchObject({ isDisabled: soon });
    expect(await run([user({ disabledUntil: 1 })])).toMatchObject({ updated: 1 });
    expect(await run([user({ disabledUntil: 2 })])).toMatchObject({ unchanged: 1 });
  });

  it('is unchanged by the same record, and counted as updated when it says otherwise', async () => {
    const record = user({ isDisabled: true, secondFactors: ['sms', 'totp'], requiredActions: ['B', 'A'] });
    expect(await run([record])).toMatchObject({ created: 1 });
    expect(await run([record])).toMatchObject({ unchanged: 1 });
    const inAnotherOrder = {
      ...record,
      secondFactors: ['totp', 'sms'] as const,
      requiredActions: ['A', 'B', 'A'],
    };
    expect(await run([inAnotherOrder])).toMatchObject({ unchanged: 1 });
    expect(await run([{ ...record, isDisabled: false }], { onConflict: 'skip' })).toMatchObject({
      skipped: 1,
    });
    expect(await isDisabled(id)).toBe(true);
    const refused = await run([{ ...record, isDisabled: false }], { onConflict: 'reject' });
    expect(await imports.allRejects(tenant, refused.id)).toMatchObject([
      { code: 'ALREADY_EXISTS', field: 'isDisabled' },
    ]);
    expect(await run([{ ...record, isDisabled: false }])).toMatchObject({ updated: 1 });
    expect(await isDisabled(id)).toBe(false);
  });

  it('keeps what was lifted of a second factor while the source has not changed', async () => {
    const record = user({ secondFactors: ['sms'] });
    await run([record], { secondFactor: 'refuse' });
    expect(await keptOf(id)).toMatchObject({ isHeld: true });
    await set(id, { isHeld: false });
    expect(await run([record], { secondFactor: 'refuse' })).toMatchObject({ unchanged: 1 });
    expect((await keptOf(id))?.isHeld).toBeUndefined();
    await run([user({ secondFactors: ['sms', 'totp'] })], { secondFactor: 'refuse' });
    expect((await keptOf(id))?.isHeld).toBeUndefined();
  });

  it('is disabled by nothing of a dry run', async () => {
    await run([user({})]);
    expect(await run([user({ isDisabled: true })], { dryRun: true })).toMatchObject({ updated: 1 });
    expect(await isDisabled(id)).toBe(false);
  });

  it('gets back what was, by the undo of the import that changed it', async () => {
    await run([user({ userMetadata: { a: 1 } })]);
    const disabling = await run([user({ isDisabled: true })]);
    const lifting = await run([user({ isDisabled: false })]);
    expect(await isDisabled(id)).toBe(false);
    expect(await imports.undo(tenant, lifting.id, false)).toMatchObject({ restored: 1, left: [] });
    expect(await isDisabled(id)).toBe(true);
    expect(await imports.undo(tenant, disabling.id, false)).toMatchObject({ restored: 1, left: [] });
    expect(await keptOf(id)).toEqual({});
  });

  it('is left by an undo when it was judged here since', async () => {
    const created = await run([user({})]);
    await set(id, { isDisabled: true });
    expect(await imports.undo(tenant, created.id, false)).toMatchObject({
      removed: 0,
      left: [{ userId: id, reason: 'CHANGED_SINCE' }],
    });
    const changing = await run([user({ userMetadata: { a: 1 } })]);
    await set(id, { isDisabled: false });
    expect(await imports.undo(tenant, changing.id, false)).toMatchObject({
      restored: 0,
      left: [{ userId: id, reason: 'CHANGED_SINCE' }],
    });
  });

  it('stays disabled when an import changes other details', async () => {
    await run([user({ isDisabled: true })]);
    await set(id, { isDisabled: true });
    await run([user({ userMetadata: { a: 1 } })]);
    expect(await isDisabled(id)).toBe(true);
  });
});

it('stays disabled when the first login method is removed and the others are changed', async () => {
  await run([linked(1, { isDisabled: true })]);
  const [user] = (await store.users.listUsers({ tenant, limit: 1, order: 'ASC', recipes: [] })).users;
  await store.users.removeUser(tenant.appNo, 'legacy-1', false);
  const google = linked(1).loginMethods.slice(1);
  await run([{ loginMethods: google, userMetadata: { a: 1 } }]);
  const kept = await store.restrictions.find(tenant.appNo, user?.loginMethods[1]?.recipeUserId ?? '');
  expect(kept?.kept).toMatchObject({ isDisabled: true });
});

it('costs nothing for those who are simply not disabled', async () => {
  const lines = Array.from({ length: 200 }, (_, n) => person(n, { isDisabled: false }));
  expect(await run(lines)).toMatchObject({ created: 200 });
  expect(await run(lines)).toMatchObject({ unchanged: 200 });
  expect(await run([...lines, linked(500, { isDisabled: false })])).toMatchObject({
    created: 1,
    unchanged: 200,
  });
  expect(await rows()).toBe(0);
});

it('comes to the same whether users are created at once, individually, or among others', async () => {
  const some = (n: number): NativeUser =>
    person(n, n % 3 === 0 ? { isDisabled: true } : n % 3 === 1 ? { secondFactors: ['sms'] } : {});
  const lines = Array.from({ length: 90 }, (_, n) => some(n));
  const disabled = async () => (await store.restrictions.list(tenant.appNo, undefined, 500)).users.length;
  await run(lines, { secondFactor: 'refuse' });
  expect(await disabled()).toBe(60);
  tenant = await store.newApp();
  await run(lines.slice(0, 5), { secondFactor: 'refuse' });
  const [first, ...rest] = lines;
  if (!first) throw new Error('no lines');
  await run([{ ...first, isDisabled: false }, ...rest], { secondFactor: 'refuse' });
  await run(lines, { secondFactor: 'refuse' });
  expect(await disabled()).toBe(60);
});

it('goes along with an export, from which it is imported again', async () => {
  const lines = [
    person(1, { isDisabled: true }),
    linked(2, { secondFactors: ['sms'], requiredActions: ['UPDATE_PASSWORD'] }),
    person(3, { isDisabled: true }),
    person(4),
    person(5, { disabledUntil: Date.parse('2100-01-01') }),
  ];
  await run(lines, { secondFactor: 'refuse' });
  await set('legacy-3', { isDisabled: false });
  const context = { stores: store, now: Date.now, allowHashExport: true } as unknown;
  let exported = '';
  for await (const page of createOperations(context as OperationsContext).exports.users(tenant))
    exported += page;
  const stated = exported
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as NativeUser)
    .map(({ externalUserId, isDisabled: disabled, disabledUntil, secondFactors, requiredActions }) => [
      externalUserId,
      disabledUntil ?? disabled,
      secondFactors,
      requiredActions,
    ]);
  expect(stated.sort()).toEqual([
    ['legacy-1', true, undefined, undefined],
    ['legacy-2', undefined, ['sms'], ['UPDATE_PASSWORD']],
    ['legacy-3', undefined, undefined, undefined],
    ['legacy-4', undefined, undefined, undefined],
    ['legacy-5', Date.parse('2100-01-01'), undefined, undefined],
  ]);
  tenant = await store.newApp();
  await imports.run(tenant, exported, { secondFactor: 'refuse' });
  const { users } = await store.restrictions.list(tenant.appNo, undefined, 10);
  expect(users.map(({ userId }) => userId).sort()).toEqual(['legacy-1', 'legacy-2', 'legacy-5']);
  expect(await keptOf('legacy-5')).toMatchObject({ isDisabled: Date.parse('2100-01-01') });
});

it('is not lost between an import and a change here at the same time', async () => {
  await run([person(1, { isDisabled: true })]);
  for (let n = 0; n < 20; n++) {
    await Promise.all([
      run([person(1, { userMetadata: { n } })]),
      set('legacy-1', { isDisabled: n % 2 === 0 }),
    ]);
    expect(await isDisabled('legacy-1')).toBe(n % 2 === 0);
  }
});

describe('people by whether they can sign in', () => {
  const some = (from: number, count: number, rest: Partial<NativeUser> = {}) =>
    Array.from({ length: count }, (_, n) => person(from + n, rest));
  const lines: readonly NativeUser[] = [
    ...some(0, 20),
    ...some(100, 5, { isDisabled: true }),
    ...some(200, 4, { isDisabled: true, secondFactors: ['sms'] }),
    ...some(300, 3, { secondFactors: ['sms'], requiredActions: ['UPDATE_PASSWORD'] }),
    ...some(400, 2, { requiredActions: ['UPDATE_PASSWORD'] }),
    ...some(500, 6, { loginMethods: [] }),
    ...Array.from({ length: 7 }, (_, n): NativeUser => ({
      loginMethods: [{ recipeId: 'passwordless', email: `mail${n}@a.test` }],
    })),
    ...some(100, 2, { isDisabled: true }),
    linked(600),
    linked(601, { isDisabled: true }),
  ];
  const byState = { password: 21, code: 7, disabled: 10, secondFactor: 3, requiredAction: 2 };

  it.each([true, false])('are counted without those who are rejected; dry run: %s', async (dryRun) => {
    const cut = openTestImports(database.connection, { chunkBytes: 1024 });
    const job = await cut.run(tenant, lines, { secondFactor: 'refuse', dryRun }).finally(() => cut.dispose());
    expect(job).toMatchObject({ created: 43, rejected: 8, byState });
  });

  it('are counted again by an import of the same file', async () => {
    await run(lines, { secondFactor: 'refuse' });
    expect(await run(lines, { secondFactor: 'refuse' })).toMatchObject({ unchanged: 43, byState });
  });

  it('can all sign in but the disabled where the job only flags', async () => {
    const { byState: flagged } = await run(lines, { secondFactor: 'flag' });
    expect(flagged).toEqual({ password: 26, code: 7, disabled: 10 });
  });
});
