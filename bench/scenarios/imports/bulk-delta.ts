import { cpuPlot } from '../../load/cpu.ts';
import { type DeltaFiles, writeDeltaFiles } from '../../load/files.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { type Import, importFile, throughputPlot } from '../../load/upload.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * The next export of a system that is still in use: new users are at the beginning, and one of a hundred has another password.
 * Relative to the first import of the same round.
 */
export const bulkDelta: Scenario = {
  name: 'bulk-delta',
  about:
    'the next export: 200 new users in front, 1 % of the others changed anywhere; against the first import',
  run: (options) => withStand({}, (stand) => compare(stand, options)),
};

interface Round {
  readonly first: Import;
  readonly delta: Import;
}

async function compare(stand: Stand, options: BenchOptions): Promise<Measurement[]> {
  const files = await writeDeltaFiles(options.quick ? 50_000 : 1_000_000);
  try {
    return await untilKnown(
      options,
      { least: 4, most: 8, inWords },
      () => runRound(stand, files),
      (rounds) => [comparison(rounds, files.users)],
    );
  } finally {
    await files.remove();
  }
}

async function runRound({ cluster, core }: Stand, files: DeltaFiles): Promise<Round> {
  const { users, added, changed } = files;
  await cluster.reset();
  const first = await importFile(cluster, core, files.export, { created: users });
  const expected = { created: added, updated: changed, unchanged: users - changed };
  return { first, delta: await importFile(cluster, core, files.delta, expected) };
}

function comparison(rounds: readonly Round[], users: number): Measurement {
  const last = rounds.at(-1)?.delta;
  const plots = last
    ? [throughputPlot('bulk-delta', last.samples), cpuPlot('bulk-delta', last.cpu, users)]
    : [];
  return measured(
    {
      name: 'bulk-delta',
      unit: 'users/s',
      reference: 'the first import of the same users',
      atLeast: 1.5,
      details: { users },
      plots,
    },
    rounds.map(({ delta, first }) => [delta.rate, first.rate]),
  );
}

function inWords({ first, delta }: Round): string {
  const [ofFirst, ofDelta] = [first.rate, delta.rate].map((rate) => Math.round(rate).toLocaleString('en'));
  return `import ${ofFirst}/s, delta ${ofDelta}/s`;
}
