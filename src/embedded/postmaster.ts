import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { Logger } from '../process/log.ts';
import { StartupError } from '../process/startup-error.ts';
import { commandAs, repeatCutOff } from './command.ts';
import type { RunAs } from './command.ts';

const READY = 'database system is ready to accept connections';
const STOP_FAST_MS = 30_000;

export interface PostmasterOptions {
  readonly postgres: string;
  readonly cluster: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly runAs: RunAs | undefined;
  readonly log: Logger;
  readonly onExit: (reason: string) => void;
}

/** A running server: `running` until it ends unexpectedly or `stop()` is called, then `stopping`, then `gone`. */
export class Postmaster {
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #gone: Promise<void>;
  #mode: 'running' | 'stopping' | 'gone' = 'running';

  private constructor(child: ChildProcess, pid: number, options: PostmasterOptions) {
    this.pid = pid;
    this.#child = child;
    this.#gone = new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        const asked = this.#mode === 'stopping';
        this.#mode = 'gone';
        resolve();
        if (!asked)
          options.onExit(`PostgreSQL ended unexpectedly (${signal ?? `exit code ${code ?? 'unknown'}`})`);
      });
    });
  }

  /**
   * Starts the server in a separate session, so that Ctrl-C reaches only the core, which stops the server last.
   * @returns when it accepts connections; recovery after a crash may take some time
   * @throws StartupError with the server's last complaint
   */
  static async start(options: PostmasterOptions): Promise<Postmaster> {
    const started = await repeatCutOff(() => launch(options));
    if (started.isReady) return new Postmaster(started.child, started.child.pid ?? 0, options);
    throw new StartupError(`PostgreSQL did not start: ${started.complaint}`);
  }

  /** Fast shutdown, with a checkpoint; after 30 s an immediate one, which requires recovery. */
  async stop(): Promise<void> {
    if (this.#mode !== 'running') return this.#gone;
    this.#mode = 'stopping';
    this.#child.kill('SIGINT');
    const deadline = setTimeout(() => this.#child.kill('SIGQUIT'), STOP_FAST_MS);
    await this.#gone.finally(() => {
      clearTimeout(deadline);
    });
  }
}

interface Launched {
  readonly child: ChildProcess;
  /** True if it accepts connections, false if it has ended. */
  readonly isReady: boolean;
  readonly signal: NodeJS.Signals | null;
  readonly complaint: string;
}

async function launch({ runAs, postgres, cluster, settings, log }: PostmasterOptions): Promise<Launched> {
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const command = commandAs(runAs, postgres, ['-D', cluster, ...given]);
  const child = spawn(command.file, command.args, {
    ...command.options,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(child, 'spawn');
  return { child, ...(await untilReady(child, child.stderr, log)) };
}

async function untilReady(
  child: ChildProcess,
  stderr: Readable,
  log: Logger,
): Promise<Omit<Launched, 'child'>> {
  let complaint = 'no reason given';
  return new Promise((resolve) => {
    createInterface({ input: stderr }).on('line', (line) => {
      if (/FATAL:|PANIC:/.test(line)) complaint = line;
      if (line.includes(READY)) resolve({ isReady: true, signal: null, complaint });
      forward(line, log);
    });
    // 'close' follows the last line of output; 'exit' may precede it.
    child.once('close', (_code, signal) => {
      resolve({ isReady: false, signal, complaint });
    });
  });
}

function forward(line: string, log: Logger): void {
  if (/PANIC:|FATAL:/.test(line)) log.warn({ postgres: line }, 'PostgreSQL');
  else log.debug({ postgres: line }, 'PostgreSQL');
}
