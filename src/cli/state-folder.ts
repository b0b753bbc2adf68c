import { mkdir } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { fileError } from './command-error.ts';
import type { Surroundings } from './surroundings.ts';

/** What outlasts a command: `$XDG_STATE_HOME/carryover`, by default `~/.local/state/carryover`. */
export function stateFolder({ environment }: Pick<Surroundings, 'environment'>): string {
  const base = environment.XDG_STATE_HOME;
  const home = environment.HOME ?? homedir();
  return path.join(base && path.isAbsolute(base) ? base : path.join(home, '.local/state'), 'carryover');
}

/** For what only the own user may read. @throws CommandError */
export async function makeStateFolder(surroundings: Pick<Surroundings, 'environment'>): Promise<string> {
  const folder = stateFolder(surroundings);
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
    throw fileError(folder, error);
  });
  return folder;
}
