import { oneRound, untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import type { LoadResult, Phase } from '../client/job.ts';
import { addCpu, cpuPlot, type CpuSplit, watchCpu } from '../cpu.ts';
import { percentilesPlot } from '../percentiles.ts';
import { runLoad } from '../run-load.ts';
import { type Stand, withStand } from '../stand.ts';
import { importMix, settingsFor, signInAtCapacity, threads } from './capacity.ts';
import { makeMix, type Mix, mixInWords, password } from './mix.ts';
import { verifyRaw } from './raw-hashing.ts';

/**
 * Sign-ins over loopback HTTP: as many as the core can do, against the hashing libraries alone in as many threads and on
 * the same mix; then at a fixed rate below that, for the time one takes. Hashes stay what they are. Client, core and
 * PostgreSQL share the machine.
 */
export const signIn: Scenario = {
  name: 'sign-in',
  about: `sign-ins against the hashing libraries alone; ${mixInWords}`,
  run: async (options) => {
    const mix = await makeMix();
    return withStand(settingsFor(mix, false), (stand) => compare(stand, mix, options));
  },
};

const people = 1000;
/** Of what the core can do: people are not asked to wait in a queue that never empties. */
const openShare = 0.5;

interface Round {
  readonly raw: number;
  /** ms of one verification by the libraries, all threads at work. */
  readonly rawMs: Readonly<Record<string, number>>;
  readonly closed: LoadResult;
  readonly cpu: CpuSplit;
}

async function compare(stand: Stand, mix: Mix, options: BenchOptions): Promise<Measurement[]> {
  const { quick, say } = options;
  const seconds = quick ? 1 : 5;
  await importMix(stand.core, people, mix);
  await signInAtCapacity(stand.core, { people, expectedRate: 20, seconds: seconds / 2, say });
  const takeRound = async (n: number): Promise<Round> => {
    const round = await runRound(stand, mix, seconds, say);
    say(`round ${n}: libraries ${round.raw.toFixed(1)}/s, sign-ins ${round.closed.perSecond.toFixed(1)}/s`);
    return round;
  };
  const limits = quick ? oneRound : { least: 7, most: 14 };
  const [most] = await untilKnown(limits, takeRound, (rounds) => [capacity(rounds)] as const);
  const rate = Math.max(1, openShare * most.value);
  const open = await runLoad(stand.core, {
    traffic: { kind: 'sign-in', from: 0, people, password },
    loop: { kind: 'open', phases: slicesOf(rate, quick) },
    say,
  });
  const { p50, p99 } = open.latencyMs;
  say(`${rate.toFixed(1)} arrivals/s: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
  return [most, latency(open, rate, most.referenceValue)];
}

async function runRound(
  { cluster, core }: Stand,
  mix: Mix,
  seconds: number,
  say: BenchOptions['say'],
): Promise<Round> {
  const raw = await verifyRaw(mix, threads, seconds);
  const cpu = watchCpu(core.pid, cluster.pid);
  const closed = await signInAtCapacity(core, { people, expectedRate: raw.perSecond, seconds, say });
  return { raw: raw.perSecond, rawMs: raw.msOf, closed, cpu: cpu(closed.cpuSeconds) };
}

function capacity(rounds: readonly Round[]): Measurement {
  const signIns = rounds.reduce((sum, { closed }) => sum + (closed.outcomes.OK ?? 0), 0);
  return measured(
    {
      name: 'sign-in',
      unit: 'sign-ins/s',
      reference: 'hashing libraries alone',
      atLeast: 0.85,
      details: { mix: mixInWords, threads, msOfAVerification: rounds.at(-1)?.rawMs },
      plots: [cpuPlot('sign-in', addCpu(rounds.map(({ cpu }) => cpu)), signIns)],
    },
    rounds.map(({ closed, raw }) => [closed.perSecond, raw]),
  );
}

/** The middle one, as the tail of some hundred sign-ins differs from run to run; the picture has all of them. */
/** Each has a middle of its own, which says how well that of all is known. */
function slicesOf(rate: number, quick: boolean): Phase[] {
  const [count, seconds] = quick ? [1, 2] : [6, 10];
  return Array.from({ length: count }, () => ({ rate, seconds }));
}

function latency(open: LoadResult, rate: number, rawPerSecond: number): Measurement {
  const { latencyMs, behindMs, cpuShare, phases } = open;
  return measured(
    {
      name: 'sign-in-latency',
      unit: `ms, p50 at ${openShare} of capacity`,
      reference: 'one verification by the libraries, on average',
      details: { arrivalsPerSecond: rate, latencyMs, behindMs, clientShareOfOneCore: cpuShare },
      plots: [percentilesPlot({ [`sign-in at ${openShare} of capacity`]: open })],
    },
    phases.map((slice) => [slice.latencyMs.p50, (threads * 1000) / rawPerSecond]),
  );
}
