/** How a program of PostgreSQL is started: as which user, with what environment, in a session of its own. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { StartupError } from '../process/startup-error.ts';

/** The user that runs PostgreSQL when the core is root, which PostgreSQL refuses to be. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
  /** It may pass through folders that are closed to it, because data or programs lie in one of root's own. */
  readonly passesClosedFolders?: boolean;
}

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly options: { cwd: string; env: NodeJS.ProcessEnv; uid?: number; gid?: number };
}

/**
 * How every program of PostgreSQL is spawned: as that user, from a folder all may enter, and with an environment that
 * holds nothing of the core's, above all no keys.
 */
export function commandAs(runAs: RunAs | undefined, program: string, args: readonly string[]): Command {
  const env = { PATH: process.env.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
  const options = { cwd: '/', env };
  if (runAs?.passesClosedFolders)
    return { file: 'setpriv', args: [...closedFolders(runAs), program, ...args], options };
  return { file: program, args, options: { ...options, ...(runAs && { uid: runAs.uid, gid: runAs.gid }) } };
}

/**
 * setpriv (util-linux) becomes the user itself and then the program, so the pid stays. The one capability it leaves is
 * to enter and read folders that are closed to that user, see capabilities(7); the rights to write stay as they are.
 */
function closedFolders({ uid, gid }: RunAs): string[] {
  const user = [`--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'];
  return [...user, '--inh-caps=+dac_read_search', '--ambient-caps=+dac_read_search', '--'];
}

/** How a program ended, and what it wrote to standard error. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** How often a start is repeated that a signal to the core's group cut off. Each takes a signal of its own. */
const maxStarts = 10;

/**
 * Repeats the start of a program that a signal to the core's group ended. A program in a session of its own (`detached`)
 * still belongs to the core's group between fork and setsid: a Ctrl-C of that moment ends it before it has begun, with nothing
 * done. The programs of PostgreSQL catch both signals once they run, so whichever ends one of them came before.
 * @param start answers the signal that ended the program, or null
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
 * Runs a program to its end, in a session of its own: Ctrl-C reaches only the core, which stops when this is done.
 * @throws Error when it cannot be started at all
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
  // A program that ends early closes its input; its exit code says more than the broken pipe.
  child.stdin.on('error', () => undefined).end(input);
  const [how, stderr] = await Promise.all([ended, text(child.stderr)]);
  return { ...how, stderr };
}

interface RunOptions {
  readonly input?: string;
  /** Gives the program's user a name, see `nameUser`. */
  readonly name?: ((command: Command) => Command) | undefined;
}

/**
 * Runs a program of PostgreSQL to its end.
 * @throws StartupError with its complaint
 */
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

/** Of what a container or a service manager keeps from it: what it says, and what to do. */
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
