import { count, withMaskedEmails } from '../format.ts';
import { type LongColumn, LongTable } from '../parts/long-table.tsx';
import { Failure } from '../parts/note.tsx';
import { useReasons } from '../parts/reasons.tsx';
import type { JobView, RejectView } from './job-model.ts';
import { mostLines, useLines } from './use-lines.ts';

const columns: readonly LongColumn<RejectView>[] = [
  { name: 'Line', isNumber: true, value: ({ line }) => line, cell: ({ line }) => count(line) },
  {
    name: 'User',
    value: ({ externalUserId = '' }) => externalUserId,
    cell: ({ externalUserId = '–' }) => <code>{withMaskedEmails(externalUserId)}</code>,
  },
  {
    name: 'Field',
    width: 'code',
    value: ({ field }) => field,
    cell: ({ field }) => <code>{field === '' ? '–' : field}</code>,
  },
  {
    name: 'What is wrong',
    width: 'wide',
    value: ({ message }) => message,
    cell: ({ message }) => withMaskedEmails(message),
  },
];

export function Rejects({ job }: { readonly job: JobView }) {
  const { lines, error, isDone } = useLines<RejectView>(`/bulk-import/jobs/${job.id}/rejects`);
  const reasons = useReasons(lines);
  return (
    <section>
      <h2>Rejected records</h2>
      <Failure error={error} />
      {reasons.buttons}
      {lines.length >= mostLines && <p class="soft">The first {count(mostLines)} are shown.</p>}
      <LongTable
        key={reasons.key}
        label="Rejected records"
        rows={reasons.chosen}
        empty={isDone ? 'Nothing was rejected.' : 'Loading…'}
        columns={columns}
      />
    </section>
  );
}
