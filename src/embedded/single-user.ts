import { spawn } from 'node:child_process';
import path from 'node:path';
import { StartupError } from '../process/startup-error.ts';
import type { Binaries } from './binaries.ts';
import { commandAs } from './run-as.ts';
import type { RunAs } from './run-as.ts';

export interface SingleUser {
  readonly binaries: Binaries;
  readonly runAs: RunAs | undefined;
  /** The folder of the cluster, on which no server runs. */
  readonly cluster: string;
  readonly database: string;
}

/**
 * Runs statements as the superuser in single-user mode, the only way in for that role. They go by standard input, so that a
 * password shows in no process list.
 * @param statements each is all or nothing
 * @throws StartupError with the complaint of PostgreSQL
 */
export function runAsSuperuser(
  { binaries, runAs, cluster, database }: SingleUser,
  statements: readonly string[],
): Promise<void> {
  const settings = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic'];
  // -j: a statement ends with a semicolon and an empty line, not with each line.
  const args = ['--single', '-j', ...settings, '-D', cluster, database];
  return runProgram(binaries.postgres, args, runAs, statements.map((each) => `${each};\n\n`).join(''));
}

/**
 * Runs a program of PostgreSQL to its end.
 * @throws StartupError with its complaint
 */
export function runProgram(
  program: string,
  args: readonly string[],
  runAs: RunAs | undefined,
  input = '',
): Promise<void> {
  return new Promise((resolve, reject) => {
    const command = commandAs(runAs, program, args);
    const child = spawn(command.file, command.args, {
      ...command.options,
      stdio: ['pipe', 'ignore', 'pipe'],
      // In a session of its own: Ctrl-C reaches only the core, which stops when the cluster is there.
      detached: true,
    });
    const said: string[] = [];
    child.stderr.setEncoding('utf8').on('data', (text: string) => void said.push(text));
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve();
      else reject(new StartupError(`${path.basename(program)} failed: ${complaint(said.join(''))}`));
    });
    // A program that ends early closes its input; its exit code tells more than the broken pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

function complaint(said: string): string {
  const lines = said.trim().split('\n');
  return lines.find((line) => /error:|ERROR:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1) ?? '';
}
