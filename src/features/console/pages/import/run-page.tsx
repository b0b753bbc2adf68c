import { useState } from 'preact/hooks';
import { call } from '../api.ts';
import { ago, duration } from '../format.ts';
import { useDoing, useLoadedUntil } from '../hooks.ts';
import { Conflicts } from '../jobs/conflicts.tsx';
import { JobFigures } from '../jobs/job-figures.tsx';
import { useJob } from '../jobs/use-job.ts';
import { ComparisonView } from '../move/comparison.tsx';
import { Command } from '../parts/command.tsx';
import { Failure, Note } from '../parts/note.tsx';
import { Progress } from '../parts/progress.tsx';
import { count, plural } from '../format.ts';
import { go, linkTo } from '../router.ts';
import { stateOf, tagOf } from './import-page.tsx';
import { InspectionView } from './inspection.tsx';
import { DoctorView, ProposalView } from './findings.tsx';
import { MendTable } from './mend.tsx';
import { Options } from './options.tsx';
import { PlanView } from './plan-view.tsx';
import {
  isComparison,
  isError,
  isDoctor,
  isInspection,
  isPlan,
  kindWords,
  type Proposal,
  type Run,
  type RunInput,
  type RunKind,
} from './run-model.ts';
import { secretsOf, startRun } from './start-run.ts';

const everyMs = 1000;

/** A run, live; and the steps after it. */
export function RunPage({ id }: { readonly id: string }) {
  const { value: run, error } = useLoadedUntil(
    `run ${id}`,
    async (signal) => (await call<{ run: Run }>(`/console/runs/${id}`, { signal })).run,
    { isFinal: ({ state }) => state === 'ended', everyMs },
  );
  return (
    <>
      <p>
        <a href={linkTo('import')}>← Files</a>
      </p>
      {run === undefined ? <h1 tabIndex={-1}>Run</h1> : <RunHead run={run} />}
      <Failure error={error?.message} />
      {run && <RunBody run={run} />}
    </>
  );
}

function RunHead({ run }: { readonly run: Run }) {
  return (
    <>
      <h1 tabIndex={-1}>
        {kindWords[run.kind]}: {run.subject.join(', ')}
      </h1>
      <p>
        <span class={`tag ${tagOf(run)}`}>{stateOf(run)}</span>{' '}
        <span class="soft">
          begun {ago(run.at)} by {run.by}
          {run.endedAt === undefined ? '' : `, took ${duration((run.endedAt - run.at) / 1000)}`}
        </span>
      </p>
    </>
  );
}

function RunBody({ run }: { readonly run: Run }) {
  const isOver = run.state === 'ended';
  return (
    <>
      {!isOver && <Running run={run} />}
      <Outcome run={run} />
      {(run.kind === 'import' || run.kind === 'dry-run') && <JobOfRun run={run} />}
      {isOver && run.jobId !== undefined && run.kind !== 'compare' && <MendTable run={run} />}
      {isOver && <NextSteps key={run.id} run={run} />}
      <details>
        <summary>What it printed, and the command that does the same</summary>
        <Command text={run.command} />
        <pre>{run.said === '' ? '(nothing)' : run.said}</pre>
      </details>
    </>
  );
}

/** Its result, or why there is no result. */
function Outcome({ run }: { readonly run: Run }) {
  const { kind, state, result, exitCode, fileId, said } = run;
  if (state !== 'ended') return null;
  if (isError(result)) return <Note kind="bad" title="Refused.">{` ${result.message}`}</Note>;
  if (result === undefined && exitCode !== 0)
    return <Note kind="bad" title="It ended without a result.">{` ${lastLine(said)}`}</Note>;
  if (isInspection(result)) return <InspectionView found={result} />;
  if (isPlan(result)) return <PlanView plan={result} />;
  if (isComparison(result)) return <ComparisonView run={run} found={result} />;
  if (isDoctor(result)) return <DoctorView found={result} />;
  const { proposed } = (result ?? {}) as Proposal;
  if (kind === 'propose' && proposed !== undefined) return <ProposalView proposed={proposed} />;
  if (kind === 'read-database' && fileId !== undefined)
    return (
      <Note kind="good">The users are in a file on this core now: look into it, as into any other.</Note>
    );
  return null;
}

function Running({ run }: { readonly run: Run }) {
  const doing = useDoing();
  return (
    <>
      <div class="row wrap">
        {run.jobId === undefined && <Progress label={kindWords[run.kind]} text={lastLine(run.said)} />}
        <button
          type="button"
          class="quiet"
          disabled={doing.isBusy}
          onClick={() => {
            doing.run(async () => {
              await call(`/console/runs/${run.id}`, { method: 'DELETE' });
            });
          }}
        >
          Stop
        </button>
      </div>
      <p class="soft">The tab may be closed: the core continues, and this address shows it from anywhere.</p>
      <Failure error={doing.error} />
    </>
  );
}

