import { withMaskedEmails, words } from '../format.ts';
import { useLoadedUntil } from '../hooks.ts';
import { call } from '../api.ts';
import type { Run } from '../import/run-model.ts';
import { type LongColumn, LongTable } from '../parts/long-table.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { linkTo } from '../router.ts';
import { useMay } from '../session.tsx';
import { DecideButtons, Decision, useDecisions } from './decide.tsx';
import type { ConflictView, JobView } from './job-model.ts';
import { useLines } from './use-lines.ts';

const doneWords: Readonly<Record<string, string>> = {
  kept: 'what is here stays',
  replaced: 'the source counts',
  skipped: 'left as it is',
  rejected: 'the record is rejected',
};

const doneOf = ({ done }: ConflictView): string => doneWords[done] ?? words(done);

const columns: readonly LongColumn<ConflictView>[] = [
  {
    name: 'User',
    value: ({ userId }) => userId,
    cell: ({ userId }) => <a href={linkTo('users', userId)}>{withMaskedEmails(userId)}</a>,
  },
  { name: 'Field', width: 'code', value: ({ field }) => field, cell: ({ field }) => <code>{field}</code> },
  { name: 'Here', value: ({ here }) => here, cell: ({ here }) => <code>{withMaskedEmails(here)}</code> },
  {
    name: 'At the source',
    value: ({ source }) => source,
    cell: ({ source }) => <code>{withMaskedEmails(source)}</code>,
  },
  { name: 'By the rule', value: doneOf, cell: doneOf },
];

/** What was changed here and at the source since the last import, side by side. */
export function Conflicts({ job }: { readonly job: JobView }) {
  const { lines, error, isDone } = useLines<ConflictView>(`/bulk-import/jobs/${job.id}/conflicts`);
  const run = useRunOf(job);
  const { decisions, decide } = useDecisions();
  const isOpen = lines.some(({ done }) => job.dryRun === true || done === 'skipped' || done === 'rejected');
  const decision: LongColumn<ConflictView> = {
    name: 'Decision',
    cell: (conflict) => (
      <Decision conflict={conflict} decision={decisions.get(conflict.line)} onDecide={decide} />
    ),
  };
  const canDecide = isOpen && run != null;
  return (
    <section>
      <h2>Changed on both sides</h2>
      <Failure error={error} />
      {isDone && run !== undefined && !canDecide && <Note>{isOpen ? elsewhere : decided}</Note>}
      <LongTable
        label="Conflicts"
        rows={lines}
        empty={isDone ? 'Nothing differs.' : 'Loading…'}
        columns={canDecide ? [...columns, decision] : columns}
      />
      {canDecide && <DecideButtons run={run} decisions={decisions} />}
    </section>
  );
}

const elsewhere =
  'To decide them individually, make the dry run here: this core does not have the files of this one. For all of them alike, import the file with another rule for known users who differ.';
const decided =
  'The rule of this import has decided these. To decide otherwise, undo the import, and make a dry run of the file: it lists them for a decision each.';

const everyMs = 1000;

/**
 * The run of this core that made the job, when it has ended: the job is done a little before it, and its files are whole after it.
 * @returns undefined until then, null if this core does not have it
 */
export function useRunOf({ id }: Pick<JobView, 'id'>): Run | null | undefined {
  const may = useMay();
  const isAllowed = may('import');
  const { value: run } = useLoadedUntil(
    `run of ${id}`,
    async (signal) => {
      if (!isAllowed) return null;
      const { runs } = await call<{ runs: readonly Run[] }>('/console/runs', { signal });
      return runs.find(({ jobId }) => jobId === id) ?? null;
    },
    { isFinal: (found) => !isAllowed || found?.state === 'ended', everyMs },
  );
  return run != null && run.state !== 'ended' ? undefined : run;
}
