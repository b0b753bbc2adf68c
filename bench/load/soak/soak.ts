import { v7 as uuidv7 } from 'uuid';
import type { BenchOptions, Measurement, Plot, Scenario } from '../../scenario.ts';
import type { LoadResult, Traffic } from '../client/job.ts';
import { percentilesPlot } from '../percentiles.ts';
import type { CoreProcess } from '../processes.ts';
import { runLoad } from '../run-load.ts';
import { importMix, settingsFor } from '../sign-in/capacity.ts';
import { makeMix, password } from '../sign-in/mix.ts';
import { withStand } from '../stand.ts';
import { fileDescriptorsAtRest, type Growth, growthOf, watchHeld } from './watch.ts';

/** With the time to warm up. */
const fullMinutes = 10;
const quickSeconds = 4;
/** In it caches, pools and the heap reach their size. */
const warmUpShare = 0.2;
/**
 * Visits a second: almost half of two cores stays idle. So many that the heap reaches its size in the warm-up; with a
 * quarter of them it takes longer than the whole run, and memory rises though nothing is kept.
 */
const rates = { import: 400, 'sign-in': 24, 'verify-email': 100 } as const;
/** Who signs in. */
const regulars = 1000;

/** Imports, sign-ins and verifications side by side for a while: what the core holds must not grow. */
export const soak: Scenario = {
  name: 'soak',
  about: `imports, sign-ins and verifications for ${fullMinutes} minutes: what the core holds at the end, against after warming up`,
  run: async (options) => {
    const mix = await makeMix();
    return withStand(settingsFor(mix, true), async ({ core }) => {
      const seconds = options.quick ? quickSeconds : fullMinutes * 60;
      await importMix(core, regulars + verifiedIn(seconds), mix);
      return watchUnderLoad(core, seconds, options);
    });
  },
};

/** The people after the regulars: so many that nobody is verified twice. */
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

function memoryFacts({ early, late, perHour }: Growth, results: readonly LoadResult[]): Measurement {
  const outcomes = results.map((result) => result.outcomes);
  return {
    ...flat({ name: 'soak-memory', unit: 'MB', early, late }),
    atMost: 1.1,
    details: { growthMbAnHour: perHour, rates, outcomes },
    plots: plotsOf(results),
  };
}

function plotsOf([imports, signIns, verifications]: readonly LoadResult[]): Plot[] {
  if (!imports || !signIns || !verifications) return [];
  const series = { import: imports, 'sign-in': signIns, 'verify-email': verifications };
  return [
    percentilesPlot(
      Object.fromEntries(Object.entries(series).map(([name, result]) => [`${name}, soak`, result])),
    ),
  ];
}

function filesFacts(early: number, late: number): Measurement {
  return { ...flat({ name: 'soak-files', unit: 'open file descriptors', early, late }), atMost: 1.05 };
}

function flat({
  name,
  unit,
  early,
  late,
}: {
  name: string;
  unit: string;
  early: number;
  late: number;
}): Measurement {
  const ratio = late / early;
  const reference = 'the same after warming up';
  return { name, unit, value: late, reference, referenceValue: early, ratio, spread: [ratio, ratio] };
}
