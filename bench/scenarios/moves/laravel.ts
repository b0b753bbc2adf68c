import { readFile } from 'node:fs/promises';
import bcrypt from 'bcrypt';
import postgres from 'postgres';
import { type Cluster, uriOf } from '../../load/cluster.ts';

/** A Laravel app's database on the cluster's server: the table of `test/sources/tables`, and users numbered from 1. */
export interface Laravel {
  /** As on a command line. */
  readonly address: string;
  readonly sql: postgres.Sql;
  remove(): Promise<void>;
}

const name = 'shop';
const tables = new URL('../../../test/sources/tables/laravel.sql', import.meta.url);

/** The least one: the hashes of as many users as change are computed. */
const cost = 4;
const passwords = 500;

export function passwordOf(n: number): string {
  return `password ${n % passwords} there`;
}

const fill = `
  insert into users (id, name, email, email_verified_at, password, created_at, updated_at)
  select n, 'User ' || n, 'user-' || n || '@example.com', t.at, ($1::text[])[1 + n % ${passwords}], t.at, t.at
  from generate_series(1, $2::int) n
  cross join lateral (select timestamp '2020-01-01' + n * interval '1 second' as at) t`;

/** @param users their number; user n has the email `user-n@example.com` and `passwordOf(n)` */
export async function createLaravel({ target, database }: Cluster, users: number): Promise<Laravel> {
  await database.write(`create database ${name}`);
  const connection = { ...target, database: name };
  const sql = postgres({ ...connection, max: 1, onnotice: () => undefined });
  await sql.unsafe(await readFile(tables, 'utf8'));
  await sql`truncate users`;
  await sql.unsafe(fill, [await hashes(), users]);
  await sql`select setval('users_id_seq', ${users})`;
  await sql`vacuum analyze users`;
  return {
    address: uriOf(connection),
    sql,
    async remove() {
      await sql.end();
      await database.write(`drop database ${name}`);
    },
  };
}

function hashes(): Promise<string[]> {
  return Promise.all(
    Array.from({ length: passwords }, async (_, n) =>
      // PHP's prefix of the same hash.
      (await bcrypt.hash(passwordOf(n), cost)).replace('$2b$', '$2y$'),
    ),
  );
}
