import type { Job, UndoForeseen, UndoResult } from '../../../imports/model.ts';
import type { Database, Query } from '../../../database/database.ts';
import { Refusal } from '../../../domain/errors.ts';
import type { FactorSeals } from '../../../operations/ports/ports.ts';
import { isUniqueViolation } from '../../../database/sqlstate.ts';
import { bringBack, removedUsers } from '../absent/return.ts';
import { stateNumbers } from '../jobs/rows.ts';
import { foreseeUsers } from './foresee.ts';
import { undoUsers, type Undone } from './users.ts';

export interface UndoOptions {
  /** Also undo users who signed in or were changed since. */
  readonly force: boolean;
  readonly seals: FactorSeals;
}

/**
 * Rows read in search of users that the job created: import_job has no index, which every import would pay for, so the app is
 * walked along its primary key.
 */
const visitedAtOnce = 5000;
/** Users in one transaction: short enough that no request waits long for a lock. */
const usersAtOnce = 500;
/** Entries of `left` at most, a few hundred KB. */
const maxLeft = 10_000;

const firstId = '00000000-0000-0000-0000-000000000000';

/** The users that the job created, and the page's last row, after which the next page begins. */
const visit = `
  with page as materialized (
    select u.user_id, u.import_job from users u
    where u.app_no = $1 and u.user_id > $3
    order by u.user_id limit $4
  )
  select p.user_id, p.import_job is not distinct from $2 as is_created
  from page p
  where p.import_job = $2 or p.user_id = (select l.user_id from page l order by l.user_id desc limit 1)
  order by p.user_id`;

interface Visited {
  readonly user_id: string;
  readonly is_created: boolean;
}

const nextImages = `
  select b.user_id from import_before_images b
  where b.app_no = $1 and b.job_id = $2 and b.user_id > $3 and b.after -> 'removed' is null
  order by b.user_id limit $4`;

/** A purge waits for this batch, and the next batch sees it. */
const holdUnpurged = `
  select 1 from import_jobs j
  where j.app_no = $1 and j.job_id = $2 and j.purged_at is null for no key update`;

/** Progress for the command that waits for the undo. */
const noteUndone = 'update import_jobs set undone = undone + $3 where app_no = $1 and job_id = $2';

const markUndone = `
  update import_jobs set state = ${stateNumbers.undone}
  where app_no = $1 and job_id = $2 and state in (${stateNumbers.done}, ${stateNumbers.cancelled})`;

/**
 * Removes the users that a job created and restores those that it changed. A linked user is undone completely or not at all. An
 * undo does not touch users who signed in since the job's start (`SIGNED_IN`) or were changed since (`CHANGED_SINCE`), both
 * unless `force`; and those whose former email or id is another user's by now (`IDENTITY_TAKEN`). For a user that the job
 * created, changes by other imports are known, and activities of the person: a new password or email, a used link, a sign-in.
 *
 * Each transaction undoes some users and deletes their before-images, so an interrupted undo is simply called again. If no user
 * is left the job is `undone`.
 *
 * @param job not receiving; the caller has checked that. A dry run or an undone job has nothing to undo
 * @returns `removed` and `restored` count users, a linked one once, and are exact; a user that the job only added login
 *   methods to counts as restored. `held` counts, among those, users whose second factor could not be restored. `left` names the
 *   first 10,000
 */
export async function undoJob(database: Database, job: Job, options: UndoOptions): Promise<UndoResult> {
  if (job.dryRun || job.state === 'undone') return { removed: 0, restored: 0, left: [] };
  if (job.purgedAt !== undefined) throw new Refusal('JOB_PURGED');
  const sum = { removed: 0, restored: 0, held: 0 };
  for (;;) {
    const pass = new Pass();
    for await (const userIds of batches(database.read, job)) {
      pass.add(await undoBatch(database, job, (query) => undoUsers(query, { job, userIds, ...options })));
    }
    const { seals } = options;
    for await (const heads of removedUsers(database.read, job)) {
      pass.add(await undoBatch(database, job, (query) => bringBack(query, job, { heads, seals })));
    }
    sum.removed += pass.removed;
    sum.restored += pass.restored;
    sum.held += pass.held;
    if (pass.mayGoOn) continue;
    if (pass.left.size === 0) await database.write(markUndone, [job.appNo, job.id]);
    const { held, ...counts } = sum;
    return { ...counts, left: [...pass.left.values()], ...(held > 0 && { held }) };
  }
}

