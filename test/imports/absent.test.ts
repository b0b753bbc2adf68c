/** Users that the source no longer has: listed, disabled, removed, and restored by an undo. */
import { describe, expect, it } from 'vitest';
import type { Database } from '../../src/database/database.ts';
import type { AbsentUser } from '../../src/imports/absence.ts';
import type { Job } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { scanForAbsent } from '../../src/store/imports/absent/scan.ts';
import { removeUser } from '../../src/store/removal/remove-user.ts';
import { person, type RunOptions, type TestImports } from '../helpers/imports.ts';
import { tablesOf } from '../helpers/merging.ts';
import { google, useEngines, password, recordOf } from '../helpers/semantics.ts';
import { passwordUser, type TestStore } from '../helpers/store.ts';

let imports: TestImports;
let store: TestStore;
let tenant: Tenant;

useEngines((all, own) => {
  tenant = own;
  ({ imports, store } = all);
});

const user = (n: number): NativeUser => ({
  ...recordOf(`id-${n}`, password(`user-${n}@example.com`, { isPrimary: true }), google(`g${n}`)),
  userMetadata: { n },
});
const users = (...numbers: number[]): NativeUser[] => numbers.map(user);
const ten = Array.from({ length: 10 }, (_, n) => n);

const run = (lines: readonly (NativeUser | string)[], options: RunOptions = {}, by = imports) =>
  by.run(tenant, lines, options);

async function listed({ id }: Job): Promise<AbsentUser[]> {
  const all: AbsentUser[] = [];
  for await (const page of imports.absentUsers(tenant, id)) all.push(...page);
  return all;
}
const doneBy = async (job: Job) =>
  Object.fromEntries((await listed(job)).map(({ userId, done }) => [userId, done]));

async function ids(where = 'true'): Promise<string[]> {
  const rows = await store.sql<{ external_id: string }>(
    `select u.external_id from users u
     left join user_details t on t.app_no = u.app_no and t.user_id = u.user_id
     where u.app_no = $1 and u.external_id is not null and (${where}) order by 1`,
    [tenant.appNo],
  );
  return rows.map((row) => row.external_id);
}
const disabled = () => ids(`t.restrictions -> 'isDisabled' = 'true'`);
const absence = (count: number, done: number, rest: object = {}) => ({
  known: 10,
  count,
  done,
  active: 0,
  refused: undefined,
  ...rest,
});

describe('who is not in a whole export', () => {
  it('is listed, and not looked for unless requested', async () => {
    await run(users(...ten));
    const before = await tablesOf(store.sql, tenant);
    expect((await run(users(...ten.slice(1)))).absence).toBeUndefined();
    const job = await run(users(...ten.slice(2)), { absent: 'report' });
    expect(job).toMatchObject({ state: 'done', unchanged: 8, absence: absence(2, 0) });
    expect(await doneBy(job)).toEqual({ 'id-0': 'listed', 'id-1': 'listed' });
    expect(await tablesOf(store.sql, tenant)).toEqual(before);
  });

  it.each(['disable', 'remove'] as const)('is only counted by a dry run: %s', async (absent) => {
    await run(users(...ten));
    const before = await tablesOf(store.sql, tenant);
    const job = await run(users(...ten.slice(3), 77), { absent, dryRun: true });
    expect(job).toMatchObject({ created: 1, unchanged: 7, absence: absence(3, 0) });
    expect(await tablesOf(store.sql, tenant)).toEqual(before);
  });

  it('is disabled until an export has the person again; an undo lifts it', async () => {
    await run(users(...ten));
    const before = await tablesOf(store.sql, tenant);
    const job = await run(users(...ten.slice(2)), { absent: 'disable' });
    expect(job.absence).toEqual(absence(2, 2));
    expect(await doneBy(job)).toEqual({ 'id-0': 'disabled', 'id-1': 'disabled' });
    expect(await disabled()).toEqual(['id-0', 'id-1']);
    const again = await run(users(...ten.slice(1)), { absent: 'disable' });
    expect(again).toMatchObject({ updated: 1, unchanged: 8, absence: absence(1, 0) });
    expect(await disabled()).toEqual(['id-0']);
    expect(await imports.undo(tenant, again.id, false)).toMatchObject({ restored: 1, left: [] });
    expect(await imports.undo(tenant, job.id, false)).toMatchObject({ restored: 2, left: [] });
    expect(await tablesOf(store.sql, tenant)).toEqual(before);
  });

  it('is enabled by the very line that made the person, which would be known by its mark', async () => {
    const lines = ten.map((n) => person(n));
    await run(lines);
    await run(lines.slice(1), { absent: 'disable' });
    expect(await disabled()).toEqual(['legacy-0']);
    expect(await run(lines)).toMatchObject({ updated: 1, unchanged: 9 });
    expect(await disabled()).toEqual([]);
  });

  it('is removed whole, and an undo brings the person back whole', async () => {
    await run(users(...ten));
    const before = await tablesOf(store.sql, tenant);
    const job = await run(users(...ten.slice(2), 77), { absent: 'remove' });
    expect(job.absence).toEqual(absence(2, 2));
    expect(await doneBy(job)).toEqual({ 'id-0': 'removed', 'id-1': 'removed' });
    expect(await ids()).toEqual(
      ten
        .slice(2)
        .map((n) => `id-${n}`)
        .concat('id-77')
        .sort(),
    );
    expect(await imports.undo(tenant, job.id, false)).toEqual({ removed: 1, restored: 2, left: [] });
    expect(await tablesOf(store.sql, tenant)).toEqual(before);
    expect(await run(users(...ten))).toMatchObject({ unchanged: 10 });
  });

  it('comes back by a later import that has the person again, and is then left by the undo', async () => {
    await run(users(...ten));
    const job = await run(users(...ten.slice(2)), { absent: 'remove' });
    expect(await run(users(0))).toMatchObject({ created: 1 });
    const left = [{ userId: 'id-0', reason: 'IDENTITY_TAKEN' }];
    expect(await imports.undo(tenant, job.id, false)).toEqual({ removed: 0, restored: 1, left });
  });

  it('leaves nothing behind when the person is erased after that', async () => {
    await run(users(...ten));
    const job = await run(users(...ten.slice(1)), { absent: 'remove' });
    await removeUser(store.database, tenant.appNo, 'id-0', true);
    const kept = await store.sql('select 1 from import_before_images where job_id = $1', [job.id]);
    expect([kept, await listed(job)]).toEqual([[], []]);
    expect(await imports.undo(tenant, job.id, false)).toEqual({ removed: 0, restored: 0, left: [] });
  });

  it('goes from what is kept when the job is purged', async () => {
    await run(users(...ten));
    const job = await run(users(...ten.slice(1)), { absent: 'remove' });
    expect(await imports.purge(tenant, job.id)).toMatchObject({ absence: absence(1, 1) });
    expect(await listed(job)).toEqual([]);
  });
});

