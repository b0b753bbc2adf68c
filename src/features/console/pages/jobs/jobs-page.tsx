import { call } from '../api.ts';
import { ago, count, duration, time } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { Failure } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../router.ts';
import { type JobView, stateWords } from './job-model.ts';
import { JobPage } from './job-page.tsx';

interface JobList {
  readonly jobs: readonly JobView[];
}

export function JobsPage({ id }: { readonly id: string | undefined }) {
  return id === undefined ? <List /> : <JobPage id={id} />;
}

function List() {
  const { value, error } = useLoaded(
    'jobs',
    (signal) => call<JobList>('/bulk-import/jobs', { query: { limit: 50 }, signal }),
    5000,
  );
  return (
    <>
      <h1 tabIndex={-1}>All imports</h1>
      <p class="soft">
        Of all cores of this deployment, the newest first; also those that were begun by the command.
      </p>
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
              cell: ({ id: jobId, name, dryRun, compare }) => (
                <>
                  <a href={linkTo('jobs', jobId)}>
                    {name === undefined || name === '' ? jobId.slice(0, 8) : name}
                  </a>{' '}
                  {dryRun === true && <span class="tag">{compare === true ? 'comparison' : 'dry run'}</span>}
                </>
              ),
            },
            { name: 'State', cell: ({ state }) => <span class={`tag ${state}`}>{stateWords[state]}</span> },
            { name: 'Records', isNumber: true, cell: ({ lines }) => count(lines) },
            { name: 'New', isNumber: true, cell: ({ created }) => count(created) },
            { name: 'Changed', isNumber: true, cell: ({ updated }) => count(updated) },
            { name: 'Rejected', isNumber: true, cell: ({ rejected }) => count(rejected) },
            {
              name: 'Begun',
              cell: ({ startedAt }) => <time title={time(startedAt)}>{ago(startedAt)}</time>,
            },
            {
              name: 'Took',
              cell: ({ startedAt, finishedAt }) =>
                finishedAt == null ? '–' : duration((finishedAt - startedAt) / 1000),
            },
          ]}
        />
      )}
    </>
  );
}
