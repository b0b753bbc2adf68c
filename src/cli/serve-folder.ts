import os from 'node:os';
import path from 'node:path';
import type { Surroundings } from './surroundings.ts';

/**
 * The data folder of `carryover serve` by default: by the XDG rules, `~/.local/share/carryover`. Root's is `/var/lib/carryover`,
 * because PostgreSQL then runs as another user, which may not enter root's home.
 */
export function serveFolder({ environment }: Pick<Surroundings, 'environment'>): string {
  const base = environment.XDG_DATA_HOME;
  if (base && path.isAbsolute(base)) return path.join(base, 'carryover');
  if (process.getuid?.() === 0) return '/var/lib/carryover';
  return path.join(environment.HOME ?? os.homedir(), '.local/share/carryover');
}
