import { type HashMix, madeUpMix, mixInWords, password } from '../../../src/load/made-up.ts';
import type { Phase } from '../../../src/load/arrivals.ts';
import type { Moment, Patience } from '../../../src/load/open-loop.ts';
import type { LoadResult } from '../../load/client/job.ts';
import { percentilesPlot } from '../../load/latencies.ts';
import { importMix, settingsFor, signInAtCapacity, threads } from '../../load/mix.ts';
import type { CoreProcess } from '../../load/processes.ts';
import { runLoad } from '../../load/run-load.ts';
import { withCore, withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Plot, type Scenario } from '../../scenario.ts';

/**
 * The morning after: users sign in at two and a half times the rate that the core can do, for a minute, then at half of it. They
 * wait 5 s for an answer, disconnect and try again, or return when a refusal asks for it, three times in all; and each right
 * password replaces a weaker hash when there is time. Overload must not lower the rate of sign-ins during the storm, relative to
 * that in a closed loop without upgrades in the same round.
 */
export const storm: Scenario = {
  name: 'storm',
  about: 'everybody signs in the morning after: what is done under overload, against the capacity',
  run: async (options) => {
    const mix = madeUpMix;
    return withStand(settingsFor(mix, false), ({ cluster, core: calm }) =>
      withCore(cluster, { ...settingsFor(mix, true), ...usualWait }, async (stormed) => {
        const takeRound = async (): Promise<Storm> => {
          await cluster.reset();
          return runRound({ calm, stormed, mix }, options);
        };
        return untilKnown(options, { least: 3, most: 5, inWords }, takeRound, (results) => [
          comparison(results),
        ]);
      }),
    );
  },
};

/** The core's own default, which is measured. */
const usualWait = { WAIT_LIMIT_MS: '3000' };
/** Users who sign in to find the capacity. */
const regulars = 500;

interface Cores {
  /** The core on which the capacity is measured: it upgrades nothing. */
  readonly calm: CoreProcess;
  readonly stormed: CoreProcess;
  readonly mix: HashMix;
}

async function runRound({ calm, stormed, mix }: Cores, { quick, say }: BenchOptions): Promise<Storm> {
  const [capacitySeconds, stormSeconds, calmSeconds] = quick ? [1, 4, 2] : [8, 60, 20];
  await importMix(calm, regulars, mix);
  const probe = { people: regulars, expectedRate: 20 * threads, seconds: capacitySeconds, say };
  for (const cold of [calm, stormed]) await signInAtCapacity(cold, { ...probe, seconds: 0, mayFail: true });
  const { perSecond: before } = await signInAtCapacity(calm, probe);
  const phases = [
    { rate: overload * before, seconds: stormSeconds },
    { rate: underload * before, seconds: calmSeconds },
  ];
  const people = crowdOf(phases);
  await importMix(calm, people, mix, regulars);
  const load = await runLoad(stormed, {
    traffic: { kind: 'sign-in', from: regulars, people, password },
    loop: { kind: 'open', phases, patience },
    mayFail: true,
    say,
  });
  // Compared with the runs before and after it: a shared machine becomes faster or slower meanwhile.
  const { perSecond: after } = await signInAtCapacity(calm, probe);
  return judge(load, (before + after) / 2);
}

/** Enough that hardly any user comes twice. */
function crowdOf(phases: readonly Phase[]): number {
  const expected = phases.reduce((sum, { rate, seconds }) => sum + rate * seconds, 0);
  return Math.ceil(expected * 1.1) + 50;
}

/** Arrivals a second, relative to the core's capacity: in the storm, and in the calm after it. */
const overload = 2.5;
const underload = 0.5;
/** Of the users. */
const patience: Patience = { waitMs: 5000, tries: 3 };
/** Of the storm: no user can be answered in the first moment. */
const fillingShare = 0.2;

