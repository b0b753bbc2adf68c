import type { ExitCode } from '../command-error.ts';
import type { Surroundings } from '../surroundings.ts';
import { Argument, type Command } from 'commander';

/** The environment of a command module: the process, and the exit code. */
export interface Frame {
  /** The command line's, without node and the file. */
  readonly args: readonly string[];
  /** Of the program. */
  readonly version: string;
  readonly surroundings: Surroundings;
  /** Makes an action from a function that returns the exit code. */
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

/** The files of users that a command reads. @param what their content */
export function filesArgument(what: string): Argument {
  return new Argument(
    '<file...>',
    `${what}; several files, a folder or a quoted pattern are read as one; - for the standard input, which is copied to a file first`,
  );
}

export function addJsonOption(command: Command): Command {
  return command.option(
    '--json',
    'print one JSON object at the end, with its type and the possible next commands (next), and nothing else on the standard output',
  );
}

export function addSampleOption(command: Command): Command {
  return command.option('--show-samples', 'show emails and ids in full; left out: masked, as in a…@e….com');
}
