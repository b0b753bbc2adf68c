import { Option } from 'commander';
import { databaseProviders } from '../../exports/providers/index.ts';
import { identityOf, readAddress } from '../../exports/sources/engines/address.ts';
import { carryover } from '../../process/called.ts';
import { addServerOptions, type ServerOptions, withCore } from '../client/server.ts';
import { CommandError, type ExitCode, exitCodes } from '../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm/confirm.ts';
import { follow, removeLogOf } from '../follow/follow.ts';
import { type FollowOptions, logRules } from '../follow/options.ts';
import { hasLog, usesLog } from '../follow/source-log.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';
import { addHashAs } from '../input/flags/reading-flags.ts';
import { addIdPrefix } from '../input/input.ts';
import { addTableOptions, withoutFiles } from '../input/old-database.ts';
import { parseDuration, parseSize } from '../load/flags.ts';
import { duration, printable } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import { type AddCommand, examples } from './command.ts';
import { addAbsentOptions, addRules } from './import.ts';

interface FollowCommandOptions extends ServerOptions, FollowOptions, ConfirmOptions {
  readonly patience: string;
  readonly removeLog?: boolean;
}

/** `follow`: what changes at an old system is imported here. */
export const addFollow: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('follow')
    .summary('keep the users here in step with the old system while it leads')
    .description(
      "Reads all users of an old system's database, then again and again those who changed, and imports them, until it is interrupted. The app must have a move that is following or leading. docs/guide/follow.md",
    )
    .argument('<address>', 'the address of the database, as for export-from')
    .addOption(
      new Option('--from <system>', 'the system that the tables belong to')
        .choices(databaseProviders.map(({ name }) => name))
        .makeOptionMandatory(),
    )
    .addOption(
      new Option('--interval <duration>', 'how long to wait between two looks at what changed')
        .default(10, '10s')
        .argParser(parseDuration),
    )
    .addOption(
      new Option(
        '--full-every <duration>',
        'how often to read all users again: finds who is gone, and changes that no time in the tables shows',
      )
        .default(3600, '1h')
        .argParser(parseDuration),
    )
    .addOption(
      new Option(
        '--log <how>',
        'how changes in PostgreSQL are seen: auto by its log where it can be read, else by times in the tables; require by the log alone; off by times alone. For the log a publication and a slot are made there, and removed when the move is closed. With --once, auto makes none',
      )
        .choices(logRules)
        .default('auto'),
    )
    .addOption(
      new Option(
        '--max-log <size>',
        'how much of its log PostgreSQL may keep for the slot: if it is more, a new slot is made, and all users are read',
      )
        .default(10 * 2 ** 30, '10GB')
        .argParser(parseSize),
    )
    .option('--once', 'look once, and end')
    .option('--remove-log', 'remove the publication and the slot of the move, and end');
  addServerOptions(addTableOptions(addIdPrefix(addYesOption(addAbsentOptions(addRules(command))))));
  addProviderFlags(addHashAs(command), databaseProviders.map(withoutFiles))
    .addHelpText(
      'after',
      examples(
        `${carryover} follow mysql://reader@db.example.com/shop --from laravel --password-file db.txt --yes`,
        `${carryover} follow "$DATABASE_URL" --from better-auth --absent disable --full-every 15m --yes`,
      ),
    )
    .action(action((address: string, options: FollowCommandOptions) => run(address, options, surroundings)));
};

async function run(
  address: string,
  options: FollowCommandOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const { from, interval, fullEvery, once = false, log, removeLog = false } = options;
  const where = identityOf(readAddress(address, undefined));
  const isOfLog = removeLog ? '--remove-log' : log === 'require' ? '--log require' : undefined;
  if (isOfLog !== undefined && !hasLog(address))
    throw new CommandError(
      `${isOfLog}: only the log of PostgreSQL is read, and this is ${printable(where)}`,
      {
        field: isOfLog,
        cure: 'leave it out',
      },
    );
  if (removeLog) return remove(address, where, options, surroundings);
  const looks = once
    ? 'once'
    : `every ${duration(interval)}, and at all of them every ${duration(fullEvery)}`;
  const byLog = usesLog(address, options, false)
    ? ['Would make a publication and a slot there to read its log, if the role may (--log)']
    : [];
  await confirm(
    {
      lines: [`Would import what changes at ${from}, ${printable(where)}: looks at users ${looks}`, ...byLog],
      would: { follow: { from, address: where, interval, fullEvery, once, log } },
    },
    options,
    surroundings,
  );
  return withCore({ ...options, writes: true }, surroundings, async (core) => {
    // The core adds the prefix, as it does for an import.
    const ended = await follow(address, options, core, surroundings);
    return ended === 'closed' ? exitCodes.over : exitCodes.ok;
  });
}

async function remove(
  address: string,
  where: string,
  options: FollowCommandOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  await confirm(
    {
      lines: [`Would remove the publication and the slot of the move from ${printable(where)}`],
      would: { removeLog: { address: where } },
    },
    options,
    surroundings,
  );
  return withCore(options, surroundings, async (core) => {
    const { isDone, line } = await removeLogOf(address, options, core, surroundings);
    if (!isDone) throw new CommandError(line, { code: 'SLOT_LEFT' });
    surroundings.stderr.write(`${line}\n`);
    return exitCodes.ok;
  });
}
