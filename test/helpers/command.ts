/** The command within the process of the test: all of it but `src/cli.ts`, which passes a process to it. */
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { ConvertPool } from '../../src/exports/convert/ports.ts';
import { runCarryover } from '../../src/cli/program.ts';
import { startConvertThreads } from '../../src/cli/input/convert-threads.ts';
import type { Surroundings } from '../../src/cli/surroundings.ts';

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** For all commands of a test file. They do not keep its process alive. */
let threads: ConvertPool | undefined;

const startsNoCore = (): Promise<never> => Promise.reject(new Error('this test starts no core'));

/** The surroundings of a command without a terminal. */
export function quietSurroundings(folder: string, given: Partial<Surroundings> = {}): Surroundings {
  return {
    environment: {},
    folder,
    stdin: Readable.from([]),
    stdout: new PassThrough().resume(),
    stderr: new PassThrough().resume(),
    interrupt: new AbortController().signal,
    now: Date.now,
    convertPool: () => Promise.resolve((threads ??= startConvertThreads())),
    serve: startsNoCore,
    migrate: startsNoCore,
    foreseeMigration: startsNoCore,
    examineDatabase: startsNoCore,
    moveApp: startsNoCore,
    backup: startsNoCore,
    foreseeRestore: startsNoCore,
    restore: startsNoCore,
    ...given,
  };
}

/** @returns the output and exit code that a process would have had */
export async function runHere(
  args: readonly string[],
  { folder, ...given }: Partial<Surroundings> & Pick<Surroundings, 'folder'>,
): Promise<Ended> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const written = Promise.all([text(stdout), text(stderr)]);
  const code = await runCarryover(args, 'test', quietSurroundings(folder, { ...given, stdout, stderr }));
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: out, stderr: err };
}

/** For a command that reads its standard input. */
export const inputOf = (...parts: readonly string[]): Readable =>
  Readable.from(parts.filter((part) => part !== '').map((part) => Buffer.from(part)));
