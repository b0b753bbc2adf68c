import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MessagePort, Worker } from 'node:worker_threads';
import { secondsOf } from './cpu.ts';
import type { Call } from './elsewhere.ts';

/** A server in a separate process. */
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

/** The entry of every process and thread of the benchmarks. */
const entry = fileURLToPath(new URL('elsewhere.ts', import.meta.url));
const apiKey = 'bench-key-of-more-than-twenty-characters';

/** Reported by a server process once it accepts connections. */
export interface Listening {
  readonly port: number;
}

/**
 * @param maxBatch maximum items in one statement; default: the core's own
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
  // By its name: importing this file must not load the whole core.
  const module = new URL('serve-core.ts', import.meta.url).href;
  return startServer({ module, name: 'serveCore', task: { maxBatch } }, env);
}

/** Starts a server by an exported function of a file, which resolves when it listens; SIGTERM ends it. */
export function startServerProcess(module: string, serve: () => Promise<Listening>): Promise<ServerProcess> {
  return startServer({ module, name: serve.name, task: undefined });
}

async function startServer(call: Call, env: Readonly<Record<string, string>> = {}): Promise<ServerProcess> {
  const child = fork(entry, {
    env: { PATH: process.env.PATH, ...env },
    execArgv: process.env.BENCH_CPU_PROF
      ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_CPU_PROF}`]
      : [],
  });
  const { port } = (await answerOf(child, call)) as Listening;
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
 * Calls an exported function of a file in a separate process, which ends with it.
 * @param module the file's URL @param task is sent as JSON, and so is the result @param flags of Node
 */
export async function runProcess<Task extends object, Result>(
  module: string,
  run: (task: Task) => Result | Promise<Result>,
  task: Task,
  flags: readonly string[] = [],
): Promise<Result> {
  const child = fork(entry, { execArgv: [...process.execArgv, ...flags] });
  const result = (await answerOf(child, { module, name: run.name, task })) as Result;
  await exited(child);
  return result;
}

/** Calls an exported function of a file in a separate thread, with a port to the thread that started it. */
export function startThread<Task>(
  module: string,
  run: (task: Task, port: MessagePort) => unknown,
  task: Task,
): Worker {
  return new Worker(entry, { workerData: { module, name: run.name, task } satisfies Call });
}

async function exited(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
}

/** @throws Error when the process ends without an answer */
async function answerOf(child: ChildProcess, call: Call): Promise<unknown> {
  child.send(call);
  const ended = once(child, 'exit').then(() => {
    throw new Error(`a process of the benchmark ended early: ${call.name} of ${call.module}`);
  });
  ended.catch(() => undefined);
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  return answer;
}
