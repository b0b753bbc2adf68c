import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import { CommandError, fileError, systemCode } from '../command-error.ts';
import type { Surroundings } from '../surroundings.ts';

/**
 * Writes to the file, or to the standard output without one. A file appears complete or not at all, readable for its owner only:
 * it may contain hashes. If the reader of the output closes it, as `head` does, it ends without an error.
 * @throws CommandError when the disk is full or fails; any error of reading `chunks`
 */
export async function writeOut(
  chunks: AsyncIterable<Uint8Array>,
  file: string | undefined,
  { stdout, folder, interrupt }: Surroundings,
): Promise<void> {
  if (file !== undefined) {
    await writeFile(chunks, path.resolve(folder, file), interrupt);
    return;
  }
  try {
    await pipeline(chunks, stdout, { end: false, signal: interrupt });
  } catch (error) {
    if (systemCode(error) !== 'EPIPE') throw error;
  }
}

async function writeFile(
  chunks: AsyncIterable<Uint8Array>,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const isSpecial = await stat(file).then(
    (found) => !found.isFile(),
    () => false,
  );
  const draft = isSpecial ? file : `${file}.part`;
  const out = createWriteStream(draft, { mode: 0o600, flush: !isSpecial });
  let diskError: unknown;
  out.once('error', (error) => (diskError = systemCode(error) === undefined ? undefined : error));
  try {
    await pipeline(chunks, out, { signal });
    if (!isSpecial) await rename(draft, file);
  } catch (error) {
    if (!isSpecial) await rm(draft, { force: true });
    throw diskError === error ? fileError(file, error, true) : error;
  }
}

/** @throws CommandError when the output would overwrite the input */
export function refuseSameFile(
  written: string | undefined,
  read: readonly string[],
  { folder }: Surroundings,
): void {
  if (written !== undefined && read.includes(path.resolve(folder, written)))
    throw new CommandError(`${written}: is what is read: write to another file`);
}

/** @throws CommandError if records and the answer to --json would both be written to the standard output */
export function requireOut({ json, out }: { readonly json?: boolean; readonly out?: string }): void {
  if (json !== true || (out !== undefined && out !== '-')) return;
  throw new CommandError('--json: the standard output is for the records: name a file for them with --out', {
    field: '--out',
    cure: 'name a file with --out',
  });
}
