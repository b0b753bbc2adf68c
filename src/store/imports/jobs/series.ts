/** Series of jobs: their sums, and the list that shows a series as one entry. */

import { namesOf } from '../../../database/relation.ts';
import { mapColumns } from '../../../domain/columns.ts';
import { jobOutcomes, type JobRow } from '../../../domain/jobs/job-fields.ts';
import type { Counts, JobRef, ListedJob } from '../../../imports/model.ts';
import { jobColumns, jobColumnsOf, jobOf, stateNumbers } from './rows.ts';

/** Counts new jobs. @param made a relation with the columns of their rows */
export function countInSeries(made: string): string {
  return `
    insert into import_series as s (app_no, series, newest_job, since, jobs)
    select m.app_no, m.series, m.job_id, m.started_at, 1 from ${made} m where m.series is not null
    on conflict (app_no, series) do update set
      newest_job = greatest(s.newest_job, excluded.newest_job), since = least(s.since, excluded.since), jobs = s.jobs + 1`;
}

const outcomes = Object.entries(jobOutcomes).map(([outcome, { name }]) => ({ outcome, name }));

/**
 * Adds the outcome of a chunk, which nothing changes later: an undo leaves a job's counts as they are. By an upsert, because the plan
 * of an update that was made while there were few series may read all of an app; the row is there since the job is.
 */
export const addToSeries = `
  insert into import_series as s (app_no, series, newest_job, since, jobs, ${namesOf(jobOutcomes)})
  values ($1::int, $2::text, $3::uuid, 0, 0, ${outcomes.map((_, n) => `$${n + 4}::bigint`).join(', ')})
  on conflict (app_no, series) do update set ${outcomes.map(({ name }) => `${name} = s.${name} + excluded.${name}`).join(', ')}`;

/** The parameters of `addToSeries`. */
export function countedInSeries({ appNo, id }: JobRef, series: string, added: Counts): (number | string)[] {
  return [appNo, series, id, ...Object.values(mapColumns(jobOutcomes, (_, outcome) => added[outcome]))];
}

const sums = outcomes.map(({ outcome, name }) => `'${outcome}', s.${name}`).join(', ');

/**
 * A page of entries is the newest of two pages: of jobs without a series, and of series by their newest jobs. A series that gets a
 * job between two pages moves to the beginning of the list, so no page shows it twice.
 */
export const listJobs = `
  select ${jobColumnsOf('j')}, s.counts as "seriesCounts"
  from (
    (
      select j.job_id, null as series from import_jobs j
      where j.app_no = $1 and j.job_id < $2 and j.series is null
      order by j.job_id desc limit $3
    )
    union all
    (
      select s.newest_job, s.series from import_series s
      where s.app_no = $1 and s.newest_job < $2
      order by s.newest_job desc limit $3
    )
    order by 1 desc limit $3
  ) l
  cross join lateral (select * from import_jobs j where j.app_no = $1 and j.job_id = l.job_id offset 0) j
  left join lateral (
    select jsonb_build_object('jobs', s.jobs, 'since', s.since, ${sums}, 'lastWhole', (
      select jsonb_build_object('id', w.job_id, 'startedAt', w.started_at, 'rejected', w.rejected)
      from import_jobs w
      where w.app_no = $1 and w.series = l.series and w.whole and w.state = ${stateNumbers.done}
      order by w.job_id desc limit 1
    )) as counts
    from import_series s where s.app_no = $1 and s.series = l.series
    offset 0
  ) s on true
  order by l.job_id desc`;

export interface ListedRow extends JobRow {
  readonly seriesCounts:
    | (Omit<NonNullable<ListedJob['seriesCounts']>, 'lastWhole'> & {
        readonly lastWhole: NonNullable<ListedJob['seriesCounts']>['lastWhole'] | null;
      })
    | null;
}

export function listedOf({ seriesCounts, ...row }: ListedRow): ListedJob {
  const job = jobOf(row);
  if (seriesCounts === null) return job;
  const { lastWhole, ...counts } = seriesCounts;
  return { ...job, seriesCounts: { ...counts, lastWhole: lastWhole ?? undefined } };
}

export const listSeries = `
  select ${jobColumns} from import_jobs
  where app_no = $1 and series = $4 and job_id < $2
  order by job_id desc limit $3`;
