/** A job that compares: it finds what differs, whatever the way of reading, and writes nothing of users. */
import { expect, it } from 'vitest';
import type { Conflict, Job } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { bcryptHash, type TestImports } from '../helpers/imports.ts';
import { inlineThreads, tablesOf } from '../helpers/merging.ts';
import { type Engines, google, password, recordOf, useEngines } from '../helpers/semantics.ts';
import type { TestStore } from '../helpers/store.ts';

let imports: TestImports;
let store: TestStore;
let engines: Engines;
let tenant: Tenant;

useEngines((all, own) => {
  tenant = own;
  engines = all;
  ({ imports, store } = all);
});

const comparing = { dryRun: true, compare: true, absent: 'report' } as const;

async function differences({ id }: Job, by = imports): Promise<unknown[]> {
  const all: Conflict[] = [];
  for await (const page of by.conflicts(tenant, id)) all.push(...page);
  return all.map(({ line, field, group, changed }) => [line, group === 'user' ? 'missing' : field, changed]);
}

async function absent({ id }: Job): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const page of imports.absentUsers(tenant, id))
    all.push(...page.map(({ userId, origin }) => [userId, origin]));
  return all;
}

const simple = (n: number, more: object = {}): NativeUser =>
  recordOf(`id-${n}`, password(`user-${n}@example.com`, more));

const before: NativeUser[] = [
  ...Array.from({ length: 40 }, (_, n) => simple(n)),
  recordOf('social', google('g-1', { email: 'social@example.com' })),
  recordOf('phone', { recipeId: 'passwordless', email: 'p@example.com', phoneNumber: '+4930123454321' }),
  recordOf('linked', password('linked@example.com', { isPrimary: true }), google('g-2')),
];
const after: NativeUser[] = [
  simple(99),
  ...before.slice(0, 20),
  simple(20, { passwordHash: bcryptHash(2) }),
  // A duplicate of a line that was found unchanged.
  simple(3),
  ...before.slice(22, 40),
  recordOf('social', google('g-1', { email: 'another@example.com' })),
  recordOf('phone', { recipeId: 'passwordless', email: 'p@example.com', phoneNumber: '+4930123454322' }),
  recordOf('linked', password('linked@example.com', { isPrimary: true })),
];
const found = [
  [1, 'missing', 'there'],
  [22, 'loginMethods.0.passwordHash', 'there'],
  [42, 'loginMethods.0.email', 'there'],
  [43, 'loginMethods.0.phoneNumber', 'there'],
  [44, 'loginMethods', 'there'],
];

it.each([
  ['one chunk', { chunkBytes: 1_048_576, lanes: 1 }],
  ['a chunk for a few lines, side by side', { chunkBytes: 500, lanes: 3 }],
])('finds the same in %s, and changes no user', async (_name, options) => {
  const by = engines.importsOf(options);
  await by.run(tenant, before);
  const tables = await tablesOf(store.sql, tenant);
  expect(await differences(await by.run(tenant, before, comparing), by)).toEqual([]);
  const job = await by.run(tenant, after, comparing);
  expect(job).toMatchObject({ state: 'done', created: 1, updated: 4, unchanged: 38, rejected: 1 });
  expect(await differences(job, by)).toEqual(found);
  expect((await by.allRejects(tenant, job.id)).map(({ line, code }) => [line, code])).toEqual([
    [23, 'DUPLICATE_IN_JOB'],
  ]);
  expect(await absent(job)).toEqual([['id-21', 'imported']]);
  expect(await tablesOf(store.sql, tenant)).toEqual(tables);
  // The next import finds both as if nothing had been compared.
  expect(await by.run(tenant, before)).toMatchObject({ unchanged: before.length });
});

it('takes a hash that a sign-in has upgraded for the same password, and any other for a change here', async () => {
  await imports.run(tenant, [simple(1), simple(2), simple(3)]);
  const set = (n: number, hash: string) =>
    store.sql(`update users set password_hash = $3 where app_no = $1 and external_id = $2`, [
      tenant.appNo,
      `id-${n}`,
      hash,
    ]);
  await set(1, bcryptHash(11));
  await store.sql(
    `insert into sign_ins (app_no, user_id, upgraded_from, upgraded_to, upgraded_at)
     select u.app_no, u.user_id, hash_mark($2::text), hash_mark(u.password_hash), 1
     from users u where u.app_no = $1 and u.external_id = 'id-1'`,
    [tenant.appNo, bcryptHash(1)],
  );
  await set(2, bcryptHash(12));
  const job = await imports.run(tenant, [simple(1), simple(2), simple(3)], comparing);
  expect(await differences(job)).toEqual([[2, 'loginMethods.0.passwordHash', 'here']]);
});

it('compares metadata with what is stored, whatever the order of its names', async () => {
  const named = (n: number, userMetadata?: NativeUser['userMetadata']): NativeUser => ({
    ...simple(n),
    ...(userMetadata && { userMetadata }),
  });
  const name = { first: 'Ada', last: 'Lovelace', age: 36 };
  const all = Array.from({ length: 6 }, (_, n) => named(n + 1, name));
  await imports.run(tenant, all);
  const put = (n: number, metadata: string | null) =>
    store.sql(
      `update user_details d set metadata = $3::text::jsonb from users u
       where u.app_no = $1 and u.external_id = $2 and d.app_no = u.app_no and d.user_id = u.user_id`,
      [tenant.appNo, `id-${n}`, metadata],
    );
  await put(2, '{"first": "Ada", "last": "King", "age": 36}');
  await put(3, null);
  await put(6, '{"last": "Lovelace", "age": 36.0, "first": "Ada"}');
  const records = [
    named(1, { age: 36, last: 'Lovelace', first: 'Ada' }),
    ...all.slice(1, 3),
    named(4, { ...name, age: 37 }),
    named(5),
    named(6, name),
  ];
  const job = await imports.run(tenant, records, comparing);
  expect(await differences(job)).toEqual([
    [2, 'userMetadata', 'here'],
    [3, 'userMetadata', 'here'],
    [4, 'userMetadata', 'there'],
  ]);
  expect(job).toMatchObject({ updated: 3, unchanged: 3 });
});

