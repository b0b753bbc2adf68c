import type { Command } from 'commander';
import type { ExitCode } from './failure.ts';
import type { Surroundings } from './surroundings.ts';

/** What a command module gets: the process, and where its exit code goes. */
export interface Frame {
  readonly surroundings: Surroundings;
  /** Makes an action of a function that tells the exit code. */
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
