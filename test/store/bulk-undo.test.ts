import { openRoleStores } from '../../src/features/roles/store/store.ts';
import { testSeals } from '../helpers/imports.ts';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../src/imports/model.ts';
import type { Tenant } from '../../src/domain/model.ts';
import type { Query } from '../../src/database/database.ts';
import { jobStore } from '../../src/store/imports/jobs/jobs.ts';
import { foreseeUndo, undoJob } from '../../src/store/imports/undo/undo.ts';
import { someoneWaits } from '../helpers/merging.ts';
import {
  alsoIn,
  link,
  openTestStore,
  passwordUser,
  putPasswordless,
  thirdPartyUser,
} from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

const start = Date.UTC(2026, 5, 1);
const nothing = { removed: 0, restored: 0, left: [] };

let store: TestStore;
let tenant: Tenant;
let job: Job;
beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  tenant = await store.newApp();
  job = await newJob();
});
afterAll(() => store.dispose());

let clock = start;

/** A job of the app that has ended. */
async function newJob(): Promise<Job> {
  const jobs = jobStore(store.database);
  const startedAt = clock++;
  const asked = {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    uploadLength: undefined,
  } as const;
  const made = await jobs.create(tenant.appNo, uuidv7({ msecs: startedAt }), asked, startedAt);
  return (await jobs.finish(made, 'done', startedAt)) ?? made;
}

/** One that began at least a millisecond later: within one, an active user counts as active since. */
async function newLaterJob(): Promise<Job> {
  const later = await newJob();
  await store.sql('update import_jobs set begun_at = begun_at + 1 where job_id = $1', [later.id]);
  return later;
}

/** Of users who change meanwhile, or are more than are named. */
/** Emails of the users that are left are for people; a separate test checks them. */
const undoNow = async (force = false, of = job) => {
  const { left, ...done } = await undoJob(store.database, of, { force, seals: testSeals });
  return { ...done, left: left.map(({ userId, reason }) => ({ userId, reason })) };
};
/** The forecast before each undo must equal its result. */
const undo = async (force = false, of = job) => {
  const { left, ...counts } = await foreseeUndo(store.database, of, { force });
  const done = await undoNow(force, of);
  const leftFor = (reason: string): number => done.left.filter((each) => each.reason === reason).length;
  expect({ ...counts, left }).toEqual({
    removed: done.removed,
    restored: done.restored,
    left: {
      SIGNED_IN: leftFor('SIGNED_IN'),
      CHANGED_SINCE: leftFor('CHANGED_SINCE'),
      IDENTITY_TAKEN: leftFor('IDENTITY_TAKEN'),
    },
  });
  return done;
};
const stateOf = async ({ appNo, id }: Job) => (await jobStore(store.database).find(appNo, id))?.state;

/** An existing user. @returns the core's id */
async function existing(email: string): Promise<string> {
  const user = passwordUser(tenant, email);
  await store.users.putPasswordUser(user);
  return user.userId;
}

/** A user that the job creates. @returns the core's id */
async function created(email: string, by = job): Promise<string> {
  const userId = await existing(email);
  await store.sql('update users set import_job = $2 where user_id = $1', [userId, by.id]);
  return userId;
}

/** An import's changes of existing users: it stores their former and their new state. */
async function changed(userIds: readonly string[], change: (query: Query) => Promise<unknown>, by = job) {
  const parameters = [by.id, tenant.appNo, `{${userIds.join(',')}}`];
  await store.database.transaction(async (query) => {
    await query(
      `insert into import_before_images (job_id, app_no, user_id, before, after)
       select $1, $2, id, image_of($2, id), '{}' from unnest($3::uuid[]) id`,
      parameters,
    );
    await change(query);
    await query(
      `update import_before_images set after = image_of($2, user_id) where job_id = $1 and user_id = any($3::uuid[])`,
      parameters,
    );
    await query('update import_jobs set updated = updated + 1, last_commit_at = $2 where job_id = $1', [
      by.id,
      clock++,
    ]);
  });
}

const setHash = (userId: string, hash: string) => (query: Query) =>
  query('update users set password_hash = $2 where user_id = $1', [userId, hash]);

