import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from '../process/startup-error.ts';
import { clusterPath } from './cluster.ts';
import type { EmbeddedConnection } from './embedded.ts';
import { accepts } from './leftover.ts';
import { DATABASE, ROLE } from './role.ts';

export async function hasCluster(dataDir: string): Promise<boolean> {
  return (await read(path.join(clusterPath(dataDir), 'PG_VERSION'))) !== undefined;
}

/**
 * Connection settings for another process to the PostgreSQL of a core that runs on this folder.
 * @returns undefined while none runs
 * @throws StartupError if this user may not read the files
 */
export async function findRunning(dataDir: string): Promise<EmbeddedConnection | undefined> {
  const lines = (await read(path.join(clusterPath(dataDir), 'postmaster.pid')))?.split('\n');
  // PostgreSQL's postmaster.pid: pid, folder, start, port, folder of the socket.
  const [port, host] = [Number(lines?.[3]), lines?.[4] ?? ''];
  if (!(port > 0) || host === '' || !(await accepts(path.join(host, `.s.PGSQL.${port}`)))) return undefined;
  const password = (await read(path.join(dataDir, 'postgres-password')))?.trim();
  if (password === undefined) return undefined;
  return { host, port, user: ROLE, password, database: DATABASE };
}

/** @returns undefined without such a file */
async function read(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code !== 'EACCES') throw error;
    const cure = 'may not be read by this user: be the user that runs the core';
    throw new StartupError(`${file}: ${cure}`, { cause: error });
  }
}
