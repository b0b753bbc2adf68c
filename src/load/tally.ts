import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';

export interface Tallied {
  /** OK; or an HTTP status, the answer's status word, or the code of a network error. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Of successful visits: in an open loop since the planned start, so that a late start hides no wait. */
  readonly latencyMs: LatencyMs;
  /** Share of all visits that were successful, and in time. */
  readonly inTime: number;
}

/** 0 without any. */
export interface LatencyMs {
  readonly p50: number;
  readonly p75: number;
  readonly p90: number;
  readonly p95: number;
  readonly p99: number;
  readonly p999: number;
  readonly max: number;
}

/** An hour in µs: longer than any run waits. */
const highest = 3_600_000_000;

/** The outcomes of visits: the number of each, and the times of successful ones in an HDR histogram. */
export class Tally {
  readonly #histogram: RecordableHistogram = newHistogram();
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
export function newHistogram(): RecordableHistogram {
  return createHistogram({ lowest: 1, highest, figures: 3 });
}

export function percentilesOf(histogram: RecordableHistogram): LatencyMs {
  const at = (percentile: number): number => percentileMs(histogram, percentile);
  return { p50: at(50), p75: at(75), p90: at(90), p95: at(95), p99: at(99), p999: at(99.9), max: at(100) };
}

/** Anything under a microsecond counts as one: the histogram has no zero. */
export function record(histogram: RecordableHistogram, ms: number): void {
  histogram.record(Math.min(highest, Math.max(1, Math.round(ms * 1000))));
}

export function percentileMs(histogram: RecordableHistogram, percentile: number): number {
  return histogram.percentile(percentile) / 1000;
}
