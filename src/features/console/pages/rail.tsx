import { call } from './api.ts';
import { count, plural } from './format.ts';
import { useLoaded } from './hooks.ts';
import type { JobView } from './jobs/job-model.ts';
import { type MoveAnswer, nextCommand, sentence } from './move/move-model.ts';
import { Command } from './parts/command.tsx';
import { useMay } from './session.tsx';

const everyMs = 5000;

interface State {
  readonly users: number | undefined;
  readonly move: MoveAnswer | undefined;
  readonly job: JobView | undefined;
}

/** Head of every page: source → this core, where the move stands, and what comes next. */
export function Rail() {
  const may = useMay();
  const { value, error } = useLoaded<State>(
    'rail',
    async (signal) => {
      const [users, move, jobs] = await Promise.all([
        may('read') ? call<{ count: number }>('/users/count', { signal }) : undefined,
        may('move', 'read') ? call<MoveAnswer>('/move/status', { signal }) : undefined,
        may('import', 'import:new', 'read')
          ? call<{ jobs: readonly JobView[] }>('/bulk-import/jobs', { query: { limit: 5 }, signal })
          : undefined,
      ]);
      return { users: users?.count, move, job: jobs?.jobs.find(({ dryRun }) => dryRun !== true) };
    },
    everyMs,
  );
  const move = value?.move?.status === 'OK' ? value.move : undefined;
  const job = value?.job;
  const source = move?.source.system ?? job?.source ?? job?.name ?? 'the old system';
  return (
    <section class="rail" aria-label="Where the move stands">
      <div class="ends">
        <div class="end">
          <span class="soft">From</span>
          <strong>{source}</strong>
          <span class="soft">{fromText(move, job)}</span>
        </div>
        <span class="arrow" aria-hidden="true">
          →
        </span>
        <div class="end here">
          <span class="soft">To</span>
          <strong>this core</strong>
          <span class="soft">{value?.users === undefined ? '' : plural(value.users, 'user')}</span>
        </div>
      </div>
      <div class="next">
        {error !== undefined && <p class="bad">{error.message}</p>}
        {move === undefined ? <WithoutMove users={value?.users} /> : <p>{sentence(move)}</p>}
        {move !== undefined && nextCommand(move) !== undefined && <Command text={nextCommand(move) ?? ''} />}
      </div>
    </section>
  );
}

function WithoutMove({ users }: { readonly users: number | undefined }) {
  if (users === undefined) return null;
  if (users === 0)
    return (
      <p>
        Nothing is imported yet. Drop an export below: it is looked at first, and nothing changes until you
        say so.
      </p>
    );
  return (
    <p>
      No move in stages is open. Imports work without one; <code>carryover move start</code> begins one that
      has a way back.
    </p>
  );
}

function fromText(
  move: { readonly source: { readonly address?: string } } | undefined,
  job: JobView | undefined,
): string {
  if (move?.source.address !== undefined) return move.source.address.replace(/^[a-z]+:\/\//, '');
  return job === undefined ? '' : `${count(job.lines)} records read last`;
}
