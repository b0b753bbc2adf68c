import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ClientJob, ClientResult } from './import-client.ts';

export interface CoreProcess {
  readonly url: string;
  readonly apiKey: string;
  /** Resident memory now, MB. */
  memoryMb(): number;
  /** User and system time since its start, seconds. */
  cpuSeconds(): number;
  stop(): Promise<void>;
}

const apiKey = 'bench-key-of-more-than-twenty-characters';
const clockTicksPerSecond = 100; // USER_HZ, the same on every Linux that Node runs on

/** @param maxBatch items in one statement at the most; the core's own choice when left out */
export async function startCoreProcess(uri: string, maxBatch?: number): Promise<CoreProcess> {
  const child = fork(file('core-process.ts'), maxBatch === undefined ? [] : [String(maxBatch)], {
    env: {
      PATH: process.env.PATH,
      POSTGRESQL_CONNECTION_URI: uri,
      PORT: '0',
      API_KEYS: apiKey,
      LOG_LEVEL: 'warn',
    },
    execArgv: process.env.BENCH_CPU_PROF
      ? ['--cpu-prof', `--cpu-prof-dir=${process.env.BENCH_CPU_PROF}`]
      : [],
  });
  const { port } = (await message(child)) as { port: number };
  const proc = (name: string): string => readFileSync(`/proc/${child.pid ?? 0}/${name}`, 'utf8');
  return {
    url: `http://127.0.0.1:${port}`,
    apiKey,
    memoryMb: () => Number(/VmRSS:\s+(\d+)/.exec(proc('status'))?.[1] ?? NaN) / 1024,
    cpuSeconds: () => {
      const fields = proc('stat').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / clockTicksPerSecond;
    },
    stop: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

/** Runs the client in a process of its own until it has had every answer. */
export function runClient(job: ClientJob): Promise<ClientResult> {
  return runProcess<ClientResult>('import-client.ts', job);
}

/** Runs a file of this folder as a process of its own: tells it `job`, and resolves with what it says at the end. */
export async function runProcess<Result>(name: string, job: object): Promise<Result> {
  const child = fork(file(name));
  child.send(job);
  const result = (await message(child)) as Result;
  if (child.exitCode === null) await once(child, 'exit');
  return result;
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