/** Changes the email with its identity. */
const setEmail = (userId: string, email: string) => async (query: Query) => {
  await query(
    `update identities i set key = identity_key(1::smallint, $2, null, null, null)
     from users u, lateral identities_of(u.app_no, u) own
     where u.user_id = $1 and i.app_no = own.app_no and i.kind = own.kind and i.key = own.key and i.tenant_no = own.tenant_no`,
    [userId, email],
  );
  await query('update users set email = $2, email_verified = false where user_id = $1', [userId, email]);
};

/** @param at by the clock of the core that began the job; the database's clock is as far from the job's beginning */
const signIn = (userId: string, at: number) =>
  store.sql(
    `insert into sign_ins (app_no, user_id, last_at, signed_in_at)
     select j.app_no, $2::uuid, $3::bigint, j.begun_at + ($3::bigint - j.started_at) from import_jobs j where j.app_no = $1::int and j.job_id = $4::uuid`,
    [tenant.appNo, userId, at, job.id],
  );

/** Everything stored for the app's users. */
async function everything() {
  const tables = [
    'users',
    'identities',
    'user_details',
    'user_roles',
    'verified_emails',
    'tokens',
    'external_id_info',
    'sign_ins',
  ];
  const rows = await Promise.all(
    tables.map(async (table) => [
      table,
      await store.sql(`select t.* from ${table} t where t.app_no = $1 order by t::text`, [tenant.appNo]),
    ]),
  );
  return Object.fromEntries(rows) as Record<string, object[]>;
}

describe('created users', () => {
  it('leaves no user linked to one who is gone, not even one it has to wait for', async () => {
    const head = await created('a@b.test');
    const late = await existing('late@b.test');
    await link(store.sql, tenant, [head]);
    let undone: ReturnType<typeof undo> | undefined;
    await store.database.transaction(async (query) => {
      await query('select from users where user_id = $1 for update', [head]);
      undone = undoNow();
      await someoneWaits(store.sql);
      await query('update users set primary_user_id = $1 where user_id = $2', [head, late]);
    });
    await undone;
    const dangling = `
      select u.user_id from users u
      where u.app_no = $1 and u.primary_user_id is not null
        and not exists (select from users h where h.app_no = u.app_no and h.user_id = u.primary_user_id)`;
    expect(await store.sql(dangling, [tenant.appNo])).toEqual([]);
  });

  it('are removed with all that is stored of them, and no other user is', async () => {
    const other = await existing('other@b.test');
    await store.mappings.map(tenant.appNo, { superTokensUserId: other, externalUserId: 'other' });
    await signIn(other, job.startedAt);
    const before = await everything();

    const id = await created('a@b.test');
    await alsoIn(store.sql, await store.newTenant(tenant), id);
    const mapping = { superTokensUserId: id, externalUserId: 'ext', externalUserIdInfo: 'info' };
    await store.mappings.map(tenant.appNo, mapping);
    await store.verification.setVerified(tenant.appNo, { userId: 'ext', email: 'former@b.test' }, true);
    const token = { tenant, pair: { userId: 'ext', email: 'a@b.test' }, tokenHash: '00', expiresAt: start };
    await store.resets.createToken(token);
    await store.signIns.markCheck({
      appNo: tenant.appNo,
      userId: id,
      at: start,
      passwordHash: 'hash of a@b.test',
      isRight: false,
    });
    await store.sql(`insert into user_details values ($1, $2, '{}', null, null)`, [tenant.appNo, id]);

    expect(await undo()).toEqual({ removed: 1, restored: 0, left: [] });
    expect(await everything()).toEqual(before);
    expect(await stateOf(job)).toBe('undone');
  });

  it('are found among any number of others', async () => {
    await store.sql(
      `with made as (
         insert into users (app_no, recipe, email_verified, user_id, time_joined, email, import_job)
         select $1, 1, false, gen_random_uuid(), 0, n || '@many.test', case when n % 4 = 0 then $2::uuid end
         from generate_series(1, 12000) n
         returning *
       )
       insert into identities
       select app_no, 0, 1, identity_key(recipe, email, null, null, null), user_id from made`,
      [tenant.appNo, job.id],
    );
    expect(await undo()).toEqual({ removed: 3000, restored: 0, left: [] });
    const { users, identities } = await everything();
    expect([users?.length, identities?.length]).toEqual([9000, 9000]);
    expect(await undo()).toEqual(nothing);
  });

  it('are those of this job only', async () => {
    const later = await newJob();
    const id = await created('a@b.test', later);
    expect(await undo()).toEqual(nothing);
    expect(await undo(false, later)).toMatchObject({ removed: 1 });
    expect(await store.users.findUser(tenant.appNo, id)).toBeUndefined();
  });

  it('are left when a later job changed them, until that one is undone or it is forced', async () => {
    const [a, b] = [await created('a@b.test'), await created('b@b.test')];
    const later = await newJob();
    await changed([a], setHash(a, 'newer'), later);
    await changed([b], setHash(b, 'newer'), later);
    const left = [a, b].map((userId) => ({ userId, reason: 'CHANGED_SINCE' }));
    expect(await undo()).toEqual({ removed: 0, restored: 0, left });
    expect(await stateOf(job)).toBe('done');
    await store.sql('delete from import_before_images where user_id = $1', [a]);
    expect(await undo()).toEqual({ removed: 1, restored: 0, left: left.slice(1) });
    expect(await undo(true)).toEqual({ removed: 1, restored: 0, left: [] });
    // The row that the later job wants to restore does not exist any more.
    expect(await undo(false, later)).toEqual(nothing);
    expect(await stateOf(later)).toBe('undone');
  });
});

