import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startCluster } from './load/cluster.ts';

/** The machine, without which absolute figures mean nothing. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly platform: string;
  /** The embedded one, which serves every scenario, as `PostgreSQL 18.4`. */
  readonly postgresql: string;
  /** The server's settings for flushing commits to the disk, and for waiting for that. */
  readonly fsync: string;
  readonly synchronousCommit: string;
  /** Small synchronous writes a second on the disk of the temporary folder: the limit of commits. */
  readonly fsyncsPerSecond: number;
}

/** Starts the server that the scenarios use, queries it and stops it; writes and syncs for a moment. */
export async function describeMachine(): Promise<Machine> {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    platform: `${os.type()} ${os.release()}`,
    ...(await askServer()),
    fsyncsPerSecond: Math.round(fsyncsPerSecond(500)),
  };
}

async function askServer(): Promise<Pick<Machine, 'postgresql' | 'fsync' | 'synchronousCommit'>> {
  const cluster = await startCluster(1);
  try {
    const show = async (setting: string): Promise<string> => {
      const [row] = await cluster.database.read<Record<string, string>>(`show ${setting}`);
      return row?.[setting] ?? 'unknown';
    };
    return {
      // A packager may add its name after the number.
      postgresql: `PostgreSQL ${(await show('server_version')).split(' ')[0] ?? ''}`,
      fsync: await show('fsync'),
      synchronousCommit: await show('synchronous_commit'),
    };
  } finally {
    await cluster.stop();
  }
}

/** An 8 KiB write and an fdatasync into a preallocated file, as PostgreSQL's WAL does at a commit. */
function fsyncsPerSecond(count: number): number {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-fsync-'));
  const file = openSync(path.join(folder, 'file'), 'w');
  const page = Buffer.alloc(8192, 1);
  writeSync(file, Buffer.alloc(page.length * count));
  fsyncSync(file);
  const startedAt = performance.now();
  for (let i = 0; i < count; i++) {
    writeSync(file, page, 0, page.length, i * page.length);
    fdatasyncSync(file);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  closeSync(file);
  rmSync(folder, { recursive: true });
  return count / seconds;
}
