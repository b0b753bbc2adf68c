import { type HashMix, type Kind, madeUpMix, password } from '../../../src/load/made-up.ts';
import type { LoadResult, Traffic } from '../../load/client/job.ts';
import { addCpu, cpuPlot, type CpuSplit, watchCpu } from '../../load/cpu.ts';
import { settingsFor, threads } from '../../load/mix.ts';
import { importPeople } from '../../load/people.ts';
import { runLoad } from '../../load/run-load.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import { verifyRaw } from './sign-in.ts';

/**
 * The cost of a sign-in beyond its hash: 16 clients that each wait for their answer, with one kind of hash, without and with the
 * session that an app then begins, relative to the hashing library alone in the same number of threads.
 */
export const signInCost: Scenario = {
  name: 'sign-in-cost',
  about: 'sign-ins of 16 at once, without and with a session each, against the hashing library alone',
  run: async (options) => {
    const mix = madeUpMix;
    const found: Measurement[] = [];
    for (const [kind, aims] of Object.entries(promised) as [keyof typeof promised, Aims][])
      found.push(
        ...(await withStand(settingsFor(mix, false), (stand) => compare(stand, mix, kind, aims, options))),
      );
    return found;
  },
};

const people = 1000;
const connections = 16;

interface Aims {
  readonly without: number | undefined;
  readonly with: number;
}
const promised = {
  bcrypt: { without: undefined, with: 0.95 },
  argon2id: { without: undefined, with: 0.9 },
} as const satisfies Partial<Record<Kind, Aims>>;

interface Round {
  readonly raw: number;
  readonly without: LoadResult;
  readonly with: LoadResult;
  readonly cpu: Readonly<Record<'without' | 'with', CpuSplit>>;
}

async function compare(
  stand: Stand,
  mix: HashMix,
  kind: Kind,
  aims: Aims,
  options: BenchOptions,
): Promise<Measurement[]> {
  const seconds = options.quick ? 1 : 5;
  await importPeople(stand.core, people, () => mix.hashes[kind]);
  await signIn(stand, 'sign-in-with-session', { visits: 100 }, options);
  return untilKnown(
    options,
    { least: 5, most: 10, inWords },
    () => runRound(stand, mix, kind, seconds, options),
    (rounds) => (['without', 'with'] as const).map((which) => measurementOf(kind, which, rounds, aims)),
  );
}

async function runRound(
  stand: Stand,
  mix: HashMix,
  kind: Kind,
  seconds: number,
  options: BenchOptions,
): Promise<Round> {
  const { cluster, core } = stand;
  const raw = (await verifyRaw(mix, threads, seconds, kind)).perSecond;
  const watched = async (traffic: 'sign-in' | 'sign-in-with-session') => {
    const cpu = watchCpu(core.pid, cluster.pid);
    const result = await signIn(
      stand,
      traffic,
      { visits: Math.max(4 * connections, Math.ceil(raw * seconds)) },
      options,
    );
    return { result, cpu: cpu(result.cpuSeconds) };
  };
  const without = await watched('sign-in');
  const withSession = await watched('sign-in-with-session');
  return {
    raw,
    without: without.result,
    with: withSession.result,
    cpu: { without: without.cpu, with: withSession.cpu },
  };
}

function signIn(
  { core }: Stand,
  kind: 'sign-in' | 'sign-in-with-session',
  until: { readonly visits: number },
  { say }: BenchOptions,
): Promise<LoadResult> {
  const traffic: Traffic = { kind, from: 0, people, password };
  return runLoad(core, { traffic, loop: { kind: 'closed', connections, until }, say });
}

/** PostgreSQL's part and the main thread's are in the details, in ms of CPU a sign-in. */
function measurementOf(
  kind: Kind,
  which: 'without' | 'with',
  rounds: readonly Round[],
  aims: Aims,
): Measurement {
  const name = `sign-in-cost/${kind}/${which === 'with' ? 'with session' : 'alone'}`;
  const cpu = addCpu(rounds.map((round) => round.cpu[which]));
  const visits = rounds.reduce(
    (sum, round) => sum + Math.round(round[which].perSecond * round[which].seconds),
    0,
  );
  const msOf = (seconds: number): number => Math.round((seconds * 1e5) / visits) / 100;
  const aim = aims[which];
  return measured(
    {
      name,
      unit: 'sign-ins/s',
      reference: 'the hashing library alone',
      ...(aim !== undefined && { atLeast: aim }),
      details: {
        connections,
        postgresMs: msOf(cpu.postgres),
        mainThreadMs: msOf(cpu.coreMain),
        workersMs: msOf(cpu.coreWorkers),
        clientMs: msOf(cpu.client),
      },
      plots: [cpuPlot(name, cpu, visits)],
    },
    rounds.map((round) => [round[which].perSecond, round.raw]),
  );
}

function inWords({ raw, without, with: withSession, cpu }: Round): string {
  const visits = withSession.perSecond * withSession.seconds;
  const ms = ((cpu.with.postgres * 1000) / visits).toFixed(2);
  return `library ${raw.toFixed(1)}/s, sign-ins ${without.perSecond.toFixed(1)}/s, with sessions ${withSession.perSecond.toFixed(1)}/s (PostgreSQL ${ms} ms each)`;
}
