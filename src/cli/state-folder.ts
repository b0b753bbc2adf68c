import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandError, fileError } from './command-error.ts';
import type { Surroundings } from './surroundings.ts';

/** What outlasts a command: `$XDG_STATE_HOME/carryover`, by default `~/.local/state/carryover`. */
export function stateFolder({ environment }: Pick<Surroundings, 'environment'>): string {
  const base = environment.XDG_STATE_HOME;
  const home = environment.HOME ?? homedir();
  return path.join(base && path.isAbsolute(base) ? base : path.join(home, '.local/state'), 'carryover');
}

/** For what only the own user may read. @throws CommandError where it cannot be written */
export async function makeStateFolder(surroundings: Pick<Surroundings, 'environment'>): Promise<string> {
  const folder = stateFolder(surroundings);
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.W_OK);
  } catch (error) {
    const { message } = fileError(folder, error, true);
    throw new CommandError(
      `${message}. What resume needs is kept there: set XDG_STATE_HOME to a folder that this user may write`,
      { cause: error },
    );
  }
  return folder;
}
