import { Option } from 'commander';
import { databaseProviders } from '../../exports/providers/index.ts';
import { identityOf, readAddress } from '../../exports/sources/engines/address.ts';
import { carryover } from '../../process/called.ts';
import { addServerOptions, type ServerOptions, withCore } from '../client/server.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm/confirm.ts';
import { follow } from '../follow/follow.ts';
import type { FollowOptions } from '../follow/options.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';
import { addHashAs } from '../input/flags/reading-flags.ts';
import { addIdPrefix } from '../input/input.ts';
import { addTableOptions, withoutFiles } from '../input/old-database.ts';
import { parseDuration } from '../load/flags.ts';
import { duration, printable } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';
import { type AddCommand, examples } from './command.ts';
import { addAbsentOptions, addRules } from './import.ts';

interface FollowCommandOptions extends ServerOptions, FollowOptions, ConfirmOptions {
  readonly patience: string;
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
    .option('--once', 'look once, and end');
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
  const { from, interval, fullEvery, once = false } = options;
  const where = identityOf(readAddress(address, undefined));
  const looks = once
    ? 'once'
    : `every ${duration(interval)}, and at all of them every ${duration(fullEvery)}`;
  await confirm(
    {
      lines: [`Would import what changes at ${from}, ${printable(where)}: looks at users ${looks}`],
      would: { follow: { from, address: where, interval, fullEvery, once } },
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
