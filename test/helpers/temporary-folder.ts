/** The folder for all temporary files of a run: in memory if there is room, because clusters and databases are thousands of files. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

const inMemory = '/dev/shm';
const prefix = 'carryover-run-';
/** Many times the 0.2 GiB that were observed: the peak is unknown. */
const neededBytes = 6 * 2 ** 30;

/**
 * From now on `os.tmpdir()` is a folder of this run, here and in child processes.
 * @returns removes it
 */
export function makeTemporaryFolder(): () => void {
  const parent = hasRoom() ? inMemory : os.tmpdir();
  removeLeft(parent);
  const folder = path.join(parent, `${prefix}${process.pid}`);
  mkdirSync(folder);
  // As for /tmp: some servers of tests run as other users.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = runsPrograms(folder) ? folder : os.tmpdir();
  return () => {
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Containers have 64 MB there by default. */
function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(inMemory);
    return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes;
  } catch {
    return false;
  }
}

/** Containers may not be allowed to execute files there, which tests need: copies of PostgreSQL, and the installed package. */
function runsPrograms(folder: string): boolean {
  const program = path.join(folder, 'program');
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
  try {
    execFileSync(program);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}

/** From killed runs: files in memory would otherwise remain. */
function removeLeft(parent: string): void {
  for (const name of readdirSync(parent).filter((each) => each.startsWith(prefix)))
    if (!isAlive(Number(name.slice(prefix.length))))
      rmSync(path.join(parent, name), { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
