/** A load from the first request to the last: makes the app, fills it, sends the load, and removes the app, whatever happens. */

import { setTimeout as delay } from 'node:timers/promises';
import { carryover } from '../../process/called.ts';
import { answerOnce } from '../../load/ask.ts';
import type { Moment } from '../../load/open-loop.ts';
import { openWire, type Wire } from '../../load/wire.ts';
import { CoreClient } from '../client/core-client.ts';
import { addressText, HttpClient, type Server } from '../client/http.ts';
import { Patience, retry } from '../client/retry.ts';
import type { Core } from '../client/server.ts';
import { CommandError } from '../command-error.ts';
import { count, plural, printable } from '../output/format.ts';
import { busiestArrivals } from '../plan/morning.ts';
import type { Surroundings } from '../surroundings.ts';
import { fill, fillShown } from './app/fill.ts';
import { makeGuest, makeTenant, removeGuest } from './app/guest.ts';
import { watchCores } from './cores/watch.ts';
import { phasesOf, warmUpOf } from './course.ts';
import { findKnee } from './knee.ts';
import { type Bounds, measure, type Measured, type Measuring } from './measure.ts';
import { beginFor } from './mixes/actions.ts';
import { type Mix, type Share, visitorOf, visitsOf } from './mixes/mix.ts';
import { Sessions } from './mixes/sessions.ts';
import { latecomers, type People } from './people/people.ts';
import { judge, type Verdict } from './verdict.ts';

export interface LoadOptions {
  readonly appId: string;
  readonly mix: Mix;
  readonly people: People;
  /** Of the app, as in `coreConfig`. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Visits a second of all machines; undefined: the limit is searched. */
  readonly rate: number | undefined;
  /** Of a fixed rate, and of each step of the search. */
  readonly seconds: number;
  readonly stepSeconds: number;
  readonly bounds: Bounds;
  readonly share: Share;
  /** When the load begins, ms since the epoch; undefined: at once. */
  readonly at: number | undefined;
  /** Addresses of single cores, for their metrics; empty: through that of the load. */
  readonly cores: readonly URL[];
  readonly patienceMs: number;
  /** The most visits a second that the search tries. */
  readonly mostRate: number;
}

/** A stretch of load with a rate that was tried. */
export interface Step extends Measured {
  readonly isBorne: boolean;
}

export interface Loaded {
  readonly steps: readonly Step[];
  /** The highest rate that was borne; only of a search, and undefined if none was. */
  readonly knee: number | undefined;
  readonly wanted: number | undefined;
  /** The one that the report shows: of the search, the highest that was borne. */
  readonly shown: Measured;
  readonly verdict: Verdict;
  readonly metricsMissing: string | undefined;
  readonly filled: { readonly users: number; readonly rejected: number };
  readonly importedMeanwhile: number;
}

/** Of what happens. */
export interface Live {
  note(line: string): void;
  moment(moment: Moment, rate: number): void;
  /** The end of a step. */
  step(step: Step): void;
}

/** @throws Interrupted; the app is removed then, too */
export async function runLoad(
  core: Core,
  options: LoadOptions,
  surroundings: Surroundings,
  live: Live,
): Promise<Loaded> {
  const { interrupt } = surroundings;
  const { appId, settings } = options;
  try {
    // Within, because it may have been made although no answer came.
    await makeGuest(core.client, { appId, settings }, interrupt);
    return await loadInto(core, options, surroundings, live);
  } catch (error) {
    interrupt.throwIfAborted();
    throw error;
  } finally {
    await leave(core, options, surroundings, live);
  }
}

/** ms to remove the app after Ctrl-C: a person waits. */
const hurriedMs = 30_000;

