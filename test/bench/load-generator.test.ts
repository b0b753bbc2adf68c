import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { arrivals } from '../../src/load/arrivals.ts';
import { runClosed } from '../../bench/load/client/closed-loop.ts';
import type { ClosedLoop, LoadJob, OpenLoop, Traffic } from '../../bench/load/client/job.ts';
import { loadHere } from '../../bench/load/run-load.ts';
import { visitsOf } from '../../bench/load/client/visits.ts';

interface Asked {
  readonly path: string;
  readonly body: Record<string, string>;
}

type Answer = (asked: Asked, response: ServerResponse) => void;

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that answers as a test states, and the requests to it. */
async function serve(answer: Answer): Promise<{ url: string; asked: Asked[] }> {
  const asked: Asked[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const one = { path: request.url ?? '', body: JSON.parse(await text(request)) as Asked['body'] };
    asked.push(one);
    answer(one, response);
  };
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function jobFor(url: string, traffic: Traffic): LoadJob {
  return { url, apiKey: 'some key', traffic, loop: { kind: 'open', phases: [] } };
}

function closed(url: string, traffic: Traffic, visits: number): ReturnType<typeof runClosed> {
  const loop: ClosedLoop = { kind: 'closed', connections: 4, until: { visits } };
  return runClosed(jobFor(url, traffic), loop, visitsOf(traffic));
}

function open(
  url: string,
  traffic: Traffic,
  loop: Omit<OpenLoop, 'kind'>,
  inTimeMs = Infinity,
): ReturnType<typeof loadHere> {
  return loadHere({ ...jobFor(url, traffic), loop: { kind: 'open', ...loop }, inTimeMs });
}

const imports: Traffic = { kind: 'import', tag: 'tag' };
const ok: Answer = (_, response) => response.end('{"status":"OK"}');

describe('arrivals', () => {
  const phases = [
    { rate: 1000, seconds: 2 },
    { rate: 100, seconds: 5 },
  ];

  it('are those of a Poisson process, phase after phase: as many as planned on average, with uneven gaps', () => {
    const all = [...arrivals(phases)];
    const [first, second] = [all.filter(({ phase }) => phase === 0), all.filter(({ phase }) => phase === 1)];
    expect(first.length / 2000).toBeCloseTo(1, 1);
    expect(second.length / 500).toBeCloseTo(1, 1);
    expect(first.every(({ atMs }) => atMs >= 0 && atMs < 2000)).toBe(true);
    expect(second.every(({ atMs }) => atMs >= 2000 && atMs < 7000)).toBe(true);
    const gaps = first.slice(1).map(({ atMs }, n) => atMs - (first[n]?.atMs ?? 0));
    // Of exponential gaps the share 1/e is longer than the mean of 1 ms.
    expect(gaps.filter((gap) => gap > 1).length / gaps.length).toBeCloseTo(Math.exp(-1), 1);
  });

  it('are the same each time', () => {
    expect([...arrivals(phases)]).toEqual([...arrivals(phases)]);
  });
});

describe('both loops', () => {
  it('stay below the path of the address, such as that of an app', async () => {
    const { url, asked } = await serve(ok);
    await closed(`${url}/appid-one`, imports, 4);
    await open(`${url}/appid-one/`, imports, { phases: [{ rate: 100, seconds: 0.1 }] });
    expect(asked.length).toBeGreaterThan(4);
    expect([...new Set(asked.map(({ path }) => path))]).toEqual([
      '/appid-one/recipe/user/passwordhash/import',
    ]);
  });
});

describe('a closed loop', () => {
  it('makes exactly as many visits as asked for, no two alike', async () => {
    const { url, asked } = await serve(ok);
    const { tally } = await closed(url, imports, 40);
    expect(tally.toJSON().outcomes).toEqual({ OK: 40 });
    expect(new Set(asked.map(({ body }) => body.email)).size).toBe(40);
  });

  it('redeems the token that its own visit was given', async () => {
    const { url, asked } = await serve(({ path, body }, response) => {
      const token = path.endsWith('/token') ? `token of ${body.userId ?? ''}` : undefined;
      response.end(JSON.stringify({ status: 'OK', token }));
    });
    await closed(url, { kind: 'verify-email', from: 5, people: 20 }, 20);
    const redeemed = asked.filter(({ path }) => !path.endsWith('/token')).map(({ body }) => body.token);
    const people = Array.from({ length: 20 }, (_, n) => `token of person-${n + 5}`);
    expect(redeemed.sort()).toEqual(people.sort());
  });

  it('uses the access token that a refresh has given, and refreshes with each token once', async () => {
    const refreshed: string[] = [];
    const used: string[] = [];
    const { url } = await serve(({ path, body }, response) => {
      if (path.endsWith('/verify')) used.push(body.accessToken ?? '');
      else refreshed.push(body.refreshToken ?? '');
      response.end(JSON.stringify({ status: 'OK', accessToken: { token: `for ${body.refreshToken}` } }));
    });
    const tokens = Array.from({ length: 12 }, (_, n) => `token ${n}`);
    await closed(url, { kind: 'refresh-and-use', tokens }, 8);
    expect(new Set(refreshed).size).toBe(refreshed.length);
    expect(refreshed.map((token) => `for ${token}`)).toEqual(expect.arrayContaining(used));
    expect(new Set(used).size).toBeGreaterThan(4);
  });

  it('asks with GET, and without a body', async () => {
    const methods: (string | undefined)[] = [];
    const server = createServer((request, response) => {
      methods.push(request.method, request.headers['content-length']);
      response.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { tally } = await closed(url, { kind: 'get', path: '/hello' }, 8);
    expect(tally.ok).toBe(8);
    expect(new Set(methods)).toEqual(new Set(['GET', undefined]));
  });

  it('counts what is not OK by the status or its word', async () => {
    let n = 0;
    const { url } = await serve((_, response) => {
      response.statusCode = n++ % 4 === 0 ? 503 : 200;
      response.end(n % 4 === 2 ? '{"status":"WRONG_CREDENTIALS_ERROR"}' : '{"status":"OK"}');
    });
    const { tally } = await closed(url, { kind: 'sign-in', from: 0, people: 2, password: 'some' }, 40);
    expect(tally.toJSON().outcomes).toEqual({ OK: 20, '503 OK': 10, WRONG_CREDENTIALS_ERROR: 10 });
    expect(tally).toMatchObject({ ok: 20, failed: 20, answered: 40 });
  });
});

describe('an open loop', () => {
  const phases = [{ rate: 400, seconds: 0.1 }];
  const planned = [...arrivals(phases)].length;

  it('waits for no answer before the next arrival', async () => {
    const held: ServerResponse[] = [];
    // No request is answered until all have arrived, which a generator that waits would never reach.
    const { url } = await serve((_, response) => {
      if (held.push(response) === planned) for (const each of held) each.end('{"status":"OK"}');
    });
    const { outcomes, phases: ran } = await open(url, imports, { phases });
    expect(outcomes).toEqual({ OK: planned });
    expect(ran).toMatchObject([{ arrived: planned, outcomes: { OK: planned } }]);
  });

  it('measures each phase separately, and ends its timeline with all that happened', async () => {
    const { url } = await serve(ok);
    const two = [...phases, { rate: 200, seconds: 0.1 }];
    const { phases: ran, timeline, outcomes } = await open(url, imports, { phases: two });
    const { OK: all } = outcomes;
    expect(ran.map(({ arrived }) => arrived).reduce((sum, each) => sum + each)).toBe(all);
    expect(timeline.at(-1)).toMatchObject({ arrived: all, ok: all, failed: 0 });
  });

  it('counts for each phase how many were in time', async () => {
    const { url } = await serve(ok);
    const inTimeOf = async (inTimeMs: number): Promise<number[]> => {
      const { phases: ran } = await open(url, imports, { phases }, inTimeMs);
      return ran.map(({ inTime }) => inTime);
    };
    // A timer may be early by a part of a millisecond, and the answer with it.
    expect(await inTimeOf(-1000)).toEqual([0]);
    expect(await inTimeOf(3_600_000)).toEqual([1]);
  });

  it('distinguishes refusals with a time to retry from those without', async () => {
    let n = 0;
    const { url } = await serve((_, response) => {
      if (n++ === 0) response.setHeader('retry-after', '1');
      response.statusCode = 503;
      response.end('{"status":"OVERLOADED"}');
    });
    const { outcomes } = await open(url, imports, { phases });
    expect(outcomes).toEqual({ '503 OVERLOADED': 1, '503 without Retry-After': planned - 1 });
  });

  it('counts connections that fail by their code', async () => {
    const { url } = await serve((_, response) => response.destroy());
    const { outcomes } = await open(url, imports, { phases });
    expect(outcomes).toEqual({ ECONNRESET: planned });
  });
});

describe('people who do not wait for ever', () => {
  const phases = [{ rate: 50, seconds: 0.2 }];
  const hasty = { waitMs: 50, tries: 3 };
  const patient = { waitMs: 60_000, tries: 3 };

  async function openWith(url: string, patience: typeof hasty) {
    const ran = await open(url, imports, { phases, patience });
    return { ...ran, visits: Object.values(ran.outcomes).reduce((sum, each) => sum + each, 0) };
  }

  it('hang up and try again, as often as they may', async () => {
    const { url } = await serve(() => undefined);
    const { outcomes, visits, timeline } = await openWith(url, hasty);
    expect(outcomes).toEqual({ GAVE_UP: visits });
    expect(timeline.at(-1)).toMatchObject({ failed: visits, turnedAway: 3 * visits });
  });

  it('come back when they are asked to, and are counted once', async () => {
    const met = new Set<string>();
    const { url, asked } = await serve((one, response) => {
      const who = one.body.email ?? '';
      if (met.has(who)) {
        ok(one, response);
        return;
      }
      met.add(who);
      response.setHeader('retry-after', '0');
      response.statusCode = 503;
      response.end('{"status":"OVERLOADED"}');
    });
    const { outcomes, visits, timeline, refusalMs } = await openWith(url, patient);
    expect(outcomes).toEqual({ OK: visits });
    expect(asked).toHaveLength(2 * visits);
    expect(timeline.at(-1)?.turnedAway).toBe(visits);
    expect(refusalMs?.max).toBeGreaterThan(0);
  });
});
