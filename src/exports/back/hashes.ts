/** Hashes as other systems take them. */

/** bcrypt as `$2a$` or `$2b$`, which mean the same as PHP's `$2y$`; undefined for another kind. */
export function bcryptIn(hash: string | undefined): string | undefined {
  if (hash === undefined || !/^\$2[aby]\$\d\d\$[./0-9A-Za-z]{53}$/.test(hash)) return undefined;
  return hash.replace(/^\$2y\$/, '$2b$');
}

/** The parts of Argon2id's PHC string; salt and key are base64 without padding. */
export interface Argon2Parts {
  readonly memory: string;
  readonly iterations: string;
  readonly parallelism: string;
  readonly salt: string;
  readonly key: string;
}

/** @returns undefined for another kind */
export function argon2idIn(hash: string | undefined): Argon2Parts | undefined {
  const [, memory, iterations, parallelism, salt, key] =
    /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(hash ?? '') ?? [];
  if (memory === undefined || iterations === undefined || parallelism === undefined) return undefined;
  return salt === undefined || key === undefined ? undefined : { memory, iterations, parallelism, salt, key };
}
