/** A Laravel app's database in a move of its own, and the real command that follows it. */
import { createConnection } from 'mysql2/promise';
import { expect } from 'vitest';
import type { Place, Running } from './carryover.ts';
import type { TestCore } from './core.ts';
import { withSql } from './database-door.ts';
import type { Mariadb } from './mariadb.ts';
import { type MoveClient, moveClient } from './moves.ts';
import { knownHash, newApp } from './people.ts';
import type { TestDatabase } from './postgres.ts';
import { createOldDatabase } from './sources.ts';
import { withTestKey as key } from './use-core.ts';

export type FollowedEngine = 'PostgreSQL' | 'MariaDB';

export const newHash = '$2b$05$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';

/** @param options of the time's type */
export const userTable = (options = '') => `
  create table users (id bigint primary key, email varchar(255) not null, email_verified_at timestamp null,
    password varchar(255) not null, updated_at timestamp${options} null);
  insert into users (id, email, password, updated_at) values
    (1, 'u1@example.com', '${knownHash}', '2024-01-01 00:00:00'), (2, 'u2@example.com', '${knownHash}', '2023-01-01 00:00:00');`;

export const insertUser = (id: number, at = 'current_timestamp') =>
  `insert into users (id, email, password, updated_at) values (${id}, 'u${id}@example.com', '${knownHash}', ${at});`;
export const setPassword = (id: number) =>
  `update users set password = '${newHash}', updated_at = current_timestamp where id = ${id};`;

/** An old database. */
export interface Old {
  readonly address: string;
  readonly change: (statements: string) => Promise<void>;
  /** Runs `meanwhile` while a transaction that has made these changes is open, and commits it. */
  readonly during: (statements: string, meanwhile: () => Promise<void>) => Promise<void>;
  readonly drop: () => Promise<void>;
}

export interface Followed extends Old {
  readonly app: string;
  readonly move: MoveClient;
  /** In this process. */
  readonly once: (...more: string[]) => ReturnType<Place['run']>;
  /** As a process. */
  readonly start: (...more: string[]) => Running;
  readonly users: () => Promise<number>;
  /** Of its series, newest first. */
  readonly jobs: () => Promise<
    readonly {
      readonly startedAt: number;
      readonly name: string;
      readonly id: string;
      readonly state: string;
    }[]
  >;
  /** The lease of the app's follower ends, as if 15 seconds had passed. */
  readonly expire: () => Promise<void>;
}

interface Surroundings {
  readonly core: TestCore;
  readonly place: Place;
  readonly mariadb?: Mariadb | undefined;
  /** Where the command reaches the core; default: the core's own address. */
  readonly url?: string;
  /** Of an old database in PostgreSQL: the role of the command, and its password. */
  readonly role?: { readonly user: string; readonly password: string };
  /** One that exists, and the system that its tables belong to; left out: Laravel's. */
  readonly old?: Old & { readonly system: string };
}

export async function makeFollowed(
  engine: FollowedEngine,
  { core, place, mariadb, url: at = core.url, role, old: given }: Surroundings,
): Promise<Followed> {
  const app = await newApp(core);
  const old = given ?? (await (engine === 'PostgreSQL' ? inPostgres() : inMariadb(mariadb)));
  const system = given?.system ?? 'laravel';
  const bare = new URL(old.address);
  bare.password = '';
  const flags = ['--url', at, '--app', app.replace('/appid-', '')];
  const started = await place.run(['move', 'start', bare.href, '--from', system, '--yes', ...flags], key);
  expect(started).toMatchObject({ code: 0 });
  const address = new URL(old.address);
  if (role !== undefined) [address.username, address.password] = [role.user, role.password];
  const follow = (more: readonly string[]) => [
    ...['follow', address.href, '--from', system, '--yes', ...flags],
    ...more,
  ];
  return {
    ...old,
    app,
    move: moveClient(core, app),
    once: (...more) => place.run(follow(['--once', ...more]), key),
    start: (...more) => place.start(follow(['--interval', '1s', ...more]), key),
    users: async () => Number((await core.get(`${app}/users/count`)).body.count),
    jobs: async () =>
      (await core.get(`${app}/bulk-import/jobs?series=follow-1&limit=500`)).body.jobs as Awaited<
        ReturnType<Followed['jobs']>
      >,
    expire: () =>
      withSql(core.database.connection, async (sql) => {
        await sql`update carryover.move_leases set leased_until = 0`;
      }),
  };
}

async function inPostgres(): Promise<Old> {
  const old = await createOldDatabase(userTable());
  return {
    address: old.address,
    change: old.run,
    during: duringTransaction(old.connection),
    drop: () => old.drop(),
  };
}

export const duringTransaction =
  (connection: TestDatabase['connection']): Old['during'] =>
  (statements, meanwhile) =>
    withSql(connection, async (sql) => {
      await sql.begin(async (transaction) => {
        await transaction.unsafe(statements);
        await meanwhile();
      });
    });

let databases = 0;
async function inMariadb(server: Mariadb | undefined): Promise<Old> {
  if (server === undefined) throw new Error('there is no MariaDB');
  const name = `followed_${databases++}`;
  const { address, drop } = await server.create(name, userTable('(6)'));
  const socketPath = new URL(address).searchParams.get('socket') ?? '';
  return {
    address,
    change: (statements) => server.run(name, statements),
    async during(statements, meanwhile) {
      const connection = await createConnection({
        socketPath,
        user: 'root',
        database: name,
        multipleStatements: true,
      });
      try {
        await connection.beginTransaction();
        await connection.query(statements);
        await meanwhile();
        await connection.commit();
      } finally {
        await connection.end();
      }
    },
    drop,
  };
}
