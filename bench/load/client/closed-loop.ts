import autocannon from 'autocannon';
import type { ClosedLoop, LoadJob } from './job.ts';
import { Tally } from '../../../src/load/tally.ts';
import type { Step, Visits } from './visits.ts';

/** Longer than any answer takes: the core itself answers 503 before. */
const timeoutS = 60;

interface VisitContext {
  n?: number;
  answer?: string;
}

/** autocannon takes a request's path as the whole one: without this, an app's load would go to the public app. */
function below(url: string, visits: Visits): Visits {
  const base = new URL(url).pathname.replace(/\/+$/, '');
  const [first, ...further] = visits.steps;
  const moved = (step: Step): Step => ({ ...step, path: base + step.path });
  return { ...visits, steps: [moved(first), ...further.map(moved)] };
}

/** @returns the tally of all requests, and the seconds from the first to the last answer */
export async function runClosed(
  { url, apiKey, inTimeMs }: LoadJob,
  loop: ClosedLoop,
  visits: Visits,
): Promise<{ tally: Tally; seconds: number }> {
  const tally = new Tally(inTimeMs);
  let startedAt = performance.now();
  let lastAnswerAt = startedAt;
  let answer = { status: 0, ms: 0 };
  let isOver = false;
  const finished = Promise.withResolvers<undefined>();
  const load = autocannon(
    {
      url,
      connections: loop.connections,
      pipelining: loop.pipelining ?? 1,
      timeout: timeoutS,
      sampleInt: 100,
      ...amountOf(loop, visits),
      headers: { 'api-key': apiKey },
      ...requestsOf(loop, below(url, visits)),
      // Called for each answer, directly after its event: together they have all that is needed.
      verifyBody: (body) => {
        if (!isOver) tally.add(visits.outcomeOf({ status: answer.status, body: String(body) }), answer.ms);
        return true;
      },
    },
    (error: Error | null) => {
      if (error) finished.reject(error);
      else finished.resolve(undefined);
    },
  );
  // All connections are open, or about to be, and their requests are written: now it begins.
  startedAt = performance.now();
  load.on('response', (_client, status, _bytes, ms) => {
    answer = { status, ms };
    if (!isOver) lastAnswerAt = performance.now();
  });
  load.on('reqError', (error: NodeJS.ErrnoException) => {
    if (!isOver) tally.add(error.code ?? error.message, 0);
  });
  const ending = 'seconds' in loop.until ? loop.until.seconds * 1000 : undefined;
  if (ending !== undefined) {
    setTimeout(() => {
      isOver = true;
      load.stop();
    }, ending);
  }
  await finished.promise;
  // autocannon ends with the sample that contains the last answer, so its own time is measured here.
  return { tally, seconds: (lastAnswerAt - startedAt) / 1000 };
}

function amountOf({ until }: ClosedLoop, { steps }: Visits): { amount: number } | { duration: number } {
  if ('visits' in until) return { amount: until.visits * steps.length };
  return { duration: until.seconds + 10 };
}

/**
 * Requests that are known beforehand are built before the run, separately for each connection: building one for each visit costs
 * as much as sending it, and the generator shares the machine with the server under test.
 */
function requestsOf(loop: ClosedLoop, visits: Visits): Pick<autocannon.Options, 'requests' | 'setupClient'> {
  const [step, ...further] = visits.steps;
  const count = 'visits' in loop.until ? loop.until.visits : Infinity;
  if (further.length > 0 || step.isSame || count > writtenAhead) return { requests: madeAsSent(visits) };
  let written = 0;
  const next = (): autocannon.Request => ({
    method: 'POST',
    path: step.path,
    body: step.body(written++, '{}'),
  });
  const ofEach = Math.ceil(count / loop.connections);
  return {
    // autocannon requires one at the start; no connection sends it.
    requests: [{ method: 'POST', path: step.path, body: '{}' }],
    setupClient: (client) => {
      client.setRequests(Array.from({ length: ofEach }, next));
    },
  };
}

/** About 100 MB of requests. */
const writtenAhead = 100_000;

function madeAsSent({ steps }: Visits): autocannon.Request[] {
  let sent = 0;
  return steps.map((step, place) => {
    if (step.method === 'GET') return { method: 'GET', path: step.path };
    const request = { method: 'POST', path: step.path } as const;
    if (step.isSame) return { ...request, body: step.body(0, '{}') };
    const setupRequest = (each: autocannon.Request, context: VisitContext): autocannon.Request => {
      if (place === 0) context.n = sent++;
      return { ...each, body: step.body(context.n ?? 0, context.answer ?? '{}') };
    };
    return { ...request, setupRequest, ...reading(step) };
  });
}

/** Only if needed: autocannon makes an object of the headers for it, which costs as much as the request. */
function reading({ isRead }: Step): Pick<autocannon.Request, 'onResponse'> {
  if (!isRead) return {};
  return {
    onResponse: (_status, body, context: VisitContext) => {
      context.answer = body;
    },
  };
}
