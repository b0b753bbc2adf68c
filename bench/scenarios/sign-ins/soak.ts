import { setTimeout as delay } from 'node:timers/promises';
import { v7 as uuidv7 } from 'uuid';
import { madeUpMix, password } from '../../../src/load/made-up.ts';
import type { LoadResult, Traffic } from '../../load/client/job.ts';
import { percentilesPlot } from '../../load/latencies.ts';
import { importMix, settingsFor } from '../../load/mix.ts';
import type { CoreProcess, ServerProcess } from '../../load/processes.ts';
import { runLoad } from '../../load/run-load.ts';
import { withStand } from '../../load/stand.ts';
import { type BenchOptions, measured, type Measurement, type Plot, type Scenario } from '../../scenario.ts';
import { median } from '../../statistics.ts';

/** Including the warm-up. */
const fullMinutes = 10;
const quickSeconds = 4;
/** In it caches, pools and the heap reach their size. */
const warmUpShare = 0.2;
/**
 * Visits a second: almost half of two CPU cores stays idle. Enough for the heap to reach its size in the warm-up; with a quarter
 * of them it takes longer than the whole run, and memory rises although nothing is retained.
 */
const rates = { import: 400, 'sign-in': 24, 'verify-email': 100 } as const;
/** Users who sign in. */
const regulars = 1000;

/** Concurrent imports, sign-ins and verifications for a while: the core's memory must not grow. */
export const soak: Scenario = {
  name: 'soak',
  about: `imports, sign-ins and verifications for ${fullMinutes} minutes: what the core holds at the end, against after warming up`,
  run: async (options) => {
    const mix = madeUpMix;
    return withStand(settingsFor(mix, true), async ({ core }) => {
      const seconds = options.quick ? quickSeconds : fullMinutes * 60;
      await importMix(core, regulars + verifiedIn(seconds), mix);
      return watchUnderLoad(core, seconds, options);
    });
  },
};

/** The users after the regulars: enough that no one is verified twice. */
function verifiedIn(seconds: number): number {
  return Math.ceil(rates['verify-email'] * seconds * 1.2) + 50;
}

async function watchUnderLoad(
  core: CoreProcess,
  seconds: number,
  { quick, say }: BenchOptions,
): Promise<Measurement[]> {
  const warmUp = warmUpShare * seconds;
  const from = regulars + verifiedIn(warmUp);
  await load(core, { seconds: warmUp, from: regulars, say });
  const filesBefore = await fileDescriptorsAtRest(core);
  const loading = load(core, { seconds: seconds - warmUp, from, say });
  const seen = await watchHeld(core, loading, quick ? 250 : 1000);
  const results = await loading;
  const [memory, files] = [growthOf(seen), await fileDescriptorsAtRest(core)];
  say(`memory ${memory.early.toFixed(0)} MB, at the end ${memory.late.toFixed(0)} MB`);
  say(`open files at rest ${filesBefore}, at the end ${files}`);
  return [memoryFacts(memory, results), filesFacts(filesBefore, files)];
}

function load(
  core: CoreProcess,
  { seconds, from, say }: { seconds: number; from: number; say: BenchOptions['say'] },
): Promise<[LoadResult, LoadResult, LoadResult]> {
  const run = (kind: keyof typeof rates, traffic: Traffic): Promise<LoadResult> =>
    runLoad(core, { traffic, loop: { kind: 'open', phases: [{ rate: rates[kind], seconds }] }, say });
  return Promise.all([
    run('import', { kind: 'import', tag: uuidv7() }),
    run('sign-in', { kind: 'sign-in', from: 0, people: regulars, password }),
    run('verify-email', { kind: 'verify-email', from, people: verifiedIn(seconds) }),
  ]);
}

const reference = 'the same after warming up';

function memoryFacts({ early, late, perHour }: Growth, results: readonly LoadResult[]): Measurement {
  const outcomes = results.map((result) => result.outcomes);
  const details = { growthMbAnHour: perHour, rates, outcomes };
  return measured(
    { name: 'soak-memory', unit: 'MB', reference, atMost: 1.1, details, plots: plotsOf(results) },
    [[late, early]],
  );
}

function plotsOf([imports, signIns, verifications]: readonly LoadResult[]): Plot[] {
  if (!imports || !signIns || !verifications) return [];
  const series = { import: imports, 'sign-in': signIns, 'verify-email': verifications };
  const named = Object.entries(series).map(([name, result]) => [`${name}, soak`, result] as const);
  return [percentilesPlot(Object.fromEntries(named))];
}

function filesFacts(early: number, late: number): Measurement {
  const facts = { name: 'soak-files', unit: 'open file descriptors', reference, atMost: 1.05 };
  return measured(facts, [[late, early]]);
}

/** A process's memory and descriptors at some time. */
interface Held {
  readonly seconds: number;
  readonly memoryMb: number;
}

/** Samples until `ending` is settled. */
async function watchHeld(server: ServerProcess, ending: Promise<unknown>, everyMs: number): Promise<Held[]> {
  const startedAt = performance.now();
  const seen: Held[] = [];
  const ended = ending.catch(() => undefined).then(() => 'ended' as const);
  while ((await Promise.race([delay(everyMs, 'not yet'), ended])) !== 'ended') {
    const seconds = (performance.now() - startedAt) / 1000;
    seen.push({ seconds, memoryMb: server.memoryMb() });
  }
  return seen;
}

/** Its open file descriptors once the connections of a finished load are closed: when the number no longer falls. */
async function fileDescriptorsAtRest(server: ServerProcess): Promise<number> {
  let [before, now] = [Infinity, server.fileDescriptors()];
  while (now < before) {
    await delay(restMs);
    [before, now] = [now, server.fileDescriptors()];
  }
  return now;
}

const restMs = 500;

interface Growth {
  /** MB */
  readonly early: number;
  readonly late: number;
  readonly perHour: number;
}

/** Long enough for several collections, so that no single one decides. */
const part = 1 / 3;

/** The medians of the first and of the last third, and their difference for an hour. */
export function growthOf(seen: readonly Held[]): Growth {
  const length = Math.ceil(seen.length * part);
  const [first, last] = [seen.slice(0, length), seen.slice(-length)];
  const middle = (held: readonly Held[], of: keyof Held): number => median(held.map((each) => each[of]));
  const [early, late] = [middle(first, 'memoryMb'), middle(last, 'memoryMb')];
  const hours = (middle(last, 'seconds') - middle(first, 'seconds')) / 3600;
  return { early, late, perHour: (late - early) / hours };
}
