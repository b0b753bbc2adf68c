/** A primary and a streaming standby, of the PostgreSQL that comes with the core. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { type Command, commandAs } from '../../src/embedded/command.ts';
import { locateBinaries, openPrograms, type Programs } from '../../src/embedded/programs.ts';
import { ordinaryUser } from '../../src/embedded/run-as.ts';
import { createLogger } from '../../src/process/log.ts';

export interface Node {
  readonly port: number;
  /** As superuser, on its own connection. */
  sql<Row extends object>(text: string): Promise<Row[]>;
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

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  return port;
}

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // After the command in parentheses: state and parent.
        return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}

/** A zombie that its parent has not waited for is dead. */
function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') === false;
  } catch {
    return false;
  }
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
    const settings = ['-c', `port=${this.port}`, '-c', 'listen_addresses=127.0.0.1'];
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

  async sql<Row extends object>(text: string): Promise<Row[]> {
    const sql = postgres({
      host: '127.0.0.1',
      port: this.port,
      user: 'postgres',
      database: 'postgres',
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
    process.kill(pid, 'SIGSTOP'); // it starts no other meanwhile
    const all = [pid, ...childrenOf(pid)];
    for (const each of all) process.kill(each, 'SIGKILL');
    while (all.some(isAlive)) await turn();
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
  /** After `kill`: recovers from its log. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** A server without a standby, which may be killed and started again. */
export async function startAlone(): Promise<Alone> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-alone-'));
  chmodSync(folder, 0o755);
  const own = mkdtempSync(path.join(folder, 'one'));
  if (runAs) chownSync(own, runAs.uid, runAs.gid);
  const log = createLogger({ level: 'error' });
  const programs = await openPrograms(locateBinaries(), runAs, { dataDir: folder, log });
  const server = new Server(programs, own, await freePort());
  server.init();
  await server.start();
  await server.sql('create role core login');
  await server.sql('create database core owner core');
  return {
    port: server.port,
    uri: `postgresql://core@127.0.0.1:${server.port}/core?sslmode=disable`,
    sql: (text) => server.sql(text),
    kill: () => server.kill(),
    start: () => server.start(),
    remove: async () => {
      await server.stop();
      await programs.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startReplicated(): Promise<Replicated> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-replicated-'));
  chmodSync(folder, 0o755);
  const folders = ['one', 'two'].map((name) => {
    const of = mkdtempSync(path.join(folder, name));
    if (runAs) chownSync(of, runAs.uid, runAs.gid);
    return of;
  });
  const log = createLogger({ level: 'error' });
  const programs = await openPrograms(locateBinaries(), runAs, { dataDir: folder, log });
  const [primary, standby] = await Promise.all(
    folders.map(async (of) => new Server(programs, of, await freePort())),
  );
  if (primary === undefined || standby === undefined) throw new Error('two servers were asked for');
  primary.init();
  await primary.start();
  await primary.sql('create role core login');
  await primary.sql('create database core owner core');
  await primary.stop();
  primary.copyTo(standby);
  await Promise.all([primary.start(), standby.start()]);
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
    stop: async () => {
      await Promise.all([standby.stop(), primary.stop()]);
      await programs.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
