/** Gives a name to a user that the system does not know; initdb and single-user mode of PostgreSQL require one. */
import { readdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unlessCode } from '../process/secret-file.ts';
import { commandAs, runToEnd } from './command.ts';
import type { Command } from './command.ts';
import { ordinaryUser } from './run-as.ts';

export type NameUser = (command: Command) => Command;

export interface Naming {
  /** For two small files, removable when the programs have ended. */
  readonly folder: string;
  readonly libraryFolders?: readonly string[];
}

/**
 * Tries nss_wrapper, a library that reads users from our files (Debian's libnss-wrapper, included in the image), then a user name
 * space that maps our uid to a known user, which most containers forbid.
 * @param isKnown whether the system has a name for the user of the programs
 * @returns undefined if there is a name, or none can be had: then PostgreSQL's own error is reported
 */
export async function nameUser(naming: Naming, isKnown = isUserKnown()): Promise<NameUser | undefined> {
  if (isKnown) return undefined;
  const ways = [
    async () => preload(await findLibrary(naming.libraryFolders), naming.folder),
    () => Promise.resolve(asKnownUser()),
  ];
  for (const way of ways) {
    const name = await way();
    if (name !== undefined && (await works(name))) return name;
  }
  return undefined;
}

/** Asks as PostgreSQL does, so users of directories count. */
function isUserKnown(): boolean {
  try {
    os.userInfo();
    return true;
  } catch {
    return false;
  }
}

/** `id -un` looks up the name as PostgreSQL does. */
async function works(name: NameUser): Promise<boolean> {
  return runToEnd(name(commandAs(undefined, 'id', ['-un']))).then(
    ({ code, stderr }) => code === 0 && stderr === '',
    () => false,
  );
}

const library = 'libnss_wrapper.so';

async function findLibrary(folders?: readonly string[]): Promise<string | undefined> {
  for (const folder of folders ?? (await usualFolders())) {
    const names: readonly string[] = await readdir(folder).catch(() => []);
    if (names.includes(library)) return path.join(folder, library);
  }
  return undefined;
}

/** Debian has a folder for each architecture. */
async function usualFolders(): Promise<readonly string[]> {
  const names = await readdir('/usr/lib').catch(unlessCode('ENOENT'));
  const ofMachines = (names ?? []).filter((name) => name.includes('-linux-gnu'));
  return [...ofMachines.map((name) => path.join('/usr/lib', name)), '/usr/lib64', '/usr/lib'];
}

async function preload(found: string | undefined, folder: string): Promise<NameUser | undefined> {
  if (found === undefined) return undefined;
  const [uid, gid] = [process.geteuid?.() ?? 0, process.getegid?.() ?? 0];
  const [users, groups] = [path.join(folder, 'passwd'), path.join(folder, 'group')];
  await writeFile(users, `carryover:x:${uid}:${gid}::/:/bin/false\n`);
  await writeFile(groups, `carryover:x:${gid}:\n`);
  const added = { LD_PRELOAD: found, NSS_WRAPPER_PASSWD: users, NSS_WRAPPER_GROUP: groups };
  return ({ file, args, options }) => ({
    file,
    args,
    options: { ...options, env: { ...options.env, ...added } },
  });
}

/** Files that are made in the name space belong to our own uid outside. */
function asKnownUser(): NameUser | undefined {
  const user = ordinaryUser();
  if (user === undefined) return undefined;
  const mapping = ['--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`, '--'];
  return ({ file, args, options }) => ({ file: 'unshare', args: [...mapping, file, ...args], options });
}
