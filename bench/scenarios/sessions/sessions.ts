import { externalIdOf, madeUpMix, someHash } from '../../../src/load/made-up.ts';
import type { LoadResult, Traffic } from '../../load/client/job.ts';
import { refreshBody, sessionBody, verifyBody } from '../../../src/load/session-bodies.ts';
import { addCpu, cpuPlot, type CpuSplit, watchCpu } from '../../load/cpu.ts';
import { importPeople } from '../../load/people.ts';
import { type ServerProcess, startServerProcess } from '../../load/processes.ts';
import type { Addressed, Deployed } from '../../load/deployed.ts';
import { runLoad } from '../../load/run-load.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import { bareRates, type BareRates, serveSignatures } from './bare-keys.ts';
import { beginSessions, type Begun } from './begin.ts';
import { memoryOfSessions } from './memory.ts';
import { signInsWithSessions } from './sign-ins.ts';

/**
 * Sessions over loopback HTTP, 64 connections that each wait for their answers. A new session, and a refresh, is one RS256
 * signature: the reference is a server that makes one for each request and nothing else. For requests without a signature the
 * rate per second of the core's CPU counts. Client, server and PostgreSQL share the machine.
 */
export const sessions: Scenario = {
  name: 'sessions',
  about:
    'sessions begun, refreshed and verified, against a server that only signs; the list of keys; what they add to sign-ins',
  run: (options) =>
    withStand({}, async (stand) => {
      const signer = await startServerProcess(import.meta.resolve('./bare-keys.ts'), serveSignatures);
      try {
        return await compare({ ...stand, signer }, options);
      } finally {
        await signer.stop();
      }
    }),
  onDeployed,
};

const connections = 64;
const people = 1000;
/** Verified a second by one CPU core. */
const promisedVerifications = 15_000;

interface Servers extends Stand {
  readonly signer: ServerProcess;
}

interface Round {
  readonly signed: LoadResult;
  readonly bare: BareRates;
  readonly created: LoadResult;
  readonly refreshed: LoadResult;
  readonly used: LoadResult;
  readonly cpu: CpuSplit;
  /** Per second of the core's CPU. */
  readonly verified: number;
  readonly verifiedInDatabase: number;
  readonly listed: number;
  readonly greeted: number;
}

async function compare(stand: Servers, options: BenchOptions): Promise<Measurement[]> {
  const { quick } = options;
  const hash = { passwordHash: someHash, hashingAlgorithm: 'bcrypt' } as const;
  await importPeople(stand.core, people, () => hash);
  await runRound(stand, options, 0.3);
  const found = await untilKnown(
    options,
    { least: 7, most: 20, inWords },
    () => runRound(stand, options, quick ? 1 : 3),
    measurementsOf,
  );
  const memory = await memoryOfSessions(stand, options);
  return [...found, await signInsWithSessions(options), memory];
}

async function runRound(stand: Servers, { say }: BenchOptions, seconds: number): Promise<Round> {
  const { cluster, core, signer } = stand;
  await cluster.database.write('truncate sessions');
  const bare = await bareRates(seconds / 3);
  const visits = Math.ceil(bare.signatures * seconds);
  const begun = await beginSessions(core, Math.ceil(visits / 2) + connections);
  const run = (traffic: Traffic, count: number, server: ServerProcess = core): Promise<LoadResult> =>
    runLoad(server, { traffic, loop: { kind: 'closed', connections, until: { visits: count } }, say });
  const forCpuSecond = async (traffic: Traffic): Promise<number> => {
    const before = core.cpuSeconds();
    const { outcomes } = await run(traffic, Math.ceil(promisedVerifications * seconds));
    return (outcomes.OK ?? 0) / (core.cpuSeconds() - before);
  };
  const cpu = watchCpu(core.pid, cluster.pid);
  const created = await run(creating, visits);
  return {
    created,
    cpu: cpu(created.cpuSeconds),
    bare,
    signed: await run(creating, visits, signer),
    refreshed: await run(refreshing(begun), visits),
    verified: await forCpuSecond(verifying(begun, false)),
    verifiedInDatabase: await forCpuSecond(verifying(begun, true)),
    // At the end, connections have begun visits that are not counted: each needs a token, too.
    used: await run(
      { kind: 'refresh-and-use', tokens: begun.refreshTokens },
      begun.refreshTokens.length - connections,
    ),
    listed: await forCpuSecond({ kind: 'get', path: '/.well-known/jwks.json' }),
    greeted: await forCpuSecond({ kind: 'get', path: '/hello' }),
  };
}

