/** The files meant by folders, patterns and names. */

import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, fileError } from '../../command-error.ts';
import { count } from '../../output/format.ts';

/** The result, with absolute paths. */
export interface Expanded {
  /** In natural order: users-2.json comes before users-10.json. */
  readonly files: readonly string[];
  /** Folders inside the given folders: they are not read. */
  readonly folders: readonly string[];
}

/** A million users at 50 a file are 20,000. */
const filesLimit = 100_000;

/** Leftovers of former imports, which are not mentioned. */
const runsFolder = '.carryover';

/** Whether the arguments may mean several files, and not one by its name. */
export async function areSeveral(given: readonly string[], folder: string): Promise<boolean> {
  const [only = ''] = given;
  if (given.length > 1) return true;
  const found = await stat(path.resolve(folder, only)).catch(() => undefined);
  return found === undefined ? isPattern(only) : found.isDirectory();
}

/** @throws CommandError for a folder or pattern without files, and for too many */
export async function expandFiles(given: readonly string[], folder: string): Promise<Expanded> {
  const files = new Set<string>();
  const folders = new Set<string>();
  for (const each of given) {
    const found = await meantBy(each, folder);
    for (const file of found.files) files.add(file);
    for (const within of found.folders) folders.add(within);
    if (files.size > filesLimit)
      throw new CommandError(`These are more than ${count(filesLimit)} files: give fewer at a time`);
  }
  return { files: [...files].sort(inNaturalOrder), folders: [...folders].sort(inNaturalOrder) };
}

async function meantBy(given: string, folder: string): Promise<Expanded> {
  if (given === '-')
    throw new CommandError('- is the standard input, which is one file: give it without others');
  const at = path.resolve(folder, given);
  const found = await stat(at).catch(() => undefined);
  if (found?.isDirectory()) return listed(given, at);
  return found === undefined && isPattern(given) ? matching(given, folder) : { files: [at], folders: [] };
}

async function listed(given: string, at: string): Promise<Expanded> {
  const entries = await readdir(at, { withFileTypes: true }).catch((error: unknown) => {
    throw fileError(given, error);
  });
  const named = entries.map((entry) => ({ entry, file: path.join(at, entry.name) }));
  const folders = named
    .filter(({ entry }) => entry.isDirectory() && entry.name !== runsFolder)
    .map(({ file }) => file);
  const files = named.filter(({ entry }) => !entry.isDirectory()).map(({ file }) => file);
  if (files.length === 0) throw new CommandError(`${given}: is a folder without files`);
  return { files, folders };
}

function isPattern(given: string): boolean {
  return /[*?[{]/.test(given);
}

/** The files that a shell would have found, had the pattern not been quoted. */
async function matching(pattern: string, folder: string): Promise<Expanded> {
  // Most imports have no pattern.
  const { glob } = await import('tinyglobby');
  const files = await glob(pattern, { cwd: folder, absolute: true, expandDirectories: false });
  if (files.length === 0) throw new CommandError(`${pattern}: there is no file whose name is like that`);
  return { files: files.map((file) => path.resolve(file)), folders: [] };
}

const collator = new Intl.Collator('en', { numeric: true });

/** Files of a folder together; names that the locale considers equal have an order, too. */
function inNaturalOrder(one: string, other: string): number {
  const byFolder = collator.compare(path.dirname(one), path.dirname(other));
  if (byFolder !== 0) return byFolder;
  const byName = collator.compare(path.basename(one), path.basename(other));
  if (byName !== 0) return byName;
  return one < other ? -1 : 1;
}
