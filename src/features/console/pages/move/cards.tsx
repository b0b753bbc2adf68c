import { call } from '../api.ts';
import { ago, count, duration, percent, plural, time, words } from '../format.ts';
import { useLoaded } from '../hooks.ts';
import { DatabaseForm } from '../import/database-form.tsx';
import { useRunOf } from '../jobs/conflicts.tsx';
import type { JobView } from '../jobs/job-model.ts';
import { Command } from '../parts/command.tsx';
import { Figures } from '../parts/figures.tsx';
import { Failure } from '../parts/note.tsx';
import { Table } from '../parts/table.tsx';
import { linkTo } from '../router.ts';
import { useMay } from '../session.tsx';
import { ClassFigures } from './comparison.tsx';
import { DifferenceList } from './difference-list.tsx';
import type { MoveStatus } from './move-model.ts';
import { Settle } from './settle.tsx';

/** While this core leads: for which share, and whether those are refused more often than in the old system. */
export function Share({ move: { stage, share, refusals, waiting } }: { readonly move: MoveStatus }) {
  if (stage !== 'leading') return null;
  const { here, before } = refusals;
  return (
    <>
      <label class="share">
        Share of the users who sign in here <progress value={share} max={100} /> <strong>{share} %</strong>
      </label>
      <Figures
        items={[
          {
            name: 'Refused here',
            value: here === undefined ? '–' : percent(here.refused, here.users),
            note: here === undefined ? undefined : `of ${plural(here.users, 'user')} who tried in this stage`,
          },
          {
            name: 'Refused in the old system',
            value:
              here === undefined
                ? percent(before.refused, before.users)
                : `${(100 * here.refusedBefore).toFixed(1)} %`,
            note: 'if here are clearly more, the share stops by itself',
          },
          {
            name: 'Not yet written back',
            value: count(waiting.users),
            note: waiting.since === null ? undefined : `the oldest is from ${time(waiting.since)}`,
            kind: waiting.users > 0 ? ('warn' as const) : undefined,
          },
          {
            name: 'Changed on both sides',
            value: count(waiting.conflicts),
            kind: waiting.conflicts > 0 ? ('bad' as const) : undefined,
          },
        ]}
      />
    </>
  );
}

/** The comparison that is recorded in the move, and what the last one has found. */
export function Differences({ move: { reports } }: { readonly move: MoveStatus }) {
  const may = useMay();
  const jobs = useLoaded('comparisons', async (signal) => {
    if (!may('import')) return [];
    const query = { limit: 50 };
    return (await call<{ jobs: readonly JobView[] }>('/bulk-import/jobs', { query, signal })).jobs;
  });
  const last = jobs.value?.find(({ compare, state }) => compare === true && state === 'done');
  const recorded = reports.comparison;
  return (
    <section>
      <h2>Differences</h2>
      {recorded === undefined ? (
        <p>No comparison is recorded yet.</p>
      ) : (
        <>
          <ClassFigures unexplained={recorded.figures.unexplained} users={recorded.figures.counts ?? {}} />
          <p class="soft">Recorded in the move, {ago(recorded.at)}.</p>
        </>
      )}
      <Failure error={jobs.error?.message} />
      {last && (
        <>
          <h3>The last comparison, {ago(last.startedAt)}</h3>
          {last.purgedAt == null ? <Found job={last} /> : <p>Its list was removed.</p>}
        </>
      )}
      {may('import') && (
        <details>
          <summary>Compare the old system’s database now</summary>
          <DatabaseForm kind="compare" action="Compare it" />
          <p class="soft">
            For an export, look into it at <a href={linkTo('import')}>Import</a>, and compare it there.
          </p>
        </details>
      )}
      <Command text="carryover compare <database or file> --from … --json > comparison.json && carryover move record comparison.json" />
    </section>
  );
}

function Found({ job }: { readonly job: JobView }) {
  const run = useRunOf(job);
  return (
    <>
      <DifferenceList job={job.id} />
      {run !== undefined && job.updated + job.created > 0 && <Settle run={run} />}
    </>
  );
}

const roleWords = { follow: 'Follower', 'write-back': 'Write-back' } as const;

export function Processes({ move: { processes, now } }: { readonly move: MoveStatus }) {
  return (
    <section>
      <h2>Processes</h2>
      <Table
        label="Processes of the move"
        rows={processes}
        keyOf={({ role }) => role}
        empty="Neither a follower nor a write-back runs."
        columns={[
          { name: 'What', cell: ({ role }) => roleWords[role] },
          { name: 'Where', cell: ({ holder }) => <code>{holder}</code> },
          {
            name: 'State',
            cell: ({ isHeld, leasedUntil }) =>
              isHeld ? (
                <span class="tag done">running</span>
              ) : (
                <span class="tag cancelled">not heard of since {ago(leasedUntil, now)}</span>
              ),
          },
          { name: 'Behind by', cell: ({ lagMs, lagRecords }) => lagText(lagMs, lagRecords) },
        ]}
      />
    </section>
  );
}

function lagText(lagMs: number | null, lagRecords: number | null): string {
  if (lagMs === null && lagRecords === null) return 'not known yet';
  const records = lagRecords === null ? '' : plural(lagRecords, 'record');
  return [lagMs === null ? '' : duration(lagMs / 1000), records].filter((part) => part !== '').join(', ');
}

export function History({ move: { history } }: { readonly move: MoveStatus }) {
  return (
    <section>
      <h2>History</h2>
      <Table
        label="History of the move"
        rows={history}
        keyOf={({ at, kind }) => `${at} ${kind}`}
        empty="Nothing yet."
        columns={[
          { name: 'When', cell: ({ at }) => time(at) },
          { name: 'Who', cell: ({ actor }) => actor },
          { name: 'What', cell: ({ kind }) => words(kind) },
          {
            name: 'Stage',
            cell: ({ stage, share }) => (stage === 'leading' ? `${words(stage)}, ${share} %` : words(stage)),
          },
        ]}
      />
    </section>
  );
}
