import type { Account } from '../../exports/fields/account.ts';
import { describeAccount } from '../output/accounting.ts';
import { shownStates } from '../../domain/jobs/sign-in-states.ts';
import { defaultSecondFactor } from '../../imports/model.ts';
import { classesOf, describeOutcome, type Outcome } from '../output/outcome.ts';
import { describeShared } from '../output/shared.ts';
import { describeFactors } from '../output/restrictions.ts';
import { asJson } from '../output/answer.ts';
import type { Step } from '../command-error.ts';
import type { Incomplete } from '../../exports/readers/ending.ts';
import { describeIncomplete, refusedWithout } from '../output/incomplete.ts';
import { describePasswords } from '../output/passwords.ts';
import { count, duration, plural, printable, table } from '../output/format.ts';
import { bytesIn, sizeText, userFilesOf } from '../input/files/user-files.ts';
import type { Input } from '../input/input.ts';
import type { Inspection } from './inspection.ts';
import type { RejectLog } from '../output/reject-log.ts';
import { type ServerOptions, withCore } from '../client/server.ts';
import type { Surroundings } from '../surroundings.ts';
import { foreseenOutcome } from './foreseen-outcome.ts';

/** The findings of `inspect`. */
export interface Inspected {
  readonly input: Input;
  readonly inspection: Inspection;
  /** Records that conversion and the checks would reject. */
  readonly log: RejectLog;
  /** undefined for native records, which are not converted. */
  readonly account: Account | undefined;
  readonly rate: ImportRate;
  /** Why the input is not complete, with files as they are displayed. */
  readonly incomplete: readonly Incomplete[];
  readonly showSamples: boolean | undefined;
  /** Commands that follow. */
  readonly next: readonly Step[];
}

/** For programs: one line of JSON. */
export function inspectedAsJson(inspected: Inspected): string {
  const { input, inspection, log, rate, incomplete, next } = inspected;
  const { byKind, byFactor, byState, social, ...counts } = inspection.findings;
  const view = {
    format: input.provider.name,
    bytes: bytesIn(input),
    ...(input.several && { files: userFilesOf(input).length }),
    ...counts,
    ...shownInJson(byState),
    rejected: log.count,
    account: inspected.account,
    classes: classesOf(outcomeOf(inspected)),
    rejectedByCode: log.byCode,
    rejectedByMessage: log.groups.map(({ code, message, count: all }) => ({ code, message, count: all })),
    byKind,
    byFactor,
    social,
    tenants: inspection.tenants,
    sharedEmails: inspection.shared.count,
    incomplete,
    duplicatesAreLowerBound: inspection.isPartial,
    usersPerSecond: Math.round(rate.usersPerSecond),
    seconds: secondsFor(inspection, rate),
    rateBasis: rate.basis,
  };
  return asJson('inspect', view, next);
}

function shownInJson(counted: Inspected['inspection']['findings']['byState']): object {
  const { byState, canSignInBy } = shownStates(counted);
  return { byState, canSignInBy };
}

