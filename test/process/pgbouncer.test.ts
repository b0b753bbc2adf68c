/** The program with a pooler, configured as docs/operate/postgres.md describes, and otherwise. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { refuseSharedConnections } from '../../src/database/connection/pooler.ts';
import { readConnectionUri } from '../../src/database/connection/uri.ts';
import { openDatabase } from '../../src/database/database.ts';
import { withSql } from '../helpers/database-door.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { hasPgBouncer, type PgBouncer, startPgBouncer } from '../helpers/pgbouncer.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { addressOf, type Program, runMain } from '../helpers/process.ts';

const page = readFileSync(new URL('../../docs/operate/postgres.md', import.meta.url), 'utf8');
const blockOf = (language: string): string =>
  new RegExp(`facts: pgbouncer[^]*?\`\`\`${language}\\n([^]*?)\`\`\``).exec(page)?.[1] ?? '';
/** As on the page, for a role and a database of the tests. */
const statements = blockOf('sql').trim().split('\n');
const ignored = blockOf('ini')
  .split('\n')
  .filter((line) => line.startsWith('ignore_startup_parameters'));

const apiKey = 'a-key-behind-the-pooler';
let database: TestDatabase;
let pooler: PgBouncer | undefined;
let program: Program | undefined;

beforeEach(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  await program?.end('SIGKILL');
  await pooler?.stop();
  [program, pooler] = [undefined, undefined];
  await database.drop();
});

async function giveSettings(): Promise<void> {
  expect(statements.length).toBeGreaterThan(10);
  const { user, database: name } = database.connection;
  await withSql(database.connection, async (sql) => {
    for (const each of statements)
      await sql.unsafe(each.replace('role core in database auth', `role ${user} in database ${name}`));
  });
}

async function startBehind(settings: readonly string[]): Promise<Program> {
  pooler = await startPgBouncer(database.connection, settings);
  program = runMain({ environment: { API_KEYS: apiKey, POSTGRESQL_CONNECTION_URI: pooler.uri } });
  return program;
}

async function refused(settings: readonly string[], why: RegExp): Promise<void> {
  const started = await startBehind(settings);
  expect(await started.ended).toEqual([1, null]);
  expect(started.stderr()).toMatch(why);
  expect(started.stderr()).toMatch(/see "PgBouncer" in docs\/operate\/postgres.md/);
}

// Runs if the machine has PgBouncer (Debian's package of that name); otherwise it is shown as skipped.
describe.runIf(hasPgBouncer)(
  'behind PgBouncer, which this machine has or the tests are skipped, a core',
  () => {
    test('works in session mode, with the settings of the page', async () => {
      await giveSettings();
      const started = await startBehind(['pool_mode = session', ...ignored]);
      await started.printed(/"msg":"ready"/);
      const url = await addressOf(started);
      const post = async (path: string, input: object) => {
        const init = { method: 'POST', headers: { 'api-key': apiKey }, body: JSON.stringify(input) };
        return (await fetch(url + path, init)).json();
      };
      const email = 'ada@example.com';
      const imported = await post('/recipe/user/passwordhash/import', { email, passwordHash: knownHash });
      expect(imported).toMatchObject({ status: 'OK' });
      expect(await post('/recipe/signin', { email, password: knownPassword })).toMatchObject({
        status: 'OK',
      });
      expect(await started.end()).toEqual([0, null]);
    });

    const inTransactionMode = /^A pooler gives each transaction another connection.*set pool_mode = session/;
    test('is refused in transaction mode, settings or not', async () => {
      await giveSettings();
      await refused(['pool_mode = transaction', ...ignored], inTransactionMode);
    });

    test.each([
      ['takes its connections in turn', ['server_round_robin = 1', 'min_pool_size = 4']],
      ['resets them', ['server_reset_query = DISCARD ALL', 'server_reset_query_always = 1']],
    ])('finds it also where the pooler %s', async (_how, more) => {
      await giveSettings();
      const settings = ['pool_mode = transaction', ...ignored, ...more];
      pooler = await startPgBouncer(database.connection, settings);
      await expect(refuseSharedConnections(readConnectionUri(pooler.uri, {}))).rejects.toThrow(
        inTransactionMode,
      );
    });

    test('is refused where its settings got lost', async () => {
      await refused(
        ['pool_mode = session', ...ignored],
        /^The database does not have this core's settings \(search_path, .*so a pooler is in between/,
      );
    });

    test('is refused by a pooler that does not know its settings', async () => {
      await giveSettings();
      await refused(['pool_mode = session'], /unsupported startup parameter.*A pooler in between/);
    });
  },
);

test('connections that are not shared are recognised, and keep no mark', async () => {
  await refuseSharedConnections(database.connection);
  const direct = openDatabase({ target: database.connection, poolSize: 1 });
  expect(await direct.read(`select current_setting('carryover.connection', true) as mark`)).toEqual([
    { mark: null },
  ]);
  await direct.close(1000);
});
