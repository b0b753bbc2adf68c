import path from 'node:path';
import { Option } from 'commander';
import { databaseProviders } from '../../../exports/providers/index.ts';
import { carryover } from '../../../process/called.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { addProviderFlags } from '../../input/flags/provider-flags.ts';
import { addHashAs } from '../../input/flags/reading-flags.ts';
import {
  addTableOptions,
  type OldDatabaseOptions,
  withOldDatabase,
  withoutFiles,
} from '../../input/old-database.ts';
import { RejectLog } from '../../output/reject-log.ts';
import type { Surroundings } from '../../surroundings.ts';
import { quoted } from '../../confirm/exact.ts';
import { asJson } from '../../output/answer.ts';
import { requireOut } from '../../output/sink.ts';
import { type AddCommand, addJsonOption, examples } from '../command.ts';
import { describeBeginning, describeEnd, runExport, type SourceTally } from './source-run.ts';

interface ExportFromOptions extends OldDatabaseOptions {
  readonly out?: string;
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
    .option('--rejects <file>', 'where users go that cannot be converted', 'carryover-rejects.ndjson');
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

async function exportFrom(
  address: string,
  options: ExportFromOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  requireOut(options);
  const { folder, stderr, now } = surroundings;
  const startedAt = now();
  return withOldDatabase(address, options, surroundings, async ({ provider, readable, rules }) => {
    stderr.write(describeBeginning(provider, readable));
    const log = new RejectLog(path.resolve(folder, options.rejects));
    const tally = await runExport(readable, { rules, log, out: options.out, surroundings });
    await log.close();
    stderr.write(describeEnd(provider, { tally, log, rejects: options.rejects, ms: now() - startedAt }));
    if (options.json === true) answer(tally, log, options, surroundings);
    return log.count > 0 ? exitCodes.rejects : exitCodes.ok;
  });
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
