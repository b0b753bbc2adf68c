/** Implausible join dates: imported, counted and reported. */
import { expect, it } from 'vitest';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { cognito } from '../../src/exports/providers/cognito.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { convertRow } from '../helpers/framework-exports.ts';
import { person, type TestImports } from '../helpers/imports.ts';
import type { TestStore } from '../helpers/store.ts';
import { useImports } from '../helpers/use-imports.ts';

let store: TestStore;
let imports: TestImports;
let tenant: Tenant;

useImports(
  {
    all: (used) => {
      ({ store, imports } = used);
    },
    each: (own) => {
      tenant = own;
    },
  },
  { chunkBytes: 500 },
);

const joined = (n: number, ...dates: number[]): NativeUser => ({
  externalUserId: `j${n}`,
  loginMethods: dates.map((timeJoinedInMSSinceEpoch, place) => ({
    recipeId: 'passwordless',
    email: `j${n}-${place}@a.test`,
    isPrimary: place === 0,
    timeJoinedInMSSinceEpoch,
  })),
});
const [seconds, sound] = [1_690_000_000, 1_690_000_000_000];
const later = () => Date.now() + 3_600_000;

it('are counted by the record, in an import and its dry run, and those that are rejected are not', async () => {
  const taken = { ...joined(9, seconds), loginMethods: joined(0, seconds).loginMethods };
  const lines = [
    ...Array.from({ length: 20 }, (_, n) => person(n)),
    joined(0, sound),
    joined(1, seconds),
    joined(2, seconds, seconds),
    joined(3, sound, later()),
    taken,
    JSON.stringify(joined(5, seconds)).replace('j5-0@a.test', 'no email'),
  ];
  for (const dryRun of [true, false]) {
    const job = await imports.run(tenant, lines, { dryRun });
    expect(job).toMatchObject({ created: 24, rejected: 2, oddDates: 3 });
    expect(await imports.find(tenant, job.id)).toMatchObject({ oddDates: 3 });
  }
  // Also for existing users.
  expect(await imports.run(tenant, lines)).toMatchObject({ unchanged: 24, oddDates: 3 });
});

it('of the future are that of the import', async () => {
  const before = Date.now();
  await imports.run(tenant, [joined(1, later())]);
  const user = await store.users.findUser(tenant.appNo, 'j1');
  expect(user?.timeJoined).toBeGreaterThanOrEqual(before);
  expect(user?.timeJoined).toBeLessThanOrEqual(Date.now());
});

it.each([
  1_690_000_000.123,
  '1690000000.123',
  '2023-07-22T04:26:40.123Z',
  1_690_000_000_123,
  1_690_000_000_123_456,
])('do not exist where an export says %j', (UserCreateDate) => {
  const user = {
    Username: 'ada',
    Attributes: [{ Name: 'email', Value: 'ada@a.test' }],
    UserCreateDate,
  };
  const converted = convertRow(cognito, user, {}, {});
  expect(converted.ok && converted.user.loginMethods[0]?.timeJoinedInMSSinceEpoch).toBe(1_690_000_000_123);
});
