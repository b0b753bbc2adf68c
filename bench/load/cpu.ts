import { readdirSync, readFileSync } from 'node:fs';
import type { Plot } from '../scenario.ts';

/** Seconds of user and system time. */
export interface CpuSplit {
  /** The core's main thread: HTTP and everything that is not computed in threads. */
  readonly coreMain: number;
  /** All its other threads: passwords, imports, and those of V8 and libuv. */
  readonly coreWorkers: number;
  /** The whole cluster, including processes that have ended. */
  readonly postgres: number;
  readonly client: number;
}

const clockTicksPerSecond = 100; // USER_HZ, the same on every Linux that Node runs on
/** Indexes in /proc/<pid>/stat after the command: parent, utime, stime, and those of children that were waited for. */
const [parentAt, utimeAt, stimeAt, cutimeAt, cstimeAt] = [1, 11, 12, 13, 14];

/** Labels in a picture. */
const names = {
  coreMain: 'core, main thread',
  coreWorkers: 'core, worker threads',
  postgres: 'PostgreSQL',
  client: 'client',
} as const satisfies Readonly<Record<keyof CpuSplit, string>>;

function split(secondsOfPart: (part: keyof CpuSplit) => number): CpuSplit {
  const [coreMain, coreWorkers] = [secondsOfPart('coreMain'), secondsOfPart('coreWorkers')];
  return { coreMain, coreWorkers, postgres: secondsOfPart('postgres'), client: secondsOfPart('client') };
}

/**
 * Begins to measure.
 * @returns a function that returns the seconds since then; the client, a process that has ended by then, reports its own
 */
export function watchCpu(corePid: number, postgresPid: number): (clientSeconds: number) => CpuSplit {
  const before = now(corePid, postgresPid);
  return (client) => {
    const after = { ...now(corePid, postgresPid), client };
    return split((part) => after[part] - (part === 'client' ? 0 : before[part]));
  };
}

export function addCpu(splits: readonly CpuSplit[]): CpuSplit {
  return split((part) => splits.reduce((total, each) => total + each[part], 0));
}

/** @param visits the number of users or requests @returns µs for each, by process */
export function cpuPlot(scenario: string, cpu: CpuSplit, visits: number): Plot {
  const microseconds = (seconds: number): number => Math.round((seconds * 1e7) / visits) / 10;
  const parts = Object.keys(names) as (keyof CpuSplit)[];
  return {
    id: 'cpu-split',
    series: parts.map((part) => ({ name: names[part], points: [[scenario, microseconds(cpu[part])]] })),
  };
}

function now(corePid: number, postgresPid: number): Omit<CpuSplit, 'client'> {
  const coreMain = secondsOf(`${corePid}/task/${corePid}`);
  return {
    coreMain,
    coreWorkers: secondsOf(String(corePid)) - coreMain,
    postgres: clusterSeconds(postgresPid),
  };
}

/** User and system time of a process, including its ended threads, or of one thread. */
export function secondsOf(path: string): number {
  const fields = statOf(path);
  return ticks(fields, utimeAt, stimeAt);
}

/** A server process belongs to the postmaster, which waits for it: after its end, it counts among the postmaster's children. */
function clusterSeconds(postmaster: number): number {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(statOf(name)[parentAt]) === postmaster)
    .reduce((sum, pid) => sum + secondsOf(pid), 0);
  return children + ticks(statOf(String(postmaster)), utimeAt, stimeAt, cutimeAt, cstimeAt);
}

function ticks(fields: readonly string[], ...places: readonly number[]): number {
  return places.reduce((sum, place) => sum + Number(fields[place] ?? 0), 0) / clockTicksPerSecond;
}

/** Empty when it ended in the meantime. */
function statOf(path: string): string[] {
  try {
    const stat = readFileSync(`/proc/${path}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}