describe('a file that looks like a part of an export', () => {
  const half = users(...ten.slice(5));
  const invalid = [...users(...ten.slice(1)), '{"loginMethods":'];

  it.each([
    ['has half of the users', half, 'ABSENT_TOO_MANY', 5],
    ['has a record that is not valid', invalid, 'ABSENT_UNCERTAIN', 1],
  ] as const)('%s: nobody is removed without absentYes', async (_, lines, refused, count) => {
    await run(users(...ten));
    for (const absent of ['disable', 'remove'] as const) {
      const job = await run(lines, { absent });
      expect(job).toMatchObject({ state: 'done', absence: absence(count, 0, { refused }) });
    }
    expect((await run(lines, { absent: 'report' })).absence).toEqual(absence(count, 0));
    expect([(await ids()).length, await disabled()]).toEqual([10, []]);
    const job = await run(lines, { absent: 'remove', absentYes: true });
    expect(job.absence).toEqual(absence(count, count));
    expect((await ids()).length).toBe(10 - count);
  });
});

/** Requests for a job that has all lines begin it on any core. */
describe('a search on several cores', () => {
  /** A job one of whose lines has stated a user of the tenant: all its users are looked for. */
  async function begun(): Promise<Job> {
    const job = await imports.create(tenant, {
      name: '',
      onConflict: 'update',
      dryRun: false,
      secondFactor: 'flag',
      uploadLength: undefined,
      absent: 'report',
    });
    await store.sql(
      `insert into import_claims (app_no, job_id, kind, key, tenant_no, line)
       values ($1, $2, 1, gen_random_uuid(), 0, 1)`,
      [job.appNo, job.id],
    );
    return job;
  }
  const decide = 'update import_jobs set absent_known = 7 where app_no = $1 and job_id = $2';

  it('is over with the first that ends, and a later one changes nothing', async () => {
    await run(users(...ten));
    const job = await run(users(...ten.slice(1)), { absent: 'report' });
    await scanForAbsent(store.database, { ...job, absence: undefined });
    expect(await doneBy(job)).toEqual({ 'id-0': 'listed' });
    expect((await imports.find(tenant, job.id))?.absence).toEqual(absence(1, 0));
  });

  it('lists no user of a page that another core decided about meanwhile', async () => {
    await run(users(...ten));
    const job = await begun();
    const place = [job.appNo, job.id];
    let late: Promise<void> | undefined;
    await store.database.transaction(async (query) => {
      await query('select 1 from import_jobs where app_no = $1 and job_id = $2 for update', place);
      late = scanForAbsent(store.database, job);
      await expect
        .poll(() =>
          store.sql(
            `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
            [],
          ),
        )
        .toHaveLength(1);
      await query(decide, place);
    });
    await late;
    expect(await listed(job)).toEqual([]);
    expect((await imports.find(tenant, job.id))?.absence?.known).toBe(7);
  });

  it('takes none from a list that another core decided about after its last page', async () => {
    await run(users(...ten));
    const job = await begun();
    const place = [job.appNo, job.id];
    const { database } = store;
    const decidedBefore: Database = {
      ...database,
      async transaction(work, options) {
        await store.sql(decide, place);
        await store.sql('delete from import_claims where app_no = $1 and job_id = $2', place);
        return database.transaction(work, options);
      },
    };
    await scanForAbsent(decidedBefore, job);
    expect(await listed(job)).toHaveLength(10);
    expect((await imports.find(tenant, job.id))?.absence?.known).toBe(7);
  });
});

describe('who counts as absent', () => {
  it('no user who signed up here, came by another source, or is in other tenants', async () => {
    await run(users(...ten));
    const { tenantId } = await store.newTenant(tenant);
    const shop = recordOf('shopper', password('shop@example.com', { tenantIds: [tenantId] }));
    await run([shop]);
    await run([recordOf('other', password('other@example.com'))], { source: 'crm' });
    await store.users.putPasswordUser(passwordUser(tenant, 'here@example.com'));
    const job = await run(users(...ten.slice(1)), { absent: 'report' });
    expect(job.absence).toEqual(absence(1, 0));
    expect(await doneBy(job)).toEqual({ 'id-0': 'listed' });
  });

  it('no user whose record is rejected, is a duplicate, changes everything, or finds an email changed here', async () => {
    await run(users(...ten));
    const [zero = user(0), one = user(1), two = user(2)] = users(0, 1, 2);
    const stranger = recordOf(
      'id-3',
      password('nobody-known@example.com', { passwordHash: `$2b$04$${'x'.repeat(53)}` }),
    );
    const changed = { ...one, userMetadata: { changed: true } };
    const lines = [zero, zero, changed, two, stranger, ...users(4, 5, 6, 7, 8)];
    const job = await run(lines, { absent: 'report', onConflict: 'reject' });
    expect(job.rejected).toBe(3);
    expect(await doneBy(job)).toEqual({ 'id-9': 'listed' });
  });

  it('says who has signed in here since the import before', async () => {
    await run(users(...ten));
    await store.sql(
      `insert into sign_ins (app_no, user_id, last_at)
       select app_no, user_id, $2 from users where app_no = $1 and external_id = 'id-0'`,
      [tenant.appNo, Date.now() + 1000],
    );
    const job = await run(users(...ten.slice(2)), { absent: 'remove' });
    expect(job.absence).toEqual(absence(2, 2, { active: 1 }));
    expect((await listed(job)).filter((each) => each.signedInSince).map((each) => each.userId)).toEqual([
      'id-0',
    ]);
  });

  it('leaves users alone that a request has enabled', async () => {
    await run(users(...ten));
    await store.sql(
      `update user_details t set restrictions = '{"here": {"isDisabled": true}}' from users u
       where u.app_no = $1 and t.app_no = $1 and t.user_id = u.user_id and u.external_id = 'id-0'`,
      [tenant.appNo],
    );
    const job = await run(users(...ten.slice(2)), { absent: 'disable' });
    expect(job.absence).toEqual(absence(2, 1));
    expect(await doneBy(job)).toEqual({ 'id-0': 'left', 'id-1': 'disabled' });
  });
});

it.each(['disable', 'remove'] as const)(
  'goes on where another core died: %s',
  async (absent) => {
    const count = 1200;
    const all = Array.from({ length: count }, (_, n) => user(n));
    await run(all);
    const before = await tablesOf(store.sql, tenant);
    const { id } = await imports.create(tenant, {
      name: '',
      onConflict: 'update',
      dryRun: false,
      secondFactor: 'flag',
      uploadLength: undefined,
      absent,
      absentYes: true,
    });
    await store.sql(
      `create function fail() returns trigger language plpgsql as $$
     begin
       if (select absent_done from import_jobs where job_id = new.job_id) >= 500 then raise 'died'; end if;
       return new;
     end $$;
     create trigger fail before update on import_absent for each row execute function fail()`,
      [],
    );
    const upload = await imports.openUpload(tenant, id, { offset: 0, isWhole: true });
    upload.write(Buffer.from(`${JSON.stringify(user(count - 1))}\n`));
    await expect(upload.end()).rejects.toThrow('died');
    await store.sql('drop trigger fail on import_absent; drop function fail', []);
    const broken = await imports.engine.jobs.find(tenant.appNo, id);
    expect(broken).toMatchObject({ state: 'receiving', absence: { done: 500 } });
    await expect.poll(async () => (await imports.find(tenant, id))?.state).toBe('done');
    const job = await imports.find(tenant, id);
    expect(job?.absence).toMatchObject({ known: count, count: count - 1, done: count - 1 });
    expect((await (absent === 'remove' ? ids() : disabled())).length).toBe(
      absent === 'remove' ? 1 : count - 1,
    );
    expect(await imports.undo(tenant, id, false)).toMatchObject({ restored: count - 1, left: [] });
    expect(await tablesOf(store.sql, tenant)).toEqual(before);
  },
  120_000,
);
