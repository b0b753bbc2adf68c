import { closeSync, fdatasyncSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** What absolute figures mean nothing without. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly node: string;
  readonly platform: string;
  /** Small synchronous writes a second on the disk of the temporary folder: what a commit cannot beat. */
  readonly fsyncsPerSecond: number;
}

export function describeMachine(): Machine {
  return {
    cpu: os.cpus()[0]?.model.trim() ?? 'unknown',
    cores: os.availableParallelism(),
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
    platform: `${os.type()} ${os.release()}`,
    fsyncsPerSecond: Math.round(fsyncsPerSecond(500)),
  };
}

/** An 8 KiB write and an fdatasync into a file that has its size, as PostgreSQL's WAL does at a commit. */
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
