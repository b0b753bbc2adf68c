import { chmod, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Logger } from '../process/log.ts';
import { unlessCode } from '../process/secret-file.ts';
import type { Binaries } from './binaries.ts';
import { firstClosed } from './run-as.ts';
import type { RunAs } from './run-as.ts';

export interface Programs extends Binaries {
  /** Removes the copy, if one was made. */
  remove(): Promise<void>;
}

interface Place {
  readonly dataDir: string;
  readonly log: Logger;
}

/**
 * The programs where `runAs` can start them. PostgreSQL looks for itself with access(2), for which a capability counts
 * nothing; so from a checkout that is closed to that user (60 MB, a tenth of a second) they are copied to a folder for
 * temporary files, until the server stops. A copy that a killed core left is removed by the next start.
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

/** Only a folder of our own making is removed, whatever the note says. */
async function removeCopy(note: string): Promise<void> {
  const copy = await readFile(note, 'utf8').catch(unlessCode('ENOENT'));
  if (copy === undefined) return;
  if (path.basename(copy).startsWith(copyPrefix)) await rm(copy, { recursive: true, force: true });
  await rm(note, { force: true });
}
