/** Hashes as other systems take them. */

/** bcrypt as `$2a$` or `$2b$`, which mean the same as PHP's `$2y$`; undefined for another kind. */
export function bcryptIn(hash: string | undefined): string | undefined {
  if (hash === undefined || !/^\$2[aby]\$\d\d\$[./0-9A-Za-z]{53}$/.test(hash)) return undefined;
  return hash.replace(/^\$2y\$/, '$2b$');
}

/** Argon2id as a PHC string; undefined for another kind. */
export function argon2idIn(hash: string | undefined): string | undefined {
  return hash !== undefined && /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$[^$]+\$[^$]+$/.test(hash)
    ? hash
    : undefined;
}
