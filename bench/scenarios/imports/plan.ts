import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { emailOf, type HashMix, kindOf, madeUpMix } from '../../../src/load/made-up.ts';
import type { Cluster } from '../../load/cluster.ts';
import { runCommand } from '../../load/command.ts';
import { writeBulkFiles, writeLines } from '../../load/files.ts';
import { settingsFor, signInAtCapacity } from '../../load/mix.ts';
import type { CoreProcess } from '../../load/processes.ts';
import { withStand } from '../../load/stand.ts';
import { upload } from '../../load/upload.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * The predictions of `carryover plan` for a file, relative to the actual result: the import of that file into a new core on a new
 * PostgreSQL, and the most sign-ins that that core can do with hashes of three kinds.
 */
export const plan: Scenario = {
  name: 'plan',
  about: 'what carryover plan predicts of a file, against the import of that file and sign-ins at capacity',
  run: async (options) => [
    ...(await importAsPlanned(options)),
    // A few seconds of measuring are too short for it, and a quick run has no time for more.
    ...(options.quick ? [] : [await signInAsPlanned(options)]),
  ],
};

/** The bar for each of its figures: within a fifth of the actual result. */
const within = { atLeast: 0.8, atMost: 1.2 } as const;

/** The number of predictions and actual runs, in turns: a stall of the machine spoils one of them. */
const times = 3;

/** The cost of an import. */
interface Used {
  readonly seconds: number;
  readonly databaseBytes: number;
  readonly walPeakBytes: number;
  readonly coreBytes: number;
}

/** The part of `carryover plan --json` that is read. */
interface Foretold {
  readonly import: Used;
  readonly signIns: { readonly capacity: number };
}

interface Round {
  readonly foretold: Used;
  readonly actual: Used;
}

async function importAsPlanned({ quick, say }: BenchOptions): Promise<Measurement[]> {
  const files = await writeBulkFiles(quick ? 30_000 : 1_000_000);
  try {
    const rounds: Round[] = [];
    while (rounds.length < (quick ? 1 : times)) {
      const { import: foretold } = await runPlan(files.export, { calibrate: quick ? 2 : 60 });
      const actual = await withStand({}, ({ cluster, core }) => importFile(cluster, core, files.export));
      rounds.push({ foretold, actual });
      say(`time: ${foretold.seconds.toFixed(1)} s foretold, ${actual.seconds.toFixed(1)} s taken`);
      say(`disk: ${diskMib(foretold)} MiB foretold, ${diskMib(actual)} MiB taken`);
    }
    const pairsOf = (figure: (use: Used) => number) =>
      rounds.map(({ foretold, actual }) => [figure(foretold), figure(actual)] as const);
    const details = { users: files.users, ...rounds[0] };
    const reference = 'what the import took';
    return [
      measured(
        { name: 'plan-duration', unit: 's', reference, details, ...within },
        pairsOf(({ seconds }) => seconds),
      ),
      measured({ name: 'plan-disk', unit: 'MiB', reference, ...within }, pairsOf(diskMib)),
      measured(
        { name: 'plan-core-memory', unit: 'MiB', reference },
        pairsOf(({ coreBytes }) => mib(coreBytes)),
      ),
    ];
  } finally {
    await files.remove();
  }
}

async function importFile(cluster: Cluster, core: CoreProcess, file: string): Promise<Used> {
  const folder = path.join(path.dirname(cluster.target.host), 'postgres');
  const sending = upload(core, file);
  const sent = sending.then(() => 'sent' as const);
  let [walPeakBytes, coreBytes] = [0, 0];
  do {
    walPeakBytes = Math.max(walPeakBytes, await bytesUnder(path.join(folder, 'pg_wal')));
    coreBytes = Math.max(coreBytes, core.memoryMb() * 2 ** 20);
  } while ((await Promise.race([delay(500, 'not yet'), sent])) !== 'sent');
  const { seconds } = await sending;
  const wal = await bytesUnder(path.join(folder, 'pg_wal'));
  const databaseBytes = (await bytesUnder(folder)) - wal;
  return { seconds, databaseBytes, walPeakBytes: Math.max(walPeakBytes, wal), coreBytes };
}

async function signInAsPlanned({ say }: BenchOptions): Promise<Measurement> {
  const mix = madeUpMix;
  const people = 10_000;
  const { file, remove } = await writePeople(people, mix);
  const settings = settingsFor(mix, false);
  try {
    const { capacity } = (await runPlan(file, { calibrate: 40, settings })).signIns;
    const rates = await withStand(settings, async ({ core }) => {
      await upload(core, file);
      const load = { people, expectedRate: capacity, seconds: 10, say };
      const done: number[] = [];
      while (done.length < times) done.push((await signInAtCapacity(core, load)).perSecond);
      return done;
    });
    const done = rates.map((rate) => rate.toFixed(0)).join(', ');
    say(`sign-ins/s: ${capacity.toFixed(0)} foretold, ${done} done`);
    const reference = 'sign-ins in a closed loop';
    return measured(
      { name: 'plan-sign-ins', unit: '/s', reference, details: { people }, ...within },
      rates.map((rate) => [capacity, rate]),
    );
  } finally {
    await remove();
  }
}

async function runPlan(
  file: string,
  { calibrate, settings = {} }: { calibrate: number; settings?: Readonly<Record<string, string>> },
): Promise<Foretold> {
  const args = ['plan', file, '--json', '--calibrate', String(calibrate)];
  const { stdout } = await runCommand(args, { environment: settings });
  return JSON.parse(stdout) as Foretold;
}

async function writePeople(
  people: number,
  { hashes }: HashMix,
): Promise<{ file: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-people-'));
  const file = path.join(folder, 'people.ndjson');
  await writeLines(file, people, (n) => {
    const method = { recipeId: 'emailpassword', email: emailOf(n), ...hashes[kindOf(n)] };
    return `${JSON.stringify({ loginMethods: [method] })}\n`;
  });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** Of all files; files that disappear in the meantime do not count. */
async function bytesUnder(folder: string): Promise<number> {
  const names = await readdir(folder, { recursive: true });
  const sizes = names.map((name) =>
    stat(path.join(folder, name)).then(
      (found) => (found.isFile() ? found.size : 0),
      () => 0,
    ),
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function diskMib({ databaseBytes, walPeakBytes }: Used): number {
  return mib(databaseBytes + walPeakBytes);
}

function mib(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}
