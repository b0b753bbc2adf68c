/** A connection to PostgreSQL that a test can close and reopen, and locks that hold a core's writes. */
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import postgres from 'postgres';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';

export interface DatabaseDoor {
  /** As the given one, through the door. */
  readonly connection: EmbeddedConnection;
  /** The same over TCP, as a URI; `password` instead of the right one. */
  uri(password?: string): string;
  /** Ends every connection and accepts no new one. */
  shut(): Promise<void>;
  open(): Promise<void>;
  /** Passes on no more bytes, without breaking a connection: as a network that drops everything, or a stopped server. */
  stall(): void;
  /** The same for the connections that are open now; new ones are served: as after the fail-over of an address. */
  stallOpenOnes(): void;
  /** As `stallOpenOnes`, for the server's bytes alone: statements arrive. */
  stallAnswers(): void;
  /** Passes on buffered and further bytes. */
  resume(): void;
  /** Closes it permanently. */
  remove(): Promise<void>;
}

const fileName = '.s.PGSQL.5432';

/** An open door: a Unix socket in a separate folder, and a TCP port. */
export async function openDoor(to: EmbeddedConnection): Promise<DatabaseDoor> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-door-'));
  const target = path.join(to.host, `.s.PGSQL.${to.port}`);
  const [socket, port] = [new Listener(target), new Listener(target)];
  await socket.listen({ path: path.join(folder, fileName) });
  await port.listen({ host: '127.0.0.1', port: 0 });
  const tcp = { host: '127.0.0.1', port: port.port };
  return {
    connection: { ...to, host: folder, port: 5432 },
    uri: (password = to.password) =>
      `postgresql://${to.user}:${encodeURIComponent(password)}@${tcp.host}:${tcp.port}/${to.database}`,
    shut: async () => {
      await Promise.all([socket.close(), port.close()]);
    },
    open: async () => {
      await Promise.all([socket.listen({ path: path.join(folder, fileName) }), port.listen(tcp)]);
    },
    stall: () => {
      for (const listener of [socket, port]) listener.stall();
    },
    stallOpenOnes: () => {
      for (const listener of [socket, port]) listener.stallOpenOnes();
    },
    stallAnswers: () => {
      for (const listener of [socket, port]) listener.stallAnswers();
    },
    resume: () => {
      for (const listener of [socket, port]) listener.resume();
    },
    remove: async () => {
      await Promise.all([socket.close(), port.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface ClosingProxy {
  /** Host and port. */
  readonly address: string;
  /** Accepted so far. */
  connections(): number;
  close(): Promise<void>;
}

/** A proxy without a server behind it: it accepts connections, and closes each at once. */
export async function closing(port = 0): Promise<ClosingProxy> {
  let connections = 0;
  const server = net.createServer((socket) => {
    connections++;
    // Unread bytes would keep it open.
    socket
      .on('error', () => undefined)
      .resume()
      .end();
  });
  await once(server.listen(port, '127.0.0.1'), 'listening');
  return {
    address: `127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    connections: () => connections,
    close: async () => {
      server.close();
      await once(server, 'close');
    },
  };
}

/** Handles a client before its bytes are passed on. Rejects for one that is refused. */
type Meet = (near: net.Socket) => Promise<net.Socket>;

/** Passes every byte on, both ways. */
export class Listener {
  readonly #target: string;
  readonly #meet: Meet;
  /** The destination of each socket's bytes. */
  readonly #ways = new Map<net.Socket, net.Socket>();
  readonly #servers = new WeakSet<net.Socket>();
  #server: net.Server | undefined;
  #isStalled = false;

  /** @param target a socket file */
  constructor(target: string, meet: Meet = (near) => Promise.resolve(near)) {
    this.#target = target;
    this.#meet = meet;
  }

  get port(): number {
    const address = this.#server?.address();
    return typeof address === 'object' && address ? address.port : 0;
  }

  async listen(where: net.ListenOptions): Promise<void> {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      this.#meet(socket).then(
        (near) => {
          this.#passOn(near);
        },
        () => socket.destroy(),
      );
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(where, resolve);
    });
    this.#server = server;
  }

  #passOn(near: net.Socket): void {
    const far = net.connect(this.#target);
    this.#servers.add(far);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.#ways.delete(socket);
        other.destroy();
      });
      if (!this.#isStalled) socket.pipe(other);
      else socket.pause();
      this.#ways.set(socket, other);
    }
  }

  /** Ends every connection. */
  cut(): void {
    for (const socket of this.#ways.keys()) socket.destroy();
  }

  /** Holds every byte back from now on, of new connections too. */
  stall(): void {
    this.#isStalled = true;
    this.stallOpenOnes();
  }

  stallOpenOnes(): void {
    for (const [socket, other] of this.#ways) socket.unpipe(other).pause();
  }

  stallAnswers(): void {
    for (const [socket, other] of this.#ways) if (this.#servers.has(socket)) socket.unpipe(other).pause();
  }

  resume(): void {
    this.#isStalled = false;
    for (const [socket, other] of this.#ways) socket.pipe(other);
  }

  async close(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => {
      if (server)
        server.close(() => {
          resolve();
        });
      else resolve();
    });
    this.cut();
    await closed;
  }
}

export interface HeldWrites {
  /** Resolves when this many statements wait for the lock. */
  waiting(count: number): Promise<void>;
  /** Releases them. May be called again. */
  release(): Promise<void>;
}

/** Locks every tenant's row, so that no user can be written until it is released. Reads continue. */
export async function holdWrites(connection: EmbeddedConnection): Promise<HeldWrites> {
  const sql = postgres({ ...connection, max: 2, onnotice: () => undefined });
  const holder = await sql.reserve();
  await holder`begin`;
  await holder`select from carryover.tenants for update`;
  let isHeld = true;
  return {
    waiting: async (count) => {
      for (let found = -1; found < count;) {
        const [row] = await sql<{ n: number }[]>`
          select count(*)::int as n from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        found = row?.n ?? 0;
      }
    },
    release: async () => {
      if (!isHeld) return;
      isHeld = false;
      await holder`rollback`;
      holder.release();
      await sql.end();
    },
  };
}

/** Any statements, bypassing the core. */
export async function withSql<Result>(
  connection: EmbeddedConnection,
  work: (sql: postgres.Sql) => Promise<Result>,
): Promise<Result> {
  const sql = postgres({ ...connection, max: 1, onnotice: () => undefined });
  try {
    return await work(sql);
  } finally {
    await sql.end();
  }
}
