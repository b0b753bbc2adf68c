import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { Incomplete } from '../exports/readers/ending.ts';

/** The command's exit codes. Part of its interface: scripts rely on the numbers. */
export const exitCodes = {
  /** Done; records that are not imported were left out on purpose, such as users who were removed here. */
  ok: 0,
  /** Done, and some records were rejected; by an undo, some users left; by a load, a limit crossed. */
  rejects: 1,
  /** Not done: wrong key, wrong file, no core there; or `--yes` is missing. */
  refused: 2,
  /** The move that a process works for is closed: started again, it would end again. */
  over: 3,
  /** The code that shells use for a program ended by SIGINT. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A following command, exactly as a shell accepts it, and why. */
export interface Step {
  readonly command: string;
  readonly reason: string;
}

export interface CommandErrorOptions extends ErrorOptions {
  /** Stable, for programs. Left out: REFUSED. */
  readonly code?: string;
  /** The wrong file, option or field. */
  readonly field?: string;
  /** The cure, if it is more than the message's own words. */
  readonly cure?: string;
  readonly next?: readonly Step[];
}

/** The command cannot do its task. `message` is one line with the cure, and contains no secret. */
export class CommandError extends Error {
  override readonly name: string = 'CommandError';
  readonly code: string;
  readonly field: string | undefined;
  readonly cure: string | undefined;
  readonly next: readonly Step[];

  constructor(message: string, { code, field, cure, next = [], ...options }: CommandErrorOptions = {}) {
    super(message, options);
    this.code = code ?? 'REFUSED';
    this.field = field;
    this.cure = cure;
    this.next = next;
  }
}

/** The input is only a part of its origin. */
export class InputIncomplete extends CommandError {
  readonly incomplete: readonly Incomplete[];

  constructor(message: string, incomplete: readonly Incomplete[], options: CommandErrorOptions = {}) {
    super(message, { code: 'INPUT_INCOMPLETE', ...options });
    this.incomplete = incomplete;
  }
}

/** The input has changed since the import began, which cannot be continued. */
export class InputChanged extends CommandError {}

/** The user stopped it. `message` explains how to continue. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly next: readonly Step[];

  constructor(
    message: string,
    { next = [], ...options }: ErrorOptions & { readonly next?: readonly Step[] } = {},
  ) {
    super(message, options);
    this.next = next;
  }
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
  EROFS: 'the file system is read-only: write to another folder',
};

interface Reason {
  readonly reason: string;
  readonly cure?: string;
}

/** Reasons that differ for a file that is written. */
const reasonsOfWriting: Readonly<Record<string, Reason>> = {
  ENOENT: { reason: 'there is no such folder: make it first', cure: 'make the folder first' },
  EACCES: { reason: 'this user may not write there', cure: 'name a folder that this user may write' },
};

/**
 * @param isWritten a missing file is then not an error, only a missing folder
 * @returns the failure to work with a file, for people
 */
export function fileError(file: string, error: unknown, isWritten = false): CommandError {
  const code = isWritten ? codeOfWriting(file, error) : (systemCode(error) ?? 'unknown error');
  const known = isWritten ? reasonsOfWriting[code] : undefined;
  const { reason, cure }: Reason = known ?? { reason: systemReasons[code] ?? code };
  return new CommandError(`${file}: ${reason}`, {
    cause: error,
    code: 'FILE_ERROR',
    field: file,
    ...(cure !== undefined && { cure }),
  });
}

/** Node's recursive mkdir reports ENOENT if the folder above is not writable, so that one is checked. */
function codeOfWriting(file: string, error: unknown): string {
  const code = systemCode(error) ?? 'unknown error';
  if (code !== 'ENOENT') return code;
  let folder = path.resolve(file);
  while (!existsSync(folder) && folder !== path.dirname(folder)) folder = path.dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    return code;
  } catch (refused) {
    return systemCode(refused) ?? code;
  }
}
