/** The result of a load, for people and for programs. */

import { format } from '../../../page/text.ts';
import { countOf, type Tallied } from '../../../load/tally.ts';
import { plural, table } from '../../output/format.ts';
import type { CoreUse } from '../cores/watch.ts';
import type { CheckedLimit } from '../limits.ts';
import type { Measured } from '../measure.ts';
import type { Share } from '../mixes/mix.ts';
import type { Loaded, Step } from '../run.ts';
import type { Asked } from './asked.ts';
import { stepLine } from './live.ts';

export interface Report {
  /** Of this program. */
  readonly version: string;
  readonly asked: Asked;
  readonly loaded: Loaded;
  readonly limits: readonly CheckedLimit[];
  /** ms since the epoch. */
  readonly startedAt: number;
  /** The machine that sent it, or all whose results were merged. */
  readonly machines: readonly Machine[];
}

/** One of the machines that sent a load. */
export interface Machine extends Pick<Measured, 'arrived' | 'perSecond' | 'client' | 'clientLimits'> {
  readonly app: string;
  /** With its result, if that was merged. */
  readonly file: string | undefined;
  readonly share: Share;
  readonly p99Ms: number;
  readonly behindMs: number;
}

export function machineOf(
  { arrived, perSecond, client, clientLimits, latencyMs, behindMs }: Measured,
  of: Pick<Machine, 'app' | 'file' | 'share'>,
): Machine {
  const { p99: p99Ms } = latencyMs;
  return { ...of, arrived, perSecond, p99Ms, client, behindMs: behindMs.p99, clientLimits };
}

export function reportAsText(report: Report): string {
  const { loaded } = report;
  const { verdict, shown, metricsMissing } = loaded;
  const lines = [
    '',
    ...headOf(report),
    '',
    ...stepsOf(loaded),
    `Verdict: ${verdict.sentence}`,
    ...(verdict.short.resource === 'none'
      ? []
      : [`  short first: ${verdict.short.resource} (${verdict.short.because})`]),
    ...verdict.cures.map((cure) => `  would help: ${cure}`),
    '',
    ...visitsOf(shown),
    '',
    ...coresOf(shown.cores, metricsMissing),
    ...machinesOf(report),
    ...limitsOf(report),
  ];
  return `${lines.join('\n')}\n`;
}

export function headOf({ asked: run, loaded, machines }: Report): string[] {
  const { mix, people, url } = run;
  const { share, seconds, stepSeconds, rate } = run.asked;
  const how =
    rate === undefined
      ? `search for the limit, steps of ${stepSeconds} s`
      : `${format(rate)}/s for ${seconds} s`;
  const isMerged = machines.length > 1;
  const by = isMerged ? `, sent by ${machines.length} machines` : partOf(share);
  const { users, rejected } = loaded.filled;
  return [
    `Load on ${url}: ${mix.name} (${mix.inWords})`,
    `  ${how}${by}`,
    `  ${plural(users, 'user')}${isMerged ? ` in ${machines.length} apps` : ''}${rejected > 0 ? `, ${plural(rejected, 'record')} not imported` : ''} (${people.inWords})`,
    ...(loaded.importedMeanwhile > 0
      ? [`  ${plural(loaded.importedMeanwhile, 'record')} imported meanwhile`]
      : []),
  ];
}

function partOf({ part, of }: Share): string {
  return of > 1 ? `, share ${part} of ${of}` : '';
}

function stepsOf({ steps, knee }: Loaded): string[] {
  if (steps.length < 2 && knee === undefined) return [];
  return ['Rates that were tried', ...steps.map((step) => `  ${stepLine(step)}`), ''];
}

const percentiles = ['p50', 'p90', 'p95', 'p99', 'p999', 'max'] as const;

export function latencyRows(shown: Measured): (string | number)[][] {
  const row = (name: string, { latencyMs, outcomes }: Tallied): (string | number)[] => [
    name,
    countOf(outcomes),
    ...percentiles.map((each) => format(latencyMs[each])),
  ];
  return [
    ['ms from the planned moment', 'visits', ...percentiles],
    row('all', shown),
    ...Object.entries(shown.actions).map(([name, each]) => row(name, each)),
  ];
}

export function refusalsIn({ outcomes }: Pick<Measured, 'outcomes'>): [string, number][] {
  return Object.entries(outcomes)
    .filter(([name]) => name !== 'OK')
    .sort(([, a], [, b]) => b - a);
}

