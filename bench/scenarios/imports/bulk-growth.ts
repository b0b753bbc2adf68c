import { writeBulkFiles } from '../../load/files.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { growthPlot, type Sample, throughputPlot, watchUpload } from '../../load/upload.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measuredApart, type Measurement, type Scenario } from '../../scenario.ts';
import { median } from '../../statistics.ts';

/**
 * Whether an import slows down, or the core's memory grows, with the number of existing users. PostgreSQL does not vacuum
 * meanwhile.
 */
export const bulkGrowth: Scenario = {
  name: 'bulk-growth',
  about:
    'uploads of 5 million users: time for each 100,000 and the memory of the core, at the end against the start',
  run: (options) => withStand({}, (stand) => compare(stand, options)),
};

interface Round {
  readonly samples: readonly Sample[];
  /** Seconds for each step of the first fifth of the users, without the very first step, and of the last fifth. */
  readonly early: readonly number[];
  readonly late: readonly number[];
}

async function compare(stand: Stand, options: BenchOptions): Promise<Measurement[]> {
  const files = await writeBulkFiles(options.quick ? 100_000 : 5_000_000);
  const step = files.users / (options.quick ? 10 : 50);
  try {
    return await untilKnown(
      options,
      { least: 3, most: 8, inWords },
      () => runRound(stand, files.export, step),
      (rounds) => [comparison(rounds, step)],
    );
  } finally {
    await files.remove();
  }
}

function inWords(round: Round): string {
  const [early, late] = [median(round.early), median(round.late)].map((each) => each.toFixed(2));
  const [before, after] = memoryOf(round.samples).map((each) => each.toFixed(0));
  return (
    `a step: ${early} s at the start, ${late} s at the end; ` +
    `memory of the core: ${before} MB after a fifth, ${after} MB at the end`
  );
}

async function runRound({ cluster, core }: Stand, file: string, step: number): Promise<Round> {
  // A vacuum would take a quarter of the import: at its end in one round, in its middle in the next.
  await cluster.reset(false);
  const { samples } = await watchUpload(core, file);
  const steps = stepTimes(samples, step);
  const fifth = Math.max(1, Math.floor(steps.length / 5));
  return { samples, early: steps.slice(1, 1 + fifth), late: steps.slice(-fifth) };
}

function comparison(rounds: readonly Round[], step: number): Measurement {
  const samples = rounds.at(-1)?.samples ?? [];
  const [late, early] = [rounds.flatMap((round) => round.late), rounds.flatMap((round) => round.early)];
  // A later round's core already has the memory that the first one made it allocate.
  const [memoryMbAfterAFifth, memoryMbAtTheEnd] = memoryOf(rounds[0]?.samples ?? []);
  return measuredApart(
    {
      name: 'bulk-growth',
      unit: `s for ${step} users`,
      reference: 'the same at the start',
      atMost: 1.3,
      details: { memoryMbAfterAFifth, memoryMbAtTheEnd },
      plots: [growthPlot('bulk import', samples), throughputPlot('bulk-growth', samples)],
    },
    late,
    early,
  );
}

/** MB, after a fifth of the users and at the end. */
function memoryOf(samples: readonly Sample[]): [early: number, late: number] {
  const users = samples.at(-1)?.users ?? 0;
  return [memoryAt(samples, users / 5), memoryAt(samples, users)];
}

/** Seconds for each `step` users, by linear interpolation between samples. */
function stepTimes(samples: readonly Sample[], step: number): number[] {
  const times: number[] = [];
  let before = momentOf(samples, 0);
  for (let users = step; users <= (samples.at(-1)?.users ?? 0); users += step) {
    const at = momentOf(samples, users);
    times.push(at - before);
    before = at;
  }
  return times;
}

function momentOf(samples: readonly Sample[], users: number): number {
  const next = samples.findIndex((sample) => sample.users >= users);
  const [a, b] = [samples[next - 1] ?? samples[next], samples[next]];
  if (!a || !b) return NaN;
  const share = b.users === a.users ? 1 : (users - a.users) / (b.users - a.users);
  return a.seconds + share * (b.seconds - a.seconds);
}

function memoryAt(samples: readonly Sample[], users: number): number {
  return samples.find((sample) => sample.users >= users)?.memoryMb ?? NaN;
}
