import { runProgram } from './command.ts';
import type { RunAs } from './command.ts';
import type { NameUser } from './named-user.ts';
import type { Binaries } from './programs.ts';

export interface SingleUser {
  readonly binaries: Binaries;
  readonly runAs: RunAs | undefined;
  /** No server may run on it. */
  readonly cluster: string;
  readonly database: string;
  /** For a user that the system does not know. */
  readonly name?: NameUser | undefined;
}

/**
 * Runs statements as the superuser in single-user mode, the only way for that role to log in. Sent by standard input, so that no
 * process list shows a password.
 * @param statements each is all or nothing
 * @throws StartupError with the complaint of PostgreSQL
 */
export function runAsSuperuser(
  { binaries, runAs, cluster, database, name }: SingleUser,
  statements: readonly string[],
): Promise<void> {
  const settings = ['-c', 'exit_on_error=on', '-c', 'log_min_error_statement=panic'];
  // -j: a statement ends with a semicolon and an empty line.
  const args = ['--single', '-j', ...settings, '-D', cluster, database];
  const input = statements.map((each) => `${each};\n\n`).join('');
  return runProgram(binaries.postgres, args, runAs, { input, name });
}