describe('changed users', () => {
  it('get back every row as it was', async () => {
    const id = await existing('old@b.test');
    const other = await store.newTenant(tenant);
    await store.verification.setVerified(tenant.appNo, { userId: id, email: 'old@b.test' }, true);
    await store.sql(`insert into user_details values ($1, $2, '{"a":1}', null, null)`, [tenant.appNo, id]);
    const { roles, userRoles } = openRoleStores(store.open);
    for (const role of ['lost', 'kept', 'gained'])
      await roles.put({ appNo: tenant.appNo, role, permissions: [] });
    for (const [role, at] of [
      ['lost', tenant],
      ['kept', tenant],
      ['lost', other],
    ] as const)
      await userRoles.assign({ tenant: at, userId: id, role });
    const before = await everything();
    await changed([id], async (query) => {
      await setEmail(id, 'new@b.test')(query);
      await query(`update users set password_hash = 'new', external_id = 'ext' where user_id = $1`, [id]);
      await query(`insert into verified_emails values ($1, 'ext', 'old@b.test')`, [tenant.appNo]);
      await query(`update user_details set metadata = '{"a":2}' where user_id = $1`, [id]);
      await query(`insert into user_roles values ($1, $2, 0, 'gained')`, [tenant.appNo, id]);
      await query(`delete from user_roles where user_key = $1 and role = 'lost'`, [id]);
      await query(
        `insert into identities select app_no, $2, kind, key, user_id from identities where user_id = $1`,
        [id, other.tenantNo],
      );
    });
    expect(await everything()).not.toEqual(before);
    expect(await undo()).toEqual({ removed: 0, restored: 1, left: [] });
    expect(await everything()).toEqual(before);
    expect(await stateOf(job)).toBe('undone');
    expect(await store.sql('select from import_before_images where job_id = $1', [job.id])).toEqual([]);
  });

  it('lose the details and the external id that they did not have, and keep tokens and verified emails', async () => {
    const id = await existing('a@b.test');
    const token = { tenant, pair: { userId: id, email: 'a@b.test' }, tokenHash: '01', expiresAt: start };
    await store.resets.createToken(token);
    await store.verification.setVerified(tenant.appNo, { userId: id, email: 'former@b.test' }, true);
    const before = await everything();
    await changed([id], async (query) => {
      await query(`update users set external_id = 'ext' where user_id = $1`, [id]);
      await query(`update tokens set user_id = 'ext' where user_id = $1`, [id]);
      await query(`update verified_emails set user_id = 'ext' where user_id = $1`, [id]);
      await query(`insert into user_details values ($1, $2, '{}', null, null)`, [tenant.appNo, id]);
    });
    await store.mappings.setInfo(tenant.appNo, 'ext', 'EXTERNAL', 'info');
    expect(await undo()).toMatchObject({ restored: 1 });
    expect(await everything()).toEqual(before);
  });

  it('of every recipe are put back', async () => {
    const social = thirdPartyUser(tenant, 'g1');
    await store.users.putThirdPartyUser(social);
    const phone = await putPasswordless(store.sql, tenant, { email: 'p@b.test', phone: '+4930123' });
    const before = await everything();
    await changed([social.userId, phone], async (query) => {
      await query(`update users set email = 'x@b.test', external_id = 'g' where user_id = $1`, [
        social.userId,
      ]);
      await query(`update users set phone = null where user_id = $1`, [phone]);
      await query(`delete from identities where kind = 4 and user_id = $1`, [phone]);
    });
    expect(await undo()).toMatchObject({ restored: 2 });
    expect(await everything()).toEqual(before);
  });

  it.each(['password', 'email', 'verified', 'details', 'tenants', 'mapping'])(
    'are left when their %s changed since, unless it is forced',
    async (what) => {
      const id = await existing('a@b.test');
      await changed([id], setHash(id, 'imported'));
      const statements: Record<string, string> = {
        verified: `update users set email_verified = true where user_id = $1`,
        details: `insert into user_details select app_no, user_id, '{}', null, null from users where user_id = $1`,
        tenants: `insert into identities select app_no, 5, kind, key, user_id from identities where user_id = $1`,
        mapping: `update users set external_id = 'newer' where user_id = $1`,
      };
      const live = { email: { email: 'c@b.test' }, password: { passwordHash: 'newer' } }[what];
      if (live) await store.users.changeUser({ appNo: tenant.appNo, userId: id, ...live });
      else await store.sql(statements[what] ?? '', [id]);
      const since = await everything();
      const userId = what === 'mapping' ? 'newer' : id;
      expect(await undo()).toEqual({ ...nothing, left: [{ userId, reason: 'CHANGED_SINCE' }] });
      expect(await everything()).toEqual(since);
      expect(await undo(true)).toEqual({ removed: 0, restored: 1, left: [] });
      expect(await store.sql('select email, password_hash from users where user_id = $1', [id])).toEqual([
        { email: 'a@b.test', password_hash: 'hash of a@b.test' },
      ]);
    },
  );

  it('who were removed since are not put back', async () => {
    const id = await existing('a@b.test');
    await changed([id], setHash(id, 'imported'));
    await store.users.removeUser(tenant.appNo, id, true);
    expect(await undo()).toEqual(nothing);
    expect(await stateOf(job)).toBe('undone');
  });

  it('do not come back into a tenant that was removed since', async () => {
    const other = await store.newTenant(tenant);
    const id = await existing('a@b.test');
    await alsoIn(store.sql, other, id);
    await changed([id], (query) =>
      query('delete from identities where user_id = $1 and tenant_no = $2', [id, other.tenantNo]),
    );
    await store.tenants.removeTenant(tenant.appId, other.tenantId);
    expect(await undo()).toMatchObject({ restored: 1 });
    expect(await store.sql('select tenant_no from identities where user_id = $1', [id])).toEqual([
      { tenant_no: 0 },
    ]);
  });
});

