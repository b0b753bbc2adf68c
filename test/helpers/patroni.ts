/** Three Patroni nodes with etcd and HAProxy from Debian's packages, with the files of examples/patroni. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  closeSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { commandAs } from '../../src/embedded/command.ts';
import { ordinaryUser } from '../../src/embedded/run-as.ts';
import { type CuttableWay, openCuttableWay } from './cuttable-way.ts';
import { freePort } from './free-port.ts';
import { names, Network, type NodeName, passwords, read, variablesOf } from './patroni-files.ts';
import { isAlive, killWithChildren } from './processes.ts';
import { hasHaproxy, type Proxy, runHaproxy } from './proxies.ts';

/** Of Debian's packages the newest: the example names 15, as in Debian 12. */
const binaries = globSync('/usr/lib/postgresql/*/bin/postgres')
  .map((file) => path.dirname(file))
  .toSorted()
  .at(-1);
export const hasServer = binaries !== undefined;
export const hasPatroni = existsSync('/usr/bin/patroni');
export const hasEtcd = existsSync('/usr/bin/etcd');
export const hasPatroniCluster = hasServer && hasPatroni && hasEtcd && hasHaproxy;

/** What Patroni's own HTTP interface reports of a node, by its cheapest paths. */
export type NodeRole = 'primary' | 'sync' | 'other';

export interface PatroniNode {
  readonly name: NodeName;
  /** 'other' as well if Patroni does not answer. */
  role(): Promise<NodeRole>;
  /** As superuser, on its own connection, to this PostgreSQL. @param database default: postgres */
  sql<Row extends object>(text: string, database?: string): Promise<Row[]>;
  /** As when its machine loses power: Patroni, PostgreSQL and its processes. */
  kill(): Promise<void>;
  /** After `kill`. */
  start(): void;
  /** Patroni hangs; PostgreSQL continues. */
  pause(): void;
  resume(): void;
  /** Patroni reaches etcd no more; all other connections stay. */
  cutFromEtcd(): void;
  mend(): void;
}

