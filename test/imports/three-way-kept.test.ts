import { describe, expect, it } from 'vitest';
import type { Job } from '../../src/imports/model.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { bcryptHash, countsOf } from '../helpers/imports.ts';
import { counts, type Engines, google, useEngines, password, recordOf } from '../helpers/semantics.ts';

/** Personal data stored by repeated imports, and its removal. */

let engines: Engines;
let tenant: Tenant;
useEngines((all, own) => {
  [engines, tenant] = [all, own];
});

const first = recordOf('x', password('a@example.com'));
const second = recordOf('x', password('b@example.com', { passwordHash: bcryptHash(2) }));

async function changeHere(): Promise<void> {
  const user = await engines.store.users.findUser(tenant.appNo, 'x');
  const [row] = await engines.store.sql<{ user_id: string }>(
    `select user_id from users where app_no = $1 and external_id = 'x'`,
    [tenant.appNo],
  );
  expect(user?.id).toBe('x');
  const change = { email: 'here@example.com', passwordHash: bcryptHash(3) };
  await engines.store.users.changeUser({ appNo: tenant.appNo, userId: row?.user_id ?? '', ...change });
}

/** A job with conflicts, of a user who has changed email and password. */
async function conflicting(): Promise<Job> {
  await engines.imports.run(tenant, [first]);
  await changeHere();
  return engines.imports.run(tenant, [{ ...second, sameIds: true }], { onConflict: 'ours' });
}

async function kept({ id }: Job): Promise<unknown> {
  const [row] = await engines.store.sql(
    `select (select count(*)::int from import_conflicts where job_id = $1) as conflicts,
       (select count(*)::int from import_before_images where job_id = $1) as images,
       (select count(*)::int from former_identities where app_no = $2) as former`,
    [id, tenant.appNo],
  );
  return row;
}

const rows = () =>
  engines.store.sql(`select email, password_hash, encode(base, 'hex') as base from users where app_no = $1`, [
    tenant.appNo,
  ]);

describe('conflicts', () => {
  it('are kept until the job is purged', async () => {
    const job = await conflicting();
    expect([countsOf(job), job.conflicts]).toEqual([counts({ unchanged: 1 }), 2]);
    expect(await kept(job)).toEqual({ conflicts: 2, images: 1, former: 2 });
    await engines.imports.purge(tenant, job.id);
    expect(await kept(job)).toMatchObject({ conflicts: 0, images: 0 });
    expect((await engines.imports.find(tenant, job.id))?.conflicts).toBe(2);
  });

  it('go with the user, as everything else that the job kept', async () => {
    const job = await conflicting();
    await engines.store.users.removeUser(tenant.appNo, 'x', true);
    expect(await kept(job)).toEqual({ conflicts: 0, images: 0, former: 0 });
  });

  it('are found by a dry run, which keeps nothing else', async () => {
    await engines.imports.run(tenant, [first]);
    await changeHere();
    const before = await rows();
    const job = await engines.imports.run(tenant, [{ ...second, sameIds: true }], { dryRun: true });
    expect([countsOf(job), job.conflicts]).toEqual([counts({ updated: 1 }), 2]);
    expect(await kept(job)).toMatchObject({ conflicts: 2, images: 0 });
    expect(await rows()).toEqual(before);
  });
});

describe('an undo', () => {
  it('puts back the base of users that the job left as they were, and counts none', async () => {
    const job = await conflicting();
    const after = await rows();
    expect(await engines.imports.undo(tenant, job.id, false)).toEqual({ removed: 0, restored: 0, left: [] });
    expect(await rows()).not.toEqual(after);
    const again = await engines.imports.run(tenant, [{ ...second, sameIds: true }], { onConflict: 'ours' });
    expect(again.conflicts).toBe(2);
  });

  it('of the import that created a user is not held up by a base of another job', async () => {
    const created = await engines.imports.run(tenant, [
      recordOf('x', password('a@example.com'), google('g')),
    ]);
    const plain = recordOf('x', password('a@example.com', { timeJoinedInMSSinceEpoch: 1 }));
    const other = await engines.imports.run(tenant, [{ ...plain, userMetadata: {} }]);
    expect(countsOf(other)).toEqual(counts({ unchanged: 1 }));
    expect(await engines.imports.undo(tenant, created.id, false)).toMatchObject({ left: [] });
    expect(await rows()).toEqual([]);
  });

  it('leaves no base of a job over users who had none', async () => {
    await engines.imports.run(tenant, [first]);
    await engines.store.sql('update users set base = null where app_no = $1', [tenant.appNo]);
    const job = await engines.imports.run(tenant, [first]);
    expect(countsOf(job)).toEqual(counts({ unchanged: 1 }));
    expect(await rows()).toMatchObject([{ base: expect.any(String) as unknown }]);
    await engines.imports.undo(tenant, job.id, false);
    expect(await rows()).toMatchObject([{ base: null }]);
  });
});

describe('a new email that is here already', () => {
  it('costs the record, not the import', async () => {
    await engines.imports.run(tenant, [first, recordOf('y', password('b@example.com'))]);
    const job = await engines.imports.run(tenant, [{ ...second, sameIds: true }]);
    expect(countsOf(job)).toEqual(counts({ rejected: 1 }));
  });

  it('is no obstacle to a record that states what it stated, whichever user has the email by now', async () => {
    await engines.imports.run(tenant, [first]);
    await changeHere();
    await engines.imports.run(tenant, [
      recordOf('y', password('a@example.com', { passwordHash: bcryptHash(4) })),
    ]);
    const job = await engines.imports.run(tenant, [first], { onConflict: 'reject' });
    expect(countsOf(job)).toEqual(counts({ unchanged: 1 }));
  });
});
