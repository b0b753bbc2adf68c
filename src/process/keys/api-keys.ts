import { timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { digest } from '../../domain/digests.ts';
import { ensureSecretFile, unlessCode } from '../secret-file.ts';
import { StartupError } from '../startup-error.ts';

/** Keys of an app or of hooks, held as SHA-256 digests so that a memory dump gives none away. */
export class ApiKeys {
  readonly #digests: readonly Buffer[];

  /** @param keys as they are presented, or their SHA-256 digests */
  constructor(keys: readonly (string | Buffer)[]) {
    this.#digests = keys.map((key) => (typeof key === 'string' ? digest(key) : key));
  }

  /**
   * Compares with every key, always all of them and always 32 bytes, so that the time taken shows nothing about
   * which key came close or how long it is. With no keys nothing matches.
   */
  matches(presented: string): boolean {
    const candidate = digest(presented);
    let found = false;
    for (const known of this.#digests) found = timingSafeEqual(known, candidate) || found;
    return found;
  }
}

/**
 * The key of a core that was given none: made at the first start and kept in `<dataDir>/api-key`, mode 0600.
 * @returns the key, 43 URL-safe characters, and whether this call made it (then it should be shown once).
 * @throws StartupError when the file was emptied, or the folder does not let it be made.
 */
export async function ensureApiKey(
  dataDir: string,
): Promise<{ readonly key: string; readonly created: boolean }> {
  const file = path.join(dataDir, 'api-key');
  const { secret, created } = await ensureSecretFile(file).catch((error: unknown) => {
    if (error instanceof StartupError || !(error instanceof Error && 'code' in error)) throw error;
    throw new StartupError(
      `${file}: cannot be read or made (${String(error.code)}): set data_dir to a folder that this user may write to`,
      { cause: error },
    );
  });
  return { key: secret, created };
}

/** @returns the key that an earlier start made, undefined when none did */
export async function findApiKey(dataDir: string): Promise<string | undefined> {
  const text = await readFile(path.join(dataDir, 'api-key'), 'utf8').catch(unlessCode('ENOENT'));
  return text?.trim() === '' ? undefined : text?.trim();
}
