import type { Deployed } from './load/deployed.ts';
import { median, standardError } from './statistics.ts';

/** One measured claim: a figure relative to a reference that was measured in the same run on the same machine. */
export interface Measurement {
  readonly name: string;
  /** The scenario of the measurement: added when it has run. */
  readonly scenario?: string;
  readonly value: number;
  readonly unit: string;
  /** The basis of comparison for `value`. */
  readonly reference: string;
  readonly referenceValue: number;
  /** value / referenceValue: comparable between machines. */
  readonly ratio: number;
  /** The ratio's smallest and largest value over the rounds. */
  readonly spread: readonly [number, number];
  /** The ratio's standard error relative to it; left out for a single round, or one figure of all. */
  readonly error?: number;
  /** The bar for the ratio, if there is one. */
  readonly atLeast?: number;
  /** The same if less is better. */
  readonly atMost?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  /** For a row that docs/measured.md does not have yet: its section, and what was measured, in words. */
  readonly row?: { readonly section: string; readonly what: string };
  /** Data for the report. */
  readonly plots?: readonly Plot[];
}

/** One picture of the report, or a part of one: several scenarios may give series to a plot of the same id. */
export interface Plot {
  readonly id: 'throughput' | 'growth' | 'percentiles' | 'hash-cost' | 'cpu-split';
  readonly series: readonly Series[];
}

/**
 * The meaning of its numbers, by the plot's id:
 * - throughput: seconds since the start → users, or `unit`, a second;
 * - growth: users stored → users a second;
 * - percentiles: percentile, 0 to 100 → ms;
 * - hash-cost: kind and cost in words → ms of one verification on one CPU core;
 * - cpu-split: scenario → µs of CPU for one user or request, a series for each process.
 */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number | string, y: number])[];
  /** If it differs from the plot's own. */
  readonly unit?: string;
  /** Events at positions of a curve, in a word or two. */
  readonly marks?: readonly (readonly [x: number, text: string])[];
}

export interface BenchOptions {
  /** A small version of everything, to see that it runs. */
  readonly quick: boolean;
  /** A line of progress for a person. */
  readonly say: (line: string) => void;
  /** Aborted when the run is stopped: Node processes that a scenario starts are ended then, and `say` throws. */
  readonly signal?: AbortSignal;
  /** In ms of `performance.now()`: no round begins that would end later, except the least ones. Left out: no limit. */
  readonly endBy?: number | undefined;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  /** Too large to run unasked: without names only a quick run has it. */
  readonly isOnlyNamed?: boolean;
  run(options: BenchOptions): Promise<Measurement[]>;
  /** Against a core that runs elsewhere: what can be measured without its database and its process. Left out: nothing. */
  readonly onDeployed?: (core: Deployed, options: BenchOptions) => Promise<Measurement[]>;
}

type Facts = Omit<Measurement, 'value' | 'referenceValue' | 'ratio' | 'spread' | 'error'>;

/** From rounds of [value, reference]: their medians, and the spread of the ratios, which shows the noise. */
export function measured(
  facts: Facts,
  rounds: readonly (readonly [value: number, reference: number])[],
): Measurement {
  const ratios = rounds.map(([value, reference]) => value / reference);
  const ratio = median(ratios);
  return {
    ...facts,
    value: median(rounds.map(([value]) => value)),
    referenceValue: median(rounds.map(([, reference]) => reference)),
    ratio,
    spread: [Math.min(...ratios), Math.max(...ratios)],
    ...errorOf(standardError(ratios, median) / ratio),
  };
}

/**
 * From values and references that do not form pairs, because chance affects each more than the machine's pace affects both: the
 * ratio of their medians, and its spread over the values.
 */
export function measuredApart(
  facts: Facts,
  values: readonly number[],
  references: readonly number[],
): Measurement {
  const [value, referenceValue] = [median(values), median(references)];
  const errors = [standardError(values, median) / value, standardError(references, median) / referenceValue];
  return {
    ...facts,
    value,
    referenceValue,
    ratio: value / referenceValue,
    spread: [Math.min(...values) / referenceValue, Math.max(...values) / referenceValue],
    ...errorOf(Math.hypot(...errors)),
  };
}

function errorOf(error: number): Pick<Measurement, 'error'> {
  return Number.isNaN(error) ? {} : { error };
}
