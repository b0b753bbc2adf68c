import { defaultSecondFactor } from '../../imports/model.ts';
import { classesOf, describeOutcome, type Outcome } from '../output/outcome.ts';
import { describeShared } from '../output/shared.ts';
import { describeFactors } from '../output/restrictions.ts';
import { describePasswords } from '../output/passwords.ts';
import { count, duration, printable, table } from '../output/format.ts';
import { bytesIn, sizeText, userFilesOf } from '../input/files/user-files.ts';
import type { Input } from '../input/input.ts';
import type { Inspection } from './inspection.ts';
import type { RejectLog } from '../output/reject-log.ts';
import { type ServerOptions, withCore } from '../client/server.ts';
import type { Surroundings } from '../surroundings.ts';

/** What `inspect` found. */
export interface Inspected {
  readonly input: Input;
  readonly inspection: Inspection;
  /** What conversion and the checks would reject. */
  readonly log: RejectLog;
  readonly rate: ImportRate;
}

/** For programs: one line of JSON. */
export function inspectedAsJson(inspected: Inspected): string {
  const { input, inspection, log, rate } = inspected;
  const { byKind, byFactor, social, ...counts } = inspection.findings;
  const view = {
    status: 'OK',
    format: input.provider.name,
    bytes: bytesIn(input),
    ...(input.several && { files: userFilesOf(input).length }),
    ...counts,
    rejected: log.count,
    classes: classesOf(outcomeOf(inspected)),
    rejectedByCode: log.byCode,
    rejectedByMessage: log.groups.map(({ code, message, count: all }) => ({ code, message, count: all })),
    byKind,
    byFactor,
    social,
    tenants: inspection.tenants,
    sharedEmails: inspection.shared.count,
    duplicatesAreLowerBound: inspection.isPartial,
    usersPerSecond: Math.round(rate.usersPerSecond),
    seconds: secondsFor(inspection, rate),
    rateBasis: rate.basis,
  };
  return `${JSON.stringify(view)}\n`;
}

/** For people. */
export function inspectedAsText(inspected: Inspected): string {
  const { input, inspection } = inspected;
  const lines = [
    `${input.label}: ${input.provider.title}, ${sizeText(input)}`,
    ...countsOf(inspected),
    ...describeOutcome(outcomeOf(inspected)),
    ...describeShared(inspection.shared, input.isPlain ? 'line' : 'record'),
    ...describePasswords(inspection.findings.byKind).map((line) =>
      line.replace(/^./, (first) => first.toUpperCase()),
    ),
    ...describeFactors(inspection.findings.byFactor, defaultSecondFactor),
    ...tallyOf('Social providers', inspection.findings.social),
    ...(inspection.tenants.length > 1 ? [`Tenants: ${inspection.tenants.join(', ')}`] : []),
    ...rejectsOf(inspected),
    timeOf(inspected),
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
    ['verified', found.verified],
    ['not verified', found.unverified],
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

function outcomeOf({ input, inspection, log }: Inspected): Outcome {
  const { byState, byFactor, oddDates } = inspection.findings;
  return {
    ...{ byState, byFactor, oddDates, secondFactor: defaultSecondFactor },
    ...{ notImported: log.count, groups: log.groups, unit: input.isPlain ? 'line' : 'record' },
  };
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

/** How fast an import will be. */
interface ImportRate {
  readonly usersPerSecond: number;
  /** Where the number comes from, for people. */
  readonly basis: string;
}

/** Without a core to ask: what a machine with 2 cores does, core and PostgreSQL on it, with room to spare. */
const assumedUsersPerSecond = 10_000;
const jobsAsked = 5;

/** From the last imports of the core, if it can be asked. */
export async function estimateRate(options: ServerOptions, surroundings: Surroundings): Promise<ImportRate> {
  const signal = AbortSignal.any([surroundings.interrupt, AbortSignal.timeout(5000)]);
  const jobs = await withCore(options, surroundings, ({ client }) => client.jobs(signal)).catch(
    () => undefined,
  );
  surroundings.interrupt.throwIfAborted();
  const done = (jobs ?? [])
    .filter(({ state, lines, usersPerSecond }) => state === 'done' && lines > 0 && usersPerSecond > 0)
    .slice(0, jobsAsked);
  const users = done.reduce((sum, { lines }) => sum + lines, 0);
  const seconds = done.reduce((sum, { lines, usersPerSecond }) => sum + lines / usersPerSecond, 0);
  if (seconds > 0) return { usersPerSecond: users / seconds, basis: 'as the last imports of this core' };
  const why = jobs ? 'this core has imported nothing yet' : 'no core could be asked';
  return { usersPerSecond: assumedUsersPerSecond, basis: `assumed: ${why}` };
}
