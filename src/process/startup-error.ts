/**
 * The core cannot start, and the operator can fix it. `message` is one line with the cause and the cure, to be printed without a
 * stack. It never holds a secret.
 */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartupError';
  }
}

const ofDisks: Readonly<Record<string, string>> = {
  ENOSPC: 'has no room left (ENOSPC): make room, or set another DATA_DIR. A new database takes 100 MB',
  EDQUOT: 'has no room left (EDQUOT): raise the quota, or set another DATA_DIR. A new database takes 100 MB',
  EROFS: 'is read-only (EROFS): mount it writable, or set another DATA_DIR',
  EACCES: 'cannot be written (EACCES): change its owner, or set another DATA_DIR',
  EPERM: 'cannot be written (EPERM): change its owner, or set another DATA_DIR',
  ENOTDIR: 'cannot be written (ENOTDIR): a part of it is a file; set another DATA_DIR',
  EIO: 'cannot be written (EIO): look after the disk, or set another DATA_DIR',
  EMFILE: 'cannot be opened (EMFILE): let the process open more files: ulimit -n 1024',
};

/** Turns an error of the file system into a StartupError; returns others unchanged. */
export function ofDisk(error: unknown, dataDir: string): unknown {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const what = error instanceof StartupError || !Object.hasOwn(ofDisks, code) ? undefined : ofDisks[code];
  return what === undefined ? error : new StartupError(`${dataDir} ${what}`, { cause: error });
}
