import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import postgres from 'postgres';
import type { Cluster } from '../../load/cluster.ts';
import { addCpu, cpuPlot } from '../../load/cpu.ts';
import { type BulkFiles, writeBulkFiles } from '../../load/files.ts';
import type { Addressed, Deployed } from '../../load/deployed.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { type Import, importFile, throughputPlot, upload } from '../../load/upload.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * A file of users over loopback HTTP into the durable database, relative to the fixed reference: one connection that copies
 * finished rows. Then the same file again, relative to its own first import. Client, core and PostgreSQL share the machine.
 */
export const bulk: Scenario = {
  name: 'bulk',
  about: 'a file of users as one upload, against a bare COPY of finished rows; then the same file again',
  run: (options) => withStand({}, (stand) => compare(stand, options)),
  onDeployed,
};

interface Round {
  readonly reference: number;
  readonly first: Import;
  readonly again: Import;
}

async function compare(stand: Stand, options: BenchOptions): Promise<Measurement[]> {
  const files = await writeBulkFiles(options.quick ? 50_000 : 1_000_000);
  try {
    const found = await untilKnown(
      options,
      { least: 4, most: 8, inWords },
      () => runRound(stand, files),
      (rounds) => comparisons(rounds, files.users),
    );
    options.say(`core's memory: ${stand.core.memoryMb().toFixed(0)} MB`);
    return found;
  } finally {
    await files.remove();
  }
}

/** Without the core's database there is no COPY to compare with. */
async function onDeployed({ withApp }: Deployed, options: BenchOptions): Promise<Measurement[]> {
  const files = await writeBulkFiles(options.quick ? 50_000 : 1_000_000);
  const rate = async (core: Addressed): Promise<number> => {
    const { job, seconds } = await upload(core, files.export);
    return job.lines / seconds;
  };
  const runRound = () => withApp({}, async (core) => ({ first: await rate(core), again: await rate(core) }));
  try {
    return await untilKnown(options, { least: 3, most: 6 }, runRound, (rounds) => [
      againOf(
        rounds.map(({ first, again }) => [again, first]),
        files.users,
      ),
    ]);
  } finally {
    await files.remove();
  }
}

function againOf(rounds: readonly (readonly [again: number, first: number])[], users: number): Measurement {
  const reference = 'the first import of the same file';
  return measured({ name: 'bulk-again', unit: 'users/s', reference, atLeast: 2, details: { users } }, rounds);
}

async function runRound({ cluster, core }: Stand, files: BulkFiles): Promise<Round> {
  // Before the reference, too: PostgreSQL would otherwise vacuum the rows of the last round during it.
  await cluster.reset();
  const reference = await runReference(cluster, files);
  await cluster.reset();
  const first = await importFile(cluster, core, files.export, { created: files.users });
  const again = await importFile(cluster, core, files.export, { unchanged: files.users });
  return { reference, first, again };
}

function comparisons(rounds: readonly Round[], users: number): Measurement[] {
  const [unit, details] = ['users/s', { users }];
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
        unit,
        reference: 'COPY of finished rows, one connection',
        atLeast: 1.1,
        details,
        plots,
      },
      rounds.map(({ first, reference }) => [first.rate, reference]),
    ),
    againOf(
      rounds.map(({ again, first }) => [again.rate, first.rate]),
      users,
    ),
  ];
}

function inWords({ reference, first, again }: Round): string {
  const [ofReference, ofFirst, ofAgain] = [reference, first.rate, again.rate].map((perSecond) =>
    Math.round(perSecond).toLocaleString('en'),
  );
  return `reference ${ofReference}/s, import ${ofFirst}/s, again ${ofAgain}/s`;
}

const tables = new URL('reference.sql', import.meta.url);

/**
 * The fixed reference: one connection that copies finished rows into the two leanest tables that can hold a user.
 * @returns users a second, durable
 */
async function runReference({ target }: Cluster, files: BulkFiles): Promise<number> {
  const sql = postgres({ ...target, max: 1, onnotice: () => undefined });
  try {
    await sql`drop table if exists reference_users, reference_identities`;
    await sql.unsafe(await readFile(tables, 'utf8')).simple();
    await sql`checkpoint`;
    const startedAt = performance.now();
    await copy(sql, 'reference_users', files.referenceUsers);
    await copy(sql, 'reference_identities', files.referenceIdentities);
    return files.users / ((performance.now() - startedAt) / 1000);
  } finally {
    await sql`drop table if exists reference_users, reference_identities`;
    await sql.end();
  }
}

async function copy(sql: postgres.Sql, table: string, file: string): Promise<void> {
  const target = await sql`copy ${sql(table)} from stdin`.writable();
  await pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), target);
}
