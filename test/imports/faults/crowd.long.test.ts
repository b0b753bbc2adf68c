/** The same people sent by several clients at the same time. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Job } from '../../../src/imports/model.ts';
import type { NativeUser } from '../../../src/imports/record/native-record.ts';
import type { Tenant } from '../../../src/domain/model.ts';
import { randomNumbers, shuffled } from '../../helpers/bulk-files.ts';
import { openStage, type Stage } from '../../helpers/bulk-stage.ts';
import { faultsOf } from '../../helpers/bulk-tables.ts';
import { openTestImports, person, type TestImports } from '../../helpers/imports.ts';
import { openStoreOn, type TestStore } from '../../helpers/store.ts';
import { createMigratedDatabase, type TestDatabase } from '../../helpers/postgres.ts';

let database: TestDatabase;
let store: TestStore;
let cores: readonly TestImports[];
let tenant: Tenant;
const seed = 20_260_101;

beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStoreOn(database.connection);
  cores = [1, 2].map(() => openTestImports(database.connection, { chunkBytes: 16_384 }));
});
beforeEach(async () => {
  tenant = await store.newApp();
});
afterEach(async () => {
  expect(await faultsOf(database.connection)).toEqual([]);
});
afterAll(async () => {
  for (const core of cores) await core.dispose();
  await store.dispose();
  await database.drop();
});

/** Simple users and linked ones. */
const people = (count: number): NativeUser[] =>
  Array.from({ length: count }, (_, n): NativeUser => {
    if (n % 8 > 0) return person(n);
    const social = {
      recipeId: 'thirdparty',
      email: `person-${n}@example.com`,
      thirdPartyId: 'google',
      thirdPartyUserId: `g-${n}`,
      timeJoinedInMSSinceEpoch: 1,
    } as const;
    const [password] = person(n).loginMethods;
    if (password === undefined) throw new Error('no login method');
    return { externalUserId: `legacy-${n}`, loginMethods: [{ ...password, isPrimary: true }, social] };
  });

/** Four clients at once, on these cores in turn. */
function together(engines: readonly TestImports[], files: (client: number) => NativeUser[]): Promise<Job[]> {
  const runs = [0, 1, 2, 3].map((client) => {
    const core = engines[client % engines.length];
    if (core === undefined) throw new Error('no core');
    return core.run(tenant, files(client));
  });
  return Promise.all(runs);
}

async function expectEachOnce(jobs: readonly Job[], count: number): Promise<void> {
  const sum = (key: 'created' | 'unchanged' | 'updated' | 'skipped' | 'rejected') =>
    jobs.reduce((total, job) => total + job[key], 0);
  expect(jobs.map(({ state }) => state)).toEqual(Array(4).fill('done'));
  expect([sum('created'), sum('unchanged')]).toEqual([count, 3 * count]);
  expect([sum('updated'), sum('skipped'), sum('rejected')]).toEqual([0, 0, 0]);
  const [row] = await store.sql<{ users: number; externals: number }>(
    'select count(distinct email)::int as users, count(distinct external_id)::int as externals from users where app_no = $1',
    [tenant.appNo],
  );
  expect(row).toEqual({ users: count, externals: count });
}

test.each([1, 2])('the same file by 4 clients, through %i cores: each user once', async (count) => {
  const file = people(1200);
  await expectEachOnce(await together(cores.slice(0, count), () => file), file.length);
});

test.each([1, 2])(
  'the same people in other orders by 4 clients, through %i cores: each user once',
  async (count) => {
    const file = people(600);
    const random = randomNumbers(seed);
    const orders = [0, 1, 2, 3].map(() => shuffled(file, random));
    await expectEachOnce(
      await together(cores.slice(0, count), (client) => orders[client] ?? []),
      file.length,
    );
  },
);

test('files that each say something else about the same people: the last one counts, and all of them end', async () => {
  const file = people(600).filter((_, n) => n % 8 > 0);
  const random = randomNumbers(seed);
  const jobs = await together(cores, (client) =>
    shuffled(file, random).map((user) => ({ ...user, userMetadata: { client } })),
  );
  const handled = jobs.map(({ created, updated, unchanged }) => created + updated + unchanged);
  expect(handled).toEqual(Array(4).fill(file.length));
  expect(jobs.reduce((total, { created }) => total + created, 0)).toBe(file.length);
});

test('one job through two cores at once: one of them goes on, the other is refused, nothing comes twice', async () => {
  const stage: Stage = await openStage({ lines: 1500, database });
  const place = await stage.newPlace();
  const whole = await stage.undisturbed();
  const { id } = await stage.imports.create(place.tenant, {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    uploadLength: place.file.length,
  });
  const outcomes = await Promise.allSettled(
    cores.map(async (core) => {
      const upload = await core.openUpload(place.tenant, id, { offset: 0 });
      for (let from = 0; from < place.file.length; from += 20_000)
        if (!upload.write(place.file.subarray(from, from + 20_000))) await upload.ready();
      return upload.end();
    }),
  );
  const refused = outcomes.flatMap((each) =>
    each.status === 'rejected' ? [each.reason as { code: string }] : [],
  );
  for (const { code } of refused) expect(['UPLOAD_OFFSET_CONFLICT', 'UPLOAD_GONE']).toContain(code);
  expect(refused.length).toBeGreaterThan(0);
  for (let job = await stage.imports.find(place.tenant, id); job?.state === 'receiving';) {
    const upload = await stage.imports.openUpload(place.tenant, id, { offset: job.bytes });
    if (!upload.write(place.file.subarray(job.bytes))) await upload.ready();
    job = await upload.end();
  }
  expect(await stage.outcomeOf(place, id)).toEqual(whole);
  await stage.dispose();
});
