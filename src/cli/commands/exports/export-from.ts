import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { type Command, Option } from 'commander';
import { databaseProviders, requireDatabaseProvider } from '../../../exports/providers/index.ts';
import { preparePerson } from '../../../exports/providers/parts/person.ts';
import type { ConvertOptions, DatabaseProvider, Provider } from '../../../exports/providers/provider.ts';
import { carryover } from '../../../process/called.ts';
import { openDatabase } from '../../../exports/sources/open.ts';
import { openSource } from '../../../exports/sources/read.ts';
import { CommandError, type ExitCode, exitCodes, fileError } from '../../command-error.ts';
import { addProviderFlags, readProviderFlags } from '../../input/flags/provider-flags.ts';
import { passwordAsOf, type PasswordAsOptions } from '../../input/flags/password-as.ts';
import { addHashAs } from '../../input/flags/reading-flags.ts';
import { RejectLog } from '../../output/reject-log.ts';
import type { Surroundings } from '../../surroundings.ts';
import { quoted } from '../../confirm/exact.ts';
import { asJson } from '../../output/answer.ts';
import { requireOut } from '../../output/sink.ts';
import { type AddCommand, addJsonOption, examples } from '../command.ts';
import { describeBeginning, describeEnd, runExport, type SourceTally } from './source-run.ts';

interface ExportFromOptions extends PasswordAsOptions {
  readonly from: string;
  readonly out?: string;
  readonly passwordFile?: string;
  readonly schema?: string;
  readonly tablePrefix?: string;
  readonly usersTable?: string;
  readonly realm?: string;
  readonly hashAs?: string;
  readonly rejects: string;
  readonly json?: boolean;
}

export const addExportFrom: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('export-from')
    .summary('read the users of an old system from its database')
    .description(
      'Writes native records, one a line, for import. Reads the tables in one read-only transaction, and asks no core.',
    )
    .argument(
      '<address>',
      'postgres://user@host:5432/database, for some systems mysql://…; sslmode and sslrootcert as in libpq. The password: in the address, in PGPASSWORD or MYSQL_PWD, or by --password-file',
    )
    .addOption(
      new Option('--from <system>', 'the system that the tables belong to')
        .choices(databaseProviders.map(({ name }) => name))
        .makeOptionMandatory(),
    )
    .option('-o, --out <file>', 'left out: the standard output; a name that ends with .gz is compressed')
    .option('--password-file <file>', 'file whose first line is the password');
  addTableOptions(addJsonOption(command));
  addProviderFlags(addHashAs(command), databaseProviders.map(withoutFiles))
    .addHelpText(
      'after',
      examples(
        `${carryover} export-from postgres://postgres@db.example.com/postgres --from supabase -o users.ndjson.gz`,
        `${carryover} export-from "$DATABASE_URL" --from better-auth | ${carryover} import - --yes`,
      ),
    )
    .action(
      action((address: string, options: ExportFromOptions) => exportFrom(address, options, surroundings)),
    );
};

function addTableOptions(command: Command): void {
  command
    .option('--schema <name>', "where the tables are; left out: the system's usual one, or the address's")
    .option('--table-prefix <text>', 'what the names of the tables begin with, such as wp_')
    .option('--users-table <name>', 'what the table of users is called, where that is not the usual name')
    .option('--realm <name>', "which of several: Keycloak's realm, Logto's tenant, the app of SuperTokens")
    .option('--rejects <file>', 'where users go that cannot be converted', 'carryover-rejects.ndjson');
}

/** Its options, without those for files of further tables. */
function withoutFiles(provider: DatabaseProvider): Provider {
  return { ...provider, tables: provider.tables.slice(0, 1) };
}

async function exportFrom(
  address: string,
  options: ExportFromOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  requireOut(options);
  const { environment, folder, stderr, interrupt, now } = surroundings;
  const provider = requireDatabaseProvider(options.from);
  const rules = {
    provider: provider.name,
    options: optionsOf(provider, options, surroundings),
    tenant: undefined,
  };
  const password = await passwordOf(address, options, surroundings);
  const startedAt = now();
  const engine = await openDatabase(provider, { text: address, password, environment });
  const close = (): void => void engine.close();
  interrupt.addEventListener('abort', close);
  try {
    interrupt.throwIfAborted();
    const { schema, tablePrefix, usersTable, realm } = options;
    const naming = { schema, prefix: tablePrefix ?? provider.database.prefix ?? '', usersTable };
    const readable = await openSource(provider, engine, { naming, realm });
    stderr.write(describeBeginning(provider, readable));
    const log = new RejectLog(path.resolve(folder, options.rejects));
    const tally = await runExport(readable, { rules, log, out: options.out, surroundings });
    await log.close();
    stderr.write(describeEnd(provider, { tally, log, rejects: options.rejects, ms: now() - startedAt }));
    if (options.json === true) answer(tally, log, options, surroundings);
    return log.count > 0 ? exitCodes.rejects : exitCodes.ok;
  } finally {
    interrupt.removeEventListener('abort', close);
    await engine.close();
  }
}

function answer(
  { read, written, withHash, withoutPassword, byKind }: SourceTally,
  log: RejectLog,
  { out = '', rejects }: ExportFromOptions,
  { stdout }: Surroundings,
): void {
  const view = { out, read, written, withHash, withoutPassword, byKind, rejected: log.count };
  const command = `${carryover} import ${quoted(out)} --dry-run`;
  stdout.write(
    asJson('export-from', { ...view, ...(log.count > 0 && { rejects }) }, [
      { command, reason: 'shows what an import of these users would do' },
    ]),
  );
}

/** The options of the conversion. @throws CommandError @throws ExportFault */
function optionsOf(
  provider: DatabaseProvider,
  values: ExportFromOptions,
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
async function passwordOf(
  address: string,
  { passwordFile }: ExportFromOptions,
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
