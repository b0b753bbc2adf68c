/**
 * The confirmation before a command changes something. `--yes` confirms. At a terminal, a plain request is carried out at once,
 * and a question is asked for anything beyond it. Without a terminal nothing is changed: the command prints what it would do and
 * the exact command that does it, and exits with 2.
 */

import type { Command } from 'commander';
import { CommandError, Interrupted } from '../command-error.ts';
import { isYes } from '../input/stdin-text.ts';
import { forTerminal } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';

/** What would be changed. */
export interface Change {
  /** For people, a line each. Empty if the command has shown it. */
  readonly lines: readonly string[];
  /** For programs. */
  readonly would: object;
  /** Asked at a terminal; left out if the command itself is explicit enough. */
  readonly question?: string;
}

export interface ConfirmOptions {
  readonly yes?: boolean;
}

/** Nothing was changed: there is no terminal, and `--yes` was not given. */
export class NeedsYes extends CommandError {
  override readonly name = 'NeedsYes';
  readonly would: object;

  constructor(would: object) {
    super('Nothing was changed, because there is no terminal to ask at', {
      code: 'NEEDS_YES',
      field: '--yes',
      cure: 'run the command with --yes',
    });
    this.would = would;
  }
}

export function addYesOption(command: Command): Command {
  return command.option(
    '--yes',
    'do it without asking; without a terminal, a command that lacks it only says what it would do, and ends with 2',
  );
}

/** Whether a person is present: at a keyboard or, if the standard input is a file or a pipe, at a screen. */
export function hasTerminal({ stdin, stderr }: Pick<Surroundings, 'stdin' | 'stderr'>): boolean {
  return stderr.isTTY === true || stdin.isTTY === true;
}

/** Whether the command may change something without a question. */
export function mayChange({ yes }: ConfirmOptions, surroundings: Surroundings): boolean {
  return yes === true || hasTerminal(surroundings);
}

/**
 * Returns if the change may be made.
 * @throws NeedsYes without a terminal, Interrupted for a no
 */
export async function confirm(
  { lines, would, question }: Change,
  { yes }: ConfirmOptions,
  surroundings: Surroundings,
): Promise<void> {
  if (yes === true || (question === undefined && hasTerminal(surroundings))) return;
  const { stdin, stderr, environment } = surroundings;
  if (lines.length > 0) stderr.write(forTerminal(`${lines.join('\n')}\n`, stderr, environment));
  if (question === undefined || stdin.isTTY !== true) throw new NeedsYes(would);
  if (!(await isYes(question, surroundings))) throw new Interrupted('Nothing was changed.');
}
