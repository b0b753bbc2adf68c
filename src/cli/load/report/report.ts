/** The result of a load, for people and for programs. */

import { format } from '../../../page/text.ts';
import type { Tallied } from '../../../load/tally.ts';
import { addressText, type Server } from '../../client/http.ts';
import { plural, table } from '../../output/format.ts';
import type { CoreUse } from '../cores/watch.ts';
import type { CheckedLimit } from '../limits.ts';
import type { Measured } from '../measure.ts';
import type { Loaded, LoadOptions, Step } from '../run.ts';
import { stepLine } from './live.ts';

export interface Report {
  readonly server: Pick<Server, 'url'>;
  readonly options: LoadOptions;
  readonly loaded: Loaded;
  readonly limits: readonly CheckedLimit[];
  /** ms since the epoch. */
  readonly startedAt: number;
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
    ...clientOf(shown),
    ...limitsOf(report),
  ];
  return `${lines.join('\n')}\n`;
}

export function headOf({ server, options, loaded }: Report): string[] {
  const { mix, people, share, seconds, stepSeconds, rate } = options;
  const how =
    rate === undefined
      ? `search for the limit, steps of ${stepSeconds} s`
      : `${format(rate)}/s for ${seconds} s`;
  const part = share.of > 1 ? `, share ${share.part} of ${share.of}` : '';
  const { users, rejected } = loaded.filled;
  return [
    `Load on ${addressText(server.url)}: ${mix.name} (${mix.inWords})`,
    `  ${how}${part}`,
    `  ${plural(users, 'user')}${rejected > 0 ? `, ${plural(rejected, 'record')} not imported` : ''} (${people.inWords})`,
    ...(loaded.importedMeanwhile > 0
      ? [`  ${plural(loaded.importedMeanwhile, 'record')} imported meanwhile`]
      : []),
  ];
}

function stepsOf({ steps, knee }: Loaded): string[] {
  if (steps.length < 2 && knee === undefined) return [];
  return ['Rates that were tried', ...steps.map((step) => `  ${stepLine(step)}`), ''];
}

const percentiles = ['p50', 'p90', 'p95', 'p99', 'p999', 'max'] as const;

export function latencyRows(shown: Measured): (string | number)[][] {
  const row = (name: string, { latencyMs, outcomes }: Tallied): (string | number)[] => [
    name,
    Object.values(outcomes).reduce((sum, each) => sum + each, 0),
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

export function clientOf({ client, behindMs, clientLimits }: Measured): string[] {
  const share = Math.round(client.cpuShare * 100);
  return [
    `Client: ${share} % of one CPU core, visits began ${format(behindMs.p99)} ms late (p99), event loop ${format(client.lagMs)} ms`,
    ...(clientLimits.length === 0 ? ['  it was not the limit'] : clientLimits.map((line) => `  ${line}`)),
  ];
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
export function reportAsObject({ server, options, loaded, limits, startedAt }: Report): object {
  const { steps, shown, ...rest } = loaded;
  const { mix, share, bounds, people, rate, seconds, stepSeconds, appId } = options;
  return {
    url: addressText(server.url),
    app: appId,
    startedAt: new Date(startedAt).toISOString(),
    mix: { name: mix.name, shares: mix.shares, importing: mix.importing },
    people: { users: people.users, signIn: people.people.length },
    asked: { rate, seconds, stepSeconds, share, bounds },
    ...rest,
    result: withoutCourse(shown),
    course: courseOf(shown),
    steps: steps.map(stepView),
    limits,
  };
}

function withoutCourse(measured: Measured): object {
  return { ...measured, timeline: undefined };
}

function stepView({ rate, perSecond, latencyMs, refused, isBorne, broken, outcomes }: Step): object {
  return { rate, perSecond, latencyMs, refused, isBorne, broken, outcomes };
}

export interface Second {
  readonly second: number;
  readonly ok: number;
  readonly notOk: number;
  readonly waiting: number;
}

/** Visits that ended in each second. */
export function courseOf({ timeline }: Measured): Second[] {
  const whole = timeline.filter(
    ({ seconds }, n) => Math.floor(seconds) > Math.floor(timeline[n - 1]?.seconds ?? 0),
  );
  return whole.map(({ seconds, ok, failed, arrived }, n) => {
    const before = whole[n - 1] ?? { ok: 0, failed: 0 };
    return {
      second: Math.floor(seconds),
      ok: ok - before.ok,
      notOk: failed - before.failed,
      waiting: arrived - ok - failed,
    };
  });
}
