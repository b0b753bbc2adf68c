import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Listening, type ServerProcess, startServerProcess } from '../load/processes.ts';
import type { LoadResult } from '../load/client/job.ts';
import { runLoad } from '../load/run-load.ts';
import { withCore, withStand } from '../load/stand.ts';
import { untilKnown } from '../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';

/**
 * The cost of accepting a request, checking it and answering, without password or database: an import whose hash is refused after
 * the body was validated, relative to node:http sending a body back. Both serve on one thread, and requests a second of the
 * server's CPU count: the generator is slower than the server and would otherwise be measured.
 */
export const frontEnd: Scenario = {
  name: 'front-end',
  about:
    'small POSTs that need no database, on each front end, against a bare node:http echo: requests a CPU second',
  run: (options) =>
    withStand({ FRONT_END: 'UWEBSOCKETS' }, ({ cluster, core }) =>
      withCore(cluster, { FRONT_END: 'NODE_HTTP' }, async (nodeHttp) => {
        const echo = await startServerProcess(import.meta.url, serveEcho);
        try {
          return await compare({ core, nodeHttp, echo }, options);
        } finally {
          await echo.stop();
        }
      }),
    ),
};

const connections = 32;
const pipelining = 8;
const path = '/recipe/user/passwordhash/import';
const body = '{"email":"somebody@example.com","passwordHash":"not a hash of any kind"}';

/** Of one server in one round. */
interface Served {
  /** Requests a second of the server's CPU. */
  readonly perCpuSecond: number;
  readonly perSecond: number;
}

/** The servers under test, in turns. */
type Servers<Each> = Readonly<Record<'core' | 'nodeHttp' | 'echo', Each>>;
type Round = Servers<Served>;

async function compare(
  { core, nodeHttp, echo }: Servers<ServerProcess>,
  options: BenchOptions,
): Promise<Measurement[]> {
  const { quick, say } = options;
  const seconds = quick ? 0.5 : 3;
  await serve(core, 400, seconds / 2, say);
  await serve(nodeHttp, 400, seconds / 2, say);
  await serve(echo, 200, seconds / 2, say);
  const runRound = async (): Promise<Round> => ({
    echo: await serve(echo, 200, seconds, say),
    core: await serve(core, 400, seconds, say),
    nodeHttp: await serve(nodeHttp, 400, seconds, say),
  });
  return untilKnown(options, { least: 7, most: 25, inWords }, runRound, (rounds) => [
    comparison(rounds, 'front-end', ({ core }) => core),
    comparison(rounds, 'front-end/node-http', ({ nodeHttp }) => nodeHttp),
  ]);
}

function comparison(rounds: readonly Round[], name: string, of: (round: Round) => Served): Measurement {
  const details = { connections, pipelining, perSecond: rounds.at(-1) };
  // Next to the echo alone, a server that checks and parses more cannot win.
  const floor = name === 'front-end' ? { atLeast: 1 } : {};
  return measured(
    { name, unit: 'requests/CPU s', reference: 'node:http echo', ...floor, details },
    rounds.map((round) => [of(round).perCpuSecond, round.echo.perCpuSecond]),
  );
}

async function serve(
  server: ServerProcess,
  expected: number,
  seconds: number,
  say: BenchOptions['say'],
): Promise<Served> {
  const before = server.cpuSeconds();
  const result = await runLoad(server, {
    traffic: { kind: 'fixed', path, body, expected },
    loop: { kind: 'closed', connections, pipelining, until: { seconds } },
    say,
    mayFail: true,
  });
  checkOutcomes(result);
  const requests = result.perSecond * result.seconds;
  return { perCpuSecond: requests / (server.cpuSeconds() - before), perSecond: result.perSecond };
}

/**
 * A front end closes a connection whose next request has arrived while the one before it waits for the database, as RFC 9112,
 * section 9.3.2, allows. A few may be affected while the core reads their tenant.
 * @throws Error when more requests failed, or in another way
 */
function checkOutcomes({ outcomes, failed }: LoadResult): void {
  const { OK: ok = 0, ECONNRESET: closed = 0 } = outcomes;
  if (failed > closed || closed > ok * closedShare) {
    throw new Error(`requests failed: ${JSON.stringify(outcomes)}`);
  }
}

/** The maximum share of requests whose connection was closed. */
const closedShare = 0.002;

function inWords({ echo, core, nodeHttp }: Round): string {
  const words = ({ perCpuSecond, perSecond }: Served): string => {
    const [cpu, rate] = [perCpuSecond, perSecond].map((each) => Math.round(each).toLocaleString('en'));
    return `${cpu} for a CPU second (${rate}/s)`;
  };
  return `echo ${words(echo)}, uWebSockets.js ${words(core)}, node:http ${words(nodeHttp)}`;
}

/** The reference of the front end: node:http alone, which collects a body and sends it back. As a separate process. */
export async function serveEcho(): Promise<Listening> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      const whole = Buffer.concat(parts);
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length })
        .end(whole);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('SIGTERM', () => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port };
}