/** Committed rows, by the core's own events. */
function JobOfRun({ run }: { readonly run: Run }) {
  const { job, error } = useJob(run.jobId);
  if (run.jobId === undefined) return null;
  const records = recordsOf(run);
  return (
    <>
      <Failure error={error} />
      {job?.state === 'receiving' && (
        <Progress
          label="Committed records"
          value={records === undefined ? undefined : job.lines}
          max={records}
          text={`${plural(job.lines, 'record')} committed, ${count(Math.round(job.usersPerSecond))} a second${leftText(job, records)}`}
        />
      )}
      {job && <JobFigures job={job} />}
      {job?.dryRun === true && job.state === 'done' && job.conflicts > 0 && <Conflicts job={job} />}
      {job && job.dryRun !== true && job.state === 'done' && (
        <p>
          <a href={linkTo('jobs', job.id)}>The import, with its rejects, conflicts and undo</a>
        </p>
      )}
    </>
  );
}

/** From the inspection before it, whose count the next run was given. */
function recordsOf({ input }: Run): number | undefined {
  return known.get((input.files ?? []).join());
}
const known = new Map<string, number>();

function leftText(
  { lines, usersPerSecond }: { readonly lines: number; readonly usersPerSecond: number },
  records: number | undefined,
): string {
  if (records === undefined || usersPerSecond === 0 || lines >= records) return '';
  return `, ${duration((records - lines) / usersPerSecond)} left`;
}

/** The options, and the buttons of what may follow. */
function NextSteps({ run }: { readonly run: Run }) {
  const doing = useDoing();
  const [input, setInput] = useState<RunInput>(() => inputAfter(run));
  if (isInspection(run.result)) known.set((run.input.files ?? []).join(), run.result.records);
  if (run.kind === 'import' && run.exitCode === 0) return null;
  if ((input.files ?? []).length === 0) return null;
  const start = (kind: RunKind): void => {
    doing.run(async () => {
      const next = await startRun({ ...input, kind });
      go('import', next.id);
    });
  };
  const button = (kind: RunKind, text: string, isMain = false) => (
    <button
      type="button"
      class={isMain ? '' : 'quiet'}
      disabled={doing.isBusy}
      onClick={() => {
        start(kind);
      }}
    >
      {text}
    </button>
  );
  const isLookedInto =
    [isInspection, isPlan, isComparison].some((is) => is(run.result)) ||
    run.kind === 'dry-run' ||
    run.kind === 'import';
  return (
    <section>
      <h2>{isLookedInto ? 'Next' : 'Try again'}</h2>
      <Options input={input} format={formatOf(run)} onChange={setInput} />
      <div class="row wrap">
        {button('inspect', run.kind === 'inspect' ? 'Look again' : 'Look into it', !isLookedInto)}
        {isError(run.result) && button('propose', 'Propose how to read the columns')}
        {input.canaries !== undefined && button('doctor', 'Hash doctor: try the known passwords')}
        {isLookedInto && button('plan', 'Plan: how long, and what the first morning needs')}
        {isLookedInto && button('compare', 'Compare with the users here')}
        {isLookedInto && button('dry-run', 'Dry run', run.kind === 'inspect')}
        {isLookedInto &&
          button('import', run.kind === 'import' ? 'Import again' : 'Import', run.kind === 'dry-run')}
      </div>
      <p class="soft">A dry run goes through the whole import in the core, and changes nothing.</p>
      <Failure error={doing.error} />
    </section>
  );
}

/** What was proposed is taken over; what was read from a database is a file now. */
function inputAfter(run: Run): RunInput {
  const base = { ...run.input, secrets: secretsOf(run.id) };
  if (run.kind === 'read-database')
    return { kind: 'inspect', files: run.fileId === undefined ? [] : [run.fileId] };
  if (run.kind !== 'propose') return base;
  const { map = {}, format = 'native', hashAs } = (run.result as Proposal | undefined)?.proposed ?? {};
  const mapped = Object.entries(map).map(([field, column]) => `${field}=${column}`);
  return { ...base, from: format, map: mapped, ...(hashAs != null && { hashAs }) };
}

function formatOf({ result, input }: Run): string | undefined {
  return isInspection(result) ? result.format : input.from;
}

function lastLine(text: string): string {
  return (
    text
      .trim()
      .split(/[\r\n]+/)
      .at(-1) ?? ''
  );
}
