/** The real program, as a separate process. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const example = fileURLToPath(new URL('../../examples/app/main.ts', import.meta.url));

export interface Program {
  readonly child: ChildProcess;
  /** All output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the match once it is in stdout. Rejects when the program ends before. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Exit code and signal, after all of the output. */
  readonly ended: Promise<readonly [code: number | null, signal: string | null]>;
  /** Sends the signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<readonly [code: number | null, signal: string | null]>;
}

export interface ProgramOptions {
  /** The tree that it runs from. Default: this one. */
  readonly root?: string;
  /** Only the PATH of the test's own environment. */
  readonly environment?: Readonly<Record<string, string>>;
  readonly arguments?: readonly string[];
  /** Its standard input stays open until the test ends it. Default: empty input. */
  readonly keepsInput?: boolean;
  /** It leads a process group, like a program started from a terminal. Default: it is in that of the tests. */
  readonly ownGroup?: boolean;
  /** Shell commands before the program starts: see ControlGroup. */
  readonly within?: string;
  /** The OS user that it runs as; tests that are root may set it. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export function runMain(options: ProgramOptions = {}): Program {
  return run(
    process.execPath,
    [path.join(options.root ?? root, 'src/main.ts'), ...(options.arguments ?? [])],
    options,
  );
}

/** The command `carryover`. */
export function runCommand(options: ProgramOptions = {}): Program {
  return run(
    process.execPath,
    [path.join(options.root ?? root, 'src/cli.ts'), ...(options.arguments ?? [])],
    options,
  );
}

/** The app of examples/app. Its core is named in the environment. */
export function runExample(options: ProgramOptions = {}): Program {
  return run(process.execPath, [example], options);
}

/** As a person starts it: with npm in between. */
export function runNpmStart(options: ProgramOptions = {}): Program {
  return run('npm', ['--prefix', root, 'start'], options);
}

const { PATH, NODE_OPTIONS } = process.env;
const fromTests = { PATH, NODE_OPTIONS };

function run(file: string, args: readonly string[], options: ProgramOptions): Program {
  const whole: readonly string[] =
    options.within === undefined
      ? [file, ...args]
      : ['/bin/sh', '-c', `${options.within} && exec "$@"`, 'sh', file, ...args];
  const [first = '', ...others] = whole;
  const child = spawn(first, others, {
    env: { ...fromTests, PORT: '0', HASHING_THREADS: '1', ...options.environment },
    cwd: '/',
    stdio: 'pipe',
    detached: options.ownGroup === true,
    ...options.user,
  });
  if (options.keepsInput !== true) child.stdin.end();
  const output = { stdout: '', stderr: '' };
  let wake = Promise.withResolvers<undefined>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      wake.resolve(undefined);
      wake = Promise.withResolvers();
    });
  let isOver = false;
  const ended = once(child, 'close').then(([code, signal]) => {
    isOver = true;
    wake.resolve(undefined);
    return [code as number | null, signal as string | null] as const;
  });
  return {
    child,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    async printed(pattern) {
      for (;;) {
        const found = pattern.exec(output.stdout);
        if (found) return found;
        if (isOver) throw new Error(`ended without ${pattern.source}: ${output.stdout}${output.stderr}`);
        await wake.promise;
      }
    },
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

export interface Workplace {
  /** Does not exist yet. */
  readonly dataDir: string;
  /** A configuration file of these lines. @returns the arguments that name it */
  configure(yaml: string): Promise<readonly string[]>;
  remove(): Promise<void>;
}

/** A folder that PostgreSQL's user may pass through and not read. @param parent where it is made */
export async function makeWorkplace(parent = os.tmpdir()): Promise<Workplace> {
  const folder = await mkdtemp(path.join(parent, 'carryover-main-'));
  await chmod(folder, 0o711);
  return {
    dataDir: path.join(folder, 'data'),
    configure: async (yaml) => {
      const file = path.join(folder, 'config.yaml');
      await writeFile(file, yaml);
      return ['--config', file];
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The address in the log. */
export async function addressOf(program: Program): Promise<string> {
  const [, port = ''] = await program.printed(/"port":(\d+),"msg":"listening"/);
  return `http://127.0.0.1:${port}`;
}