function visitsOf(shown: Measured): string[] {
  const { rate, perSecond, retries, refusalMs } = shown;
  const refusals = refusalsIn(shown);
  return [
    `Visits at ${format(rate)}/s: ${format(perSecond)}/s succeeded`,
    ...table(latencyRows(shown)).map((line) => `  ${line}`),
    refusals.length === 0
      ? '  no visit was refused or failed'
      : `  not OK: ${refusals.map(([name, n]) => `${name} ${n}`).join(', ')}`,
    `  ${plural(retries, 'retry', 'retries')}${refusalMs === undefined ? '' : `; a refusal took ${format(refusalMs.p99)} ms (p99)`}`,
  ];
}

export const coreHead = [
  'core',
  'threads busy',
  'waited',
  'batch ms',
  'backlog',
  'main thread ms',
  'CPU',
  'MB',
  'refused',
] as const;

export function coreRow(core: CoreUse): string[] {
  const { name, threads, threadsBusy, waiting, batchMs, backlog, lagMs, cpu, memoryMb, refused } = core;
  return [
    name,
    `${Math.round(threadsBusy * 100)} % of ${threads}`,
    format(waiting),
    format(batchMs),
    format(backlog),
    format(lagMs),
    format(cpu),
    format(memoryMb),
    format(refused),
  ];
}

function coresOf(cores: readonly CoreUse[], missing: string | undefined): string[] {
  if (missing !== undefined) return [`Cores: ${missing}`];
  return ['Cores', ...table([coreHead, ...cores.map(coreRow)]).map((line) => `  ${line}`)];
}

export const machineHead = [
  'machine',
  'visits',
  'succeeded',
  'p99 ms',
  'late ms (p99)',
  'CPU',
  'event loop ms',
] as const;

export function machineRow({ share, arrived, perSecond, p99Ms, behindMs, client }: Machine): string[] {
  return [
    `${share.part}/${share.of}`,
    format(arrived),
    `${format(perSecond)}/s`,
    format(p99Ms),
    format(behindMs),
    `${Math.round(client.cpuShare * 100)} %`,
    format(client.lagMs),
  ];
}

function machinesOf(report: Report): string[] {
  if (report.machines.length === 1) return clientLines(report);
  const rows = table([[...machineHead], ...report.machines.map(machineRow)]);
  return ['', 'Machines', ...rows.map((line) => `  ${line}`), ...clientLines(report)];
}

/** Whether what sent the load was the limit; of a single machine what it used, too. */
export function clientLines({ loaded, machines }: Report): string[] {
  const { client, clientLimits, behindMs } = loaded.shown;
  const share = Math.round(client.cpuShare * 100);
  const used = `Client: ${share} % of one CPU core, visits began ${format(behindMs.p99)} ms late (p99), event loop ${format(client.lagMs)} ms`;
  const isOne = machines.length === 1;
  const none = isOne ? 'it was not the limit' : 'no machine was the limit';
  const limits = clientLimits.length === 0 ? [none] : clientLimits;
  return [...(isOne ? [used] : []), ...limits.map((line) => `  ${line}`)];
}

function limitsOf({ limits }: Report): string[] {
  if (limits.length === 0) return [];
  return ['', 'Limits', ...limits.map(limitLine)];
}

export function limitLine({ text, value, isCrossed }: CheckedLimit): string {
  const found = value === undefined ? 'there is no such figure' : format(value);
  return `  ${isCrossed ? 'CROSSED' : 'kept'}  ${text}  (${found})`;
}

/** The content of `--json`. */
/** What `--json` prints: of one machine it has everything that `carryover load merge` needs. */
export function reportAsObject({ version, asked, loaded, limits, startedAt, machines }: Report): object {
  const { steps, shown, ...rest } = loaded;
  const { course, ...result } = shown;
  return {
    version,
    startedAt: new Date(startedAt).toISOString(),
    ...asked,
    ...(machines.length > 1 ? { machines } : { app: machines[0]?.app }),
    ...rest,
    result,
    course,
    steps: steps.map(stepView),
    limits,
  };
}

function stepView({ rate, perSecond, latencyMs, refused, isBorne, broken, outcomes }: Step): object {
  return { rate, perSecond, latencyMs, refused, isBorne, broken, outcomes };
}
