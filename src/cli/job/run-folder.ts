import { constants } from 'node:fs';
import { access, appendFile, mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, fileError } from '../command-error.ts';
import { printable } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';

/** Where runs are stored by default. */
const defaultBase = '.carryover';

export interface FolderOptions {
  readonly outDir?: string;
  /** false: --no-run-folder */
  readonly runFolder: boolean;
  /** The file for rejects, if not there. */
  readonly rejects?: string;
}

/**
 * The folder of folders, one for each run.
 * @returns undefined if it is not wanted, or cannot be created and was not explicitly requested: the import does not depend on it
 * @throws CommandError if it was requested, or if rejects could not be written either, which would show only at the end
 */
export async function makeRunsFolder(
  { outDir: named, runFolder: isWanted, rejects }: FolderOptions,
  { folder, stderr }: Surroundings,
): Promise<string | undefined> {
  const hasRejects = rejects !== undefined || (await isWritable(folder));
  if (!isWanted && !hasRejects)
    throw new CommandError(`${folder}: this user may not write there: name a file with --rejects`);
  if (!isWanted) return undefined;
  const base = path.resolve(folder, named ?? defaultBase);
  try {
    await mkdir(base, { recursive: true, mode: 0o700 });
    return base;
  } catch (error) {
    const failure = fileError(base, error, true);
    if (named !== undefined) throw failure;
    if (!hasRejects) throw new CommandError(`${failure.message}: name another folder with --out-dir`);
    stderr.write(`No folder for this run: ${failure.message}; name another with --out-dir\n`);
    return undefined;
  }
}

function isWritable(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/**
 * The results of a run: its report, its log, and the rejects. Only for its owner. It contains records, so it excludes itself from
 * git: only itself, because the folder around it may be a repository.
 */
export class RunFolder {
  readonly path: string;

  constructor(at: string) {
    this.path = at;
  }

  /** Of a job that begins or continues. @throws CommandError */
  static async open(base: string, jobId: string): Promise<RunFolder> {
    const at = path.join(base, jobId.replace(/[^\w-]/g, '_'));
    try {
      await mkdir(at, { recursive: true, mode: 0o700 });
      await writeFile(path.join(at, '.gitignore'), '*\n', { mode: 0o600 });
    } catch (error) {
      throw fileError(at, error, true);
    }
    return new RunFolder(at);
  }

  /** Adds a line to the log. A disk error does not stop the import. */
  async log(text: string, now: number): Promise<void> {
    const line = `${new Date(now).toISOString()} ${printable(text)}\n`;
    await appendFile(path.join(this.path, 'log.txt'), line, { mode: 0o600 }).catch(() => undefined);
  }

  /** @throws CommandError when the disk is full or fails */
  async report(text: string, json: string): Promise<void> {
    for (const [name, content] of [
      ['report.txt', text],
      ['report.json', json],
    ] as const) {
      const file = path.join(this.path, name);
      await rm(file, { force: true });
      await writeFile(file, content, { mode: 0o600 }).catch((error: unknown) => {
        throw error instanceof CommandError ? error : fileError(file, error, true);
      });
    }
  }
}