describe('users who signed in since', () => {
  it('is listed and left, created or changed, until it is forced', async () => {
    const [a, b, c] = [await created('a@b.test'), await existing('b@b.test'), await existing('c@b.test')];
    for (const id of [b, c]) await changed([id], setHash(id, 'imported'));
    await store.mappings.map(tenant.appNo, { superTokensUserId: a, externalUserId: 'ext a' });
    await signIn(a, job.startedAt - 1); // by the clock of another core: no user signs in before being created
    await signIn(b, job.startedAt + 1);
    await signIn(c, job.startedAt - 1);
    const left = [
      { userId: 'ext a', reason: 'SIGNED_IN' },
      { userId: b, reason: 'SIGNED_IN' },
    ];
    expect(await undo()).toEqual({ removed: 0, restored: 1, left });
    expect(await undo()).toEqual({ ...nothing, left });
    expect(await stateOf(job)).toBe('done');
    expect(await undo(true)).toEqual({ removed: 1, restored: 1, left: [] });
    expect(await undo(true)).toEqual(nothing);
  });

  it('is seen when the mark is committed while the undo waits for the user', async () => {
    const id = await created('a@b.test');
    const [marked, committed] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const signingIn = store.database.transaction(async (query) => {
      await query('select from users where user_id = $1 for key share', [id]);
      await query('insert into sign_ins values ($1, $2, $3)', [tenant.appNo, id, job.startedAt]);
      marked.resolve(null);
      await committed.promise;
    });
    await marked.promise;
    const undone = undoNow();
    await waitForALock();
    committed.resolve(null);
    await signingIn;
    expect(await undone).toEqual({ ...nothing, left: [{ userId: id, reason: 'SIGNED_IN' }] });
  });
});

