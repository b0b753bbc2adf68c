import type { JobCounts, CountedState } from '../../../domain/jobs/job-counts.ts';
import type { Database } from '../../../database/database.ts';
import { stateNumbers } from './rows.ts';

/** ms without a chunk after which a sender is considered to be gone: a connected one commits a chunk within seconds. */
const waitsAfterMs = 60_000;

/** For ended jobs, only the index of states is read. Receiving jobs are few, and their rows are read for their progress. */
const countAll = `
  select case when j.state = ${stateNumbers.done} then 'done' when j.state = ${stateNumbers.undone} then 'undone'
      when j.cancel_reason is null then 'cancelled' else 'stopped' end as state,
    count(*)::int as jobs, 0::bigint as bytes, 0::bigint as length
  from import_jobs j where j.state in (${stateNumbers.done}, ${stateNumbers.cancelled}, ${stateNumbers.undone}) and not j.dry_run
  group by 1
  union all
  select case when coalesce(j.last_commit_at, j.started_at) < $1::bigint then 'waiting' else 'receiving' end,
    count(*)::int, coalesce(sum(j.bytes) filter (where j.upload_length is not null), 0)::bigint,
    coalesce(sum(j.upload_length), 0)::bigint
  from import_jobs j where j.state = ${stateNumbers.receiving} and not j.dry_run
  group by 1`;

const ofSources = `import_jobs j where j.state = ${stateNumbers.done} and not j.dry_run`;

/**
 * From one source to the next, along an index: a source may have thousands of jobs. For the newest sources only: more labels would
 * fill the memory of a monitoring system.
 */
const lastOfSources = `
  with recursive sources as (
    (select j.source from ${ofSources} order by j.source limit 1)
    union all
    select (select j.source from ${ofSources} and j.source > s.source order by j.source limit 1)
    from sources s where s.source is not null
  )
  select s.source, l.at from sources s
  cross join lateral (
    select j.finished_at::float8 as at from ${ofSources} and j.source = s.source and j.finished_at is not null
    order by j.finished_at desc limit 1
  ) l
  order by l.at desc limit 100`;

type Databases = readonly Pick<Database, 'read'>[];

/** When the last import of each source ended, over all apps, in ms since the epoch by a core's clock. */
export async function lastFinished(databases: Databases): Promise<ReadonlyMap<string, number>> {
  const rows = await ofAll<{ source: string; at: number }>(databases, lastOfSources, []);
  return new Map(rows.sort((one, other) => one.at - other.at).map(({ source, at }) => [source, at]));
}

async function ofAll<Row extends object>(
  databases: Databases,
  text: string,
  parameters: readonly number[],
): Promise<Row[]> {
  return (await Promise.all(databases.map(({ read }) => read<Row>(text, parameters)))).flat();
}

interface Row {
  readonly state: CountedState;
  readonly jobs: number;
  readonly bytes: number;
  readonly length: number;
}

/** Jobs of all apps, without dry runs. @param now ms since the epoch */
export async function countJobs(databases: Databases, now: number): Promise<JobCounts> {
  const rows = await ofAll<Row>(databases, countAll, [now - waitsAfterMs]);
  const jobs = { receiving: 0, waiting: 0, done: 0, cancelled: 0, stopped: 0, undone: 0 };
  for (const row of rows) jobs[row.state] += row.jobs;
  const sum = (of: (row: Row) => number): number => rows.reduce((total, row) => total + of(row), 0);
  return { jobs, bytes: sum(({ bytes }) => bytes), length: sum(({ length }) => length) };
}
