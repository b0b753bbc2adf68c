import type { ClassCost } from '../../hashes/kind.ts';
import type { Step } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { count, duration, plural, table, inLargestUnit } from '../output/format.ts';
import { classesOf, describeOutcome } from '../output/outcome.ts';
import { kindTitle } from '../output/passwords.ts';
import { bytesIn, sizeText, userFilesOf } from '../input/files/user-files.ts';
import type { Input } from '../input/input.ts';
import type { Provider, WayBack } from '../../exports/providers/provider.ts';
import { type MorningStep, targetUtilisation } from './morning.ts';
import { passwordUsersOf, type Plan } from './reckon.ts';
import type { Advice } from './advice.ts';

/** A plan with its subject. */
export interface Planned {
  readonly input: Input;
  readonly plan: Plan;
  /** The time of the calibration. */
  readonly calibrateSeconds: number;
  /** Commands that follow. */
  readonly next: readonly Step[];
}

/** For people. Two digits of each figure, the precision of a measurement of a minute. */
export function plannedAsText({ input, plan, calibrateSeconds }: Planned): string {
  const { survey, machine } = plan;
  const lines = [
    `${input.label}: ${input.provider.title}, ${sizeText(input, aboutBytes)}, ${plural(survey.users, 'user')} to import`,
    `Measured on this machine (${coresText(machine.cores)}, ${aboutBytes(machine.memoryBytes)} of memory) in about ${duration(calibrateSeconds)}`,
    ...describeOutcome(survey.outcome),
    '',
    ...importLines(plan),
    '',
    ...hashLines(plan),
    '',
    ...morningLines(plan),
    '',
    ...adviceLines(plan),
    ...wayBackLines(input.provider),
  ];
  return `${lines.join('\n')}\n`;
}

function importLines({ forecast, measured: { imported } }: Plan): string[] {
  const { coreBytes, postgresBytes } = forecast;
  const unknown = 'not measured: this system does not report it';
  const memory =
    coreBytes === undefined || postgresBytes === undefined
      ? unknown
      : `about ${aboutBytes(coreBytes)} for the core, ${aboutBytes(postgresBytes)} for PostgreSQL, most of it its cache`;
  return [
    'Import',
    `  time      about ${aboutDuration(forecast.seconds)}, ${about(forecast.usersPerSecond)} users/s (${about(imported.users)} were imported to see)`,
    `  disk      about ${aboutBytes(forecast.databaseBytes + forecast.walPeakBytes)}: ${aboutBytes(forecast.databaseBytes)} of tables and indexes (${about(forecast.databaseBytesPerUser)} B a user), ${aboutBytes(forecast.walPeakBytes)} of write-ahead log at its peak`,
    `  memory    ${memory}`,
  ];
}

function hashLines({ survey, measured }: Plan): string[] {
  const all = passwordUsersOf(survey);
  if (all === 0) return ['No user of this file signs in with a password'];
  const { groups, policyMs } = measured.hashes;
  const rows = groups
    .slice(0, shownGroups)
    .map(({ kind, cost, users, cpuMs, isMeasured, memoryBytes }) => [
      `  ${kindTitle(kind)}`,
      costText(cost),
      count(users),
      `${about((users * 100) / all)} %`,
      `${isMeasured ? '' : '~'}${about(cpuMs)} ms`,
      aboutBytes(memoryBytes),
    ]);
  const rest = groups.slice(shownGroups).reduce((sum, { users }) => sum + users, 0);
  return [
    'Passwords: CPU time and memory of one verification, all cores busy (~ reckoned from a like hash)',
    ...table(rows),
    ...(rest > 0 ? [`  and ${count(rest)} of further costs`] : []),
    ...(survey.plainTextUsers > 0 ? [`  and ${count(survey.plainTextUsers)} that come as they are`] : []),
    `  A hash made here (password_hashing_alg) takes ${about(policyMs)} ms`,
  ];
}

const shownGroups = 12;

function morningLines(plan: Plan): string[] {
  const { steps, withoutUpgrades, measured, machine } = plan;
  if (steps.length === 0 || !withoutUpgrades) return ['First morning: no passwords, so no cores for them'];
  const { coreMs, databaseMs, isMeasured } = measured.requests;
  return [
    `First morning: ${arrivalsText(plan)}, cores busy for ${targetUtilisation * 100} % of the time`,
    ...table([
      ['  upgraded', 'cores', 'hashing', 'serving', 'PostgreSQL', 'CPU a sign-in', 'mean wait'],
      ...steps.map((step) => stepRow(`  ${step.upgraded * 100} %`, step)),
      stepRow('  switched off', withoutUpgrades),
    ]),
    '  cores: how many the machine needs; behind it, how many of them are busy on average with password hashes, with',
    "  the core's own thread and with PostgreSQL",
    '  upgraded: share of the users with a weaker hash than those made here who have signed in since; a first sign-in',
    `  makes one hash more (${about(steps[0]?.upgradeMs ?? 0)} ms a sign-in at the start), which waits for an idle core: with fewer cores it comes later`,
    `  In addition to its password a sign-in takes ${about(coreMs)} ms in the core's own thread and ${about(databaseMs)} ms in PostgreSQL (${isMeasured ? 'measured' : 'assumed'})`,
    ...(plan.capacity === undefined
      ? []
      : [
          `  This machine (${coresText(machine.cores)}) can do ${about(plan.capacity)} of these sign-ins/s at the very most, before any is upgraded`,
        ]),
  ];
}

