import { setTimeout as delay } from 'node:timers/promises';
import { madeUpMix, mixInWords, password } from '../../../src/load/made-up.ts';
import type { LoadResult } from '../../load/client/job.ts';
import {
  inTimeMsOf,
  inTimeOf,
  latenciesOf,
  measuredInTime,
  middleOf,
  percentilesPlot,
  phasesOf,
  type Slices,
} from '../../load/latencies.ts';
import { importMix, settingsFor } from '../../load/mix.ts';
import { importPeople } from '../../load/people.ts';
import type { CoreProcess } from '../../load/processes.ts';
import { runLoad } from '../../load/run-load.ts';
import { withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import type { BenchOptions, Measurement, Plot, Scenario } from '../../scenario.ts';

/**
 * Requests without a password while all threads verify some: `/hello`, and imports of single users, each at a low fixed rate,
 * during sign-ins that always have more waiting than there are threads; relative to the same core at rest. The users who sign in
 * have a mix of hashes, as at first, or all Argon2id by the policy, as after all upgrades: then three times as many sign-ins are
 * done, each of which also takes some time of the event loop and PostgreSQL. Load generators, core and PostgreSQL share the
 * machine, so the waits include the generator's own wait for a CPU core.
 */
export const hashesSaturated: Scenario = {
  name: 'hashes-saturated',
  about: `hello and single imports beside as many sign-ins as the core can take (${mixInWords}; and Argon2id alone), against none: how many take at most twice its p99`,
  run: async (options) => {
    const mix = madeUpMix;
    // No hash is replaced meanwhile: each group of users stays the same.
    return withStand(settingsFor(mix, false), async ({ core }) => {
      await importMix(core, people, mix);
      await importPeople(core, people, () => mix.hashes.argon2id, people);
      return compare(core, options);
    });
  },
};

/** Of each group. */
const people = 200;
/** By their number: the first that signs in. */
const crowds = { mix: 0, argon2id: people } as const;
type Crowd = keyof typeof crowds;
/** Each waits for its answer: enough that no thread is ever idle. */
const signInConnections = 16;
const hellosPerSecond = 200;
const importsPerSecond = 100;
/** Until every connection has a sign-in under way. */
const leadMs = 500;
/** The bar for the p99 during sign-ins, as a multiple of that at rest. */
const times = 2;

/** The 99th percentile is the third longest of a slice's 250 imports, and the fifth longest of its 500 `/hello`. */
const fullSlices: Slices = { warmUpSeconds: 2, seconds: 2.5, count: 8 };
const quickSlices: Slices = { warmUpSeconds: 0.5, seconds: 1, count: 1 };

interface Probed {
  readonly hello: LoadResult;
  readonly imports: LoadResult;
}

/** At rest, and during the sign-ins of each group. */
interface Round {
  readonly idle: Probed;
  readonly mix: Probed;
  /** Not in a quick run. */
  readonly argon2id: Probed | undefined;
}

async function compare(core: CoreProcess, options: BenchOptions): Promise<Measurement[]> {
  if (!options.quick) await probe(core, { tag: 'warm-up' }, options);
  const takeRound = async (n: number): Promise<Round> => {
    const idle = await probe(core, { tag: `idle-${n}` }, options);
    options.say(`round ${n}: ${inWords(idle)} at rest`);
    const beside = (crowd: Crowd) => besideSignIns(core, { crowd, tag: `${crowd}-${n}`, idle }, options);
    const mix = await beside('mix');
    return { idle, mix, argon2id: options.quick ? undefined : await beside('argon2id') };
  };
  const slices = options.quick ? quickSlices : fullSlices;
  return untilKnown(options, { least: 3, most: 7 }, takeRound, (rounds) => comparisons(rounds, slices));
}

function inWords({ hello, imports }: Probed): string {
  const inMs = (load: LoadResult): string => {
    const { p50, p99 } = middleOf(latenciesOf(load));
    return `${p50.toFixed(1)}/${p99.toFixed(1)} ms`;
  };
  return `p50/p99 of hello ${inMs(hello)}, of imports ${inMs(imports)}`;
}

interface Probe {
  readonly tag: string;
  /** The results at rest, for those during sign-ins. */
  readonly idle?: Probed;
}

async function probe(core: CoreProcess, { tag, idle }: Probe, { quick, say }: BenchOptions): Promise<Probed> {
  const slices = quick ? quickSlices : fullSlices;
  const within = (atRest?: LoadResult) => atRest && { inTimeMs: inTimeMsOf(latenciesOf(atRest), times) };
  const open = (rate: number) => ({ kind: 'open', phases: phasesOf(rate, slices) }) as const;
  const hello = { kind: 'fixed', path: '/hello', body: '', expected: 200 } as const;
  const singles = { kind: 'import', tag } as const;
  const [hellos, imports] = await Promise.all([
    runLoad(core, { traffic: hello, loop: open(hellosPerSecond), say, ...within(idle?.hello) }),
    runLoad(core, { traffic: singles, loop: open(importsPerSecond), say, ...within(idle?.imports) }),
  ]);
  return { hello: hellos, imports };
}

interface Saturation extends Required<Probe> {
  readonly crowd: Crowd;
}

async function besideSignIns(
  core: CoreProcess,
  { crowd, ...beside }: Saturation,
  options: BenchOptions,
): Promise<Probed> {
  const { warmUpSeconds, seconds, count } = options.quick ? quickSlices : fullSlices;
  const signingIn = runLoad(core, {
    traffic: { kind: 'sign-in', from: crowds[crowd], people, password },
    // Longer than the probes, which start separate processes.
    loop: {
      kind: 'closed',
      connections: signInConnections,
      until: { seconds: seconds * count + warmUpSeconds + 3 },
    },
    say: options.say,
  });
  await delay(leadMs);
  const saturated = await probe(core, beside, options);
  const { perSecond } = await signingIn;
  options.say(`  ${inWords(saturated)} beside ${perSecond.toFixed(0)} sign-ins/s (${crowd})`);
  return saturated;
}

function comparisons(results: readonly Round[], slices: Slices): Measurement[] {
  const details = { signInConnections, hellosPerSecond, importsPerSecond, slices };
  const comparison = (name: string, of: keyof Probed, crowd: Crowd): Measurement[] => {
    const beside = results.flatMap(({ [crowd]: probed }) => probed?.[of] ?? []);
    if (beside.length === 0) return [];
    const found = {
      atRest: results.flatMap(({ idle }) => latenciesOf(idle[of])),
      beside: beside.flatMap(latenciesOf),
      inTime: beside.flatMap(inTimeOf),
    };
    return [measuredInTime({ name, times, details }, found)];
  };
  return [
    ...comparison('hashes-saturated-hello-in-time', 'hello', 'mix'),
    ...comparison('hashes-saturated-import-in-time', 'imports', 'mix'),
    ...comparison('hashes-saturated-hello-argon2id-in-time', 'hello', 'argon2id'),
    ...comparison('hashes-saturated-import-argon2id-in-time', 'imports', 'argon2id'),
  ].map((result, n) => (n === 0 ? { ...result, plots: results.slice(-1).map(plot) } : result));
}

function plot({ idle, mix }: Round): Plot {
  return percentilesPlot({
    'hello, at rest': { latencyMs: middleOf(latenciesOf(idle.hello)) },
    'hello, all threads verifying': { latencyMs: middleOf(latenciesOf(mix.hello)) },
    'single imports, at rest': { latencyMs: middleOf(latenciesOf(idle.imports)) },
    'single imports, all threads verifying': { latencyMs: middleOf(latenciesOf(mix.imports)) },
  });
}
