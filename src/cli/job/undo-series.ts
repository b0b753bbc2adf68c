/** Undoes the imports of a series back to a moment, newest first. */

import { carryover } from '../../process/called.ts';
import type { UndoForeseen } from '../../imports/model.ts';
import { type Core, flagsFor, withCore } from '../client/server.ts';
import type { UndoView } from '../client/views.ts';
import { CommandError, type ExitCode, exitCodes, Interrupted, type Step } from '../command-error.ts';
import { confirm } from '../confirm/confirm.ts';
import { asJson } from '../output/answer.ts';
import { count, plural } from '../output/format.ts';
import { createProgress } from '../output/progress.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { describeUsers } from './foreseen.ts';
import { jobsSince, type SeriesJob, type Since } from './series.ts';
import { hasChanges } from './steps.ts';
import { shownUsers, type UndoOptions, undoneText } from './undone.ts';

interface Named {
  readonly name: string;
  readonly since: Since;
}

interface Undoing {
  readonly name: string;
  /** ms since the epoch. */
  readonly since: number;
  readonly options: UndoOptions;
  readonly core: Core;
  readonly surroundings: Surroundings;
  /** Newest first; without those that are undone already, or changed no user. */
  readonly jobs: readonly SeriesJob[];
}

/** Interrupted, it is called again: what is undone stays so. @throws CommandError */
export function undoSeries(
  { name, since: given }: Named,
  options: UndoOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const now = surroundings.now();
  const since = 'at' in given ? given.at : now - given.secondsAgo * 1000;
  if (since > now)
    throw new CommandError(`--since ${isoOf(since)} is in the future: give a moment that has passed`, {
      field: '--since',
    });
  return withCore({ ...options, writes: true }, surroundings, async (core) => {
    const found = await jobsSince(name, since, core, surroundings.interrupt);
    requireEnded(name, found);
    const undoing = { name, since, options, core, surroundings, jobs: found.filter(hasChanges) };
    requireUnpurged(undoing);
    if (options.dryRun === true) return foresee(undoing);
    if (undoing.jobs.length > 0) await confirm(changeOf(undoing), options, surroundings);
    return carryOut(undoing);
  });
}

/** @throws CommandError */
function requireEnded(name: string, jobs: readonly SeriesJob[]): void {
  const receiving = jobs.find(({ state }) => state === 'receiving');
  if (receiving === undefined) return;
  throw new CommandError(
    `The import ${receiving.id} of ${name} is not over yet: stop the follower, and undo then`,
    { code: 'JOB_STILL_RECEIVING', field: '--series' },
  );
}

/** Before anything is undone: afterwards the users would be between two states. @throws CommandError */
function requireUnpurged({ name, since, jobs, core: { server } }: Undoing): void {
  const purged = jobs.filter(({ purgedAt }) => typeof purgedAt === 'number');
  const [newest] = purged;
  if (newest === undefined) return;
  const after = isoOf(newest.startedAt + 1);
  throw new CommandError(
    `Of ${plural(purged.length, 'import')} since ${isoOf(since)} what an undo needs was removed, on request or after job_retention_days, so the users cannot become as they were then. Nothing was undone: give a later moment, --since ${after} at the earliest`,
    {
      code: 'JOB_PURGED',
      field: '--since',
      next: [
        {
          command: `${carryover} undo --series ${name} --since ${after}${flagsFor(server)} --dry-run`,
          reason: 'shows what an undo of the later imports would do',
        },
      ],
    },
  );
}

/** By their counts: an exact foresight takes as long as the undo, see --dry-run. */
function changeOf({ name, since, jobs }: Undoing): Parameters<typeof confirm>[0] {
  const created = sumOf(jobs, (job) => job.created);
  const updated = sumOf(jobs, (job) => job.updated);
  const absent = sumOf(jobs, (job) => job.absentDone ?? 0);
  return {
    lines: [
      `Undo of ${plural(jobs.length, 'import')} of ${name} since ${isoOf(since)}, newest first`,
      `  ${plural(created, 'user')} that they created would be removed`,
      `  ${plural(updated + absent, 'change')} of users would be put back: a user counts for each import`,
      '  Users who have signed in or were changed here since stay, and are listed',
      '  A follower that runs imports them again: stop it first',
    ],
    would: { series: name, since, jobs: jobs.length, created, updated, absent },
    question: 'Undo them?',
  };
}

