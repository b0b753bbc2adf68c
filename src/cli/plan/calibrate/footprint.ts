import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';

/** The present use of processes and folders. Processes are examined through /proc, which only Linux has. */
export interface ProcessUse {
  /** Private resident bytes. */
  readonly privateBytes: number;
  /** Resident bytes of shared memory. */
  readonly sharedBytes: number;
  /** User and system time since its start, seconds; for a process with children, including those that ended. */
  readonly cpuSeconds: number;
}

const clockTicksPerSecond = 100; // USER_HZ, the same on every Linux that Node runs on

/** @returns undefined where the system does not report it */
export async function processUse(pid: number): Promise<ProcessUse | undefined> {
  const [status, line] = await Promise.all(
    ['status', 'stat'].map((name) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => undefined)),
  );
  if (status === undefined || line === undefined) return undefined;
  const kib = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  // The name of the program is in brackets and may contain anything: the fields come after it.
  const fields = line.slice(line.lastIndexOf(') ') + 2).split(' ');
  const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at] ?? 0), 0);
  return {
    privateBytes: (kib('RssAnon') + kib('RssFile')) * 1024,
    sharedBytes: kib('RssShmem') * 1024,
    cpuSeconds: ticks / clockTicksPerSecond,
  };
}

/** A process with its children, with shared memory counted once. */
export async function familyUse(pid: number): Promise<ProcessUse | undefined> {
  const pids = [pid, ...(await childrenOf(pid))];
  const uses = (await Promise.all(pids.map(processUse))).filter((use) => use !== undefined);
  if (uses.length === 0) return undefined;
  return {
    privateBytes: uses.reduce((sum, use) => sum + use.privateBytes, 0),
    sharedBytes: Math.max(...uses.map((use) => use.sharedBytes)),
    cpuSeconds: uses.reduce((sum, use) => sum + use.cpuSeconds, 0),
  };
}

async function childrenOf(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

/** Bytes of all files in a folder; files that disappear in the meantime do not count. */
export async function folderBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const sizes = entries.map((entry) => {
    const at = path.join(folder, entry.name);
    if (entry.isDirectory()) return folderBytes(at);
    return stat(at).then(
      ({ size }) => size,
      () => 0,
    );
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
