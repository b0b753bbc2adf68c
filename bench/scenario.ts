/** One measured claim: a figure beside a reference that was measured in the same run on the same machine. */
export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What `value` is compared with. */
  readonly reference: string;
  readonly referenceValue: number;
  /** value / referenceValue: what may be compared between machines. */
  readonly ratio: number;
  /** The ratio's smallest and largest value over the rounds. */
  readonly spread: readonly [number, number];
  /** What the project promises of the ratio, where it does. */
  readonly atLeast?: number;
  /** The same where less is better. */
  readonly atMost?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Data for the report. */
  readonly plots?: readonly Plot[];
}

/** One picture of the report, or a part of one: several scenarios may give series to a plot of the same id. */
export interface Plot {
  readonly id: 'throughput' | 'growth' | 'percentiles' | 'hash-cost' | 'cpu-split';
  readonly series: readonly Series[];
}

/**
 * What its numbers mean goes by the plot's id:
 * - throughput: seconds since the start → users a second;
 * - growth: users stored → users a second;
 * - percentiles: percentile, 0 to 100 → ms;
 * - hash-cost: kind and cost in words → ms of one verification on one core;
 * - cpu-split: scenario → µs of CPU for one user or request, a series for each process.
 */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number | string, y: number])[];
}

export interface BenchOptions {
  /** A small version of everything, to see that it runs. */
  readonly quick: boolean;
  /** A line of progress for a person. */
  readonly say: (line: string) => void;
  /** Aborted when the run is stopped: Node processes that a scenario starts are ended then, and `say` throws. */
  readonly signal?: AbortSignal;
}

export interface Scenario {
  readonly name: string;
  readonly about: string;
  run(options: BenchOptions): Promise<Measurement[]>;
}

/** From rounds of [value, reference]: medians, and the spread of the ratios, which is what noise looks like. */
export function measured(
  facts: Omit<Measurement, 'value' | 'referenceValue' | 'ratio' | 'spread'>,
  rounds: readonly (readonly [value: number, reference: number])[],
): Measurement {
  const ratios = rounds.map(([value, reference]) => value / reference);
  return {
    ...facts,
    value: median(rounds.map(([value]) => value)),
    referenceValue: median(rounds.map(([, reference]) => reference)),
    ratio: median(ratios),
    spread: [Math.min(...ratios), Math.max(...ratios)],
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
