/** The side that a comparison reads: files, or the database of an old system. */

import { findProvider } from '../../exports/providers/index.ts';
import { CommandError } from '../command-error.ts';
import { requireComplete } from '../input/incomplete.ts';
import { filesOf, type Input, type InputOptions } from '../input/input.ts';
import { nameOf } from '../input/files/user-files.ts';
import { type OldDatabaseOptions, withOldDatabase } from '../input/old-database.ts';
import { readInput, withInput } from '../input/read-input.ts';
import type { UploadSource } from '../input/source.ts';
import { printable } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import { databaseSource } from './database-source.ts';

export interface SourceOptions extends InputOptions, Omit<OldDatabaseOptions, 'from'> {
  readonly from?: string;
}

export interface ComparedSource {
  /** For people. */
  readonly title: string;
  readonly records: UploadSource;
  /** Files that are read, which no output may replace. */
  readonly files: readonly string[];
}

/** @throws CommandError @throws SourceFault @throws ExportFault */
export async function withSource<Result>(
  given: readonly string[],
  options: SourceOptions,
  surroundings: Surroundings,
  work: (source: ComparedSource) => Promise<Result>,
): Promise<Result> {
  const [address = ''] = given;
  if (!isAddress(address))
    return withInput(given, options, surroundings, (input) => withFiles(given, input, surroundings, work));
  if (given.length > 1)
    throw new CommandError('A database is compared alone: give one address and no file', { field: 'source' });
  const from = requireSystem(options.from);
  return withOldDatabase(address, { ...options, from }, surroundings, (old) => {
    const { name } = old.provider;
    const { place, missing } = old.readable;
    for (const table of missing)
      surroundings.stderr.write(`There is no table ${table}: what it would hold is not compared\n`);
    return work({ title: `${name} (${printable(place)})`, records: databaseSource(old), files: [] });
  });
}

/** A file name has no scheme. */
function isAddress(given: string): boolean {
  return /^(postgres|postgresql|mysql|mariadb):\/\//i.test(given);
}

function requireSystem(from: string | undefined): string {
  const provider = from === undefined ? undefined : findProvider(from.trim());
  if (provider?.database !== undefined) return provider.name;
  throw new CommandError(
    from === undefined
      ? 'Of a database --from has to say which system the tables belong to: give it as for export-from'
      : `--from ${from}: is not read from a database: 'carryover providers' shows which systems are`,
    { code: 'UNKNOWN_SYSTEM', field: '--from' },
  );
}

async function withFiles<Result>(
  given: readonly string[],
  input: Input,
  surroundings: Surroundings,
  work: (source: ComparedSource) => Promise<Result>,
): Promise<Result> {
  await requireComplete(input, { isPartial: false, checksTotals: true, absent: 'report' }, surroundings);
  const rules = { acceptsPart: false, statesRejects: true };
  const { result } = await readInput(input, rules, surroundings, (records) =>
    work({
      title: input.isSpooled ? 'standard input' : nameOf(given, surroundings.folder),
      records,
      files: filesOf(input),
    }),
  );
  return result;
}
