import { build, type Histogram } from 'hdr-histogram-js';
import type { LatencyMs, Tallied } from './job.ts';

/** An hour in µs: longer than any run waits. */
const highest = 3_600_000_000;

/** The outcomes of visits: the number of each, and the times of successful ones in an HDR histogram. */
export class Tally {
  readonly #histogram: Histogram = newHistogram();
  readonly #outcomes = new Map<string, number>();
  readonly #inTimeMs: number;
  #inTime = 0;

  /** @param inTimeMs longer visits are successful, but not in time */
  constructor(inTimeMs = Infinity) {
    this.#inTimeMs = inTimeMs;
  }

  add(outcome: string, latencyMs: number): void {
    this.#outcomes.set(outcome, (this.#outcomes.get(outcome) ?? 0) + 1);
    if (outcome !== 'OK') return;
    record(this.#histogram, latencyMs);
    if (latencyMs <= this.#inTimeMs) this.#inTime++;
  }

  get ok(): number {
    return this.#outcomes.get('OK') ?? 0;
  }

  get failed(): number {
    return [...this.#outcomes].reduce((sum, [outcome, count]) => (outcome === 'OK' ? sum : sum + count), 0);
  }

  get answered(): number {
    return this.ok + this.failed;
  }

  toJSON(): Tallied {
    return {
      outcomes: Object.fromEntries(this.#outcomes),
      latencyMs: percentilesOf(this.#histogram),
      inTime: this.answered === 0 ? 1 : this.#inTime / this.answered,
    };
  }
}

/** In microseconds, to three digits. */
export function newHistogram(): Histogram {
  return build({ highestTrackableValue: highest, numberOfSignificantValueDigits: 3 });
}

export function percentilesOf(histogram: Histogram): LatencyMs {
  const at = (percentile: number): number => percentileMs(histogram, percentile);
  return { p50: at(50), p75: at(75), p90: at(90), p95: at(95), p99: at(99), p999: at(99.9), max: at(100) };
}

export function record(histogram: Histogram, ms: number): void {
  histogram.recordValue(Math.min(highest, Math.max(0, Math.round(ms * 1000))));
}

export function percentileMs(histogram: Histogram, percentile: number): number {
  return histogram.getValueAtPercentile(percentile) / 1000;
}
