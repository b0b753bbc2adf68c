import { Agent, type IncomingMessage, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { type Arrival, arrivals } from './arrivals.ts';
import type { LoadJob, LoadResult, Moment, OpenLoop } from './job.ts';
import { newHistogram, percentileMs, record, Tally } from './tally.ts';
import type { Visits } from './visits.ts';

const sampleMs = 100;

type OpenResult = Pick<LoadResult, 'behindMs' | 'phases' | 'timeline' | 'plannedPerSecond'> & {
  readonly tally: Tally;
  readonly seconds: number;
};

/**
 * Begins each visit at its time, on a connection of its own if all others are waiting. autocannon has no open loop: at
 * a rate its connections send that many as each second begins, and wait for the answers. Latencies count from the planned
 * moment, as timers, and a generator that is too slow, would otherwise forgive the core what they delay.
 */
export async function runOpen(job: LoadJob, { phases }: OpenLoop, visits: Visits): Promise<OpenResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' });
  const tally = new Tally(job.inTimeMs);
  const tallies = phases.map((phase) => ({ ...phase, tally: new Tally(job.inTimeMs), arrived: 0 }));
  const behind = newHistogram();
  const underWay = new Set<Promise<void>>();
  const timeline: Moment[] = [];
  let arrived = 0;
  const startedAt = performance.now();
  const sinceStart = (): number => performance.now() - startedAt;
  const sample = (): void => {
    timeline.push({ seconds: sinceStart() / 1000, arrived, ok: tally.ok, failed: tally.failed });
  };
  const sampler = setInterval(sample, sampleMs);
  const begin = ({ phase, atMs }: Arrival): void => {
    record(behind, sinceStart() - atMs);
    const counted = tallies[phase];
    if (counted) counted.arrived++;
    const visit = runVisit(job, agent, visits, arrived++).then((outcome) => {
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
    behindMs: { p99: percentileMs(behind, 99), max: percentileMs(behind, 100) },
    phases: tallies.map(({ tally: each, ...phase }) => ({ ...phase, ...each.toJSON() })),
    timeline,
  };
}

/** @returns the first outcome that is not OK, or OK */
async function runVisit(job: LoadJob, agent: Agent, visits: Visits, n: number): Promise<string> {
  let before = '{}';
  for (const step of visits.steps) {
    try {
      const { status, body, isRetryTold } = await ask(job, agent, step.path, step.body(n, before));
      if (status === 503 && !isRetryTold) return '503 without Retry-After';
      const outcome = visits.outcomeOf(status, body);
      if (outcome !== 'OK') return outcome;
      before = body;
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : 'failed';
    }
  }
  return 'OK';
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly isRetryTold: boolean;
}

function ask({ url, apiKey }: LoadJob, agent: Agent, path: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { 'api-key': apiKey, 'content-length': Buffer.byteLength(body) };
    const sent = request(url + path, { method: 'POST', agent, headers }, (response: IncomingMessage) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject).on('end', () => {
        const { statusCode: status = 0, headers: told } = response;
        resolve({ status, body: text, isRetryTold: told['retry-after'] !== undefined });
      });
    });
    sent.on('error', reject).end(body);
  });
}
