/** Starts PostgreSQL's programs: user, environment and process session. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { StartupError } from '../process/startup-error.ts';

/** The user that runs PostgreSQL if the core is root, as which PostgreSQL refuses to run. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  /** May pass through folders that are closed to it, because data or programs are in one of root's. */
  readonly passesClosedFolders?: boolean;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
}

/** Sets the user, a working folder that all may enter, and an environment without the core's variables, above all keys. */
export function commandAs(runAs: RunAs | undefined, program: string, args: readonly string[]): Command {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const options = { cwd: '/', env };
  if (runAs?.passesClosedFolders)
    return { file: 'setpriv', args: [...closedFolders(runAs), program, ...args], options };
  return { file: program, args, options: { ...options, ...(runAs && { uid: runAs.uid, gid: runAs.gid }) } };
}

/**
 * setpriv (util-linux) changes the user and executes the program, so the pid stays. It leaves one capability: to enter and read
 * closed folders, see capabilities(7); permissions to write stay as they are.
 */
function closedFolders({ uid, gid }: RunAs): string[] {
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return [...user, '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search', '--'];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** Starts that a signal to the core's group may interrupt before one fails. */
const maxStarts = 10;

/**
 * Repeats a start that a signal to the core's group ended. Between fork and setsid a detached program still belongs to that
 * group, so a Ctrl-C ends it before it has done anything. Later PostgreSQL's programs catch both signals.
 * @param start returns the signal that ended the program, or null
 */
export async function repeatCutOff<T extends { readonly signal: NodeJS.Signals | null }>(
  start: () => Promise<T>,
): Promise<T> {
  for (let starts = 1; ; starts += 1) {
    const outcome = await start();
    const isCutOff = outcome.signal === 'SIGINT' || outcome.signal === 'SIGTERM';
    if (!isCutOff || starts === maxStarts) return outcome;
  }
}

/**
 * Runs a program in a separate session, so that Ctrl-C reaches only the core, which stops afterwards.
 * @throws Error when it cannot be started
 */
export function runToEnd(command: Command, input = ''): Promise<Ended> {
  return repeatCutOff(() => runOnce(command, input));
}

async function runOnce({ file, args, options }: Command, input: string): Promise<Ended> {
  const child = spawn(file, args, { ...options, stdio: ['pipe', 'ignore', 'pipe'], detached: true });
  const ended = new Promise<Omit<Ended, 'stderr'>>((resolve, reject) => {
    child.once('error', reject).once('close', (code, signal) => {
      resolve({ code, signal });
    });
  });
  // A program that ends early closes its input; its exit code explains more than the broken pipe.
  child.stdin.on('error', () => undefined).end(input);
  const [how, stderr] = await Promise.all([ended, text(child.stderr)]);
  return { ...how, stderr };
}

interface RunOptions {
  readonly input?: string;
  readonly name?: ((command: Command) => Command) | undefined;
}

/** @throws StartupError with the program's complaint */
export async function runProgram(
  program: string,
  args: readonly string[],
  runAs: RunAs | undefined,
  { input = '', name = (command) => command }: RunOptions = {},
): Promise<void> {
  const { code, signal, stderr } = await runToEnd(name(commandAs(runAs, program, args)), input);
  if (code === 0) return;
  const reason = complaint(stderr) || (signal ? `ended by ${signal}` : `exit code ${code ?? 'unknown'}`);
  const cure = cures.find(([said]) => said.test(stderr))?.[1];
  throw new StartupError(
    `${path.basename(program)} failed: ${reason}${cure === undefined ? '' : `. ${cure}`}`,
  );
}

/** Complaints caused by limits of containers and service managers, each with its cure. */
const cures: readonly (readonly [RegExp, string])[] = [
  [
    /could not look up effective user ID|user does not exist/,
    "PostgreSQL's programs need a name for the user: install Debian's libnss-wrapper (nss_wrapper elsewhere), give this uid a line in /etc/passwd, or set POSTGRESQL_CONNECTION_URI to a database of yours",
  ],
  [
    /could not (resize|map|open|create) shared memory/,
    'Give it more shared memory: docker run --shm-size=64m',
  ],
  [/No space left on device/, 'Make room in DATA_DIR, or set another one: a new database takes 100 MB'],
  [/Too many open files|insufficient file descriptors/, 'Let the process open more files: ulimit -n 1024'],
];

function complaint(said: string): string {
  const lines = said.trim().split('\n');
  return lines.find((line) => /error:|ERROR:|FATAL:|PANIC:/.test(line)) ?? lines.at(-1) ?? '';
}
