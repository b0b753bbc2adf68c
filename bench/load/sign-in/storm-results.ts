import { measured, type Measurement, type Plot } from '../../scenario.ts';
import type { LoadResult, Moment, Patience } from '../client/job.ts';
import { percentilesPlot } from '../percentiles.ts';
import { mixInWords } from './mix.ts';

/** Arrivals a second, of what the core can do: in the storm, and in the calm after it. */
export const overload = 2.5;
export const underload = 0.5;
/** Of those who come. */
export const patience: Patience = { waitMs: 5000, tries: 3 };
/** Of the storm: nobody can be answered in the first moment. */
const fillingShare = 0.2;

export interface Storm {
  /** Sign-ins a second in a closed loop. */
  readonly capacity: number;
  /** Sign-ins a second that went well while the storm lasted, once it had filled the core. */
  readonly goodput: number;
  readonly load: LoadResult;
  readonly details: {
    /** Of those who came in the storm: who signed in, at once or later. */
    readonly shareAnswered: number;
    /** How long it took to tell somebody to come back. */
    readonly refusalP99Ms: number | undefined;
    readonly outcomes: LoadResult['outcomes'];
    readonly p99MsOfTheAnswered: number | undefined;
    /** From the end of the storm until nobody was turned away any more. */
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

export function inWords({ capacity, goodput, details }: Storm): string {
  const { shareAnswered, p99MsOfTheAnswered, refusalP99Ms, recoveredAfterSeconds, outcomes } = details;
  return (
    `capacity ${capacity.toFixed(1)}/s, in the storm ${goodput.toFixed(1)}/s; ` +
    `${(shareAnswered * 100).toFixed(0)} % answered, p99 ${p99MsOfTheAnswered?.toFixed(0) ?? '?'} ms, ` +
    `refusals p99 ${refusalP99Ms?.toFixed(0) ?? '?'} ms, nobody turned away ${recoveredAfterSeconds.toFixed(1)} s after it; ` +
    JSON.stringify(outcomes)
  );
}

function rateBetween(from: Moment | undefined, to: Moment | undefined): number {
  return from && to ? (to.ok - from.ok) / (to.seconds - from.seconds) : NaN;
}

/** When somebody was turned away for the last time, seconds since the start; 0 if nobody was. */
function lastTurnedAway(timeline: readonly Moment[]): number {
  const all = timeline.at(-1)?.turnedAway ?? 0;
  return all === 0 ? 0 : (timeline.find(({ turnedAway }) => turnedAway === all)?.seconds ?? 0);
}

export function comparison(rounds: readonly Storm[]): Measurement {
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
  return [
    { id: 'throughput', series: [{ name: 'sign-ins in the storm', points: rates }] },
    ...(phases[0] ? [percentilesPlot({ 'sign-in in the storm, of those answered': phases[0] })] : []),
  ];
}
