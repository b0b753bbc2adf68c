import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Exported } from '../../../src/cli/commands/exports/export-progress.ts';
import type { ComparisonSummary } from '../../../src/cli/compare/summary.ts';
import { type CommandRun, runCommand } from '../../load/command.ts';
import type { Stand } from '../../load/stand.ts';
import { type BenchOptions, measuredApart, type Measurement } from '../../scenario.ts';

/** An export of all users, and the comparison of its file with them. */
export interface Copied {
  readonly users: number;
  readonly bytesOfFile: number;
  /** With what the comparison has added. */
  readonly bytesOfDatabase: number;
  readonly runs: Readonly<Record<Copying, CommandRun>>;
  /** Resident memory of the core after each, MB. */
  readonly coreMb: Readonly<Record<Copying, number>>;
}
type Copying = 'export' | 'compare';

/** By the real commands. @throws Error unless all users are in the file, and equal */
export async function copyAndCompare(
  stand: Stand,
  users: number,
  { say }: Pick<BenchOptions, 'say'>,
): Promise<Copied> {
  const { core } = stand;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-files-'));
  const file = path.join(folder, 'all.ndjson');
  try {
    const exported = await runCommand(['export', '--json', '-o', file], { core });
    const coreAfterExport = core.memoryMb();
    const { users: found, bytes: bytesOfFile } = JSON.parse(exported.stdout) as Exported;
    if (found !== users) throw new Error(`${found} of ${users} users were exported`);
    const compared = await runCommand(['compare', '--json', file], { core });
    const { equal, records } = JSON.parse(compared.stdout) as ComparisonSummary;
    if (equal !== users || records !== users)
      throw new Error(`of ${users} users ${equal} are equal to the ${records} records: ${compared.stdout}`);
    say(
      `${users.toLocaleString('en')} users: ${inWords('exported', users, exported)}, ${inWords('compared', users, compared)}`,
    );
    return {
      users,
      bytesOfFile,
      bytesOfDatabase: await sizeOf(stand),
      runs: { export: exported, compare: compared },
      coreMb: { export: coreAfterExport, compare: core.memoryMb() },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function inWords(what: string, users: number, { seconds, memoryMb }: CommandRun): string {
  return `${what} ${Math.round(users / seconds).toLocaleString('en')}/s (${memoryMb.toFixed(0)} MB)`;
}

const copied = {
  export: 'an export of all users',
  compare: 'a comparison of that file with all users',
} as const satisfies Record<Copying, string>;

/** Users a second of each, and the memory of its process, which must not grow with the users. */
export function copying(late: Copied, early: Copied): Measurement[] {
  const reference = 'the same with the first million';
  return (Object.keys(copied) as Copying[]).flatMap((name) => {
    const rate = ({ users, runs }: Copied): number => users / runs[name].seconds;
    const row = (what: string) => ({ section: 'large', what });
    const details = {
      users: late.users,
      bytesOfFileForAUser: Math.round(late.bytesOfFile / late.users),
      bytesOfDiskForAUser: Math.round(late.bytesOfDatabase / late.users),
      coreMemoryMb: late.coreMb[name],
      coreMemoryMbBefore: early.coreMb[name],
    };
    const what = copied[name];
    return [
      measuredApart(
        { name: `large/${name}`, unit: 'users/s', reference, details, row: row(what) },
        [rate(late)],
        [rate(early)],
      ),
      measuredApart(
        {
          name: `large/${name}-memory`,
          unit: 'MB',
          reference,
          atMost: 1.5,
          row: row(`${what}: memory of the command`),
        },
        [late.runs[name].memoryMb],
        [early.runs[name].memoryMb],
      ),
    ];
  });
}

/** @returns bytes of the database */
export async function sizeOf({ cluster }: Pick<Stand, 'cluster'>): Promise<number> {
  const [row] = await cluster.database.write<{ bytes: number }>(
    'select pg_database_size(current_database())::float8 as bytes',
  );
  return row?.bytes ?? NaN;
}
