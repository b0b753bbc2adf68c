import { setTimeout as delay } from 'node:timers/promises';
import { type BenchOptions, measured, type Measurement, type Plot, type Scenario } from '../scenario.ts';
import type { LatencyMs, LoadResult } from './client/job.ts';
import { importPeople } from './import-people.ts';
import { percentilesPlot } from './percentiles.ts';
import type { CoreProcess } from './processes.ts';
import { runLoad } from './run-load.ts';
import { kindOf, makeMix, mixInWords, noGuessLimits, password } from './sign-in/mix.ts';
import { withStand } from './stand.ts';

/**
 * What needs no password while all threads verify some: `/hello`, and imports of single users, each at a low
 * fixed rate, beside sign-ins that always have more waiting than there are threads; against the same core at rest. Load
 * generators, core and PostgreSQL share the machine, so what waits here includes the generator's own wait for a core.
 */
export const hashesSaturated: Scenario = {
  name: 'hashes-saturated',
  about: `hello and single imports beside as many sign-ins as the core can take (${mixInWords}), against none: p99`,
  run: async (options) => {
    const mix = await makeMix();
    const settings = { ...noGuessLimits, PROVIDER_PASSWORD_HASHING_SIGNER_KEY: mix.signerKey };
    return withStand(settings, async ({ core }) => {
      await importPeople(core, people, (n) => mix.hashes[kindOf(n)]);
      return compare(core, options);
    });
  },
};

const people = 200;
/** Each waits for its answer: enough that no thread is ever without one. */
const signInConnections = 16;
const hellosPerSecond = 200;
const importsPerSecond = 100;
/** Until every connection has a sign-in under way. */
const leadMs = 500;
/** Of the probes, not counted: their processes start, and their code becomes warm. */
const warmUpSeconds = 2;

interface Latencies {
  readonly hello: LatencyMs;
  readonly imports: LatencyMs;
}

/** At rest, and beside the sign-ins. */
interface Round {
  readonly idle: Latencies;
  readonly saturated: Latencies;
}

async function compare(core: CoreProcess, options: BenchOptions): Promise<Measurement[]> {
  const [rounds, seconds] = options.quick ? [1, 2] : [9, 10];
  if (!options.quick) await probe(core, 2, 'warm-up', options);
  const results: Round[] = [];
  for (let n = 1; n <= rounds; n++) {
    const idle = await probe(core, seconds, `idle-${n}`, options);
    const { saturated, signInsPerSecond } = await besideSignIns(core, seconds, `saturated-${n}`, options);
    results.push({ idle, saturated });
    const line = (of: keyof Latencies) =>
      `${of} p50/p99 ${idle[of].p50.toFixed(1)}/${idle[of].p99.toFixed(1)} ms at rest, ` +
      `${saturated[of].p50.toFixed(1)}/${saturated[of].p99.toFixed(1)} ms`;
    options.say(
      `round ${n}: ${line('hello')}; ${line('imports')} beside ${signInsPerSecond.toFixed(0)} sign-ins/s`,
    );
  }
  return comparisons(results, { signInConnections, hellosPerSecond, importsPerSecond, seconds });
}

async function probe(
  core: CoreProcess,
  seconds: number,
  tag: string,
  { say }: BenchOptions,
): Promise<Latencies> {
  const open = (rate: number) =>
    ({
      kind: 'open',
      phases: [
        { rate, seconds: warmUpSeconds },
        { rate, seconds },
      ],
    }) as const;
  const hello = { kind: 'fixed', path: '/hello', body: '', expected: 200 } as const;
  const [hellos, imports] = await Promise.all([
    runLoad(core, { traffic: hello, loop: open(hellosPerSecond), say }),
    runLoad(core, { traffic: { kind: 'import', tag }, loop: open(importsPerSecond), say }),
  ]);
  return { hello: measuredOf(hellos), imports: measuredOf(imports) };
}

function measuredOf({ phases, latencyMs }: LoadResult): LatencyMs {
  return phases.at(-1)?.latencyMs ?? latencyMs;
}

async function besideSignIns(core: CoreProcess, seconds: number, tag: string, options: BenchOptions) {
  const signingIn = runLoad(core, {
    traffic: { kind: 'sign-in', from: 0, people, password },
    // Longer than the probes, which start processes of their own.
    loop: { kind: 'closed', connections: signInConnections, until: { seconds: seconds + warmUpSeconds + 3 } },
    say: options.say,
  });
  await delay(leadMs);
  const saturated = await probe(core, seconds, tag, options);
  const { perSecond: signInsPerSecond } = await signingIn;
  return { saturated, signInsPerSecond };
}

function comparisons(results: readonly Round[], details: Readonly<Record<string, unknown>>): Measurement[] {
  const pairs = (of: keyof Latencies) =>
    results.map(({ idle, saturated }) => [saturated[of].p99, idle[of].p99] as const);
  const facts = { unit: 'ms p99', reference: 'p99 at rest', atMost: 2 } as const;
  return [
    measured({ ...facts, name: 'hashes-saturated-hello', details }, pairs('hello')),
    measured({ ...facts, name: 'hashes-saturated-import', details }, pairs('imports')),
  ].map((result, n) => (n === 0 ? { ...result, plots: results.slice(-1).map(plot) } : result));
}

function plot({ idle, saturated }: Round): Plot {
  return percentilesPlot({
    'hello, at rest': { latencyMs: idle.hello },
    'hello, all threads verifying': { latencyMs: saturated.hello },
    'single imports, at rest': { latencyMs: idle.imports },
    'single imports, all threads verifying': { latencyMs: saturated.imports },
  });
}