/** Removes the app, even of a core that is away for a while. Otherwise it says how to. */
async function leave(
  { client, server }: Core,
  { appId, patienceMs }: LoadOptions,
  { interrupt, now }: Surroundings,
  live: Live,
): Promise<void> {
  live.note(`Removing the app ${appId}`);
  const signal = new AbortController().signal;
  const limitMs = interrupt.aborted ? Math.min(hurriedMs, patienceMs) : patienceMs;
  const onTrouble = (reason: string): void => {
    live.note(`The app cannot be removed yet: ${reason}`);
  };
  try {
    const patience = new Patience(limitMs, now);
    await retry(() => removeGuest(client, appId, signal), { patience, onTrouble, signal });
  } catch (error) {
    const why = error instanceof Error ? printable(error.message) : 'unknown';
    live.note(`The app ${appId} remains (${why}). This removes it: ${cleanCommand(server)}`);
  }
}

export function cleanCommand(server: Pick<Server, 'url'>): string {
  return `${carryover} load --clean ${addressText(server.url)} --yes`;
}

async function loadInto(
  core: Core,
  options: LoadOptions,
  surroundings: Surroundings,
  live: Live,
): Promise<Loaded> {
  const { interrupt: signal } = surroundings;
  const { people, mix, share, bounds } = options;
  const server = { ...core.server, app: options.appId };
  for (const tenant of people.tenants)
    await makeTenant(new CoreClient(new HttpClient(server)), tenant, signal);
  const filled = await fillApp(server, options, surroundings, live);
  const others = options.cores.map((url) => ({ ...core.server, url }));
  const watch = await watchCores(others.length > 0 ? others : [core.server], signal);
  if (watch.missing !== undefined) live.note(`Without metrics: ${printable(watch.missing)}`);
  const wire = openWire({
    url: `${addressText(server.url)}/appid-${options.appId}`,
    apiKey: server.apiKey ?? '',
  });
  const meanwhile = importing(server, options, signal);
  try {
    const sessions = await sessionsFor(wire, options);
    const visit = visitsOf(mix, people.people, sessions, share);
    if (options.at !== undefined) await waitUntil(options.at, surroundings, live);
    const onMoment = (moment: Moment, rate: number): void => {
      live.moment(moment, rate);
    };
    const measuring = { wire, visit, bounds, watch, signal, onMoment };
    const found = await (options.rate === undefined
      ? search(options, measuring, live)
      : once(options, options.rate, measuring, live));
    signal.throwIfAborted();
    await meanwhile.stop();
    return {
      ...found,
      metricsMissing: watch.missing,
      filled: { users: filled.created, rejected: filled.rejected },
      importedMeanwhile: mix.importing === 0 ? 0 : await importedIn(server, signal),
    };
  } finally {
    wire.close();
    await meanwhile.stop();
  }
}

async function fillApp(
  server: Server,
  { people, patienceMs, appId }: LoadOptions,
  surroundings: Surroundings,
  live: Live,
) {
  live.note(`Filling the app ${appId} with ${plural(people.users, 'user')} (${people.inWords})`);
  const job = await fillShown({ server, source: people.source, patienceMs }, surroundings);
  if (job.created === 0)
    throw new CommandError(
      `None of the ${plural(job.lines, 'record')} was imported: 'carryover import --dry-run' of the same file says why`,
      { field: '--people' },
    );
  if (job.rejected > 0)
    live.note(
      `${count(job.rejected)} of ${plural(job.lines, 'record')} were not imported, as in an import of it`,
    );
  return job;
}

const mostSessions = 500;
const atOnce = 16;