function stepRow(name: string, step: MorningStep): string[] {
  return [
    name,
    String(step.cores),
    aboutCores(step.hashingCores),
    aboutCores(step.coreCores),
    aboutCores(step.databaseCores),
    `${about(step.cpuMs)} ms`,
    step.waitMs < 1 ? 'below 1 ms' : `${about(step.waitMs)} ms`,
  ];
}

function aboutCores(cores: number): string {
  return cores < 0.01 ? 'below 0.01' : about(cores);
}

function arrivalsText({ survey, arrivals, areArrivalsAssumed }: Plan): string {
  const rate = `${about(arrivals)} sign-ins/s`;
  return areArrivalsAssumed
    ? `${rate} (assumed: a tenth of the ${count(passwordUsersOf(survey))} within an hour; --arrivals takes yours)`
    : `${rate} (--arrivals)`;
}

function adviceLines({ advice, advisedCores }: Plan): string[] {
  const rows = advice.map(({ setting, value, why, isChange }) => [
    `  ${setting}: ${value === undefined ? '…' : String(value)}`,
    `${isChange ? 'change' : 'as it is'}: ${why}`,
  ]);
  return [`Settings in config.yaml, for a machine with ${coresText(advisedCores)}`, ...table(rows)];
}

/** Asked before the import: every sign-in afterwards may replace a hash that the old system can read by one that it cannot. */
export function wayBackLines({ title, wayBack }: Provider): string[] {
  if (wayBack === undefined) return [];
  const { reads, settings } = wayBack;
  const head = ['', 'The way back: decide before the import', `  ${title} reads: ${reads}`];
  if (settings === undefined)
    return [
      ...head,
      '  It reads no hash that this core can make: users who set a password here need a new one there',
      '  upgrade_password_hashes: false leaves all other hashes as they came',
    ];
  return [
    ...head,
    '  To keep it open, set these before the first sign-in, and leave them until the old system is switched off:',
    ...table(wayBackSettings(wayBack).map(([name, value]) => [`  ${name}: ${value}`])),
  ];
}

function wayBackSettings({ settings }: WayBack): (readonly [string, string])[] {
  const all = { upgrade_password_hashes: false, ...settings };
  return Object.entries(all).map(([name, value]) => [name, String(value)] as const);
}

function coresText(cores: number): string {
  return plural(cores, 'core');
}

function costText(cost: ClassCost): string {
  return Object.entries(cost)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** A measurement of a minute is precise to two digits, so no more are shown. */

/** Two significant digits: `0.0031`, `4.2`, `37`, `12,000`. */
export function about(value: number): string {
  if (!Number.isFinite(value)) return '?';
  const rounded = Number(value.toPrecision(2));
  return Math.abs(rounded) >= 10 ? count(rounded) : String(rounded);
}

/** `42 s`, `3 min 20 s` @param seconds */
function aboutDuration(seconds: number): string {
  return seconds < 1 ? 'a second' : duration(Number(seconds.toPrecision(2)));
}

/** `3.4 MiB`, `340 MiB` */
function aboutBytes(value: number): string {
  const { amount, unit } = inLargestUnit(value);
  return `${about(amount)} ${unit}`;
}

/** For programs: one line of JSON. */
export function plannedAsJson({ input, plan, calibrateSeconds, next }: Planned): string {
  const { survey, machine, forecast, measured, steps, withoutUpgrades } = plan;
  const view = {
    format: input.provider.name,
    bytes: bytesIn(input),
    ...(input.several && { files: userFilesOf(input).length }),
    records: survey.records,
    users: survey.users,
    rejected: survey.rejected,
    classes: classesOf(survey.outcome),
    passwordUsers: passwordUsersOf(survey),
    nativeBytesPerRecord: survey.bytes / Math.max(1, survey.records),
    machine,
    calibration: {
      seconds: calibrateSeconds,
      importedUsers: measured.imported.users,
      requests: measured.requests,
      policyMs: measured.hashes.policyMs,
    },
    import: forecast,
    hashes: measured.hashes.groups.map(({ kind, cost, users, cpuMs, isMeasured, ...rest }) => ({
      kind,
      cost,
      users,
      cpuMs,
      isMeasured,
      memoryBytes: rest.memoryBytes,
      isBelowPolicy: rest.isBelowPolicy,
    })),
    plainTextUsers: survey.plainTextUsers,
    signIns: {
      arrivals: plan.arrivals,
      areArrivalsAssumed: plan.areArrivalsAssumed,
      targetUtilisation,
      steps,
      withoutUpgrades: withoutUpgrades ?? null,
      capacity: plan.capacity ?? null,
    },
    settings: { cores: plan.advisedCores, advice: plan.advice.map(adviceView) },
    wayBack: input.provider.wayBack && {
      reads: input.provider.wayBack.reads,
      settings: { upgrade_password_hashes: false, ...input.provider.wayBack.settings },
    },
  };
  return asJson('plan', view, next);
}

function adviceView({ value, current, ...rest }: Advice) {
  return { ...rest, value: value ?? null, current: current ?? null };
}