describe('users who were active since', () => {
  const pairOf = (userId: string) => ({ userId, email: 'a@b.test' });
  const token = (userId: string) => ({
    tenant,
    pair: pairOf(userId),
    tokenHash: uuidv7().replaceAll('-', ''),
    expiresAt: start + 1,
  });
  const activities: Record<string, (userId: string) => Promise<unknown>> = {
    'set a new password': (userId) =>
      store.users.changeUser({ appNo: tenant.appNo, userId, passwordHash: 'own' }),
    'changed the email': (userId) =>
      store.users.changeUser({ appNo: tenant.appNo, userId, email: 'new@b.test' }),
    'followed a link to verify the email': async (userId) => {
      const made = token(userId);
      await store.verification.createToken(made);
      expect(await store.verification.redeemToken({ ...made, now: start })).toEqual(pairOf(userId));
    },
    'followed a link to verify a former email': async (userId) => {
      const made = { ...token(userId), pair: { userId, email: 'former@b.test' } };
      await store.verification.createToken(made);
      expect(await store.verification.redeemToken({ ...made, now: start })).toEqual(made.pair);
    },
    'followed a link to reset the password': async (userId) => {
      const made = token(userId);
      await store.resets.createToken(made);
      expect(await store.resets.consumeToken({ ...made, now: start })).toEqual(pairOf(userId));
    },
    'got another hash by a single import': () =>
      store.users.putPasswordUser(passwordUser(tenant, 'a@b.test', { passwordHash: 'another' })),
  };

  it.each(Object.keys(activities))('are left if the job created them, when they %s', async (what) => {
    const userId = await created('a@b.test');
    await activities[what]?.(userId);
    const since = await everything();
    expect(await undo()).toEqual({ ...nothing, left: [{ userId, reason: 'CHANGED_SINCE' }] });
    expect(await everything()).toEqual(since);
    expect(await undo(true)).toEqual({ removed: 1, restored: 0, left: [] });
  });

  it.each(Object.keys(activities))('are left if the job changed them, when they %s', async (what) => {
    const userId = await existing('a@b.test');
    await changed([userId], setHash(userId, 'imported'));
    await activities[what]?.(userId);
    expect(await undo()).toEqual({ ...nothing, left: [{ userId, reason: 'CHANGED_SINCE' }] });
    expect(await undo(true)).toEqual({ removed: 0, restored: 1, left: [] });
  });

  it.each(['set a new password', 'followed a link to reset the password'])(
    'is put back when they %s before the job began',
    async (what) => {
      const userId = await existing('a@b.test');
      await activities[what]?.(userId);
      const later = await newLaterJob();
      await changed([userId], setHash(userId, 'imported'), later);
      expect(await undo(false, later)).toEqual({ removed: 0, restored: 1, left: [] });
    },
  );

  it('is not whose hash a single import states again', async () => {
    await created('a@b.test');
    await store.users.putPasswordUser(passwordUser(tenant, 'a@b.test'));
    expect(await undo()).toEqual({ removed: 1, restored: 0, left: [] });
  });
});

