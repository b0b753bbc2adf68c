import { call } from '../api.ts';
import { ago, count, duration, plural, time } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Failure } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../router.ts';
import { type JobView, listedCounts, stateWords } from './job-model.ts';
import { JobPage } from './job-page.tsx';

interface JobList {
  readonly jobs: readonly JobView[];
}

/** No id of a job begins so. */
const seriesMark = 'series:';

export function JobsPage({ id }: { readonly id: string | undefined }) {
  if (id === undefined) return <List series={undefined} />;
  const series = id.startsWith(seriesMark) ? id.slice(seriesMark.length) : undefined;
  return series === undefined ? <JobPage id={id} /> : <List series={series} />;
}

function List({ series }: { readonly series: string | undefined }) {
  const { value, error } = useLoaded(
    `jobs ${series ?? ''}`,
    (signal) =>
      call<JobList>('/bulk-import/jobs', {
        query: { limit: 50, ...(series !== undefined && { series }) },
        signal,
      }),
    5000,
  );
  return (
    <>
      <h1 tabIndex={-1}>{series === undefined ? 'All imports' : `Imports of ${series}`}</h1>
      {series === undefined ? (
        <p class="soft">
          Of all cores of this deployment, the newest first; also those that were begun by the command.
        </p>
      ) : (
        <p class="soft">
          The newest 50. To go back to a moment: <code>carryover undo --series {series} --since 2h</code>
        </p>
      )}
      <Failure error={error?.message} />
      {value && (
        <Table
          label="Imports"
          rows={value.jobs}
          keyOf={({ id: jobId }) => jobId}
          empty="Nothing was imported yet."
          columns={[
            {
              name: 'Name',
              cell: (job) => <Name job={job} />,
            },
            { name: 'State', cell: ({ state }) => <span class={`tag ${state}`}>{stateWords[state]}</span> },
            { name: 'Records', isNumber: true, cell: (job) => count(listedCounts(job).lines) },
            { name: 'New', isNumber: true, cell: (job) => count(listedCounts(job).created) },
            { name: 'Changed', isNumber: true, cell: (job) => count(listedCounts(job).updated) },
            { name: 'Rejected', isNumber: true, cell: (job) => count(listedCounts(job).rejected) },
            {
              name: 'Begun',
              cell: ({ startedAt }) => <time title={time(startedAt)}>{ago(startedAt)}</time>,
            },
            {
              name: 'Took',
              cell: ({ startedAt, finishedAt, series: listed }) =>
                finishedAt == null || listed?.jobs !== undefined
                  ? '–'
                  : duration((finishedAt - startedAt) / 1000),
            },
          ]}
        />
      )}
    </>
  );
}

function Name({ job }: { readonly job: JobView }) {
  const { id, name, series, dryRun, compare } = job;
  if (series?.jobs !== undefined)
    return (
      <>
        <a href={linkTo('jobs', `${seriesMark}${series.name}`)}>{series.name}</a>{' '}
        <span class="tag">{plural(series.jobs, 'import')}</span>
      </>
    );
  return (
    <>
      <a href={linkTo('jobs', id)}>{name === undefined || name === '' ? id.slice(0, 8) : name}</a>{' '}
      {dryRun === true && <span class="tag">{compare === true ? 'comparison' : 'dry run'}</span>}
    </>
  );
}