/**
 * One walk over everything that the job did. A user's former email may be taken by another user of the same job until that one is
 * restored, so walks are repeated as long as a key was taken and a walk changed something.
 */
class Pass {
  removed = 0;
  restored = 0;
  held = 0;
  readonly left = new Map<string, UndoResult['left'][number]>();
  #taken = 0;

  get mayGoOn(): boolean {
    return this.#taken > 0 && this.removed + this.restored > 0;
  }

  add({ removed, restored, held, left }: Undone): void {
    this.removed += removed;
    this.restored += restored;
    this.held += held;
    for (const { head, userId, email, reason } of left) {
      if (reason === 'IDENTITY_TAKEN') this.#taken++;
      if (this.left.size < maxLeft) this.left.set(head, { userId, ...(email !== null && { email }), reason });
    }
  }
}

/**
 * Predicts the outcome of `undoJob` as of now. Nothing is locked or changed: a user who signs in afterwards is left by the undo.
 * @throws Refusal JOB_PURGED
 */
export async function foreseeUndo(
  database: Database,
  job: Job,
  options: Pick<UndoOptions, 'force'>,
): Promise<UndoForeseen> {
  const counts = { removed: 0, restored: 0, SIGNED_IN: 0, CHANGED_SINCE: 0, IDENTITY_TAKEN: 0 };
  if (!job.dryRun && job.state !== 'undone') {
    if (job.purgedAt !== undefined) throw new Refusal('JOB_PURGED');
    // Login methods of a linked user may be in several batches.
    const linked = new Set<string>();
    for await (const userIds of batches(database.read, job))
      for (const { head, isLinked, fate } of await foreseeUsers(database.read, {
        job,
        userIds,
        ...options,
      })) {
        if (linked.has(head)) continue;
        if (isLinked) linked.add(head);
        counts[fate] += 1;
      }
    for await (const heads of removedUsers(database.read, job)) counts.restored += heads.length;
  }
  const { removed, restored, ...left } = counts;
  return { removed, restored, left };
}

/** Ids of created users, then of changed ones, in batches for one transaction each. */
async function* batches(read: Query, job: Job): AsyncGenerator<readonly string[]> {
  yield* createdUsers(read, job);
  yield* changedUsers(read, job);
}

async function* createdUsers(read: Query, { appNo, id }: Job): AsyncGenerator<readonly string[]> {
  let after: string | undefined = firstId;
  while (after !== undefined) {
    const page: Visited[] = await read<Visited>(visit, [appNo, id, after, visitedAtOnce]);
    const created = page.filter((row) => row.is_created).map((row) => row.user_id);
    for (let i = 0; i < created.length; i += usersAtOnce) yield created.slice(i, i + usersAtOnce);
    after = page.at(-1)?.user_id;
  }
}

async function* changedUsers(read: Query, { appNo, id }: Job): AsyncGenerator<readonly string[]> {
  let after: string | undefined = firstId;
  while (after !== undefined) {
    const page: { user_id: string }[] = await read(nextImages, [appNo, id, after, usersAtOnce]);
    if (page.length > 0) yield page.map((row) => row.user_id);
    after = page.at(-1)?.user_id;
  }
}

const maxAttempts = 5;

/** A transaction may take a key between the look at it and its restoration: the next attempt sees that. */
async function undoBatch(
  database: Database,
  job: Job,
  undo: (query: Query) => Promise<Undone>,
): Promise<Undone> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.transaction(async (query) => {
        const held = await query(holdUnpurged, [job.appNo, job.id]);
        if (held.length === 0) throw new Refusal('JOB_PURGED');
        const done = await undo(query);
        await query(noteUndone, [job.appNo, job.id, done.removed + done.restored]);
        return done;
      });
    } catch (error) {
      if (!isUniqueViolation(error) || attempt === maxAttempts) throw error;
    }
  }
}
