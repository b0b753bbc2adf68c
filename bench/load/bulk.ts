import { oneRound, untilKnown } from '../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import { type BulkFiles, writeBulkFiles } from './bulk-files.ts';
import { type Import, importFile } from './bulk-import.ts';
import { runReference } from './bulk-reference.ts';
import type { Cluster } from './cluster.ts';
import { withCluster } from './stand.ts';
import { addCpu, cpuPlot } from './cpu.ts';
import { throughputPlot } from './job-progress.ts';
import { type CoreProcess, startCoreProcess } from './processes.ts';

/**
 * A file of users over loopback HTTP into the durable database, against the fixed reference: one connection that copies
 * finished rows. Then the same file again, against its own first time. Client, core and PostgreSQL share the machine.
 */
export const bulk: Scenario = {
  name: 'bulk',
  about: 'a file of users as one upload, against a bare COPY of finished rows; then the same file again',
  run: (options) => withCluster((cluster) => compare(cluster, options)),
};

interface Round {
  readonly reference: number;
  readonly first: Import;
  readonly again: Import;
}

async function compare(cluster: Cluster, options: BenchOptions): Promise<Measurement[]> {
  const files = await writeBulkFiles(options.quick ? 50_000 : 1_000_000);
  const core = await startCoreProcess(cluster.uri);
  try {
    const takeRound = async (n: number): Promise<Round> => {
      const round = await runRound(cluster, core, files);
      options.say(`round ${n}: ${inWords(round)}`);
      return round;
    };
    const limits = options.quick ? oneRound : { least: 4, most: 8 };
    const found = await untilKnown(limits, takeRound, (rounds) => comparisons(rounds, files.users));
    options.say(`core's memory: ${core.memoryMb().toFixed(0)} MB`);
    return found;
  } finally {
    await core.stop();
    await files.remove();
  }
}

async function runRound(cluster: Cluster, core: CoreProcess, files: BulkFiles): Promise<Round> {
  // Before the reference, too: PostgreSQL would vacuum beside it what the last round imported.
  await cluster.reset();
  const reference = await runReference(cluster, files);
  await cluster.reset();
  const first = await importFile(cluster, core, files.export, { created: files.users });
  const again = await importFile(cluster, core, files.export, { unchanged: files.users });
  return { reference, first, again };
}

function comparisons(rounds: readonly Round[], users: number): Measurement[] {
  const details = { users };
  const last = rounds.at(-1);
  const cpu = addCpu(rounds.map(({ first }) => first.cpu));
  const plots = [
    throughputPlot('bulk', last?.first.samples ?? []),
    throughputPlot('bulk-again', last?.again.samples ?? []),
    cpuPlot('bulk', cpu, users * rounds.length),
  ];
  return [
    measured(
      {
        name: 'bulk',
        unit: 'users/s',
        reference: 'COPY of finished rows, one connection',
        atLeast: 1.1,
        details,
        plots,
      },
      rounds.map(({ first, reference }) => [first.rate, reference]),
    ),
    measured(
      {
        name: 'bulk-again',
        unit: 'users/s',
        reference: 'the first import of the same file',
        atLeast: 2,
        details,
      },
      rounds.map(({ again, first }) => [again.rate, first.rate]),
    ),
  ];
}

function inWords({ reference, first, again }: Round): string {
  const [ofReference, ofFirst, ofAgain] = [reference, first.rate, again.rate].map((perSecond) =>
    Math.round(perSecond).toLocaleString('en'),
  );
  return `reference ${ofReference}/s, import ${ofFirst}/s, again ${ofAgain}/s`;
}