interface Storm {
  /** Sign-ins a second in a closed loop. */
  readonly capacity: number;
  /** Successful sign-ins a second during the storm, once the core's queue was full. */
  readonly goodput: number;
  readonly load: LoadResult;
  readonly details: {
    /** Of the users who came in the storm: those who signed in, at once or later. */
    readonly shareAnswered: number;
    /** The latency of refusals with Retry-After. */
    readonly refusalP99Ms: number | undefined;
    readonly outcomes: LoadResult['outcomes'];
    readonly p99MsOfTheAnswered: number | undefined;
    /** From the end of the storm until the last refusal. */
    readonly recoveredAfterSeconds: number;
  };
}

/** @param load of the storm and of the calm after it */
export function judge(load: LoadResult, capacity: number): Storm {
  const [inStorm] = load.phases;
  const stormSeconds = inStorm?.seconds ?? NaN;
  const atStart = load.timeline.find(({ seconds }) => seconds >= fillingShare * stormSeconds);
  const atEnd = load.timeline.findLast(({ seconds }) => seconds <= stormSeconds);
  return {
    capacity,
    goodput: rateBetween(atStart, atEnd),
    load,
    details: {
      shareAnswered: (inStorm?.outcomes.OK ?? 0) / (inStorm?.arrived ?? NaN),
      outcomes: load.outcomes,
      p99MsOfTheAnswered: inStorm?.latencyMs.p99,
      refusalP99Ms: load.refusalMs?.p99,
      recoveredAfterSeconds: Math.max(0, lastTurnedAway(load.timeline) - stormSeconds),
    },
  };
}

function inWords({ capacity, goodput, details }: Storm): string {
  const { shareAnswered, p99MsOfTheAnswered, refusalP99Ms, recoveredAfterSeconds, outcomes } = details;
  return (
    `capacity ${capacity.toFixed(1)}/s, in the storm ${goodput.toFixed(1)}/s; ` +
    `${(shareAnswered * 100).toFixed(0)} % answered, p99 ${p99MsOfTheAnswered?.toFixed(0) ?? '?'} ms, ` +
    `refusals p99 ${refusalP99Ms?.toFixed(0) ?? '?'} ms, no client turned away ${recoveredAfterSeconds.toFixed(1)} s after it; ` +
    JSON.stringify(outcomes)
  );
}

function rateBetween(from: Moment | undefined, to: Moment | undefined): number {
  return from && to ? (to.ok - from.ok) / (to.seconds - from.seconds) : NaN;
}

/** The time of the last refusal, seconds since the start; 0 without any. */
function lastTurnedAway(timeline: readonly Moment[]): number {
  const all = timeline.at(-1)?.turnedAway ?? 0;
  return all === 0 ? 0 : (timeline.find(({ turnedAway }) => turnedAway === all)?.seconds ?? 0);
}

function comparison(rounds: readonly Storm[]): Measurement {
  const last = rounds.at(-1);
  return measured(
    {
      name: 'storm',
      unit: 'sign-ins/s',
      reference: 'capacity in a closed loop',
      atLeast: 0.9,
      details: { mix: mixInWords, overload, underload, ...patience, ...last?.details },
      plots: last ? plotsOf(last.load) : [],
    },
    rounds.map(({ goodput, capacity }) => [goodput, capacity]),
  );
}

function plotsOf({ timeline, phases }: LoadResult): Plot[] {
  const points = timeline.filter((_, n) => n % 10 === 9);
  const rates = points.map(({ seconds, ok }, n): [number, number] => {
    const before = points[n - 1] ?? { seconds: 0, ok: 0 };
    return [Math.round(seconds * 10) / 10, (ok - before.ok) / (seconds - before.seconds)];
  });
  const marks = phases[0] ? [[phases[0].seconds, 'calm'] as const] : [];
  return [
    {
      id: 'throughput',
      series: [{ name: 'sign-ins in the storm', unit: 'sign-ins/s', points: rates, marks }],
    },
    ...(phases[0] ? [percentilesPlot({ 'sign-in in the storm, of those answered': phases[0] })] : []),
  ];
}