it('counts a user that no import has stated as made here, and does not know which side changed a field', async () => {
  await imports.run(tenant, [simple(1)]);
  await store.sql(
    `update users set import_job = null, base = null where app_no = $1 and external_id = 'id-1'`,
    [tenant.appNo],
  );
  const job = await imports.run(tenant, [simple(2)], comparing);
  expect(await absent(job)).toEqual([['id-1', 'made here']]);
  const both = await imports.run(
    tenant,
    [simple(1, { passwordHash: bcryptHash(9), isVerified: true })],
    comparing,
  );
  expect(await differences(both)).toEqual(
    expect.arrayContaining([[1, 'loginMethods.0.passwordHash', 'unknown']]),
  );
});

it('forgets a user who was missing here, is imported, and is removed', async () => {
  const job = await imports.run(tenant, [simple(1), simple(2)], comparing);
  expect(await differences(job)).toHaveLength(2);
  await imports.run(tenant, [simple(1), simple(2)]);
  await store.users.removeUser(tenant.appNo, 'id-1', true);
  expect(await differences(job)).toEqual([[2, 'missing', 'there']]);
});

/** What is changed here, by the user's number. The file repeats all lines as they were imported. */
const changedHere: Readonly<Record<number, string>> = {
  1: `update user_details set metadata = '{"name": "another"}' where app_no = $1 and user_id = $2`,
  2: 'update user_details set metadata = null where app_no = $1 and user_id = $2',
  3: `update users set password_hash = '${bcryptHash(77)}' where app_no = $1 and user_id = $2`,
  4: 'update users set email_verified = not email_verified where app_no = $1 and user_id = $2',
  5: `update user_details set restrictions = '{"isDisabled": true}' where app_no = $1 and user_id = $2`,
  6: `with u as (update users set email = 'here@example.com' where app_no = $1 and user_id = $2 returning user_id)
    update identities i set key = identity_key(1::smallint, 'here@example.com', null, null, null) from u
    where i.app_no = $1 and i.user_id = u.user_id`,
  7: 'insert into identities select app_no, 1, kind, key, user_id from identities where app_no = $1 and user_id = $2',
  // Imported without metadata.
  51: `update users set password_hash = '${bcryptHash(77)}' where app_no = $1 and user_id = $2`,
  52: `insert into user_details (app_no, user_id, restrictions) values ($1, $2, '{"isDisabled": true}')`,
};

it.each([
  // The lines of the changed users, and 20 that have a backslash in their metadata.
  ['by the marks of its lines', false, 20 + Object.keys(changedHere).length],
  ['by its columns', true, 0],
])('finds what was changed here %s', async (_name, allowPlainText, parsedOnceMore) => {
  let parsedAgain = 0;
  const run: typeof inlineThreads.run = (task) => {
    if (task.type === 'parse' && task.plan === undefined) parsedAgain += task.bytes.filter(isLineEnd).length;
    return inlineThreads.run(task);
  };
  const threads = { ...inlineThreads, run };
  const by = engines.importsOf({ chunkBytes: 1_048_576, lanes: 1, allowPlainText, threads });
  const names = ['Ada', 'Zoë 中', '}{', 'a "quoted" one', 'back\\slash', '"userMetadata":{"name":"trap"}'];
  const users = Array.from({ length: 60 }, (_, n) => ({
    // The line of a user with an odd date has no mark.
    ...simple(n, { timeJoinedInMSSinceEpoch: 1_700_000_000_000 }),
    ...(n < 50 && { userMetadata: { name: names[n < 10 ? 0 : n % names.length], userMetadata: { n } } }),
  }));
  await by.run(tenant, users);
  for (const [n, change] of Object.entries(changedHere)) {
    const [user] = await store.sql<{ id: string }>(
      'select user_id as id from users where app_no = $1 and external_id = $2',
      [tenant.appNo, `id-${n}`],
    );
    await store.sql(change, [tenant.appNo, user?.id ?? '']);
  }
  parsedAgain = 0;
  const job = await by.run(tenant, users, comparing);
  expect(await differences(job)).toEqual([
    [2, 'userMetadata', 'here'],
    [3, 'userMetadata', 'here'],
    [4, 'loginMethods.0.passwordHash', 'here'],
    [5, 'loginMethods.0.isVerified', 'here'],
    [7, 'loginMethods.0.email', 'here'],
    [8, 'loginMethods.0.tenantIds', 'here'],
    [52, 'loginMethods.0.passwordHash', 'here'],
  ]);
  expect(parsedAgain).toBe(parsedOnceMore);
});

it('finds a line refused whose metadata is nested too deeply, and the others equal', async () => {
  const users = Array.from({ length: 30 }, (_, n) => simple(n));
  await imports.run(tenant, users);
  const deep = JSON.stringify({ ...simple(7), userMetadata: {} }).replace(
    '"userMetadata":{}',
    `"userMetadata":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}`,
  );
  const job = await imports.run(tenant, [...users.slice(0, 7), deep, ...users.slice(8)], comparing);
  expect(job).toMatchObject({ state: 'done', unchanged: 29, rejected: 1 });
});

const isLineEnd = (byte: number): boolean => byte === 10;
