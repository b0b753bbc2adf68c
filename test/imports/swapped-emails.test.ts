/** Records that pass emails on to each other: in any order, cut anywhere, as a dry run, and undone. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { NewJob } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { countsOf, type TestImports } from '../helpers/imports.ts';
import { tablesOf } from '../helpers/merging.ts';
import { randomOf } from '../helpers/random-records.ts';
import {
  codesOf,
  counts,
  cutters,
  emailOf,
  type Engines,
  numberedUser,
  openEngines,
  password,
  recordOf,
} from '../helpers/semantics.ts';
import type { TestStore } from '../helpers/store.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';

let engines: Engines;
let store: TestStore;
let tenant: Tenant;

beforeAll(async () => {
  engines = await openEngines();
  ({ store } = engines);
});
beforeEach(async () => {
  tenant = await store.newApp();
});
afterAll(() => engines.dispose());

const jobOptions: NewJob = {
  name: '',
  onConflict: 'update',
  dryRun: false,
  secondFactor: 'flag',
  uploadLength: undefined,
};

const users = (count: number): NativeUser[] => Array.from({ length: count }, (_, n) => numberedUser(n));

async function emails(): Promise<Record<string, string>> {
  const rows = await store.sql<{ external_id: string; email: string }>(
    'select external_id, email from users where app_no = $1 order by external_id',
    [tenant.appNo],
  );
  return Object.fromEntries(rows.map((row) => [row.external_id, row.email]));
}

async function bothWays(imports: TestImports, lines: readonly NativeUser[]) {
  const dry = await imports.run(tenant, lines, { dryRun: true });
  const codes = await codesOf(imports, tenant, dry);
  const job = await imports.run(tenant, lines);
  expect([job.state, countsOf(dry)]).toEqual(['done', countsOf(job)]);
  expect(await codesOf(imports, tenant, job)).toEqual(codes);
  return { job, codes };
}

describe.each(cutters)('emails that change hands, %s', (_, options) => {
  let imports: TestImports;
  beforeAll(() => {
    imports = engines.importsOf(options);
  });

  it.each([
    ['two swap theirs', [numberedUser(0, 1), numberedUser(1, 0)]],
    ['three hand theirs on in a ring', [numberedUser(0, 1), numberedUser(1, 2), numberedUser(2, 0)]],
    [
      'who takes one stands before who gives it up',
      [numberedUser(0, 1), numberedUser(1, 2), numberedUser(2, 3)],
    ],
    [
      'who gives one up stands before who takes it',
      [numberedUser(2, 3), numberedUser(1, 2), numberedUser(0, 1)],
    ],
  ])('%s: all are updated, and an undo puts all back', async (_name, lines) => {
    await imports.run(tenant, users(3));
    const before = await tablesOf(store.sql, tenant);
    const { job } = await bothWays(imports, lines);
    expect(countsOf(job)).toEqual(counts({ updated: lines.length }));
    const expected = lines.map(({ externalUserId, loginMethods: [method] }) => [
      externalUserId,
      method?.email,
    ]);
    expect(await emails()).toMatchObject(Object.fromEntries(expected));
    expect(countsOf(await imports.run(tenant, lines))).toEqual(counts({ unchanged: lines.length }));
    expect(await imports.undo(tenant, job.id, false)).toMatchObject({ restored: lines.length, left: [] });
    expect(await tablesOf(store.sql, tenant)).toEqual(before);
  });

  it('a new user takes the email that a later line gives up', async () => {
    await imports.run(tenant, users(1));
    const { job } = await bothWays(imports, [recordOf('new', password(emailOf(0))), numberedUser(0, 5)]);
    expect(countsOf(job)).toEqual(counts({ created: 1, updated: 1 }));
    expect(await emails()).toEqual({ 'id-0': emailOf(5), new: emailOf(0) });
  });

  it('a key that is not released is refused with its line, and so are records waiting for its keys', async () => {
    await imports.run(tenant, users(5));
    const lines = [numberedUser(0, 1), numberedUser(1, 2), numberedUser(2, 4), numberedUser(3, 9)];
    const { job, codes } = await bothWays(imports, lines);
    expect(countsOf(job)).toEqual(counts({ updated: 1, rejected: 3 }));
    expect(codes).toEqual([1, 2, 3].map((line) => [line, 'IDENTITY_TAKEN', 'loginMethods.0.email']));
    const left = await store.sql('select from import_postponed', []);
    expect(left).toEqual([]);
  });
});

it('are decided by another core where the first one died after the last line', async () => {
  let isDead = false;
  const dying = engines.importsOf({
    chunkBytes: 50,
    lanes: 1,
    wrap: (chunks) => ({
      transaction: async (work) => (isDead ? Promise.reject(new Error('died')) : chunks.transaction(work)),
    }),
  });
  await engines.imports.run(tenant, users(2));
  const text = [numberedUser(0, 1), numberedUser(1, 0)].map((line) => `${JSON.stringify(line)}\n`).join('');
  const uploadLength = Buffer.byteLength(text);
  const { id } = await dying.create(tenant, { ...jobOptions, uploadLength });
  const upload = await dying.openUpload(tenant, id, { offset: 0 });
  upload.write(Buffer.from(text));
  await expect.poll(async () => (await dying.engine.jobs.find(tenant.appNo, id))?.bytes).toBe(uploadLength);
  isDead = true;
  await expect(upload.end()).rejects.toThrow('died');
  expect(await emails()).toEqual({ 'id-0': emailOf(0), 'id-1': emailOf(1) });
  const state = async () => (await engines.imports.find(tenant, id))?.state;
  await expect.poll(state).toBe('done');
  expect(await emails()).toEqual({ 'id-0': emailOf(1), 'id-1': emailOf(0) });
  expect(await store.sql('select from import_postponed', [])).toEqual([]);
});

it('forgets what waits when the job is cancelled', async () => {
  await engines.imports.run(tenant, users(2));
  const text = `${JSON.stringify(numberedUser(0, 1))}\n`;
  const { id } = await engines.imports.create(tenant, { ...jobOptions, uploadLength: 2 * text.length });
  const upload = await engines.imports.openUpload(tenant, id, { offset: 0 });
  upload.write(Buffer.from(text));
  await upload.end();
  const waiting = () => store.sql('select line::int from import_postponed where job_id = $1', [id]);
  expect(await waiting()).toEqual([{ line: 1 }]);
  await engines.imports.cancel(tenant, id);
  await expect.poll(waiting).toEqual([]);
});

const count = 50;
/** SWAPS=1000 for the number with which the guarantee was verified. */
const rounds = countOf(longRuns.swappedEmails);

it('gives any of 50 users any of their emails, cut anywhere', { timeout: 3_600_000 }, async () => {
  const sizes = [60, 250, 433, 1000, 2222, 1_048_576];
  const cut = sizes.map((chunkBytes) => engines.importsOf({ chunkBytes, lanes: 1 }));
  await engines.imports.run(tenant, users(count));
  let now = Array.from({ length: count }, (_, n) => n);
  for (let seed = 1; seed <= rounds; seed++) {
    const random = randomOf(seed);
    const shuffled = <Item>(items: readonly Item[]): Item[] =>
      items
        .map((item) => [random(1_000_000), item] as const)
        .sort(([a], [b]) => a - b)
        .map(([, item]) => item);
    const next = shuffled(now);
    const changed = next.filter((email, n) => email !== now[n]).length;
    const imports = cut[seed % cut.length] ?? engines.imports;
    const { job } = await bothWays(imports, shuffled(next.map((email, n) => numberedUser(n, email))));
    expect([seed, countsOf(job)]).toEqual([seed, counts({ updated: changed, unchanged: count - changed })]);
    const expected = next.map((email, n) => [`id-${n}`, emailOf(email)]);
    expect(await emails()).toEqual(Object.fromEntries(expected));
    now = next;
  }
});
