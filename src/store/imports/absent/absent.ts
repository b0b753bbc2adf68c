import type { AbsentUser, PlacedAbsentUser } from '../../../imports/absence.ts';
import type { Job, JobRef } from '../../../imports/model.ts';
import type { Database, Query } from '../../../database/database.ts';
import { actOnAbsent } from './act.ts';
import { scanForAbsent } from './scan.ts';

/**
 * Finds the users who are not in the file, once all its lines are there, and treats them as the job states. A dry run, and a file
 * that appears to be truncated, only list them.
 * @param find reads the job's current row
 */
export async function settleAbsent(
  database: Database,
  job: Job,
  find: (job: JobRef) => Promise<Job | undefined>,
): Promise<void> {
  if (job.absent === undefined) return;
  if (job.absence === undefined) await scanForAbsent(database, job);
  const { absence, state } = (await find(job)) ?? {};
  const mayAct =
    state === 'receiving' && !job.dryRun && absence !== undefined && absence.refused === undefined;
  if (mayAct && job.absent !== 'report') await actOnAbsent(database, job, job.absent);
}

const list = `
  select a.user_id as id, a.seen_id as "userId", a.is_active as "signedInSince", a.done, a.origin
  from import_jobs j
  join import_absent a on a.app_no = j.app_no and a.job_id = j.job_id and a.user_id > $3::uuid
  where j.app_no = $1 and j.job_id = $2
  order by a.user_id limit $4::int`;

const words: readonly AbsentUser['done'][] = ['listed', 'disabled', 'removed', 'left'];
const origins: readonly AbsentUser['origin'][] = ['imported', 'made here', 'disabled here'];

interface Numbers {
  readonly done: number;
  readonly origin: number;
}

export async function absentOf(
  read: Query,
  { appNo, id }: JobRef,
  after: string,
  limit: number,
): Promise<PlacedAbsentUser[]> {
  const rows = await read<Omit<PlacedAbsentUser, 'done' | 'origin'> & Numbers>(list, [
    appNo,
    id,
    after,
    limit,
  ]);
  return rows.map((row) => ({
    ...row,
    done: words[row.done - 1] ?? 'listed',
    origin: origins[row.origin - 1] ?? 'imported',
  }));
}
