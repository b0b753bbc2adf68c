import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { bytes, count, duration, plural, time } from '../format.ts';
import { useDoing } from '../hooks.ts';
import { DifferenceList } from '../move/difference-list.tsx';
import { Command } from '../parts/command.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { Progress } from '../parts/progress.tsx';
import { linkTo } from '../router.ts';
import { useMay } from '../session.tsx';
import { Conflicts } from './conflicts.tsx';
import { JobFigures } from './job-figures.tsx';
import { type JobView, nameOf, stateWords } from './job-model.ts';
import { Rejects } from './rejects.tsx';
import { useJob } from './use-job.ts';

export function JobPage({ id }: { readonly id: string }) {
  const [turn, setTurn] = useState(0);
  const { job, error } = useJob(id, turn);
  return (
    <>
      <p>
        <a href={linkTo('jobs')}>← All imports</a>
      </p>
      <h1 tabIndex={-1}>{nameOf(job)}</h1>
      <Failure error={error} />
      {job && (
        <Job
          job={job}
          onChange={() => {
            setTurn((before) => before + 1);
          }}
        />
      )}
    </>
  );
}

function Job({ job, onChange }: { readonly job: JobView; readonly onChange: () => void }) {
  const { state, startedAt, finishedAt, usersPerSecond, cancelReason, legacySourcesNotAsked = [] } = job;
  return (
    <>
      <p>
        <span class={`tag ${state}`}>{stateWords[state]}</span>{' '}
        {job.dryRun === true && (
          <span class="tag">{job.compare === true ? 'comparison' : 'dry run'}: nothing was changed</span>
        )}{' '}
        <span class="soft">
          {time(startedAt)} · {bytes(job.bytes)} committed
          {finishedAt == null ? '' : ` · ${duration((finishedAt - startedAt) / 1000)}`}
          {usersPerSecond > 0 ? ` · ${count(Math.round(usersPerSecond))} records a second` : ''}
        </span>
      </p>
      {cancelReason && <Note kind="bad">{cancelReason.message}</Note>}
      {legacySourcesNotAsked.length > 0 && (
        <Note kind="warn" title="Some users cannot sign in yet.">
          {` Their password is known to ${legacySourcesNotAsked.join(', ')} alone, and the setting legacy_sources does not name it.`}
        </Note>
      )}
      {state === 'receiving' && (
        <Progress
          label="Import"
          text={`${plural(job.lines, 'record')} committed, ${count(Math.round(usersPerSecond))} a second`}
        />
      )}
      <JobFigures job={job} />
      {job.compare === true ? (
        <section>
          <h2>Differences</h2>
          <DifferenceList job={job.id} />
        </section>
      ) : (
        <>
          {job.rejected > 0 && <Rejects job={job} />}
          {job.conflicts > 0 && <Conflicts job={job} />}
        </>
      )}
      <Undo job={job} onChange={onChange} />
    </>
  );
}

interface Foreseen {
  readonly removed: number;
  readonly restored: number;
  readonly left: number | readonly unknown[];
  readonly held?: number;
}

/** With its preview: what would be removed, put back and left. */
function Undo({ job, onChange }: { readonly job: JobView; readonly onChange: () => void }) {
  const may = useMay();
  const doing = useDoing();
  const [foreseen, setForeseen] = useState<Foreseen>();
  const [isForced, setForced] = useState(false);
  const hasChanges = job.created + job.updated > 0 && job.dryRun !== true;
  if (
    !hasChanges ||
    job.state === 'undone' ||
    job.state === 'receiving' ||
    job.purgedAt != null ||
    !may('import')
  )
    return null;
  const path = `/bulk-import/jobs/${job.id}/undo`;
  const foresee = (force: boolean): void => {
    doing.run(async () => {
      setForced(force);
      setForeseen(await call<Foreseen>(path, { query: { force } }));
    });
  };
  const undo = (): void => {
    doing.run(async () => {
      await call(path, { method: 'POST', body: { force: isForced } });
      setForeseen(undefined);
      onChange();
    });
  };
  return (
    <section>
      <h2>Undo</h2>
      <p>Removes the users that this import made, and puts back what it replaced.</p>
      <button
        type="button"
        class="quiet"
        disabled={doing.isBusy}
        onClick={() => {
          foresee(false);
        }}
      >
        Show what an undo would do
      </button>
      <Command text={`carryover undo ${job.id}`} />
      {foreseen === undefined && <Failure error={doing.error} />}
      {foreseen && (
        <Confirm
          title="Undo this import?"
          action="Undo it"
          isDanger
          isBusy={doing.isBusy}
          onConfirm={undo}
          onClose={() => {
            setForeseen(undefined);
          }}
        >
          <p>
            {plural(foreseen.removed, 'user')} would be removed, {plural(foreseen.restored, 'user')} put back
            as before.
          </p>
          {leftOf(foreseen) > 0 && (
            <>
              <Note kind="warn">
                {plural(leftOf(foreseen), 'user')} would stay, because they have signed in or changed
                something here since.
              </Note>
              <label>
                <input
                  type="checkbox"
                  checked={isForced}
                  onChange={({ currentTarget }) => {
                    foresee(currentTarget.checked);
                  }}
                />{' '}
                Remove these, too
              </label>
            </>
          )}
          <Failure error={doing.error} />
        </Confirm>
      )}
    </section>
  );
}

function leftOf({ left }: Foreseen): number {
  return typeof left === 'number' ? left : left.length;
}
