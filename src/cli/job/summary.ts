import { pickCells } from '../../domain/columns.ts';
import { jobFields, jobOutcomes, losses } from '../../domain/jobs/job-fields.ts';
import { carryover } from '../../process/called.ts';
import type { JobView } from '../client/views.ts';
import type { Step } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { type SampleOptions, sampled } from '../output/mask.ts';
import { classesOf, describeOutcome, type Outcome } from '../output/outcome.ts';
import { hasChanges, stepsAfter } from './steps.ts';
import { describeFactors } from '../output/restrictions.ts';
import type { SharedEmails } from '../../exports/emails/shared-emails.ts';
import type { Account } from '../../exports/fields/account.ts';
import { checkedByBatch, describeAccount, describeTotals } from '../output/accounting.ts';
import { describeShared } from '../output/shared.ts';
import type { Incomplete } from '../../exports/readers/ending.ts';
import { describeIncomplete, refusedWithout } from '../output/incomplete.ts';
import { describePasswords } from '../output/passwords.ts';
import { count, duration, plural, printable, table } from '../output/format.ts';
import type { RejectGroup, RejectLog } from '../output/reject-log.ts';
import { nearest } from './records/mend-flags.ts';

/** The outcome of an import. */
export interface Result extends SampleOptions {
  readonly job: JobView;
  /** Records that conversion rejected: the core has not seen them. */
  readonly converted: number;
  readonly log: RejectLog;
  readonly unit: string;
  /** Emails that two users of the file have; undefined if the records were sent unread. */
  readonly shared?: SharedEmails | undefined;
  /** The outcome of each column and record; undefined if the records were sent unread. */
  readonly account?: Account | undefined;
  /** Whether the input was too large to be converted before it was sent. */
  readonly isUnchecked: boolean;
  /** Why the input is not complete, with files as they are displayed. */
  readonly incomplete: readonly Incomplete[];
  /** The flags that commands about this job need in addition to its id. */
  readonly flags: string;
  /** The folder in which the command runs. */
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
        /** Names of secret options, which are not displayed. */
        readonly secrets: readonly string[];
      }
    | undefined;
  /** The records whose conflicts are to be decided. */
  readonly decide?:
    | {
        readonly file: string;
        /** The options for it. */
        readonly flags: string;
      }
    | undefined;
  /** The file of the signed receipt. */
  readonly receipt?: string | undefined;
  /** Old systems that know passwords of the file, but that the core does not ask. */
  readonly unasked?: readonly string[];
  /** Following commands, before those of the job. */
  readonly next?: readonly Step[];
}

/** For programs: one line of JSON. */
export function summaryAsJson(result: Result): string {
  return asJson('import', summaryOf(result), [
    ...(result.next ?? []),
    ...mendSteps(result),
    ...decideSteps(result),
    ...stepsAfter(result.job, result.flags),
  ]);
}

/** The part of it for programs. */
export function summaryOf(result: Result): object {
  const { job, converted, log, unit, mend, decide, folder, unasked, shared } = result;
  const { account, incomplete, showSamples } = result;
  const show = sampled({ showSamples });
  const byMessage = log.groups.map(({ code, message, count: all, examples }) => ({
    code,
    message,
    count: all,
    examples: examples.map(({ file, line, field, externalUserId }) => ({
      file,
      line,
      field,
      externalUserId: externalUserId === undefined ? undefined : show(externalUserId),
    })),
  }));
  const rejects = { unit, byCode: log.byCode, byMessage, ...(log.count > 0 && { file: log.file }) };
  return {
    dryRun: job.dryRun,
    records: job.lines + converted,
    rejected: job.rejected + converted,
    rejectedByConversion: job.rejectedByConversion ?? converted,
    classes: classesOf(outcomeOf(job, { converted, groups: log.groups, unit })),
    rejects,
    mendFile: mend?.file,
    decideFile: decide?.file,
    receiptFile: result.receipt,
    runFolder: folder,
    legacySourcesNotAsked: unasked,
    sharedEmails: shared?.count,
    account,
    incomplete,
    job,
  };
}

function mendSteps({ mend, flags, here }: Result): Step[] {
  if (mend === undefined || mend.count === 0) return [];
  const command = `${carryover} import ${nearest(here, mend.file)}${mend.flags}${flags} --yes`;
  return [{ command, reason: 'imports the rejected records, after a person has corrected that file' }];
}

function decideSteps({ decide, flags, here }: Result): Step[] {
  if (decide === undefined) return [];
  const command = `${carryover} import ${nearest(here, decide.file)}${decide.flags} --on-conflict theirs${flags} --yes`;
  return [
    {
      command,
      reason:
        'takes the value of the source for the records that a person has left in that file; --on-conflict ours keeps those here',
    },
  ];
}

