import { carryover } from '../../process/called.ts';
import type { JobView } from '../client/core-client.ts';
import { classesOf, describeOutcome, type Outcome } from '../output/outcome.ts';
import { describeFactors } from '../output/restrictions.ts';
import type { SharedEmails } from '../../exports/emails/shared-emails.ts';
import { describeShared } from '../output/shared.ts';
import { describePasswords } from '../output/passwords.ts';
import { count, duration, plural, printable, table } from '../output/format.ts';
import type { RejectGroup, RejectLog } from '../output/reject-log.ts';
import { nearest } from './records/mend-flags.ts';

/** What became of an import. */
export interface Result {
  readonly job: JobView;
  /** Records that conversion rejected: the core has not seen them. */
  readonly converted: number;
  readonly log: RejectLog;
  readonly unit: string;
  /** Emails that two users of the file have; undefined where the records were sent unread. */
  readonly shared?: SharedEmails | undefined;
  /** What commands about this job need beside its id. */
  readonly flags: string;
  /** Where the command runs. */
  readonly here: string;
  /** The folder of the run. */
  readonly folder?: string | undefined;
  /** The rejected records, to be corrected. */
  readonly mend?:
    | {
        readonly file: string;
        readonly count: number;
        /** The options for it. */
        readonly flags: string;
        /** Names of those that are secret, which are not shown. */
        readonly secrets: readonly string[];
      }
    | undefined;
  /** Old systems that know passwords of the file, and that the core does not ask. */
  readonly unasked?: readonly string[];
}

/** For programs: one line of JSON. */
export function summaryAsJson({ job, converted, log, unit, mend, folder, unasked, shared }: Result): string {
  const byMessage = log.groups.map(({ code, message, count: all }) => ({ code, message, count: all }));
  const rejects = { unit, byCode: log.byCode, byMessage, ...(log.count > 0 && { file: log.file }) };
  const counts = { records: job.lines + converted, rejected: job.rejected + converted };
  const classes = classesOf(outcomeOf(job, { converted, groups: log.groups, unit }));
  return `${JSON.stringify({ status: 'OK', ...counts, rejectedByConversion: job.rejectedByConversion ?? converted, classes, rejects, mendFile: mend?.file, runFolder: folder, legacySourcesNotAsked: unasked, sharedEmails: shared?.count, job })}\n`;
}