describe('cores whose clocks differ', () => {
  const mark = (userId: string, at: number) => store.signIns.mark({ appNo: tenant.appNo, userId, at });

  it('lose no user who signed in after a job that began at a core that is ahead', async () => {
    const [a, b] = [await created('a@b.test'), await existing('b@b.test')];
    await changed([b], setHash(b, 'imported'));
    for (const id of [a, b]) await mark(id, job.startedAt - 90_000);
    const left = [a, b].map((userId) => ({ userId, reason: 'SIGNED_IN' }));
    expect(await undo()).toEqual({ ...nothing, left });
  });

  it('see a sign-in at a core that is behind the one before', async () => {
    const id = await existing('a@b.test');
    await mark(id, start + 180_000);
    const later = await newJob();
    await changed([id], setHash(id, 'imported'), later);
    await mark(id, start + 90_000);
    expect(await undo(false, later)).toEqual({ ...nothing, left: [{ userId: id, reason: 'SIGNED_IN' }] });
  });

  it('put back who had signed in before a job that began at a core that is behind', async () => {
    const id = await existing('a@b.test');
    await mark(id, start + 180_000);
    const later = await newLaterJob();
    await changed([id], setHash(id, 'imported'), later);
    expect(await undo(false, later)).toEqual({ removed: 0, restored: 1, left: [] });
  });

  it('see that a later job changed a user of this one', async () => {
    const id = await created('a@b.test');
    const later = await newJob();
    await changed([id], setHash(id, 'newer'), later);
    await store.sql('update import_jobs set last_commit_at = $2 where job_id = $1', [
      later.id,
      job.startedAt - 90_000,
    ]);
    expect(await undo()).toEqual({ ...nothing, left: [{ userId: id, reason: 'CHANGED_SINCE' }] });
  });
});

describe('a linked user', () => {
  it('that was there loses the login method that the job added', async () => {
    const [head, added] = [await existing('a@b.test'), await created('b@b.test')];
    const before = await store.users.findUser(tenant.appNo, head);
    await changed([head], (query) => link(query, tenant, [head, added]));
    expect(await store.users.findUser(tenant.appNo, head)).toMatchObject({ isPrimaryUser: true });
    expect(await undo()).toEqual({ removed: 0, restored: 1, left: [] });
    expect(await store.users.findUser(tenant.appNo, head)).toEqual(before);
    expect(await store.users.findUser(tenant.appNo, added)).toBeUndefined();
  });

  it('is one user: created whole it counts once, and one sign-in keeps all of it', async () => {
    const [a, b] = [await created('a@b.test'), await created('b@b.test')];
    await link(store.sql, tenant, [a, b]);
    await signIn(b, job.startedAt);
    expect(await undo()).toEqual({ ...nothing, left: [{ userId: a, reason: 'SIGNED_IN' }] });
    expect(await undo(true)).toEqual({ removed: 1, restored: 0, left: [] });
    expect((await everything()).users).toEqual([]);
  });

  it('made of users who were there becomes these again', async () => {
    const ids = [await existing('a@b.test'), await existing('b@b.test')];
    const before = await everything();
    await changed(ids, (query) => link(query, tenant, ids));
    expect(await undo()).toMatchObject({ removed: 0, restored: 1 });
    expect(await everything()).toEqual(before);
  });

  it('whose head the job created and that has grown since is left', async () => {
    const [a, b] = [await created('a@b.test'), await existing('b@b.test')];
    await link(store.sql, tenant, [a, b]);
    expect(await undo()).toEqual({ ...nothing, left: [{ userId: a, reason: 'CHANGED_SINCE' }] });
    await undo(true);
    expect((await store.users.findUser(tenant.appNo, b))?.loginMethods).toHaveLength(1);
  });
});

