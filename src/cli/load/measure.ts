/** One stretch of load, and what it says: the unit of which a run and a search are made. */

import type { Phase } from '../../load/arrivals.ts';
import { clientLimits, type ClientUse, watchClient } from '../../load/client-use.ts';
import { type Moment, type OpenResult, type Patience, runOpen } from '../../load/open-loop.ts';
import type { Timed } from '../../load/tally.ts';
import type { Visit } from '../../load/visit.ts';
import type { Wire } from '../../load/wire.ts';
import type { CoreUse, CoreWatch } from './cores/watch.ts';
import { courseOf, type Second } from './course.ts';

/** What is still borne. */
export interface Bounds {
  /** p99 from the planned moment. */
  readonly p99Ms: number;
  /** Share of the planned visits that were answered with success. */
  readonly achieved: number;
  /** Share that was refused, given up or failed: of all attempts, or of all visits, whichever is more. */
  readonly refused: number;
}

/**
 * A second is the limit for a person's flow of thought to stay uninterrupted (Nielsen, "Usability Engineering", 1993, chapter 5).
 * Three in a hundred are the chance of Poisson arrivals in a short step; one in a hundred refused is noticed by users.
 */
export const usualBounds: Bounds = { p99Ms: 1000, achieved: 0.97, refused: 0.01 };

/** The users of the storm in bench/scenarios: they wait, try again, and give up. */
export const people: Patience = { waitMs: 5000, tries: 3 };

/** Of the whole load, with its warm-up. */
type OfAll = Pick<OpenResult, 'retries' | 'refusalMs' | 'refusalTimes' | 'behindMs' | 'behindTimes'>;

/** The phases after the warm-up, added up. */
export interface Measured extends Timed, OfAll {
  /** Planned arrivals a second. */
  readonly rate: number;
  readonly seconds: number;
  readonly arrived: number;
  /** Successful visits a second. */
  readonly perSecond: number;
  readonly refused: number;
  /** Attempts of all visits, and those that were refused with Retry-After, or given up; also of the warm-up. */
  readonly attempts: number;
  readonly turnedAway: number;
  readonly actions: Readonly<Record<string, Timed>>;
  readonly course: readonly Second[];
  readonly client: ClientUse;
  /** Why the figures may be the client's own; empty if they are not. */
  readonly clientLimits: readonly string[];
  readonly cores: readonly CoreUse[];
  /** Whether it was ended early, before the queue could grow without end. */
  readonly isCutShort: boolean;
  /** Which bounds are broken, in words; empty if it is borne. */
  readonly broken: readonly string[];
}

export interface Measuring {
  readonly wire: Wire;
  readonly visit: () => Visit;
  readonly bounds: Bounds;
  readonly watch: CoreWatch;
  readonly signal: AbortSignal;
  readonly onMoment: (moment: Moment, rate: number) => void;
  readonly seed?: number;
}

/** @param warmUp precedes the phase and does not count @param mayStop ends it when it is hopeless */
export async function measure(
  { warmUp, phases, mayStop }: { warmUp: Phase; phases: readonly Phase[]; mayStop: boolean },
  { wire, visit, bounds, watch, signal, onMoment, seed }: Measuring,
): Promise<Measured> {
  const seconds = phases.reduce((sum, phase) => sum + phase.seconds, 0);
  const rate = phases.reduce((sum, phase) => sum + phase.rate * phase.seconds, 0) / seconds;
  const all = [warmUp, ...phases];
  let isCutShort = false;
  const clientEnded = watchClient();
  const coresEnded = watch.begin();
  const ran = await runOpen({
    wire,
    phases: all,
    uncounted: 1,
    patience: people,
    inTimeMs: bounds.p99Ms,
    visit,
    signal,
    ...(seed !== undefined && { seed }),
    watch: (moment) => {
      onMoment(moment, rateAt(all, moment.seconds));
      isCutShort ||= mayStop && isHopeless(moment, rate, bounds);
      return isCutShort;
    },
  });
  const cores = await coresEnded();
  const client = clientEnded();
  const { counted, timeline } = ran;
  const { turnedAway = 0 } = timeline.at(-1) ?? {};
  const measured = {
    ...counted,
    rate,
    attempts: ran.arrived + ran.retries,
    retries: ran.retries,
    turnedAway,
    refusalMs: ran.refusalMs,
    refusalTimes: ran.refusalTimes,
    behindMs: ran.behindMs,
    behindTimes: ran.behindTimes,
    course: courseOf(timeline),
    client,
    clientLimits: clientLimits(client, ran.behindMs.p99),
    cores,
    isCutShort,
  };
  return judged(measured, bounds);
}

/** Adds what follows from the counts. */
export function judged(counts: Omit<Measured, 'perSecond' | 'refused' | 'broken'>, bounds: Bounds): Measured {
  const { outcomes, arrived, seconds, attempts, turnedAway } = counts;
  const { OK: ok = 0 } = outcomes;
  const measured = {
    ...counts,
    perSecond: ok / seconds,
    refused: arrived === 0 ? 0 : Math.max(1 - ok / arrived, turnedAway / attempts),
  };
  return { ...measured, broken: brokenBounds(measured, bounds) };
}

export function rateAt(phases: readonly Phase[], seconds: number): number {
  let end = 0;
  for (const phase of phases) {
    end += phase.seconds;
    if (seconds < end) return phase.rate;
  }
  return 0;
}

/** Visits under way are more than the bound on the p99 leaves time for, several times over; or a tenth is turned away. */
function isHopeless({ arrived, ok, failed, turnedAway }: Moment, rate: number, { p99Ms }: Bounds): boolean {
  const underWay = arrived - ok - failed;
  const borne = Math.max(leastWaiting, (hopelessTimes * rate * p99Ms) / 1000);
  return underWay > borne || (arrived > leastWaiting && turnedAway + failed > arrived / 10);
}

const hopelessTimes = 3;
const leastWaiting = 20;

function brokenBounds(
  { latencyMs, perSecond, rate, refused, arrived, seconds, isCutShort }: Omit<Measured, 'broken'>,
  bounds: Bounds,
): string[] {
  // What chance made arrive, not the average of the plan: a short step at a low rate differs much from it.
  const planned = isCutShort ? rate : Math.max(arrived / seconds, Number.MIN_VALUE);
  const achieved = perSecond / planned;
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return [
    ...(latencyMs.p99 > bounds.p99Ms ? [`p99 ${latencyMs.p99.toFixed(0)} ms over ${bounds.p99Ms} ms`] : []),
    ...(achieved < bounds.achieved ? [`only ${percent(achieved)} of the planned visits succeeded`] : []),
    ...(refused > bounds.refused ? [`${percent(refused)} refused or failed`] : []),
    ...(isCutShort ? ['stopped early: more waited than could be answered in time'] : []),
  ];
}