export interface PatroniCluster {
  readonly nodes: readonly PatroniNode[];
  /** For POSTGRESQL_CONNECTION_URI: all nodes by their addresses. */
  readonly uri: string;
  /** The same through HAProxy. */
  readonly balancedUri: string;
  /** As the operator types it. Resolves with what was printed. */
  patronictl(...args: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

const runAs = process.geteuid?.() === 0 ? ordinaryUser() : undefined;

function start(
  program: string,
  args: readonly string[],
  environment: Record<string, string>,
  log: string,
): ChildProcess {
  const { file, args: all, options } = commandAs(runAs, program, args);
  const into = openSync(log, 'a');
  const child = spawn(file, all, {
    ...options,
    env: { ...options.env, ...environment },
    stdio: ['ignore', into, into],
  });
  closeSync(into);
  return child;
}

function makeFolder(...parts: readonly string[]): string {
  const folder = path.join(...parts);
  mkdirSync(folder, { mode: 0o700 });
  if (runAs) chownSync(folder, runAs.uid, runAs.gid);
  return folder;
}

class Node implements PatroniNode {
  readonly name: NodeName;
  readonly #network: Network;
  readonly #folder: string;
  readonly #ways: readonly CuttableWay[];
  #patroni: ChildProcess | undefined;

  constructor(name: NodeName, network: Network, folder: string, ways: readonly CuttableWay[]) {
    this.name = name;
    this.#network = network;
    this.#folder = folder;
    this.#ways = ways;
    // A watchdog would restart the machine of the tests.
    const text = this.#ways.reduce(
      (whole, way, n) => whole.replace(`pg-${n + 1}:2379`, `127.0.0.1:${way.port}`),
      read('patroni.yml').replace('mode: automatic', "mode: 'off'"),
    );
    const own = network
      .replaced(text, name)
      .replaceAll('/usr/lib/postgresql/15/bin', binaries ?? '')
      .replaceAll('/var/lib/postgresql', folder)
      .replaceAll('/var/run/postgresql', folder);
    writeFileSync(this.configuration, own, { mode: 0o644 });
  }

  get configuration(): string {
    return path.join(this.#folder, 'config.yml');
  }

  get environment(): Record<string, string> {
    // Else Patroni asks etcd for its addresses, and goes around the ways that can be cut.
    return {
      ...variablesOf(this.#network.replaced(read('patroni_env.conf'), this.name)),
      PATRONI_ETCD_USE_PROXIES: 'true',
    };
  }

  get log(): string {
    return path.join(this.#folder, 'log');
  }

  start(): void {
    this.#patroni = start('/usr/bin/patroni', [this.configuration], this.environment, this.log);
  }

  async role(): Promise<NodeRole> {
    const url = `http://${this.#network.host(this.name)}:${this.#network.port('8008')}`;
    const answers = async (route: string): Promise<boolean> =>
      fetch(`${url}${route}`, { method: 'OPTIONS', signal: AbortSignal.timeout(2000) }).then(
        ({ ok }) => ok,
        () => false,
      );
    const [isPrimary, isSync] = await Promise.all([answers('/primary'), answers('/sync')]);
    return isPrimary ? 'primary' : isSync ? 'sync' : 'other';
  }

  async sql<Row extends object>(text: string, database = 'postgres'): Promise<Row[]> {
    const sql = postgres({
      host: this.#network.host(this.name),
      port: this.#network.port('5432'),
      user: 'postgres',
      password: passwords.SUPERUSER,
      database,
      max: 1,
      connect_timeout: 5,
      fetch_types: false,
      onnotice: () => undefined,
    });
    try {
      return await sql.unsafe<Row[]>(text);
    } finally {
      await sql.end({ timeout: 0 });
    }
  }

  /** Of the server that runs in this node's folder: the file of a killed one names a process that may be another's by now. */
  get #postmaster(): number | undefined {
    const data = path.join(this.#folder, '15/carryover');
    try {
      const pid = Number(readFileSync(path.join(data, 'postmaster.pid'), 'utf8').split('\n')[0]);
      return readlinkSync(`/proc/${pid}/cwd`) === data ? pid : undefined;
    } catch {
      return undefined;
    }
  }

  kill(): Promise<void> {
    const patroni = this.#patroni && isRunning(this.#patroni) ? this.#patroni.pid : undefined;
    return killWithChildren([patroni, this.#postmaster].filter((pid) => pid !== undefined));
  }

  pause(): void {
    this.#patroni?.kill('SIGSTOP');
  }

  resume(): void {
    this.#patroni?.kill('SIGCONT');
  }

  cutFromEtcd(): void {
    for (const way of this.#ways) way.cut();
  }

  mend(): void {
    for (const way of this.#ways) way.mend();
  }

  /** PostgreSQL ends itself, so that its shared memory is removed. */
  async stop(): Promise<void> {
    if (this.#patroni) await end(this.#patroni);
    const pid = this.#postmaster;
    if (pid !== undefined) process.kill(pid, 'SIGQUIT');
    while (pid !== undefined && isAlive(pid)) await delay(20);
    for (const way of this.#ways) await way.close();
  }
}

async function startEtcd(network: Network, folder: string): Promise<ChildProcess[]> {
  const members = names.map((name) => {
    const environment = variablesOf(network.replaced(read('etcd.env'), name));
    const own = makeFolder(folder, `etcd-${name}`);
    return start(
      '/usr/bin/etcd',
      [],
      { ...environment, ETCD_DATA_DIR: path.join(own, 'data') },
      path.join(own, 'log'),
    );
  });
  const healthy = `http://${network.host('pg-1')}:${network.port('2379')}/health`;
  const isHealthy = (): Promise<boolean> =>
    fetch(healthy).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isHealthy())) {
    if (members.some(({ exitCode }) => exitCode !== null)) throw new Error(`etcd ended: see ${folder}`);
    await delay(50);
  }
  return members;
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean =>
  exitCode === null && signalCode === null;

async function end(child: ChildProcess): Promise<void> {
  if (!isRunning(child)) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function openNode(name: NodeName, network: Network, folder: string): Promise<Node> {
  const ways = await Promise.all(
    names.map((each) => openCuttableWay(network.host(each), network.port('2379'))),
  );
  return new Node(name, network, makeFolder(folder, name), ways);
}

/** One primary, and a standby that commits wait for. */
export async function roles(nodes: readonly PatroniNode[]): Promise<Record<NodeRole, PatroniNode[]>> {
  const all: Record<NodeRole, PatroniNode[]> = { primary: [], sync: [], other: [] };
  await Promise.all(nodes.map(async (node) => all[await node.role()].push(node)));
  return all;
}

/** @throws Error unless `hasPatroniCluster` */
export async function startPatroni(): Promise<PatroniCluster> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-patroni-'));
  chmodSync(folder, 0o755);
  const network = await Network.open();
  const etcd = await startEtcd(network, folder);
  const nodes = await Promise.all(names.map((name) => openNode(name, network, folder)));
  const port = await freePort();
  const haproxy: Proxy = await runHaproxy(
    network.replaced(read('haproxy.cfg').replace('127.0.0.1:5432', `127.0.0.1:${port}`), 'pg-1'),
    port,
  );
  for (const node of nodes) node.start();
  const hosts = names.map((name) => `${network.host(name)}:${network.port('5432')}`);
  const uriAt = (where: string): string =>
    `postgresql://carryover:of-carryover@${where}/carryover?target_session_attrs=read-write&sslmode=disable`;
  return {
    nodes,
    uri: uriAt(hosts.join(',')),
    balancedUri: uriAt(`127.0.0.1:${port}`),
    patronictl: async (...args) => {
      const [first] = nodes;
      if (first === undefined) throw new Error('there are three nodes');
      const {
        file,
        args: all,
        options,
      } = commandAs(runAs, '/usr/bin/patronictl', ['-c', first.configuration, args].flat());
      const env = { ...options.env, ...first.environment };
      return (await promisify(execFile)(file, all, { ...options, env })).stdout;
    },
    stop: async () => {
      await haproxy.stop();
      await Promise.all(nodes.map((node) => node.stop()));
      await Promise.all(etcd.map(end));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
