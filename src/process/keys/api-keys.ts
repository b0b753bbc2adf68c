import { timingSafeEqual } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { digest } from '../../domain/digests.ts';
import { ensureSecretFile, unlessCode } from '../secret-file.ts';
import { StartupError } from '../startup-error.ts';

/** Keys of an app or of hooks, as SHA-256 digests, so that a memory dump reveals none. */
export class ApiKeys {
  readonly #digests: readonly Buffer[];

  /** @param keys as presented, or their SHA-256 digests */
  constructor(keys: readonly (string | Buffer)[]) {
    this.#digests = keys.map((key) => (typeof key === 'string' ? digest(key) : key));
  }

  /**
   * Compares all 32 bytes with every key, so that the time taken reveals nothing about the keys. Without keys nothing matches.
   */
  matches(presented: string): boolean {
    const candidate = digest(presented);
    let found = false;
    for (const known of this.#digests) found = timingSafeEqual(known, candidate) || found;
    return found;
  }
}

/**
 * Finds or makes the key of a core without configured keys: `<dataDir>/api-key`, mode 0600.
 * @returns the key, 43 URL-safe characters, and whether this call made it (then show it once).
 * @throws StartupError when the file is empty, or cannot be made
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

/** @returns the key that an earlier start made, if any */
export async function findApiKey(dataDir: string): Promise<string | undefined> {
  const text = await readFile(path.join(dataDir, 'api-key'), 'utf8').catch(unlessCode('ENOENT'));
  return text?.trim() === '' ? undefined : text?.trim();
}
