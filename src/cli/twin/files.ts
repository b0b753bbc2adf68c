/** The files of a twin: each appears complete or not at all. */

import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, fileError } from '../command-error.ts';
import { writeOut } from '../output/sink.ts';
import type { Surroundings } from '../surroundings.ts';

/** Their names as they are displayed. */
export interface TwinFiles {
  readonly records: string;
  readonly passwords: string;
  /** Signer key and pepper of the made-up hashes, if there are such. */
  readonly config: string;
}

/** `twin.ndjson`, or `twin.ndjson.gz`, `twin.passwords.csv` and `twin.config.yaml`. */
export function filesOf(out: string): TwinFiles {
  const base = out.replace(/(?:\.(?:ndjson|jsonl|json))?(?:\.gz)?$/i, '');
  return { records: out, passwords: `${base}.passwords.csv`, config: `${base}.config.yaml` };
}

/** @throws CommandError for one that exists, unless `isForced` */
export function refuseExisting(
  { records, passwords, config }: TwinFiles,
  isForced: boolean,
  { folder }: Pick<Surroundings, 'folder'>,
): void {
  const found = [records, passwords, config].find((file) => existsSync(path.resolve(folder, file)));
  if (found === undefined || isForced) return;
  throw new CommandError(
    `${found}: a file has this name: name another with --out, or replace it with --force`,
    {
      code: 'FILE_ERROR',
      field: '--out',
      cure: 'name another file with --out, or add --force',
    },
  );
}

/** The name of a file until it is finished. */
export function draftOf(file: string): string {
  return `${file}.draft`;
}

export async function writeDraft(
  file: string,
  chunks: AsyncIterable<Uint8Array>,
  surroundings: Surroundings,
): Promise<void> {
  await writeOut(chunks, draftOf(file), surroundings);
}

/** Gives finished drafts their names; settings of an earlier twin go. @throws CommandError */
export async function publish(
  { records, passwords, config }: TwinFiles,
  hasConfig: boolean,
  { folder }: Pick<Surroundings, 'folder'>,
): Promise<void> {
  if (!hasConfig) await rm(path.resolve(folder, config), { force: true });
  for (const file of [...(hasConfig ? [config] : []), passwords, records]) {
    const at = path.resolve(folder, file);
    await rename(draftOf(at), at).catch((error: unknown) => {
      throw fileError(file, error, true);
    });
  }
}

/** Removes what is left of drafts. */
export async function removeDrafts({ records, passwords, config }: TwinFiles, folder: string): Promise<void> {
  for (const file of [records, passwords, config])
    await rm(draftOf(path.resolve(folder, file)), { force: true });
}
