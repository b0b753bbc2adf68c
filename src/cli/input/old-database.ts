/** The database of an old system, as commands read it. */

import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Command } from 'commander';
import { RecordConverter } from '../../exports/convert/convert-record.ts';
import {
  databaseProviders,
  requireDatabaseProvider,
  requireProvider,
} from '../../exports/providers/index.ts';
import type { DatabaseUser } from '../../exports/providers/database.ts';
import { preparePerson } from '../../exports/providers/parts/person.ts';
import type { ConvertOptions, DatabaseProvider, Provider } from '../../exports/providers/provider.ts';
import { openDatabase } from '../../exports/sources/open.ts';
import { openSource, type Readable } from '../../exports/sources/read.ts';
import type { ConvertRules } from '../../exports/tasks.ts';
import { CommandError, fileError } from '../command-error.ts';
import type { Surroundings } from '../surroundings.ts';
import { passwordAsOf, type PasswordAsOptions } from './flags/password-as.ts';
import { readProviderFlags } from './flags/provider-flags.ts';

/** As commander gives them, in addition to the providers' own flags. */
export interface OldDatabaseOptions extends PasswordAsOptions {
  readonly from: string;
  readonly passwordFile?: string;
  readonly schema?: string;
  readonly tablePrefix?: string;
  readonly usersTable?: string;
  readonly realm?: string;
  readonly hashAs?: string;
}

export function addTableOptions(command: Command): Command {
  return command
    .option('--password-file <file>', 'file whose first line is the password of the database')
    .option('--schema <name>', "where the tables are; left out: the system's usual one, or the address's")
    .option('--table-prefix <text>', 'what the names of the tables begin with, such as wp_')
    .option('--users-table <name>', 'what the table of users is called, where that is not the usual name')
    .option('--realm <name>', "which of several: Keycloak's realm, Logto's tenant, the app of SuperTokens");
}

/** Its options, without those for files of further tables. */
export function withoutFiles(provider: DatabaseProvider): Provider {
  return { ...provider, tables: provider.tables.slice(0, 1) };
}

/** Its users, as they were when it was opened, and how they become records. */
export interface OldDatabase {
  readonly provider: DatabaseProvider;
  readonly readable: Readable;
  readonly rules: ConvertRules;
}

/**
 * Opens the database for a piece of work, in one read-only transaction, and closes it afterwards, or when the command is
 * interrupted.
 * @throws CommandError @throws SourceFault @throws ExportFault
 */
export async function withOldDatabase<Result>(
  address: string,
  options: OldDatabaseOptions,
  surroundings: Surroundings,
  work: (old: OldDatabase) => Promise<Result>,
): Promise<Result> {
  const { environment, interrupt } = surroundings;
  const provider = requireDatabaseProvider(options.from);
  const rules = {
    provider: provider.name,
    options: optionsOf(provider, options, surroundings),
    tenant: undefined,
  };
  const password = await passwordOf(address, options, surroundings);
  const engine = await openDatabase(provider, { text: address, password, environment });
  const close = (): void => void engine.close();
  interrupt.addEventListener('abort', close);
  try {
    interrupt.throwIfAborted();
    const { schema, tablePrefix, usersTable, realm } = options;
    const naming = { schema, prefix: tablePrefix ?? provider.database.prefix ?? '', usersTable };
    const readable = await openSource(provider, engine, { naming, realm });
    return await work({ provider, readable, rules });
  } finally {
    interrupt.removeEventListener('abort', close);
    await engine.close();
  }
}

/** One user of the database as a record, or the reason why it cannot be one. */
export type ConvertedUser = ReturnType<RecordConverter['convert']> & {
  /** Its number among those that were read, from 1. */
  readonly number: number;
};

/** @param before the number of users that were read before */
export function* convertUsers(
  page: readonly DatabaseUser[],
  rules: ConvertRules,
  before: number,
): Generator<ConvertedUser> {
  const converter = new RecordConverter(requireProvider(rules.provider), rules);
  for (const [place, { row, related }] of page.entries()) {
    const number = before + place + 1;
    yield { ...converter.convert({ is: 'row', row }, related, number), number };
  }
}

/** The options of the conversion. @throws CommandError @throws ExportFault */
function optionsOf(
  provider: DatabaseProvider,
  values: OldDatabaseOptions,
  { environment }: Surroundings,
): ConvertOptions {
  const { options: given } = readProviderFlags(
    { ...values },
    withoutFiles(provider),
    environment,
    databaseProviders.map(withoutFiles),
  );
  const kind = values.hashAs === undefined ? {} : { 'hash-as': values.hashAs };
  const options = { ...given, ...kind, ...passwordAsOf(values, { environment }).options };
  preparePerson(options);
  return provider.prepare?.(options) ?? options;
}

/** From a file, or else the address, or else the variable that the server's own programs read. */
export async function passwordOf(
  address: string,
  { passwordFile }: Pick<OldDatabaseOptions, 'passwordFile'>,
  { environment, folder }: Surroundings,
): Promise<string | undefined> {
  if (passwordFile === undefined) {
    if (URL.canParse(address) && new URL(address).password !== '') return undefined;
    return /^(mysql|mariadb):/i.test(address) ? environment.MYSQL_PWD : environment.PGPASSWORD;
  }
  const text = await readFile(path.resolve(folder, passwordFile), 'utf8').catch((error: unknown) => {
    throw fileError(passwordFile, error);
  });
  const [line = ''] = text.split(/\r?\n/);
  if (line === '')
    throw new CommandError(`${passwordFile}: its first line is empty: write the password there`);
  return line;
}
