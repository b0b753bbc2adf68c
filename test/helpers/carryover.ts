/** The real command in a separate folder: within the process of the test, or as a process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Ended, inputOf, runHere } from './command.ts';
import { fakeKey } from './tus-server.ts';

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));

export interface Running {
  /** Resolves once this is in the standard error. Rejects when the command ends before. */
  said(pattern: RegExp): Promise<void>;
  readonly interrupt: () => void;
  /** One Ctrl-C as it arrives through npm: twice. Two different signals, because the system may merge two of a kind. */
  readonly interruptTwice: () => void;
  /** As the system does when memory runs out. */
  kill(): void;
  /** As a machine that sleeps. */
  pause(): void;
  goOn(): void;
  readonly ended: Promise<Ended>;
}

export interface RunOptions {
  readonly input?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

export interface Place {
  readonly folder: string;
  /** The folder for unfinished imports. */
  readonly stateFolder: string;
  write(name: string, content: string | Uint8Array): Promise<string>;
  read(name: string): Promise<string>;
  /** Names of the existing files. */
  list(folder?: string): Promise<string[]>;
  /** As a separate process, for tests of signals, kills and its own memory. */
  start(args: readonly string[], options?: RunOptions): Running;
  /** Within the process of the test: a process loads the command again, which takes longer than most of them run. */
  run(args: readonly string[], options?: RunOptions): Promise<Ended>;
  remove(): Promise<void>;
}

export async function makePlace(): Promise<Place> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-cli-'));
  const work = path.join(folder, 'work');
  await mkdir(work);
  const state = path.join(folder, 'state');
  return {
    folder: work,
    stateFolder: path.join(state, 'carryover'),
    async write(name, content) {
      await mkdir(path.dirname(path.join(work, name)), { recursive: true });
      await writeFile(path.join(work, name), content);
      return path.join(work, name);
    },
    read: (name) => readFile(path.join(work, name), 'utf8'),
    list: (at = work) => readdir(at).catch(() => []),
    start: (args, options = {}) => start(args, { ...options, folder: work, state }),
    run: (args, { input = '', environment } = {}) =>
      runHere(args, {
        folder: work,
        environment: { ...environmentOf(work, state), ...environment },
        stdin: inputOf(input),
      }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** The environment of a user with this home. */
function environmentOf(home: string, state: string): Record<string, string> {
  return { HOME: home, XDG_STATE_HOME: state, CARRYOVER_API_KEY: fakeKey };
}

function start(
  args: readonly string[],
  { input, environment, folder, state }: RunOptions & { folder: string; state: string },
): Running {
  const child = spawn(process.execPath, [cli, ...args], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_OPTIONS: process.env.NODE_OPTIONS,
      ...environmentOf(folder, state),
      ...environment,
    },
    stdio: 'pipe',
  });
  const output = { stdout: '', stderr: '' };
  const listeners = new Set<() => void>();
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
      for (const listener of listeners) listener();
    });
  child.stdin.on('error', () => undefined).end(input ?? '');
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...output }));
  const said = (pattern: RegExp): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (pattern.test(output.stderr)) resolve();
      };
      listeners.add(look);
      look();
      void ended.then(() => {
        look();
        reject(new Error(`ended without ${pattern.source}: ${output.stderr}${output.stdout}`));
      });
    });
  const send = (signal: NodeJS.Signals) => (): void => void child.kill(signal);
  const interruptTwice = (): void => {
    send('SIGINT')();
    send('SIGTERM')();
  };
  const [pause, goOn] = [send('SIGSTOP'), send('SIGCONT')];
  return { said, interrupt: send('SIGINT'), interruptTwice, kill: send('SIGKILL'), pause, goOn, ended };
}