/** For people. */
export function summaryAsText(result: Result): string {
  const { job, flags } = result;
  const lines = [
    `${job.dryRun ? 'Dry run, nothing is changed: ' : ''}${printable(job.name)} (job ${job.id})`,
    ...countsOf(job, { ...result, groups: result.log.groups }),
    ...describeShared(result.shared, result.unit),
    ...(result.unasked ?? []).map(unaskedLine),
    ...rejectsOf(result),
    ...(hasChanges(job) ? [`To undo it: ${carryover} undo ${job.id}${flags}`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function unaskedLine(source: string): string {
  return `Nobody can sign in by '${printable(source)}' yet: legacy_sources of this app does not have it, or its time is over. Set it, or let these users reset their passwords`;
}

/** Whether there is anything to undo. */
function hasChanges({ dryRun, created, updated, absentDone }: JobView): boolean {
  return !dryRun && created + updated + (absentDone ?? 0) > 0;
}

interface Around extends Pick<Result, 'converted' | 'flags' | 'unit'> {
  /** Why records were rejected, as far as somebody has read it. */
  readonly groups: readonly RejectGroup[];
}

const alone: Around = { converted: 0, flags: '', unit: 'record', groups: [] };

/** What became of the people of a job. */
export function outcomeOf(
  { byState, byFactor, secondFactor, oddDates, rejected }: JobView,
  { converted, groups, unit }: Omit<Around, 'flags'> = alone,
): Outcome {
  return { byState, byFactor, secondFactor, oddDates, notImported: rejected + converted, groups, unit };
}

const noPasswords =
  '  passwords: none. Those who can sign in do so by a code, a link or a provider; see --without-password';

/** The job as a table. */
export function countsOf(job: JobView, around = alone): string[] {
  const { converted, flags } = around;
  const { created, updated, unchanged, skipped } = job;
  const numbers = [
    ['created', created],
    ['updated', updated],
    ['unchanged', unchanged],
    ['skipped', skipped],
    ['rejected', job.rejected + converted],
    ['in all', job.lines + converted],
  ] as const;
  return [
    ...table(numbers.map(([name, value]) => [`  ${name}`, value])),
    ...conflictsOf(job, flags),
    ...absentOf(job, flags),
    ...describePasswords(job.byKind).map((line) => `  ${line}`),
    ...(created > 0 && Object.keys(job.byKind).length === 0 ? [noPasswords] : []),
    ...describeOutcome(outcomeOf(job, around)),
    ...describeFactors(job.byFactor, job.secondFactor),
    ...speedOf(job),
  ];
}

function conflictsOf({ id, conflicts = 0 }: JobView, flags: string): string[] {
  if (conflicts === 0) return [];
  return [
    `  changed here and at the source: ${plural(conflicts, 'field')}, listed by ${carryover} conflicts ${id}${flags}`,
  ];
}

/** Users whom the source does not have any more. */
function absentOf(job: JobView, flags: string): string[] {
  const { id, dryRun, absentAction, absent, absentKnown, absentActive, absentDone, absentRefused } = job;
  if (typeof absent !== 'number') return [];
  const of = plural(absentKnown ?? 0, 'user');
  const named = absent === 0 ? '' : `, listed by ${carryover} absent ${id}${flags}`;
  const word = absentAction === 'remove' ? 'removed' : 'disabled';
  const isActing = absentAction !== 'report' && !absentRefused && absent > 0;
  return [
    `  not in the file: ${count(absent)} of ${of} whom imports of this source brought${named}`,
    ...(isActing
      ? [`  ${dryRun ? `would be ${word}: ${count(absent)}` : `${word}: ${count(absentDone ?? 0)}`}`]
      : []),
    ...(absentActive
      ? [`  of them, ${plural(absentActive, 'user')} signed in here since the import before`]
      : []),
    ...(absentRefused ? [`  ${printable(absentRefused.message)}`] : []),
  ];
}

function speedOf({ lines, startedAt, finishedAt, usersPerSecond }: JobView): string[] {
  if (finishedAt === undefined || finishedAt === null) return [];
  const seconds = (finishedAt - startedAt) / 1000;
  // A rate of a few users says nothing but how long a commit takes.
  if (seconds < 1) return ['  less than 1 s'];
  const working = lines / usersPerSecond;
  // Stopped in between, and resumed later.
  const took =
    working < seconds / 2
      ? `${working < 1 ? 'less than 1 s' : duration(working)} within ${duration(seconds)}`
      : duration(seconds);
  return [`  ${took}, ${count(usersPerSecond)} users/s`];
}

function rejectsOf({ log, mend, folder, flags, here }: Result): string[] {
  const near = (file: string): string => nearest(here, file);
  const run = folder === undefined ? [] : [`Report and log: ${near(folder)}`];
  if (log.count === 0) return run;
  const all = `All that was not imported: ${near(log.file ?? '')}`;
  if (mend === undefined || mend.count === 0)
    return [
      all,
      'To mend them: correct the export and import it again; whoever is here counts as unchanged',
      ...run,
    ];
  const file = near(mend.file);
  const secrets = mend.secrets.map((name) => `--${name}`).join(' and ');
  const again = secrets === '' ? '' : `, with ${secrets} as before`;
  return [
    all,
    `To mend them: correct ${file}, and import it${again}:`,
    `  ${carryover} import ${file}${mend.flags}${flags}`,
    ...run,
  ];
}