const creating: Traffic = {
  kind: 'posts',
  path: '/recipe/session',
  bodies: Array.from({ length: people }, (_, n) => sessionBody(externalIdOf(n))),
};

/** Without the core's process, whose CPU time the other figures need. */
async function onDeployed({ withApp }: Deployed, options: BenchOptions): Promise<Measurement[]> {
  const { say, quick } = options;
  const signer = await startServerProcess(import.meta.resolve('./bare-keys.ts'), serveSignatures);
  try {
    return await withApp({}, async (core) => {
      await importPeople(core, people, () => madeUpMix.hashes.bcrypt);
      const run = (traffic: Traffic, count: number, server: Addressed = core): Promise<LoadResult> =>
        runLoad(server, { traffic, loop: { kind: 'closed', connections, until: { visits: count } }, say });
      const runRound = async (seconds: number) => {
        const visits = Math.ceil((await bareRates(seconds / 3)).signatures * seconds);
        const begun = await beginSessions(core, Math.ceil(visits / 2) + connections);
        return {
          signed: await run(creating, visits, signer),
          created: await run(creating, visits),
          refreshed: await run(refreshing(begun), visits),
        };
      };
      await runRound(0.3);
      const limits = { least: 3, most: 9 };
      return untilKnown(
        options,
        limits,
        () => runRound(quick ? 1 : 3),
        (rounds) => signingOf(rounds),
      );
    });
  } finally {
    await signer.stop();
  }
}

/** What is bound by signatures. */
function signingOf(rounds: readonly Pick<Round, 'signed' | 'created' | 'refreshed'>[], facts: object = {}) {
  const reference = 'a server that only signs';
  return [
    measured(
      { name: 'sessions/create', unit: 'sessions/s', reference, atLeast: 0.85, ...facts },
      rounds.map(({ created, signed }) => [created.perSecond, signed.perSecond]),
    ),
    measured(
      { name: 'sessions/refresh', unit: 'refreshes/s', reference, atLeast: 0.85 },
      rounds.map(({ refreshed, signed }) => [refreshed.perSecond, signed.perSecond]),
    ),
  ];
}

function refreshing({ refreshTokens }: Begun): Traffic {
  return { kind: 'posts', path: '/recipe/session/refresh', bodies: refreshTokens.map(refreshBody) };
}

function verifying({ accessTokens }: Begun, checksDatabase: boolean): Traffic {
  const bodies = accessTokens.map((token) => verifyBody(token, checksDatabase));
  return { kind: 'posts', path: '/recipe/session/verify', bodies };
}

function measurementsOf(rounds: readonly Round[]): Measurement[] {
  const reference = 'a server that only signs';
  const sessionsMade = rounds.reduce((sum, { created }) => sum + (created.outcomes.OK ?? 0), 0);
  const details = {
    connections,
    latencyMs: rounds.at(-1)?.created.latencyMs,
    bareRatesOfOneThread: rounds.at(-1)?.bare,
  };
  const plots = [cpuPlot('sessions', addCpu(rounds.map(({ cpu }) => cpu)), sessionsMade)];
  const each = { unit: 'verifications/CPU s', reference: 'the promise' };
  return [
    ...signingOf(rounds, { details, plots }),
    measured(
      { name: 'sessions/refresh-and-use', unit: 'refreshes/s', reference: `${reference}, twice each` },
      rounds.map(({ used, signed }) => [used.perSecond, signed.perSecond / 2]),
    ),
    measured(
      { name: 'sessions/verify', ...each, atLeast: 1 },
      rounds.map(({ verified }) => [verified, promisedVerifications]),
    ),
    measured(
      { name: 'sessions/verify-in-database', unit: each.unit, reference: 'without the database' },
      rounds.map(({ verified, verifiedInDatabase }) => [verifiedInDatabase, verified]),
    ),
    measured(
      { name: 'sessions/keys', unit: 'lists/CPU s', reference: '/hello' },
      rounds.map(({ listed, greeted }) => [listed, greeted]),
    ),
  ];
}

function inWords(round: Round): string {
  const { signed, created, refreshed, used, verified, verifiedInDatabase, listed, greeted } = round;
  const words = {
    signed: signed.perSecond,
    created: created.perSecond,
    refreshed: refreshed.perSecond,
    'refreshed and used': used.perSecond,
    'verified for a CPU second': verified,
    'in the database': verifiedInDatabase,
    'keys listed': listed,
    '/hello': greeted,
  };
  return Object.entries(words)
    .map(([name, rate]) => `${name} ${Math.round(rate).toLocaleString('en')}/s`)
    .join(', ');
}
