import { setTimeout as delay } from 'node:timers/promises';
import { type Arrival, arrivals, type Phase } from './arrivals.ts';
import type { Answer } from './answer.ts';
import { Histogram, type Times } from './histogram.ts';
import { type LatencyMs, percentilesOf, Tally, type Tallied, type Timed } from './tally.ts';
import { type Answered, type Asked, NotServed, statusWord, type Visit } from './visit.ts';
import { gaveUp, type Wire } from './wire.ts';

/** The behaviour of people who are not served: they give up and try again, or return at the requested time. */
export interface Patience {
  /** How long they wait for an answer before they hang up, ms. */
  readonly waitMs: number;
  /** The maximum number of attempts, including the first. */
  readonly tries: number;
}

/** Visits that begin at their times, whatever the outcome of earlier ones: the behaviour of people. */
export interface OpenLoad {
  readonly wire: Wire;
  /** In sequence. */
  readonly phases: readonly Phase[];
  /** Phases at the beginning that `counted` leaves out: to warm up. Default 0. */
  readonly uncounted?: number;
  /** Left out: they wait for any time, and come once. */
  readonly patience?: Patience | undefined;
  /** A visit up to this duration is in time. Left out: any duration. */
  readonly inTimeMs?: number | undefined;
  /** Of the arrivals; left out: the same each time. */
  readonly seed?: number;
  /** @param n its number, from 0 */
  readonly visit: (n: number) => Visit;
  /** Called ten times a second. @returns true when no more visits shall begin */
  readonly watch?: (moment: Moment) => boolean;
  /** Ends it at once: visits under way are cut off. */
  readonly signal?: AbortSignal;
}

/** Visits since the start; and the attempts that were refused with Retry-After, or given up. */
export interface Moment {
  readonly seconds: number;
  readonly arrived: number;
  readonly ok: number;
  readonly failed: number;
  readonly turnedAway: number;
}

/** The visits that arrived in a phase, whenever they ended. */
export interface PhaseResult extends Phase, Tallied {
  readonly arrived: number;
}

/** All phases but the first ones that do not count. */
export interface Counted extends Timed {
  readonly arrived: number;
  readonly ok: number;
  readonly seconds: number;
  /** By the names of the visits; empty if they have none. */
  readonly actions: Readonly<Record<string, Timed>>;
}

export interface OpenResult extends Tallied {
  readonly seconds: number;
  readonly arrived: number;
  readonly failed: number;
  readonly ok: number;
  /** Planned visits a second. */
  readonly plannedPerSecond: number;
  /** Attempts after the first of a request. */
  readonly retries: number;
  /** How long refused visits waited for the refusal; undefined without any. */
  readonly refusalMs: LatencyMs | undefined;
  readonly refusalTimes: Times;
  /** How late visits began, ms, which is part of their latency. */
  readonly behindMs: Pick<LatencyMs, 'p99' | 'max'>;
  readonly behindTimes: Times;
  readonly phases: readonly PhaseResult[];
  readonly counted: Counted;
  /** The course of the load, ten times a second. */
  readonly timeline: readonly Moment[];
}

const sampleMs = 100;
const endless: Patience = { waitMs: 2 ** 31 - 1, tries: 1 };

/**
 * Begins each visit at its time, on a new connection if all others are waiting. Latencies count from the planned moment, so that
 * delays of timers and of a slow generator are not hidden ("coordinated omission").
 */
export async function runOpen(load: OpenLoad): Promise<OpenResult> {
  const { phases, signal, seed } = load;
  const course = new Course(load);
  const visitor: Visitor = { ...load, patience: load.patience ?? endless, away: course.away };
  const underWay = new Set<Promise<void>>();
  const begin = (arrival: Arrival): void => {
    const visit = load.visit(course.begin(arrival));
    const running = runVisit(visitor, visit).then((outcome) => {
      course.end(arrival, visit.action, outcome);
      underWay.delete(running);
    });
    underWay.add(running);
  };
  const cutOff = (): void => {
    load.wire.close();
  };
  signal?.addEventListener('abort', cutOff, { once: true });
  const sampler = setInterval(course.sample, sampleMs);
  try {
    for (const arrival of arrivals(phases, seed)) {
      await course.until(arrival.atMs);
      if (course.isOver) break;
      begin(arrival);
    }
    await course.until(phases.reduce((sum, { seconds }) => sum + seconds * 1000, 0));
    await Promise.all(underWay);
  } finally {
    clearInterval(sampler);
    signal?.removeEventListener('abort', cutOff);
  }
  course.sample();
  return course.result();
}

export function refusedAfter(refusals: Histogram): Pick<OpenResult, 'refusalMs' | 'refusalTimes'> {
  const refusalMs = refusals.count > 0 ? percentilesOf(refusals) : undefined;
  return { refusalMs, refusalTimes: refusals.times() };
}

export function begunAfter(behind: Histogram): Pick<OpenResult, 'behindMs' | 'behindTimes'> {
  const { p99, max } = percentilesOf(behind);
  return { behindMs: { p99, max }, behindTimes: behind.times() };
}

/** What has happened since the start. */
class Course {
  readonly away: Away = { count: 0, retries: 0, refusals: new Histogram() };
  readonly #load: OpenLoad;
  readonly #all: Tally;
  readonly #uncounted: number;
  readonly #counted: Tally;
  readonly #actions = new Map<string, Tally>();
  readonly #phases: readonly (Phase & { arrived: number; tally: Tally })[];
  readonly #behind = new Histogram();
  readonly #timeline: Moment[] = [];
  readonly #startedAt = performance.now();
  #arrived = 0;
  #isEnough = false;

