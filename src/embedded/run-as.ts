import { readFileSync } from 'node:fs';
import { chmod, chown, stat } from 'node:fs/promises';
import path from 'node:path';
import { unlessCode } from '../process/secret-file.ts';
import { StartupError } from '../process/startup-error.ts';
import { commandAs, runToEnd } from './command.ts';
import type { RunAs } from './command.ts';

/** `nobody` comes last: other programs that use it could read the cluster's files. */
const CANDIDATES = ['carryover', 'postgres', 'nobody'];

/**
 * The OS user that runs PostgreSQL; an existing cluster keeps its owner.
 * @returns undefined for the core's own user
 * @throws StartupError when the cluster belongs to another user, or root finds no user
 */
export async function chooseRunAs(cluster: string): Promise<RunAs | undefined> {
  const owner = await stat(cluster).catch(unlessCode('ENOENT'));
  const self = process.geteuid?.();
  if (self !== 0) {
    requireOwn(cluster, owner?.uid, self);
    return undefined;
  }
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid };
  const found = ordinaryUser();
  if (found) return found;
  throw new StartupError(
    "PostgreSQL refuses to run as root: add a user named 'carryover' or start the core as another",
  );
}

export function ordinaryUser(): RunAs | undefined {
  return CANDIDATES.map(lookUp).find((user) => user !== undefined);
}

function requireOwn(cluster: string, owner: number | undefined, self: number | undefined): void {
  if (owner === undefined || self === undefined || owner === self) return;
  throw new StartupError(
    `${cluster} belongs to uid ${owner}: start the core as that user, or set another DATA_DIR`,
  );
}

function lookUp(name: string): RunAs | undefined {
  const line = readPasswd().find((each) => each.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

function readPasswd(): string[] {
  try {
    return readFileSync('/etc/passwd', 'utf8').split('\n');
  } catch {
    return [];
  }
}

/**
 * Root can enter folders that are closed to the user of PostgreSQL, such as /root.
 * @returns `runAs`, with the capability to pass through if needed
 * @throws StartupError naming the first closed folder on the way to `target` if the machine cannot grant it
 */
export async function ensureReachable(target: string, runAs: RunAs | undefined): Promise<RunAs | undefined> {
  if (!runAs) return undefined;
  const closed = await firstClosed(target, runAs);
  if (closed === undefined) return runAs;
  const passing = { ...runAs, passesClosedFolders: true };
  const tried = await runToEnd(commandAs(passing, 'true', [])).catch(() => undefined);
  if (tried?.code === 0) return passing;
  throw new StartupError(
    `PostgreSQL runs as uid ${runAs.uid}, not as root, and may not enter ${closed}: start the core as an ordinary user, ` +
      `set another DATA_DIR, or 'chmod o+x ${closed}'`,
  );
}

/** Permission bits of others, and the group's other than to pass through. */
const othersBits = 0o007;
const groupBeyondPassing = 0o060;

/**
 * Closes `data_dir`, which holds keys, to other users. If PostgreSQL runs as another user, its group may pass through. A folder
 * that is open to a group only was set up so, and one of another owner, as a volume's, cannot be changed: both stay.
 */
export async function closeToOthers(dataDir: string, runAs: RunAs | undefined): Promise<void> {
  const { mode, uid, gid } = await stat(dataDir);
  if (uid !== process.geteuid?.()) return;
  const isGroupsChoice = (mode & othersBits) === 0 && (mode & groupBeyondPassing) !== 0;
  if (isGroupsChoice) return;
  if (runAs === undefined) return chmod(dataDir, 0o700);
  if (gid !== runAs.gid) await chown(dataDir, uid, runAs.gid);
  await chmod(dataDir, 0o710);
}

const sharedUsers = ['postgres', 'nobody'];

/** @returns the name of PostgreSQL's user if other programs may run as it too */
export function sharedUserName({ uid }: RunAs): string | undefined {
  return sharedUsers.find((name) => lookUp(name)?.uid === uid);
}

/** @returns the first folder on the way to `target`, including it, that is closed to that user */
export async function firstClosed(target: string, runAs: RunAs): Promise<string | undefined> {
  for (const folder of foldersTo(target)) if (!mayEnter(await stat(folder), runAs)) return folder;
  return undefined;
}

function foldersTo(target: string): string[] {
  const above = path.dirname(target);
  return above === target ? [target] : [...foldersTo(above), target];
}

function mayEnter(folder: { mode: number; uid: number; gid: number }, { uid, gid }: RunAs): boolean {
  if (folder.uid === uid) return (folder.mode & 0o100) !== 0;
  if (folder.gid === gid) return (folder.mode & 0o010) !== 0;
  return (folder.mode & 0o001) !== 0;
}
