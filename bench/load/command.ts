import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Addressed } from './deployed.ts';

export interface CommandOptions {
  /** Of the commands that ask a core. */
  readonly core?: Addressed;
  readonly environment?: Readonly<Record<string, string>>;
  /** Default: 0. */
  readonly exitCode?: number;
}

export interface CommandRun {
  readonly stdout: string;
  /** From the start of the process to its end. */
  readonly seconds: number;
  /** The most resident memory that its process had. */
  readonly memoryMb: number;
}

const program = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const sampleMs = 250;

/**
 * The command `carryover` in a separate process, as a person runs it.
 * @throws Error with its output if it ends with another exit code
 */
export async function runCommand(
  args: readonly string[],
  { core, environment = {}, exitCode = 0 }: CommandOptions,
): Promise<CommandRun> {
  const { PATH, HOME, TMPDIR } = process.env;
  const env = { PATH, HOME, TMPDIR, ...(core && { CARRYOVER_API_KEY: core.apiKey }), ...environment };
  const where = core === undefined ? [] : ['--url', core.url];
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, ...args, ...where], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [stdout, stderr, memoryMb] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    mostMemoryOf(child.pid ?? 0, closed),
    closed,
  ]);
  const seconds = (performance.now() - startedAt) / 1000;
  if (child.exitCode !== exitCode)
    throw new Error(
      `carryover ${args[0] ?? ''} ended with ${child.exitCode ?? 'a signal'}: ${stdout}${stderr.slice(-2000)}`,
    );
  return { stdout, seconds, memoryMb };
}

/** Of Linux, which stores the most itself. @returns MB */
async function mostMemoryOf(pid: number, closed: Promise<unknown>): Promise<number> {
  const ended = closed.then(() => 'ended' as const);
  let most = NaN;
  do {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const [, kib] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
    if (kib !== undefined) most = Number(kib) / 1024;
  } while ((await Promise.race([delay(sampleMs, 'not yet'), ended])) !== 'ended');
  return most;
}
