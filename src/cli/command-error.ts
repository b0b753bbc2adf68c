import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import type { Incomplete } from '../exports/readers/ending.ts';

/** How the command ends. Part of its interface: scripts rely on the numbers. */
export const exitCodes = {
  /** Done; what is not imported was left out on purpose, such as users who were removed here. */
  ok: 0,
  /** Done, and some records were rejected (or, of an undo, some users left). */
  rejects: 1,
  /** Not done: wrong key, wrong file, no core there; or `--yes` is missing. */
  refused: 2,
  /** As shells have it for a program that SIGINT ended. */
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** A command that follows, exactly as a shell takes it, and why. */
export interface Step {
  readonly command: string;
  readonly reason: string;
}

export interface CommandErrorOptions extends ErrorOptions {
  /** Stable, for programs. Left out: REFUSED. */
  readonly code?: string;
  /** The file, option or field that is wrong. */
  readonly field?: string;
  /** What to do about it, where it is more than the message's own words. */
  readonly cure?: string;
  readonly next?: readonly Step[];
}

/** The command cannot do what it was asked for. `message` is one line with the cure, and holds no secret. */
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

/** What is read is only a part of what it was taken from. */
export class InputIncomplete extends CommandError {
  readonly incomplete: readonly Incomplete[];

  constructor(message: string, incomplete: readonly Incomplete[], options: CommandErrorOptions = {}) {
    super(message, { code: 'INPUT_INCOMPLETE', ...options });
    this.incomplete = incomplete;
  }
}

/** What is read is not what it was when the import began: going on is not possible. */
export class InputChanged extends CommandError {}

/** The person stopped it. `message` says how to go on. */
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

/** Where they differ for a file that is written. */
const reasonsOfWriting: Readonly<Record<string, Reason>> = {
  ENOENT: { reason: 'there is no such folder: make it first', cure: 'make the folder first' },
  EACCES: { reason: 'this user may not write there', cure: 'name a folder that this user may write' },
};

/**
 * @param isWritten a file that is not there is then no fault, only a folder
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

/** Node's recursive mkdir says ENOENT where the folder above may not be written, so that one is asked. */
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