async function foresee(undoing: Undoing): Promise<ExitCode> {
  const { name, since, options, core, surroundings, jobs } = undoing;
  const sum = { removed: 0, restored: 0, left: { SIGNED_IN: 0, CHANGED_SINCE: 0, IDENTITY_TAKEN: 0 } };
  await eachJob(undoing, async ({ id }) => {
    const path = `/bulk-import/jobs/${encodeURIComponent(id)}/undo?force=${options.force ?? false}`;
    const signal = surroundings.interrupt;
    const { removed, restored, left } = await core.client.call<UndoForeseen>({ method: 'GET', path, signal });
    sum.removed += removed;
    sum.restored += restored;
    for (const reason of Object.keys(sum.left) as (keyof typeof sum.left)[]) sum.left[reason] += left[reason];
  });
  const next =
    jobs.length === 0 ? [] : [stepOf(undoing, 'undoes it', [...(options.force ? ['--force'] : []), '--yes'])];
  const view = { series: name, since, dryRun: true, jobs: jobs.length, ...sum };
  const lines = [
    `Dry run, nothing is changed: Undo of ${plural(jobs.length, 'import')} of ${name} since ${isoOf(since)}`,
    ...describeUsers(sum),
    ...(jobs.length > 1
      ? ['  A user that several of them changed counts for each, and for the older ones as changed since']
      : []),
  ];
  surroundings.stdout.write(options.json ? asJson('undo', view, next) : `${lines.join('\n')}\n`);
  return exitCodes.ok;
}

/** Users who are listed: of more, the first. */
const mostLeft = 10_000;

async function carryOut(undoing: Undoing): Promise<ExitCode> {
  const { name, since, options, core, surroundings, jobs } = undoing;
  const { force = false, json } = options;
  if (jobs.length === 0) return sayNothing(undoing);
  const sum = { removed: 0, restored: 0, held: 0 };
  const left = new Map<string, UndoView['left'][number]>();
  let done = 0;
  await eachJob(undoing, async ({ id }) => {
    const undone = await core.client.undo(id, force, surroundings.interrupt);
    done += 1;
    sum.removed += undone.removed;
    sum.restored += undone.restored;
    sum.held += undone.held ?? 0;
    // The newest import that leaves a user has the reason: the older ones leave the user for that.
    for (const user of undone.left)
      if (left.size < mostLeft && !left.has(user.userId)) left.set(user.userId, user);
  }).catch((error: unknown) => {
    throw stopped(undoing, done, error);
  });
  const view = { ...sum, left: shownUsers([...left.values()], options) };
  const next = left.size > 0 && !force ? [stepOf(undoing, 'undo these too', ['--force'])] : [];
  if (json)
    surroundings.stdout.write(asJson('undo', { series: name, since, jobs: jobs.length, ...view }, next));
  else tell(surroundings, `${plural(jobs.length, 'import')} of ${name}. ${undoneText(view, next)}`);
  return left.size > 0 ? exitCodes.rejects : exitCodes.ok;
}

/** A duration would mean a later moment when the command is run again: it says the one that it began with. */
function stopped(undoing: Undoing, done: number, error: unknown): unknown {
  const { options, surroundings, jobs } = undoing;
  const flags = [...(options.force ? ['--force'] : []), '--yes'];
  const next = stepOf(undoing, 'continues', flags);
  const line = `${count(done)} of ${plural(jobs.length, 'import')} are undone. Continue with: ${next.command}`;
  if (surroundings.interrupt.aborted)
    return new Interrupted(`Stopped. ${line}`, { cause: error, next: [next] });
  surroundings.stderr.write(`${line}\n`);
  return error;
}

/** Shows how many of them are done. */
async function eachJob(
  { jobs, surroundings }: Undoing,
  work: (job: SeriesJob) => Promise<void>,
): Promise<void> {
  const { stderr, now, interrupt } = surroundings;
  const of = plural(jobs.length, 'import');
  const progress = createProgress({ output: stderr, totalBytes: jobs.length, now, of, noun: 'import' });
  try {
    for (const [done, job] of jobs.entries()) {
      interrupt.throwIfAborted();
      await work(job);
      progress.update({ bytes: done + 1, records: done + 1, rejected: 0 });
    }
  } finally {
    progress.stop();
  }
}

function sayNothing({ name, since, options, surroundings }: Undoing): ExitCode {
  const view = { series: name, since, jobs: 0, removed: 0, restored: 0, held: 0, left: [] };
  if (options.json) surroundings.stdout.write(asJson('undo', view));
  else
    tell(
      surroundings,
      `Nothing to undo: no import of ${name} since ${isoOf(since)} changed a user that it has not put back\n`,
    );
  return exitCodes.ok;
}

/** With the moment, which a duration would not be later. */
function stepOf({ name, since, core: { server } }: Undoing, reason: string, more: readonly string[]): Step {
  const flags = ` --series ${name} --since ${isoOf(since)}${flagsFor(server)}`;
  return { command: [`${carryover} undo${flags}`, ...more].join(' '), reason };
}

function sumOf(jobs: readonly SeriesJob[], of: (job: SeriesJob) => number): number {
  return jobs.reduce((sum, job) => sum + of(job), 0);
}

function isoOf(at: number): string {
  return new Date(at).toISOString();
}
