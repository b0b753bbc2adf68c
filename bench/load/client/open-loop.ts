import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Histogram } from 'hdr-histogram-js';
import { type Answer, answerOf } from './answer.ts';
import type { LoadJob, LoadResult, Moment, OpenLoop, Patience, Phase } from './job.ts';
import { newHistogram, percentileMs, percentilesOf, record, Tally } from './tally.ts';
import type { Visits } from './visits.ts';
import { randomFractions } from '../../statistics.ts';

const sampleMs = 100;

type OpenResult = Pick<LoadResult, 'behindMs' | 'phases' | 'timeline' | 'plannedPerSecond' | 'refusalMs'> & {
  readonly tally: Tally;
  readonly seconds: number;
};

/**
 * Begins each visit at its time, on a new connection if all others are waiting. autocannon has no open loop: at a rate its
 * connections send that number as each second begins, and wait for the answers. Latencies count from the planned moment, so that
 * delays of timers and of a slow generator are not hidden.
 */
export async function runOpen(
  job: LoadJob,
  { phases, patience = endless }: OpenLoop,
  visits: Visits,
): Promise<OpenResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' });
  const tally = new Tally(job.inTimeMs);
  const tallies = phases.map((phase) => ({ ...phase, tally: new Tally(job.inTimeMs), arrived: 0 }));
  const behind = newHistogram();
  const away = { count: 0, refusals: newHistogram() };
  const visitor: Visitor = { job, agent, visits, patience, away };
  const underWay = new Set<Promise<void>>();
  const timeline: Moment[] = [];
  let arrived = 0;
  const startedAt = performance.now();
  const sinceStart = (): number => performance.now() - startedAt;
  const sample = (): void => {
    timeline.push({
      seconds: sinceStart() / 1000,
      arrived,
      ok: tally.ok,
      failed: tally.failed,
      turnedAway: away.count,
    });
  };
  const sampler = setInterval(sample, sampleMs);
  const begin = ({ phase, atMs }: Arrival): void => {
    record(behind, sinceStart() - atMs);
    const counted = tallies[phase];
    if (counted) counted.arrived++;
    const visit = runVisit(visitor, arrived++).then((outcome) => {
      const latencyMs = sinceStart() - atMs;
      tally.add(outcome, latencyMs);
      counted?.tally.add(outcome, latencyMs);
      underWay.delete(visit);
    });
    underWay.add(visit);
  };
  for (const arrival of arrivals(phases)) {
    const earlyMs = arrival.atMs - sinceStart();
    if (earlyMs > 0) await delay(Math.ceil(earlyMs));
    begin(arrival);
  }
  const planned = phases.reduce((sum, { seconds }) => sum + seconds, 0);
  await delay(Math.max(0, planned * 1000 - sinceStart()));
  await Promise.all(underWay);
  clearInterval(sampler);
  sample();
  agent.destroy();
  return {
    tally,
    seconds: sinceStart() / 1000,
    plannedPerSecond: arrived / planned,
    refusalMs: away.refusals.totalCount > 0 ? percentilesOf(away.refusals) : undefined,
    behindMs: { p99: percentileMs(behind, 99), max: percentileMs(behind, 100) },
    phases: tallies.map(({ tally: each, ...phase }) => ({ ...phase, ...each.toJSON() })),
    timeline,
  };
}

const endless: Patience = { waitMs: 2 ** 31 - 1, tries: 1 };

/** Shared by all visits. */
interface Visitor {
  readonly job: LoadJob;
  readonly agent: Agent;
  readonly visits: Visits;
  readonly patience: Patience;
  /** Attempts that were refused with Retry-After, and their latencies; or given up. */
  readonly away: { count: number; readonly refusals: Histogram };
}

/** @returns the first outcome that is not OK, or OK */
async function runVisit(visitor: Visitor, n: number): Promise<string> {
  let before = '{}';
  for (const step of visitor.visits.steps) {
    const { outcome, body } = await runStep(visitor, step.path, step.body(n, before));
    if (outcome !== 'OK') return outcome;
    before = body;
  }
  return 'OK';
}

/** Repeats until it is answered, or the patience is over. */
async function runStep(
  visitor: Visitor,
  path: string,
  body: string,
): Promise<{ readonly outcome: string; readonly body: string }> {
  const { visits, patience, away } = visitor;
  for (let tries = 1; ; tries++) {
    const isLast = tries === patience.tries;
    const startedAt = performance.now();
    try {
      const { status, body: answer, retryAfter } = await ask(visitor, path, body);
      if (status !== 503) return { outcome: visits.outcomeOf(status, answer), body: answer };
      away.count++;
      record(away.refusals, performance.now() - startedAt);
      if (retryAfter === undefined) return { outcome: '503 without Retry-After', body: answer };
      if (isLast) return { outcome: '503', body: answer };
      await delay(retryAfter * 1000);
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? String(error.code) : 'failed';
      if (code !== gaveUp) return { outcome: code, body: '' };
      away.count++;
      if (isLast) return { outcome: code, body: '' };
    }
  }
}

const gaveUp = 'GAVE_UP';

/** @throws an error with a code; GAVE_UP after the time that a client waits */
async function ask({ job, agent, patience }: Visitor, path: string, body: string): Promise<Answer> {
  const headers = { 'api-key': job.apiKey, 'content-length': Buffer.byteLength(body) };
  const sent = request(job.url + path, { method: 'POST', agent, headers });
  const timer = setTimeout(() => {
    sent.destroy(Object.assign(new Error('no answer in time'), { code: gaveUp }));
  }, patience.waitMs);
  try {
    sent.end(body);
    return await answerOf(sent);
  } finally {
    clearTimeout(timer);
  }
}

export interface Arrival {
  readonly phase: number;
  /** ms since the start. */
  readonly atMs: number;
}

/**
 * A Poisson process: exponential gaps by inversion. The same arrivals in each run, so that runs differ in the core and not in the
 * arrivals.
 */
export function* arrivals(phases: readonly Phase[]): Generator<Arrival, undefined> {
  const random = randomFractions(20_261_121);
  let beginMs = 0;
  for (const [phase, { rate, seconds }] of phases.entries()) {
    const endMs = beginMs + seconds * 1000;
    let atMs = beginMs + gapMs(random(), rate);
    for (; atMs < endMs; atMs += gapMs(random(), rate)) yield { phase, atMs };
    beginMs = endMs;
  }
}

function gapMs(random: number, rate: number): number {
  return (-Math.log(random) / rate) * 1000;
}