/** Of people who are signed in when the load begins, if the mix uses sessions. @throws CommandError if none can be begun */
async function sessionsFor(wire: Wire, { mix, people, bounds }: LoadOptions): Promise<Sessions> {
  const sessions = new Sessions();
  if (mix.shares['check-session'] === undefined && mix.shares.refresh === undefined) return sessions;
  const ask = answerOnce(wire, bounds.p99Ms * 30);
  const numbers = Array.from({ length: Math.min(mostSessions, people.people.length) }, (_, n) => n).values();
  const outcomes = new Set<string>();
  const work = async (): Promise<void> => {
    for (const n of numbers) outcomes.add(await beginFor(ask, visitorOf(people.people, n), sessions));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  if (sessions.size > 0) return sessions;
  throw new CommandError(`No session could be begun before the load: ${[...outcomes].join(', ')}`);
}

async function waitUntil(at: number, { now, interrupt }: Surroundings, live: Live): Promise<void> {
  const left = at - now();
  if (left <= 0)
    throw new CommandError('--at: this time had passed when the app was filled: give a later one', {
      field: '--at',
    });
  live.note(`Waiting until ${new Date(at).toISOString()}`);
  await delay(left, undefined, { signal: interrupt });
}

/** Imports a file of made-up people again and again, if the mix has one. */
function importing(
  server: Server,
  { mix, patienceMs }: LoadOptions,
  signal: AbortSignal,
): { stop: () => Promise<void> } {
  if (mix.importing === 0) return { stop: () => Promise.resolve() };
  const ended = new AbortController();
  const either = AbortSignal.any([signal, ended.signal]);
  const source = latecomers(mix.importing);
  const running = (async () => {
    while (!either.aborted) {
      // A core that is away is what the visits show; the file is tried again.
      await fill({ server, source, patienceMs, signal: either }).catch(() =>
        delay(1000, undefined, { signal: either }).catch(() => undefined),
      );
    }
  })();
  return {
    stop: async () => {
      ended.abort();
      await running;
    },
  };
}

/** Without the first job, which filled the app: of the newest, as far as the core lists them at once. */
async function importedIn(server: Server, signal: AbortSignal): Promise<number> {
  const jobs = await new CoreClient(new HttpClient(server)).jobs(signal).catch(() => []);
  return jobs.slice(0, -1).reduce((sum, { lines }) => sum + lines, 0);
}

type Found = Pick<Loaded, 'steps' | 'knee' | 'wanted' | 'shown' | 'verdict'>;

async function once(options: LoadOptions, rate: number, measuring: Measuring, live: Live): Promise<Found> {
  const { mix, seconds, share } = options;
  const own = rate / share.of;
  const phases = phasesOf(mix, own, seconds);
  const warmUp = warmUpOf(phases[0]?.rate ?? own, seconds);
  const plan = { warmUp, phases, mayStop: false };
  const found = foundAt(rate, await measure(plan, { ...measuring, seed: share.part }));
  for (const step of found.steps) live.step(step);
  return found;
}

/** Of a fixed rate. @param rate of all machines */
export function foundAt(rate: number, measured: Measured): Found {
  const shown = stepOf(measured);
  const { isBorne } = shown;
  const verdict = judge({ wanted: rate, knee: undefined, heaviest: shown, isBorne, isSearch: false });
  return { steps: [shown], knee: undefined, wanted: rate, shown, verdict };
}

/** Low enough for any core, so that the first step warms it up. */
const firstRate = 4;

async function search(options: LoadOptions, measuring: Measuring, live: Live): Promise<Found> {
  const { mix, people, stepSeconds, mostRate } = options;
  const step = async (rate: number, n: number): Promise<Step> => {
    const warmUp = warmUpOf(rate, stepSeconds);
    const plan = { warmUp, phases: [{ rate, seconds: stepSeconds }], mayStop: true };
    const found = stepOf(await measure(plan, { ...measuring, seed: n + 1 }));
    measuring.signal.throwIfAborted();
    live.step(found);
    return found;
  };
  const { highest, beyond, steps } = await findKnee({ from: firstRate, most: mostRate, step });
  const heaviest = beyond ?? highest;
  if (heaviest === undefined) throw new CommandError('No rate was tried');
  const wanted = mix.isMorning ? busiestArrivals(people.users) : undefined;
  const isBorne = beyond === undefined;
  const verdict = judge({ wanted, knee: highest?.rate, heaviest, isBorne, isSearch: true });
  return { steps, knee: highest?.rate, wanted, shown: highest ?? heaviest, verdict };
}

function stepOf(measured: Measured): Step {
  return { ...measured, isBorne: measured.broken.length === 0 };
}