/** For people. */
export function summaryAsText(result: Result): string {
  const { job, flags } = result;
  const lines = [
    `${job.dryRun ? 'Dry run, nothing is changed: ' : ''}${printable(job.name)} (job ${job.id})`,
    ...countsOf(job, { ...result, groups: result.log.groups }),
    ...describeAccount(result.account, result.unit),
    ...describeTotals(result.account, job),
    ...describeShared(result.shared, result.unit),
    ...(result.unasked ?? []).map(unaskedLine),
    ...rejectsOf(result),
    ...decideSteps(result).flatMap(({ command, reason }) => [`To decide: ${command}`, `  ${reason}`]),
    ...(result.receipt === undefined ? [] : [`Receipt: ${printable(nearest(result.here, result.receipt))}`]),
    ...(hasChanges(job) ? [`To undo it: ${carryover} undo ${job.id}${flags}`] : []),
    ...describeIncomplete(result.incomplete),
    ...(job.dryRun && result.incomplete.length > 0 ? [refusedWithout] : []),
    ...(result.isUnchecked ? [checkedByBatch] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function unaskedLine(source: string): string {
  return `No user can sign in by '${printable(source)}' yet: legacy_sources of this app does not have it, or its time is over. Set it, or let these users reset their passwords`;
}

interface Around extends Pick<Result, 'converted' | 'flags' | 'unit' | 'showSamples'> {
  /** Why records were rejected, for the rejects that were read. */
  readonly groups: readonly RejectGroup[];
}

const alone: Around = { converted: 0, flags: '', unit: 'record', groups: [] };

/** The outcome for the users of a job. */
export function outcomeOf(
  job: JobView,
  { converted, groups, unit, showSamples }: Omit<Around, 'flags'> = alone,
): Outcome {
  const { byState, canSignInBy, removedHere, byFactor, secondFactor, rejected } = job;
  return {
    ...Object.fromEntries(losses.map(({ counter }) => [counter, job[jobFields[counter].shownAs]])),
    byState,
    canSignInBy,
    removedHere,
    byFactor,
    secondFactor,
    notImported: rejected + converted,
    groups,
    unit,
    showSamples,
  };
}

const noPasswords =
  '  passwords: none. Those who can sign in do so by a code, a link or a provider; see --without-password';

/** The job as a table. */
export function countsOf(job: JobView, around = alone): string[] {
  const { converted, flags } = around;
  const outcomes = { ...pickCells(jobOutcomes, job), rejected: job.rejected + converted };
  const numbers = { ...outcomes, 'in all': job.lines + converted };
  return [
    ...table(Object.entries(numbers).map(([name, value]) => [`  ${name}`, value])),
    ...conflictsOf(job, flags),
    ...absentOf(job, flags),
    ...describePasswords(job.byKind).map((line) => `  ${line}`),
    ...(job.created > 0 && Object.keys(job.byKind).length === 0 ? [noPasswords] : []),
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

/** Users that the source no longer has. */
function absentOf(job: JobView, flags: string): string[] {
  const { id, dryRun, absentAction, absent, absentKnown, absentActive, absentDone, absentRefused } = job;
  if (typeof absent !== 'number') return [];
  const of = plural(absentKnown ?? 0, 'user');
  const named = absent === 0 ? '' : `, listed by ${carryover} absent ${id}${flags}`;
  const word = absentAction === 'remove' ? 'removed' : 'disabled';
  const isActing = absentAction !== 'report' && !absentRefused && absent > 0;
  return [
    `  not in the file: ${count(absent)} of ${of} who came by imports of this source${named}`,
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
  // The rate of a few users only shows the duration of a commit.
  if (seconds < 1) return ['  less than 1 s'];
  const working = Math.max(1, Math.round(lines / usersPerSecond));
  // Stopped in between, and resumed later.
  const pause = working < seconds / 2 ? ` of work, ${duration(seconds)} from beginning to end` : '';
  return [`  ${duration(pause === '' ? seconds : working)}${pause}, ${count(usersPerSecond)} users/s`];
}

function rejectsOf({ job, log, mend, folder, flags, here }: Result): string[] {
  const near = (file: string): string => nearest(here, file);
  const run = folder === undefined ? [] : [`Report and log: ${near(folder)}`];
  if (log.count === 0) return run;
  const all = `All that was not imported: ${near(log.file ?? '')}`;
  if (log.count === (job.removedHere ?? 0)) return [all, ...run];
  if (mend === undefined || mend.count === 0)
    return [
      all,
      'To mend them: correct the export and import it again; users who are here already count as unchanged',
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
