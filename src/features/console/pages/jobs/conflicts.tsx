import { call } from '../api.ts';
import { withMaskedEmails, words } from '../format.ts';
import { useDoing, useLoaded } from '../hooks.ts';
import type { Run, RunInput } from '../import/run-model.ts';
import { secretsOf, startRun } from '../import/start-run.ts';
import { Failure, Note } from '../parts/note.tsx';
import { usePages } from '../parts/pages.tsx';
import { Table } from '../parts/table.tsx';
import { go, linkTo } from '../router.ts';
import { useMay } from '../session.tsx';
import type { ConflictView, JobView } from './job-model.ts';
import { useLines } from './use-lines.ts';

const doneWords: Readonly<Record<string, string>> = {
  source: 'the source counts',
  here: 'what is here stays',
  theirs: 'the source counts',
  ours: 'what is here stays',
};

/** What was changed here and at the source since the last import, side by side. */
export function Conflicts({ job }: { readonly job: JobView }) {
  const { lines, error, isDone } = useLines<ConflictView>(`/bulk-import/jobs/${job.id}/conflicts`);
  const { rows, buttons } = usePages(lines, job.id);
  return (
    <section>
      <h2>Changed on both sides</h2>
      <Failure error={error} />
      <ForAll job={job} />
      <Table
        label="Conflicts"
        rows={rows}
        keyOf={({ line, userId, field }) => `${line} ${userId} ${field}`}
        empty={isDone ? 'Nothing differs.' : 'Loading…'}
        columns={[
          { name: 'User', cell: ({ userId }) => <a href={linkTo('users', userId)}>{userId}</a> },
          { name: 'Field', cell: ({ field }) => field },
          { name: 'Here', cell: ({ here }) => <code>{shown(here)}</code> },
          { name: 'At the source', cell: ({ source }) => <code>{shown(source)}</code> },
          { name: 'Done', cell: ({ done }) => doneWords[done] ?? words(done) },
        ]}
      />
      {buttons}
    </section>
  );
}

/** The same files once more, with another rule. */
function ForAll({ job }: { readonly job: JobView }) {
  const doing = useDoing();
  const may = useMay();
  const runs = useLoaded(`runs of ${job.id}`, async (signal) => {
    if (!may('import')) return [];
    return (await call<{ runs: readonly Run[] }>('/console/runs', { signal })).runs;
  });
  const run = runs.value?.find(({ jobId }) => jobId === job.id);
  if (run === undefined)
    return (
      <Note>
        To decide otherwise for all of them, import the same file again with another rule for known users who
        differ.
      </Note>
    );
  const again = (onConflict: string, text: string) => (
    <button
      type="button"
      class="quiet"
      disabled={doing.isBusy}
      onClick={() => {
        doing.run(async () => {
          const input: RunInput = { ...run.input, kind: 'import', onConflict, secrets: secretsOf(run.id) };
          go('import', (await startRun(input)).id);
        });
      }}
    >
      {text}
    </button>
  );
  return (
    <>
      <div class="row wrap">
        {again('theirs', 'For all of them: take the source')}
        {again('ours', 'For all of them: keep what is here')}
      </div>
      <Failure error={doing.error} />
    </>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return withMaskedEmails(typeof value === 'string' ? value : JSON.stringify(value));
}
