import { constants } from 'node:fs';
import { access, mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandError, fileError } from './command-error.ts';
import type { Surroundings } from './surroundings.ts';

/** State that outlasts a command: `$XDG_STATE_HOME/carryover`, by default `~/.local/state/carryover`. */
export function stateFolder({ environment }: Pick<Surroundings, 'environment'>): string {
  const base = environment.XDG_STATE_HOME;
  const home = environment.HOME ?? homedir();
  return path.join(base && path.isAbsolute(base) ? base : path.join(home, '.local/state'), 'carryover');
}

/** Readable by the user alone. @throws CommandError if it is not writable */
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
