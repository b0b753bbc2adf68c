/** A MariaDB of the machine, for reading MySQL; without one these tests are left out, and reported. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createConnection } from 'mysql2/promise';

const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin', '/usr/local/sbin'];

function located(name: string): string | undefined {
  return folders.map((folder) => path.join(folder, name)).find((file) => existsSync(file));
}

const [server, installer] = [located('mariadbd'), located('mariadb-install-db')];

/** Whether there is one. Debian: `apt-get install mariadb-server`. */
export const hasMariadb = server !== undefined && installer !== undefined;

export interface MariadbDatabase {
  /** As on a command line. */
  readonly address: string;
  readonly drop: () => Promise<void>;
}

export interface Mariadb {
  /** A new database made by these statements. */
  create(name: string, statements: string): Promise<MariadbDatabase>;
  run(name: string, statements: string): Promise<void>;
  stop(): Promise<void>;
}

const user = { name: 'reader', password: 'p@ss:word/1' } as const;

/** Starts one that is reachable only by a socket. */
export async function startMariadb(): Promise<Mariadb> {
  if (server === undefined || installer === undefined) throw new Error('there is no MariaDB');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-mariadb-'));
  const [data, socket] = [path.join(folder, 'data'), path.join(folder, 'socket')];
  const asRoot = process.getuid?.() === 0 ? ['--user=root'] : [];
  await chmod(folder, 0o700);
  const made = [`--datadir=${data}`, '--auth-root-authentication-method=normal', '--skip-test-db', ...asRoot];
  execFileSync(installer, ['--no-defaults', ...made], { stdio: 'ignore' });
  const running = [`--datadir=${data}`, `--socket=${socket}`, '--skip-networking', ...asRoot];
  const child = spawn(server, ['--no-defaults', ...running], { stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface(child.stderr)) if (line.includes('ready for connections')) break;
  child.stderr.resume();
  const run = (database: string | undefined, statements: string) => runAsRoot(socket, database, statements);
  await run(undefined, `create user '${user.name}'@'localhost' identified by '${user.password}'`);
  return {
    run,
    async create(name, statements) {
      const quoted = `\`${name}\``;
      await run(undefined, `create database ${quoted} character set utf8mb4`);
      await run(name, statements);
      await run(undefined, `grant select on ${quoted}.* to '${user.name}'@'localhost'`);
      const secret = `${user.name}:${encodeURIComponent(user.password)}`;
      const address = `mysql://${secret}@localhost/${encodeURIComponent(name)}?socket=${socket}`;
      return { address, drop: () => run(undefined, `drop database ${quoted}`) };
    },
    async stop() {
      child.kill();
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function runAsRoot(
  socketPath: string,
  database: string | undefined,
  statements: string,
): Promise<void> {
  const named = database === undefined ? {} : { database };
  const connection = await createConnection({
    socketPath,
    user: 'root',
    multipleStatements: true,
    charset: 'utf8mb4',
    ...named,
  });
  try {
    await connection.query(statements);
  } finally {
    await connection.end();
  }
}
