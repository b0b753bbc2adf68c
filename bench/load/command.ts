import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Addressed } from './deployed.ts';

export interface CommandRun {
  /** With its start and its end. */
  readonly seconds: number;
  /** The most resident memory that its process had. */
  readonly memoryMb: number;
  /** Its standard output. */
  readonly output: string;
}

const cli = fileURLToPath(new URL('../../src/cli.ts', import.meta.url));
const sampleMs = 250;

interface CommandOptions {
  /** The exit code that is expected; default: 0. */
  readonly code?: number;
  readonly environment?: Readonly<Record<string, string>>;
}

/**
 * The real command `carryover`, as a person runs it, on a core.
 * @param args without the core's address
 * @throws Error with its output if it ends otherwise than expected
 */
export async function runCarryover(
  args: readonly string[],
  { url, apiKey }: Addressed,
  { code = 0, environment = {} }: CommandOptions = {},
): Promise<CommandRun> {
  const { PATH, HOME, TMPDIR } = process.env;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [cli, ...args, '--url', url], {
    env: { PATH, HOME, TMPDIR, CARRYOVER_API_KEY: apiKey, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const [output, errors, memoryMb] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    mostMemoryOf(child.pid ?? 0, closed),
    closed,
  ]);
  if (child.exitCode !== code)
    throw new Error(
      `carryover ${args[0] ?? ''} ended with ${child.exitCode ?? 'a signal'}: ${output}${errors.slice(-2000)}`,
    );
  return { seconds: (performance.now() - startedAt) / 1000, memoryMb, output };
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
