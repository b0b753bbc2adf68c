import { setTimeout as delay } from 'node:timers/promises';
import { oneRound, untilKnown } from '../rounds.ts';
import { type BenchOptions, measuredApart, type Measurement, type Plot, type Scenario } from '../scenario.ts';
import type { LatencyMs } from './client/job.ts';
import { importPeople } from './import-people.ts';
import { percentilesPlot } from './percentiles.ts';
import type { CoreProcess } from './processes.ts';
import { runLoad } from './run-load.ts';
import { importMix, settingsFor } from './sign-in/capacity.ts';
import { makeMix, mixInWords, password } from './sign-in/mix.ts';
import { latenciesOf, middleOf, phasesOf, type Slices } from './slices.ts';
import { withStand } from './stand.ts';

/**
 * What needs no password while all threads verify some: `/hello`, and imports of single users, each at a low
 * fixed rate, beside sign-ins that always have more waiting than there are threads; against the same core at rest. Who
 * signs in has a mix of hashes, as at first, or all have Argon2id by the policy, as when all have been upgraded: then three times as
 * many sign-ins are done, each of which also takes the event loop and PostgreSQL some time. Load generators, core and PostgreSQL share the machine, so what waits here includes the generator's own wait for a core.
 */
export const hashesSaturated: Scenario = {
  name: 'hashes-saturated',
  about: `hello and single imports beside as many sign-ins as the core can take (${mixInWords}; and Argon2id alone), against none: p99`,
  run: async (options) => {
    const mix = await makeMix();
    // No hash is replaced meanwhile: each crowd stays what it is.
    return withStand(settingsFor(mix, false), async ({ core }) => {
      await importMix(core, people, mix);
      await importPeople(core, people, () => mix.hashes.argon2id, people);
      return compare(core, options);
    });
  },
};

/** Of each crowd. */
const people = 200;
/** By their number: the first that signs in. */
const crowds = { mix: 0, argon2id: people } as const;
type Crowd = keyof typeof crowds;
/** Each waits for its answer: enough that no thread is ever without one. */
const signInConnections = 16;
const hellosPerSecond = 200;
const importsPerSecond = 100;
/** Until every connection has a sign-in under way. */
const leadMs = 500;

/** The 99th percentile is the third longest of a slice's 250 imports, and the fifth longest of its 500 `/hello`. */
const fullSlices: Slices = { warmUpSeconds: 2, seconds: 2.5, count: 8 };
const quickSlices: Slices = { warmUpSeconds: 0.5, seconds: 1, count: 1 };

/** Of each slice. */
interface Latencies {
  readonly hello: readonly LatencyMs[];
  readonly imports: readonly LatencyMs[];
}

/** At rest, and beside the sign-ins of each crowd. */
interface Round {
  readonly idle: Latencies;
  readonly mix: Latencies;
  /** Not in a quick run. */
  readonly argon2id: Latencies | undefined;
}

async function compare(core: CoreProcess, options: BenchOptions): Promise<Measurement[]> {
  if (!options.quick) await probe(core, 'warm-up', options);
  const takeRound = async (n: number): Promise<Round> => {
    const idle = await probe(core, `idle-${n}`, options);
    options.say(`round ${n}: ${inWords(idle)} at rest`);
    const beside = (crowd: Crowd) => besideSignIns(core, { crowd, tag: `${crowd}-${n}` }, options);
    const mix = await beside('mix');
    return { idle, mix, argon2id: options.quick ? undefined : await beside('argon2id') };
  };
  const limits = options.quick ? oneRound : { least: 4, most: 7 };
  const slices = options.quick ? quickSlices : fullSlices;
  return untilKnown(limits, takeRound, (rounds) => comparisons(rounds, slices));
}

function inWords({ hello, imports }: Latencies): string {
  const inMs = (latencies: readonly LatencyMs[]): string => {
    const { p50, p99 } = middleOf(latencies);
    return `${p50.toFixed(1)}/${p99.toFixed(1)} ms`;
  };
  return `p50/p99 of hello ${inMs(hello)}, of imports ${inMs(imports)}`;
}

async function probe(core: CoreProcess, tag: string, { quick, say }: BenchOptions): Promise<Latencies> {
  const slices = quick ? quickSlices : fullSlices;
  const open = (rate: number) => ({ kind: 'open', phases: phasesOf(rate, slices) }) as const;
  const hello = { kind: 'fixed', path: '/hello', body: '', expected: 200 } as const;
  const [hellos, imports] = await Promise.all([
    runLoad(core, { traffic: hello, loop: open(hellosPerSecond), say }),
    runLoad(core, { traffic: { kind: 'import', tag }, loop: open(importsPerSecond), say }),
  ]);
  return { hello: latenciesOf(hellos), imports: latenciesOf(imports) };
}

interface Saturation {
  readonly crowd: Crowd;
  readonly tag: string;
}

async function besideSignIns(
  core: CoreProcess,
  { crowd, tag }: Saturation,
  options: BenchOptions,
): Promise<Latencies> {
  const { warmUpSeconds, seconds, count } = options.quick ? quickSlices : fullSlices;
  const signingIn = runLoad(core, {
    traffic: { kind: 'sign-in', from: crowds[crowd], people, password },
    // Longer than the probes, which start processes of their own.
    loop: {
      kind: 'closed',
      connections: signInConnections,
      until: { seconds: seconds * count + warmUpSeconds + 3 },
    },
    say: options.say,
  });
  await delay(leadMs);
  const saturated = await probe(core, tag, options);
  const { perSecond } = await signingIn;
  options.say(`  ${inWords(saturated)} beside ${perSecond.toFixed(0)} sign-ins/s (${crowd})`);
  return saturated;
}

function comparisons(results: readonly Round[], slices: Slices): Measurement[] {
  const details = { signInConnections, hellosPerSecond, importsPerSecond, slices };
  const facts = { unit: 'ms p99', reference: 'p99 at rest', atMost: 2, details } as const;
  const comparison = (name: string, of: keyof Latencies, crowd: Crowd): Measurement[] => {
    const p99s = (latencies: Latencies | undefined) => latencies?.[of].map(({ p99 }) => p99) ?? [];
    const beside = results.flatMap(({ [crowd]: latencies }) => p99s(latencies));
    const atRest = results.flatMap(({ idle }) => p99s(idle));
    return beside.length === 0 ? [] : [measuredApart({ ...facts, name }, beside, atRest)];
  };
  return [
    ...comparison('hashes-saturated-hello', 'hello', 'mix'),
    ...comparison('hashes-saturated-import', 'imports', 'mix'),
    ...comparison('hashes-saturated-hello-argon2id', 'hello', 'argon2id'),
    ...comparison('hashes-saturated-import-argon2id', 'imports', 'argon2id'),
  ].map((result, n) => (n === 0 ? { ...result, plots: results.slice(-1).map(plot) } : result));
}

function plot({ idle, mix }: Round): Plot {
  return percentilesPlot({
    'hello, at rest': { latencyMs: middleOf(idle.hello) },
    'hello, all threads verifying': { latencyMs: middleOf(mix.hello) },
    'single imports, at rest': { latencyMs: middleOf(idle.imports) },
    'single imports, all threads verifying': { latencyMs: middleOf(mix.imports) },
  });
}
