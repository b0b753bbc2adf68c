import { count, withMaskedEmails } from '../format.ts';
import { Failure } from '../parts/note.tsx';
import { usePages } from '../parts/pages.tsx';
import { useReasons } from '../parts/reasons.tsx';
import { Table } from '../parts/table.tsx';
import type { JobView, RejectView } from './job-model.ts';
import { mostLines, useLines } from './use-lines.ts';

export function Rejects({ job }: { readonly job: JobView }) {
  const { lines, error, isDone } = useLines<RejectView>(`/bulk-import/jobs/${job.id}/rejects`);
  const reasons = useReasons(lines);
  const pages = usePages(reasons.chosen, reasons.key);
  return (
    <section>
      <h2>Rejected records</h2>
      <Failure error={error} />
      {reasons.buttons}
      {lines.length >= mostLines && <p class="soft">The first {count(mostLines)} are shown.</p>}
      <Table
        label="Rejected records"
        rows={pages.rows}
        keyOf={({ line, field, code }) => `${line} ${code} ${field}`}
        empty={isDone ? 'Nothing was rejected.' : 'Loading…'}
        columns={[
          { name: 'Line', isNumber: true, cell: ({ line }) => count(line) },
          {
            name: 'User',
            cell: ({ externalUserId = '–' }) => <code>{withMaskedEmails(externalUserId)}</code>,
          },
          { name: 'Field', cell: ({ field }) => <code>{field === '' ? '–' : field}</code> },
          { name: 'What is wrong', cell: ({ message }) => withMaskedEmails(message) },
        ]}
      />
      {pages.buttons}
    </section>
  );
}
