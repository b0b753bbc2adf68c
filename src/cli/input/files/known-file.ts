import { open, stat } from 'node:fs/promises';
import { CommandError, fileError } from '../../command-error.ts';

/** A file as it was when the import began. */
export interface KnownFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** ms since the epoch */
  readonly modifiedAt: number;
}

/** @throws CommandError for anything but a readable file */
export async function knownFile(file: string): Promise<KnownFile> {
  try {
    const handle = await open(file, 'r');
    await handle.close();
    return await foundFile(file);
  } catch (error) {
    throw error instanceof CommandError ? error : fileError(file, error);
  }
}

/** As knownFile, for a file that is opened next: whether it is readable shows then. @throws CommandError */
export async function foundFile(file: string): Promise<KnownFile> {
  try {
    const found = await stat(file);
    if (found.isDirectory()) throw new CommandError(`${file}: is a folder: give one of the files in it`);
    if (!found.isFile())
      throw new CommandError(`${file}: is no plain file: use - to read the standard input`);
    return { path: file, bytes: found.size, modifiedAt: Math.floor(found.mtimeMs) };
  } catch (error) {
    throw error instanceof CommandError ? error : fileError(file, error);
  }
}

/** Whether the file is unchanged. @throws CommandError when it does not exist any more */
export async function isUnchanged(known: KnownFile): Promise<boolean> {
  const now = await foundFile(known.path);
  return now.bytes === known.bytes && now.modifiedAt === known.modifiedAt;
}

/** @throws CommandError when the file has changed */
export async function requireUnchanged(known: KnownFile): Promise<void> {
  if (await isUnchanged(known)) return;
  throw new CommandError(
    `${known.path}: has changed since the import began: import it again (who is there already counts as unchanged)`,
  );
}
