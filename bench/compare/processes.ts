import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';

export interface Command {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Ends the program by SIGTERM; its end is waited for all the same. */
  readonly signal?: AbortSignal | undefined;
}

export interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  /** Both streams, in the order of arrival. */
  readonly output: string;
}

/**
 * Runs a program to its end. It leads a separate process group: an abort also ends the processes it has started, which an older
 * version of the benchmarks would leave, and a terminal's Ctrl-C reaches it only this way.
 * @throws Error when it cannot be started
 */
export async function runToEnd({ file, args, cwd, signal }: Command): Promise<Ended> {
  signal?.throwIfAborted();
  const child = spawn(file, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], detached: true });
  const text = gather(child);
  const end = (): void => {
    endGroup(child);
  };
  signal?.addEventListener('abort', end, { once: true });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, ...text };
  } finally {
    signal?.removeEventListener('abort', end);
  }
}

function gather({ stdout, stderr }: ChildProcessByStdio<null, Readable, Readable>): Omit<Ended, 'code'> {
  const text = { stdout: '', output: '' };
  stdout.setEncoding('utf8').on('data', (piece: string) => {
    text.stdout += piece;
    text.output += piece;
  });
  stderr.setEncoding('utf8').on('data', (piece: string) => {
    text.output += piece;
  });
  return text;
}

function endGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGTERM');
  } catch {
    // Gone already.
  }
}

/** @returns what it printed @throws Error with its output when it fails */
export async function requireRun(command: Command): Promise<string> {
  const { code, stdout, output } = await runToEnd(command);
  command.signal?.throwIfAborted();
  if (code === 0) return stdout.trim();
  throw new Error(`${command.file} ${command.args.join(' ')} failed:\n${lastLines(output)}`);
}

export function lastLines(output: string, count = 20): string {
  return output.trimEnd().split('\n').slice(-count).join('\n');
}
