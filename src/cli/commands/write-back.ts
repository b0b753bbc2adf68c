import { Option } from 'commander';
import { databaseProviders, requireDatabaseProvider } from '../../exports/providers/index.ts';
import { identityOf, readAddress } from '../../exports/sources/engines/address.ts';
import { openToWrite } from '../../exports/sources/open.ts';
import { openUserTable, type UserTable } from '../../exports/sources/written/table.ts';
import { carryover } from '../../process/called.ts';
import { moveStatus, type SourceView } from '../client/moves.ts';
import { addServerOptions, flagsFor, type ServerOptions, withCore } from '../client/server.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm/confirm.ts';
import { addTableOptions, passwordOf } from '../input/old-database.ts';
import { asJson } from '../output/answer.ts';
import { count, plural, printable } from '../output/format.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { checkWayBack, type WayBack } from '../move/check-way-back.ts';
import { type Tally, writeBack } from '../move/write-back.ts';
import { type AddCommand, addJsonOption, examples } from './command.ts';

interface Options extends ServerOptions, ConfirmOptions {
  readonly from: string;
  readonly source?: string;
  readonly idPrefix?: string;
  readonly once?: boolean;
  readonly dryRun?: boolean;
  readonly again?: boolean;
  readonly check?: boolean;
  readonly out?: string;
  readonly passwordFile?: string;
  readonly schema?: string;
  readonly tablePrefix?: string;
  readonly usersTable?: string;
  readonly realm?: string;
  readonly json?: boolean;
}

const writable = databaseProviders.filter(({ database }) => database.writes !== undefined);

export const addWriteBack: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('write-back')
    .summary('bring what changed here to the old system, while a move leads')
    .description(
      'Writes users who signed up, changed or left here into the database of the old system, until it is stopped. Rows that changed there meanwhile are left alone, and listed. docs/guide/write-back.md',
    )
    .argument('<address>', 'of the database, as for export-from, with a user who may write')
    .addOption(
      new Option('--from <system>', 'the system that the tables belong to')
        .choices(writable.map(({ name }) => name))
        .makeOptionMandatory(),
    )
    .option('--source <label>', 'label of the source, if its imports had one (import --source)')
    .option('--id-prefix <text>', 'as its imports had it')
    .option('--once', 'end when nothing waits any more')
    .option('--dry-run', 'write nothing: show what the first changes would become')
    .option('--again', 'try what was refused once more, and end')
    .addOption(
      new Option(
        '--check',
        'write nothing: count the users here who could not return, and what the tables have no place for',
      ).conflicts(['once', 'dryRun', 'again']),
    )
    .option('-o, --out <file>', 'with --check: the users with the reasons, one a line');
  addServerOptions(addTableOptions(addYesOption(addJsonOption(command))))
    .addHelpText(
      'after',
      examples(
        `${carryover} write-back "$DATABASE_URL" --from laravel --check --json > way-back.json`,
        `${carryover} write-back "$DATABASE_URL" --from laravel --yes`,
      ),
    )
    .action(action((address: string, options: Options) => run(address, options, surroundings)));
};

async function run(address: string, options: Options, surroundings: Surroundings): Promise<ExitCode> {
  const { environment } = surroundings;
  requireCheck(options);
  const provider = requireDatabaseProvider(options.from);
  const password = await passwordOf(address, options, surroundings);
  const source = {
    system: provider.name,
    address: identityOf(readAddress(address, undefined)),
    label: options.source ?? '',
  };
  const { schema, usersTable, realm, tablePrefix: prefix = provider.database.prefix ?? '' } = options;
  const { idPrefix = '', dryRun = false, check = false } = options;
  if (!dryRun && !check) {
    const where = printable(source.address);
    const lines = [`Would write what changed here into the tables of ${provider.name}, ${where}`];
    await confirm({ lines, would: { writeBack: source } }, options, surroundings);
  }
  const engine = await openToWrite(provider, { text: address, password, environment });
  try {
    const table = await openUserTable(provider, engine, { naming: { schema, prefix, usersTable }, realm });
    if (check) return await examine(table, { source: source.label, idPrefix }, options, surroundings);
    return await write(table, { source, idPrefix }, options, surroundings);
  } finally {
    await engine.close();
  }
}

async function write(
  table: UserTable,
  of: { readonly source: SourceView; readonly idPrefix: string },
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { once = false, dryRun = false, again = false } = options;
  const { ended, tally } = await withCore({ ...options, writes: true }, surroundings, ({ client }) =>
    writeBack(client, table, { ...of, once, dryRun, again }, surroundings),
  );
  if (options.json === true) surroundings.stdout.write(asJson('write-back', { ...tally, dryRun }, []));
  else tell(surroundings, textOf(tally, dryRun));
  if (ended === 'closed') return exitCodes.over;
  return tally.conflicts > 0 ? exitCodes.rejects : exitCodes.ok;
}

/** @throws CommandError if there is a list to write, and no check */
function requireCheck({ check = false, out }: Options): void {
  if (!check && out !== undefined)
    throw new CommandError('--out is the list of --check: give both', {
      field: '--out',
      cure: 'add --check',
    });
}

/** `--check` */
async function examine(
  table: UserTable,
  { source, idPrefix }: { readonly source: string; readonly idPrefix: string },
  options: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { out } = options;
  const startedAt = surroundings.now();
  return withCore(options, surroundings, async ({ client, server }) => {
    const { notedSince } = (await moveStatus(client, surroundings.interrupt)) ?? {};
    const users = await client.export(surroundings.interrupt);
    const found = await checkWayBack(users, { table, idPrefix, notedSince, out, surroundings });
    const record = `${carryover} move record way-back.json${flagsFor(server)}`;
    if (options.json === true)
      surroundings.stdout.write(
        asJson('write-back check', { ...found, source, startedAt, out }, [
          { command: record, reason: 'records this output in the move' },
        ]),
      );
    else tell(surroundings, textOfCheck(found));
    return found.without > 0 ? exitCodes.rejects : exitCodes.ok;
  });
}

function textOfCheck({ users, without, why, leftOut }: WayBack): string {
  const lines = [
    `${plural(users, 'user')} here, ${without === 0 ? 'all with a way back' : `${count(without)} without a way back`}`,
    ...Object.entries(why).map(([reason, number]) => `  ${reason}: ${plural(number, 'user')}`),
    ...Object.entries(leftOut).map(([part, number]) => `No place there for ${part}: ${count(number)}`),
  ];
  return `${lines.join('\n')}\n`;
}

function textOf({ written, conflicts, mustReset, leftOut }: Tally, dryRun: boolean): string {
  const lines = [
    `${dryRun ? 'Would be written' : 'Written'}: ${plural(written, 'user')}`,
    ...(conflicts === 0 ? [] : [`Changed on both sides, left alone: ${plural(conflicts, 'user')}`]),
    ...(mustReset === 0
      ? []
      : [`With a password that the old system cannot verify: ${plural(mustReset, 'user')}`]),
    ...Object.entries(leftOut).map(([part, number]) => `Without ${part}: ${plural(number, 'user')}`),
  ];
  return `${lines.join('\n')}\n`;
}
