import { words } from '../format.ts';
import { Failure, Note } from '../parts/note.tsx';
import { usePages } from '../parts/pages.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../router.ts';
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
      <Note>
        To decide otherwise for all of them, import the same file again: “theirs” takes the source, “ours”
        keeps what is here.
      </Note>
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

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