describe('an identity that is taken', () => {
  it.each([false, true])('by another user keeps the user as it is, forced or not: %s', async (force) => {
    const id = await existing('a@b.test');
    await changed([id], setEmail(id, 'b@b.test'));
    const thief = await existing('a@b.test');
    const left = [{ userId: id, reason: 'IDENTITY_TAKEN' }];
    expect(await undo(force)).toEqual({ ...nothing, left });
    await store.users.removeUser(tenant.appNo, thief, true);
    expect(await undo(force)).toEqual({ removed: 0, restored: 1, left: [] });
  });

  it('may be an external id', async () => {
    const id = await existing('a@b.test');
    await store.mappings.map(tenant.appNo, { superTokensUserId: id, externalUserId: 'mine' });
    await changed([id], (query) => query(`update users set external_id = 'new' where user_id = $1`, [id]));
    const thief = await existing('b@b.test');
    await store.mappings.map(tenant.appNo, { superTokensUserId: thief, externalUserId: 'mine' });
    expect(await undo()).toEqual({ ...nothing, left: [{ userId: 'new', reason: 'IDENTITY_TAKEN' }] });
  });

  it('by users of the same job comes free when they are undone, whatever the order', async () => {
    // Each has the address that the next one gave up, the last one's former address is a created user's.
    const ids = [];
    for (let i = 0; i < 4; i++) ids.push(await existing(`user${i}@b.test`));
    const before = await everything();
    for (const order of [[...ids], ids.toReversed()]) {
      await changed([order[0] ?? ''], setEmail(order[0] ?? '', 'free@b.test'));
      for (const [i, id] of order.entries()) {
        if (i === 0) continue;
        const [given] = await store.sql<{ email: string }>(
          `select before -> 'user' ->> 'email' as email from import_before_images where user_id = $1`,
          [order[i - 1] ?? ''],
        );
        await changed([id], setEmail(id, given?.email ?? ''));
      }
      const [last] = await store.sql<{ email: string }>(
        `select before -> 'user' ->> 'email' as email from import_before_images where user_id = $1`,
        [order.at(-1) ?? ''],
      );
      await created(last?.email ?? '');
      expect(await undo()).toEqual({ removed: 1, restored: 4, left: [] });
      expect(await everything()).toEqual(before);
      job = await newJob();
    }
  });

  it('in the same moment is noticed', async () => {
    const id = await existing('a@b.test');
    await changed([id], setEmail(id, 'b@b.test'));
    const [inserted, committed] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const thief = passwordUser(tenant, 'a@b.test');
    const taking = store.database.transaction(async (query) => {
      await query(
        `insert into users (app_no, recipe, email_verified, user_id, time_joined, email) values ($1, 1, false, $2, 0, $3)`,
        [tenant.appNo, thief.userId, thief.email],
      );
      await query(
        `insert into identities values ($1, 0, 1, identity_key(1::smallint, $3, null, null, null), $2)`,
        [tenant.appNo, thief.userId, thief.email],
      );
      inserted.resolve(null);
      await committed.promise;
    });
    await inserted.promise;
    const undone = undoNow();
    await waitForALock();
    committed.resolve(null);
    await taking;
    expect(await undone).toEqual({ ...nothing, left: [{ userId: id, reason: 'IDENTITY_TAKEN' }] });
  });
});

describe('an undo', () => {
  it('has nothing to do for a dry run or an undone job', async () => {
    await created('a@b.test');
    expect(await undo(false, { ...job, dryRun: true })).toEqual(nothing);
    expect(await undo(false, { ...job, state: 'undone' })).toEqual(nothing);
    expect(await undo()).toMatchObject({ removed: 1 });
  });

  it('that runs twice at the same time does everything once', async () => {
    for (let i = 0; i < 20; i++) {
      await created(`new${i}@b.test`);
      const id = await existing(`old${i}@b.test`);
      await changed([id], setHash(id, 'imported'));
    }
    const results = await Promise.all([undoNow(), undoNow(), undoNow()]);
    const sum = (of: 'removed' | 'restored') => results.reduce((total, each) => total + each[of], 0);
    expect([sum('removed'), sum('restored')]).toEqual([20, 20]);
    expect((await everything()).users).toHaveLength(20);
    expect(await stateOf(job)).toBe('undone');
  });

  it('names the first 10,000 of those who are left, and knows that there are more', async () => {
    await store.sql(
      `with made as (
         insert into users (app_no, recipe, email_verified, user_id, time_joined, email, import_job)
         select $1, 1, false, gen_random_uuid(), 0, n || '@many.test', $2::uuid from generate_series(1, 10010) n
         returning *
       )
       insert into sign_ins select app_no, user_id, $3 from made`,
      [tenant.appNo, job.id, job.startedAt],
    );
    const { left, ...counts } = await undoNow();
    expect([left.length, counts]).toEqual([10_000, { removed: 0, restored: 0 }]);
    expect(await undoNow(true)).toEqual({ removed: 10_010, restored: 0, left: [] });
  });
});

/** Until a statement of this database waits for a lock. */
async function waitForALock(): Promise<void> {
  const waiting = `
    select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  while ((await store.sql(waiting)).length === 0);
}
