import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { secondsOf } from './cpu.ts';

/** A server as a process of its own. */
export interface ServerProcess {
  readonly pid: number;
  readonly url: string;
  readonly apiKey: string;
  /** Resident memory now, MB. */
  memoryMb(): number;
  /** User and system time since its start, seconds. */
  cpuSeconds(): number;
  /** Open file descriptors now. */
  fileDescriptors(): number;
  stop(): Promise<void>;
}

export type CoreProcess = ServerProcess;

const apiKey = 'bench-key-of-more-than-twenty-characters';

/**
 * @param maxBatch items in one statement at the most; the core's own choice when left out
 * @param settings further ones of the core, as in its environment: `HASHING_THREADS`
 */
export async function startCoreProcess(
  uri: string,
  maxBatch?: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<CoreProcess> {
  const env = {
    POSTGRESQL_CONNECTION_URI: uri,
    PORT: '0',
    API_KEYS: apiKey,
    LOG_LEVEL: 'warn',
    ...settings,
  };
  return startServerProcess('core-process.ts', maxBatch === undefined ? [] : [String(maxBatch)], env);
}

/** Starts a file of this folder that says its port when it listens, and ends at SIGTERM. */
export async function startServerProcess(
  name: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServerProcess> {
  const child = fork(file(name), args, {
    env: { PATH: process.env.PATH, ...env },
    execArgv: process.env.BENCH_CPU_PROF
      ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_CPU_PROF}`]
      : [],
  });
  const { port } = (await message(child)) as { port: number };
  const pid = child.pid ?? 0;
  return {
    pid,
    url: `http://127.0.0.1:${port}`,
    apiKey,
    memoryMb: () => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? NaN) / 1024;
    },
    cpuSeconds: () => secondsOf(String(pid)),
    fileDescriptors: () => readdirSync(`/proc/${pid}/fd`).length,
    stop: async () => {
      child.kill('SIGTERM');
      await exited(child);
    },
  };
}

/**
 * Runs a file of this folder as a process of its own: tells it `job`, and resolves with what it says at the end.
 * @param flags of Node
 */
export async function runProcess<Result>(
  name: string,
  job: object,
  flags: readonly string[] = [],
): Promise<Result> {
  const child = fork(file(name), { execArgv: [...process.execArgv, ...flags] });
  child.send(job);
  const result = (await message(child)) as Result;
  await exited(child);
  return result;
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** @throws Error when the process ends without having said anything */
async function message(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`a process of the benchmark ended early: ${child.spawnargs.join(' ')}`);
  });
  ended.catch(() => undefined);
  const [said] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  return said;
}

function file(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
