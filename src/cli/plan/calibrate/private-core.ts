import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { ownModule } from '../../../process/own-module.ts';
import { CommandError, fileError } from '../../command-error.ts';
import { printable } from '../../output/format.ts';
import type { Server } from '../../client/http.ts';
import type { Surroundings } from '../../surroundings.ts';

/** A separate core and PostgreSQL, in a folder that is removed with them: a user's own data is not touched. */
export interface PrivateCore {
  readonly server: Server;
  readonly pid: number;
  /** Of PostgreSQL's first process. */
  readonly postgresPid: number;
  /** PostgreSQL's files. */
  readonly cluster: string;
  /** Resolves when both have ended and their files are removed. Can be called again. */
  stop(): Promise<void>;
}

/** Lines of config.yaml in addition to address, keys and folder. */
export type CoreSettings = Readonly<Record<string, string | number | boolean>>;

const main = fileURLToPath(ownModule('../../../main', import.meta.url));
const stopMs = 30_000;

/**
 * Starts the real program (about two seconds). It reads no other configuration than `settings`, or it might find a user's own
 * database.
 * @throws CommandError when it does not start; the interrupt's error; nothing remains in either case
 */
export async function startPrivateCore(
  settings: CoreSettings,
  { environment, interrupt }: Surroundings,
): Promise<PrivateCore> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-plan-')).catch((error: unknown) => {
    throw fileError(os.tmpdir(), error, true);
  });
  const own = { host: '127.0.0.1', port: 0, data_dir: path.join(folder, 'data'), log_level: 'info' };
  const apiKey = randomBytes(24).toString('base64url');
  try {
    await chmod(folder, 0o755); // as root, PostgreSQL is another user, which needs access
    const config = path.join(folder, 'config.yaml');
    // JSON is YAML too. It may contain a signer key, which is private.
    await writeFile(config, JSON.stringify({ ...settings, ...own, api_keys: apiKey }), { mode: 0o600 });
    interrupt.throwIfAborted();
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const { PATH, HOME, TMPDIR } = environment;
  const program = new Program(folder, { PATH, HOME, TMPDIR });
  try {
    const port = await untilAborted(program.ready, interrupt);
    return {
      server: { url: new URL(`http://127.0.0.1:${port}`), apiKey, app: undefined },
      pid: program.pid,
      postgresPid: program.postgresPid(),
      cluster: program.cluster,
      stop: () => program.stop(),
    };
  } catch (error) {
    await program.stop();
    throw error;
  }
}

async function untilAborted<Result>(promise: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => {
    aborted.reject(signal.reason as Error);
  };
  signal.addEventListener('abort', abort, { once: true });
  try {
    signal.throwIfAborted();
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/**
 * The processes and their folder: running from the start until `stop`, or until the core ends.
 *
 * Invariant: when this process ends before, both servers end with it. At a second Ctrl-C `#endNow` ensures that; when it is
 * killed, the core does, whose input then ends, and only the files remain.
 */
class Program {
  /** The port, once requests are answered. */
  readonly ready: Promise<number>;
  readonly #folder: string;
  readonly #child: ChildProcess;
  #complaint = 'no reason given';
  #stopped: Promise<void> | undefined;

  constructor(folder: string, environment: Readonly<Record<string, string | undefined>>) {
    this.#folder = folder;
    const options = ['--ends-with-input', '--config', path.join(folder, 'config.yaml')];
    const child = spawn(process.execPath, [main, ...options], {
      env: environment,
      stdio: ['pipe', 'pipe', 'pipe'],
      // Only this process handles Ctrl-C: as a second signal it would end the core before its PostgreSQL.
      detached: true,
    });
    this.#child = child;
    createInterface({ input: child.stderr }).on('line', (line) => (this.#complaint = line));
    this.ready = this.#listen(child.stdout);
    this.ready.catch(() => undefined);
    process.on('exit', this.#endNow);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  get cluster(): string {
    return path.join(this.#folder, 'data', 'postgres');
  }

  /** 0 if none runs. */
  postgresPid(): number {
    try {
      return Number(readFileSync(path.join(this.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
    } catch {
      return 0;
    }
  }

  stop(): Promise<void> {
    return (this.#stopped ??= this.#stop());
  }

  #listen(output: Readable): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    let port = 0;
    createInterface({ input: output }).on('line', (line) => {
      const said = messageIn(line);
      if (said.msg === 'listening') port = Number(said.port);
      if (said.msg === 'ready') resolve(port);
      // PostgreSQL would now write all of its pages once more, into files that are about to be removed.
      if (said.msg === 'stopped') quit(this.postgresPid());
    });
    this.#child.once('error', reject).once('close', () => {
      const why = printable(this.#complaint);
      reject(new CommandError(`The core for the calibration did not start, or ended: ${why}`));
    });
    return promise;
  }

  async #stop(): Promise<void> {
    const child = this.#child;
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
      const late = setTimeout(this.#killBoth, stopMs);
      child.kill('SIGTERM');
      await once(child, 'close');
      clearTimeout(late);
    }
    quit(this.postgresPid()); // of a core that ended unexpectedly
    process.off('exit', this.#endNow);
    await rm(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  }

  readonly #killBoth = (): void => {
    this.#child.kill('SIGKILL');
    quit(this.postgresPid());
  };

  readonly #endNow = (): void => {
    this.#killBoth();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  };
}

function messageIn(line: string): { readonly msg?: unknown; readonly port?: unknown } {
  try {
    return JSON.parse(line) as object;
  } catch {
    return {};
  }
}

/** Ends a PostgreSQL at once, without a checkpoint. */
function quit(pid: number): void {
  if (!Number.isSafeInteger(pid) || pid <= 1) return;
  try {
    process.kill(pid, 'SIGQUIT');
  } catch {
    // It has ended already.
  }
}
