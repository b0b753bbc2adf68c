import { Histogram, type Times } from './histogram.ts';

export interface Tallied {
  /** OK; or an HTTP status, the answer's status word, or the code of a network error. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** Of successful visits: in an open loop since the planned start, so that a late start hides no wait. */
  readonly latencyMs: LatencyMs;
  /** Share of all visits that were successful, and in time. */
  readonly inTime: number;
}

/** With the latencies themselves, so that several can be added up. */
export interface Timed extends Tallied {
  readonly times: Times;
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

/** The outcomes of visits: the number of each, and the times of successful ones. */
export class Tally {
  readonly #histogram = new Histogram();
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
    this.#histogram.record(latencyMs);
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

  timed(): Timed {
    return { ...this.toJSON(), times: this.#histogram.times() };
  }
}

export function percentilesOf(histogram: Histogram): LatencyMs {
  const found = histogram.percentilesMs([50, 75, 90, 95, 99, 99.9, 100]);
  const [p50 = 0, p75 = 0, p90 = 0, p95 = 0, p99 = 0, p999 = 0, max = 0] = found;
  return { p50, p75, p90, p95, p99, p999, max };
}

/** As of one machine that sent all of it. */
export function sumOf(parts: readonly Timed[]): Timed {
  const outcomes = addedUp(parts.map((part) => part.outcomes));
  const histogram = Histogram.of(parts.flatMap(({ times }) => times));
  const answered = countOf(outcomes);
  const inTime = parts.reduce((sum, part) => sum + part.inTime * countOf(part.outcomes), 0);
  return {
    outcomes,
    latencyMs: percentilesOf(histogram),
    inTime: answered === 0 ? 1 : inTime / answered,
    times: histogram.times(),
  };
}

/** Visits of all outcomes. */
export function countOf(outcomes: Tallied['outcomes']): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

function addedUp(all: readonly Tallied['outcomes'][]): Tallied['outcomes'] {
  const sum = new Map<string, number>();
  for (const [outcome, count] of all.flatMap((each) => Object.entries(each)))
    sum.set(outcome, (sum.get(outcome) ?? 0) + count);
  return Object.fromEntries(sum);
}
