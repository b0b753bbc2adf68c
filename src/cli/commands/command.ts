import type { ExitCode } from '../command-error.ts';
import type { Surroundings } from '../surroundings.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { faultOfPrefix } from '../../imports/record/prefixed-id.ts';
import { namesOfProviders } from '../input/input.ts';

/** What a command module gets: the process, and where its exit code goes. */
export interface Frame {
  readonly surroundings: Surroundings;
  /** Makes an action of a function that returns the exit code. */
  readonly action: <Args extends unknown[]>(
    run: (...args: Args) => Promise<ExitCode>,
  ) => (...args: Args) => Promise<void>;
}

/** Adds one command to the program. */
export type AddCommand = (program: Command, frame: Frame) => void;

/** Examples under a command's help. */
export function examples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  ${line}`).join('\n')}\n`;
}

/** How to read a file of users. */
export function addInputOptions(command: Command): Command {
  return command
    .option('--from <format>', `one of ${namesOfProviders()}; left out: recognised from the content`)
    .option(
      '--tenant <id>',
      'puts every login method of an export into this tenant; of native records those that name none',
    );
}

/** What stands in front of the ids of a file. */
export function addIdPrefix(command: Command): Command {
  return command.addOption(
    new Option(
      '--id-prefix <text>',
      'stands in front of every external id, such as forum: for a file whose ids another system counts alike',
    ).argParser((text) => {
      const fault = faultOfPrefix(text);
      if (fault === undefined) return text;
      throw new InvalidArgumentError(`It ${fault}.`);
    }),
  );
}

/** How a run of an import shows itself. */
export function addRunOptions(command: Command): Command {
  return addJsonOption(command).addOption(
    new Option('--patience <seconds>', 'how long to wait for a core that is away while nothing is committed')
      .default('300')
      .argParser(parseSeconds),
  );
}

export function addJsonOption(command: Command): Command {
  return command.option(
    '--json',
    'print one JSON object at the end, and nothing else on the standard output',
  );
}

function parseSeconds(text: string): string {
  if (!/^\d{1,7}$/.test(text)) throw new InvalidArgumentError('It takes whole seconds.');
  return text;
}
