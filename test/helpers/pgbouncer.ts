/** A real PgBouncer before a database of the tests, if the machine has one. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';

/** Debian's package `pgbouncer`. */
export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

export interface PgBouncer {
  /** For POSTGRESQL_CONNECTION_URI. */
  readonly uri: string;
  stop(): Promise<void>;
}

/** @param settings lines of `[pgbouncer]` */
export async function startPgBouncer(
  { host, port, user, password, database }: EmbeddedConnection,
  settings: readonly string[],
): Promise<PgBouncer> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-pgbouncer-'));
  const owner = await stat(host);
  // It refuses to run as root, and needs access to the socket of PostgreSQL.
  const runAs = process.getuid?.() === 0 ? { uid: owner.uid, gid: owner.gid } : {};
  if (process.getuid?.() === 0) await chown(folder, owner.uid, owner.gid);
  await chmod(folder, 0o755);
  const file = path.join(folder, 'pgbouncer.ini');
  const behind = `host=${host} port=${port} dbname=${database} user=${user} password='${password}'`;
  const fixed = [`unix_socket_dir = ${folder}`, 'listen_port = 6432', 'auth_type = any'];
  await writeFile(
    file,
    ['[databases]', `auth = ${behind}`, '[pgbouncer]', ...fixed, ...settings, ''].join('\n'),
    { mode: 0o644 },
  );
  const child = spawn('pgbouncer', [file], { ...runAs, cwd: '/', stdio: ['ignore', 'ignore', 'pipe'] });
  const exit = once(child, 'exit');
  await new Promise<void>((resolve, reject) => {
    let log = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      if (log.includes('process up')) resolve();
    });
    void exit.then(() => {
      reject(new Error(`PgBouncer did not start:\n${log}`));
    });
  });
  return {
    uri: `postgresql://core@localhost/auth?host=${encodeURIComponent(folder)}&port=6432`,
    async stop() {
      child.kill('SIGTERM');
      await exit;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