  constructor(load: OpenLoad) {
    this.#load = load;
    this.#uncounted = load.uncounted ?? 0;
    this.#all = new Tally(load.inTimeMs);
    this.#counted = new Tally(load.inTimeMs);
    this.#phases = load.phases.map((phase) => ({
      ...phase,
      arrived: 0,
      tally: new Tally(load.inTimeMs),
    }));
  }

  get isOver(): boolean {
    return this.#isEnough || this.#load.signal?.aborted === true;
  }

  #sinceStart(): number {
    return performance.now() - this.#startedAt;
  }

  /** @param atMs since the start; returns earlier once it is over */
  async until(atMs: number): Promise<void> {
    for (;;) {
      const left = atMs - this.#sinceStart();
      if (left <= 0 || this.isOver) return;
      await delay(Math.min(Math.ceil(left), sampleMs));
    }
  }

  /** @returns the number of the visit */
  begin({ phase, atMs }: Arrival): number {
    this.#behind.record(this.#sinceStart() - atMs);
    const counted = this.#phases[phase];
    if (counted) counted.arrived++;
    return this.#arrived++;
  }

  end({ phase, atMs }: Arrival, action: string, outcome: string): void {
    const latencyMs = this.#sinceStart() - atMs;
    this.#all.add(outcome, latencyMs);
    const counted = this.#phases[phase];
    counted?.tally.add(outcome, latencyMs);
    if (phase < this.#uncounted) return;
    this.#counted.add(outcome, latencyMs);
    if (action === '') return;
    const ofAction = this.#actions.get(action) ?? new Tally(this.#load.inTimeMs);
    this.#actions.set(action, ofAction);
    ofAction.add(outcome, latencyMs);
  }

  readonly sample = (): void => {
    const { ok, failed } = this.#all;
    const moment = { seconds: this.#sinceStart() / 1000, arrived: this.#arrived, ok, failed };
    const seen = { ...moment, turnedAway: this.away.count };
    this.#timeline.push(seen);
    if (this.#load.watch?.(seen) === true) this.#isEnough = true;
  };

  result(): OpenResult {
    const planned = this.#load.phases.reduce((sum, { seconds }) => sum + seconds, 0);
    const { retries, refusals } = this.away;
    return {
      ...this.#all.toJSON(),
      ok: this.#all.ok,
      failed: this.#all.failed,
      arrived: this.#arrived,
      seconds: this.#sinceStart() / 1000,
      plannedPerSecond: this.#arrived / planned,
      retries,
      ...refusedAfter(refusals),
      ...begunAfter(this.#behind),
      phases: this.#phases.map(({ tally, ...phase }) => ({ ...phase, ...tally.toJSON() })),
      counted: this.#countedResult(),
      timeline: this.#timeline,
    };
  }

  #countedResult(): Counted {
    const phases = this.#phases.slice(this.#uncounted);
    const sum = (of: (phase: Phase & { arrived: number }) => number): number =>
      phases.reduce((total, phase) => total + of(phase), 0);
    return {
      ...this.#counted.timed(),
      ok: this.#counted.ok,
      arrived: sum(({ arrived }) => arrived),
      seconds: sum(({ seconds }) => seconds),
      actions: Object.fromEntries(Array.from(this.#actions, ([name, each]) => [name, each.timed()])),
    };
  }
}

/** Attempts that were refused with Retry-After, and their latencies, or given up; and those that were repeated. */
interface Away {
  count: number;
  retries: number;
  readonly refusals: Histogram;
}

/** Shared by all visits. */
interface Visitor extends Pick<OpenLoad, 'wire' | 'signal'> {
  readonly patience: Patience;
  readonly away: Away;
}

async function runVisit(visitor: Visitor, visit: Visit): Promise<string> {
  try {
    return await visit.run((asked) => askPatiently(visitor, asked));
  } catch (error) {
    if (error instanceof NotServed) return error.outcome;
    throw error;
  }
}

/** Repeats until it is answered, or the patience is over. @throws NotServed */
async function askPatiently({ wire, patience, away, signal }: Visitor, asked: Asked): Promise<Answered> {
  for (let tries = 1; ; tries++) {
    const isLast = tries >= patience.tries;
    const startedAt = performance.now();
    const answer = await answered(wire, asked, patience);
    endIfStopped(signal);
    if (typeof answer === 'string') {
      if (answer !== gaveUp) throw new NotServed(answer);
      away.count++;
      if (isLast) throw new NotServed(answer);
    } else {
      if (answer.status !== 503) return answer;
      away.count++;
      away.refusals.record(performance.now() - startedAt);
      if (answer.retryAfter === undefined) throw new NotServed('503 without Retry-After');
      if (isLast) throw new NotServed(statusWord(answer));
      await delay(answer.retryAfter * 1000, undefined, { signal }).catch(() => undefined);
      endIfStopped(signal);
    }
    away.retries++;
  }
}

/** @throws NotServed */
function endIfStopped(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new NotServed('STOPPED');
}

/** @returns the code of the error of a connection without an answer */
async function answered(wire: Wire, asked: Asked, { waitMs }: Patience): Promise<Answer | string> {
  try {
    return await wire.send(asked, waitMs);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
  }
}
