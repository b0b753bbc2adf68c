/** A move that leads, the old system's database, and the command that writes back into it. */
import { expect } from 'vitest';
import { createConnection } from 'mysql2/promise';
import { identityOf, readAddress } from '../../src/exports/sources/engines/address.ts';
import type { Place } from './carryover.ts';
import type { TestCore } from './core.ts';
import { withSql } from './database-door.ts';
import { hasMariadb, type Mariadb } from './mariadb.ts';
import { whileRenewing } from './moves.ts';
import { createOldDatabase, mysqlTablesOf, tablesOf } from './sources.ts';
import { userOf } from './people.ts';
import { withTestKey } from './use-core.ts';

type Row = Readonly<Record<string, unknown>>;

export interface WrittenDatabase {
  readonly address: string;
  readonly run: (statements: string) => Promise<void>;
  readonly rows: <Kind extends object = Row>(query: string) => Promise<readonly Kind[]>;
  readonly drop: () => Promise<void>;
}

export const writableEngines = [['PostgreSQL'], ...(hasMariadb ? [['MariaDB']] : [])];

/** @param system whose tables are in test/sources/tables; MariaDB's are in a file of its own */
export function openWritten(system: string, mariadb: Mariadb | undefined): Promise<WrittenDatabase> {
  return mariadb === undefined ? inPostgres(system) : inMariadb(mariadb, system);
}

async function inPostgres(system: string): Promise<WrittenDatabase> {
  const made = await createOldDatabase(await tablesOf(system));
  const { address, connection, run } = made;
  return {
    address,
    run,
    rows: <Kind extends object>(query: string) =>
      withSql(connection, async (sql) => [...(await sql.unsafe<Kind[]>(query))]),
    drop: () => made.drop(),
  };
}

let count = 0;
async function inMariadb(mariadb: Mariadb, system: string): Promise<WrittenDatabase> {
  const name = `shop${(count += 1)}`;
  const { address, drop } = await mariadb.create(name, await mysqlTablesOf(system));
  await mariadb.run(name, `grant insert, update, delete on ${name}.* to 'reader'@'localhost'`);
  const socketPath = new URL(address).searchParams.get('socket') ?? '';
  return {
    address,
    drop,
    run: (statements) => mariadb.run(name, statements),
    async rows<Kind extends object>(query: string) {
      const connection = await createConnection({ socketPath, user: 'root', database: name });
      const [found] = await connection.query(query);
      await connection.end();
      return found as Kind[];
    },
  };
}

export interface Leading {
  readonly core: TestCore;
  readonly place: Place;
  /** The beginning of its paths. */
  readonly app: string;
  readonly system: string;
  readonly old: WrittenDatabase;
}

/** A move of all users, and what a test does in it. */
export function writingBack({ core, place, app, system, old }: Leading) {
  const source = { system, address: identityOf(readAddress(old.address, undefined)) };
  const where = ['--url', core.url, '--app', app.replace('/appid-', '')];
  const ok = async (path: string, input: object) => {
    const { body } = await core.post(`${app}${path}`, input);
    expect(body).toMatchObject({ status: 'OK' });
    return body;
  };
  return {
    source,
    ok,

    async lead(): Promise<void> {
      await ok('/move', source);
      await ok('/move/plan', { users: 1 });
      await ok('/move/next', {});
      await ok('/move/comparison', { users: 1, unexplained: 0, tookMs: 1 });
      await ok('/move/way-back', { users: 1, without: 0, tookMs: 1 });
      const { fence } = await ok('/move/lease', { role: 'follow', holder: 'f', ...source });
      const renew = () => core.put(`${app}/move/lease`, { role: 'follow', fence, lagMs: 1 });
      await renew();
      await whileRenewing(renew, ok('/move/next', { share: 100, refusedBefore: 1 }));
    },

    writeBack: (...more: string[]) =>
      place.run(
        ['write-back', old.address, '--from', system, '--yes', '--json', ...more, ...where],
        withTestKey,
      ),

    follow: (...more: string[]) =>
      place.run(['follow', old.address, '--from', system, '--once', '--yes', ...more, ...where], withTestKey),

    compare: (...more: string[]) =>
      place.run(['compare', old.address, '--from', system, ...more, ...where], withTestKey),

    signUp: async (email: string, password: string) =>
      userOf(await core.post(`${app}/recipe/signup`, { email, password })).id,

    changed: (recipeUserId: string, input: object) =>
      core.put(`${app}/recipe/user`, { recipeUserId, ...input }),
  };
}

/** What `--json` printed. */
export function tallyOf({ stdout, stderr }: { stdout: string; stderr: string }): object {
  expect(stderr).not.toContain('error');
  return JSON.parse(stdout) as object;
}
