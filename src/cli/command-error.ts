/** How the command ends. Part of its interface: scripts rely on the numbers. */
export const exitCodes = {
  ok: 0,
  /** Done, and some records were rejected (or, of an undo, some users left). */
  rejects: 1,
  /** Not done: wrong key, wrong file, no core there, and so on. */
  refused: 2,
  /** As shells have it for a program that SIGINT ended. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The command cannot do what it was asked for. `message` is one line with the cure, and holds no secret. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}

/** What is read is not what it was when the import began: going on is not possible. */
export class InputChanged extends CommandError {}

/** The person stopped it. `message` says how to go on. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** @returns the code of an error of the system, such as ENOENT */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

const systemReasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be opened by this user',
  EISDIR: 'it is a folder',
  EEXIST: 'a file has this name',
  ENOTDIR: 'part of its path is no folder',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
};

/**
 * @param isWritten a file that is not there is then no fault, only a folder
 * @returns the failure to work with a file, for people
 */
export function fileError(file: string, error: unknown, isWritten = false): CommandError {
  const code = systemCode(error) ?? 'unknown error';
  if (isWritten && code === 'ENOENT')
    return new CommandError(`${file}: there is no such folder: make it first`, { cause: error });
  return new CommandError(`${file}: ${systemReasons[code] ?? code}`, { cause: error });
}