/** For people. */
export function inspectedAsText(inspected: Inspected): string {
  const { input, inspection } = inspected;
  const lines = [
    `${printable(input.label)}: ${input.provider.title}, ${sizeText(input)}`,
    ...countsOf(inspected),
    ...describeOutcome(outcomeOf(inspected)),
    ...describeAccount(inspected.account, 'record'),
    ...describeShared(inspection.shared, input.isPlain ? 'line' : 'record'),
    ...describePasswords(inspection.findings.byKind).map((line) =>
      line.replace(/^./, (first) => first.toUpperCase()),
    ),
    ...describeFactors(inspection.findings.byFactor, defaultSecondFactor),
    ...tallyOf('Social providers', inspection.findings.social),
    ...(inspection.tenants.length > 1 ? [`Tenants: ${inspection.tenants.join(', ')}`] : []),
    ...rejectsOf(inspected),
    timeOf(inspected),
    ...describeIncomplete(inspected.incomplete),
    ...(inspected.incomplete.length > 0 ? [refusedWithout] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function countsOf({ inspection, log }: Inspected): string[] {
  const found = inspection.findings;
  const always: (readonly [string, number])[] = [
    ['can be imported', found.valid],
    ['would be rejected', log.count],
    ['duplicates', found.duplicates],
    ['  by case or spaces', found.duplicatesByCase],
    ['login methods', found.verified + found.unverified],
    ['  verified', found.verified],
    ['  not verified', found.unverified],
  ];
  const rare: (readonly [string, number])[] = [
    ['linked users', found.linked],
    ['passwordless', found.passwordless],
    ['without a password', found.withoutPassword],
  ];
  const rows = [...always, ...rare.filter(([, value]) => value > 0)];
  return [
    ...table(rows.map(([name, value]) => [`  ${name}`, value])),
    ...(inspection.isPartial
      ? ['  There are more keys than are remembered: there may be more duplicates than these']
      : []),
  ];
}

function tallyOf(title: string, tally: Readonly<Record<string, number>>): string[] {
  const entries = Object.entries(tally).sort(([, a], [, b]) => b - a);
  if (entries.length === 0) return [];
  return [`${title}: ${entries.map(([name, value]) => `${count(value)} ${printable(name)}`).join(', ')}`];
}

function outcomeOf({ input, inspection, log, showSamples }: Inspected): Outcome {
  const unit = input.isPlain ? 'line' : 'record';
  return { ...foreseenOutcome(inspection.findings, log, unit), showSamples };
}

function rejectsOf({ log }: Inspected): string[] {
  const { count: all, file } = log;
  return all === 0 || file === undefined ? [] : [`All that would not be imported: ${file}`];
}

function timeOf({ inspection, rate }: Inspected): string {
  const speed = `${count(rate.usersPerSecond)} users/s`;
  return `An import takes about ${duration(secondsFor(inspection, rate))} at ${speed} (${rate.basis})`;
}

function secondsFor({ findings }: Inspection, { usersPerSecond }: ImportRate): number {
  return Math.max(1, Math.ceil(findings.records / usersPerSecond));
}

/** The expected rate of an import. */
interface ImportRate {
  readonly usersPerSecond: number;
  /** The basis of the number, for people. */
  readonly basis: string;
}

/** Without a core to ask: the rate of a machine with 2 CPU cores, core and PostgreSQL on it, with a margin. */
const assumedUsersPerSecond = 10_000;
const jobsAsked = 5;
/** A shorter import consists mostly of its beginning and end. */
const shortestSeconds = 10;

/** From the last imports of the core, if it can be asked. */
export async function estimateRate(options: ServerOptions, surroundings: Surroundings): Promise<ImportRate> {
  const signal = AbortSignal.any([surroundings.interrupt, AbortSignal.timeout(5000)]);
  const quietly = { ...options, isQuiet: true, patience: '0' };
  const jobs = await withCore(quietly, surroundings, ({ client }) => client.jobs(signal)).catch(
    () => undefined,
  );
  surroundings.interrupt.throwIfAborted();
  const done = (jobs ?? [])
    .filter(({ state, lines, usersPerSecond }) => state === 'done' && lines > 0 && usersPerSecond > 0)
    .slice(0, jobsAsked);
  const users = done.reduce((sum, { lines }) => sum + lines, 0);
  const seconds = done.reduce((sum, { lines, usersPerSecond }) => sum + lines / usersPerSecond, 0);
  const last = `${plural(users, 'user')} in ${seconds < 1 ? 'less than 1 s' : duration(seconds)}`;
  if (seconds >= shortestSeconds)
    return { usersPerSecond: users / seconds, basis: `as this core's last imports: ${last}` };
  const none =
    seconds > 0 ? `this core's last imports were too short: ${last}` : 'this core has imported nothing yet';
  const why = jobs ? none : 'no core could be asked';
  return { usersPerSecond: assumedUsersPerSecond, basis: `assumed: ${why}` };
}
