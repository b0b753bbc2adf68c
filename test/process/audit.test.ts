/** The audit log of programs that run, are stopped and are killed: the log's output equals the table. */
import os from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { runHere } from '../helpers/command.ts';
import { type DatabaseDoor, openDoor, withSql } from '../helpers/database-door.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { addressOf, type Program, runMain } from '../helpers/process.ts';

const keys = {
  api_keys: 'the-key-of-the-backend-of-all',
  migration: 'the-key-of-the-migration-team',
  support: 'the-key-of-the-people-on-call',
};
const scopes = { migration: ['import', 'read'], support: ['admin', 'read'] };
const named = Object.entries(scopes).map(([name, its]) => ({
  name,
  scopes: its,
  key: keys[name as keyof typeof keys],
}));

interface Row {
  readonly who: string;
  readonly what: string;
  readonly outcome: string | null;
  readonly count: number | null;
  readonly details: string;
}

let database: TestDatabase;
let door: DatabaseDoor;
const programs = new Set<Program>();

beforeEach(async () => {
  database = await createMigratedDatabase();
  door = await openDoor(database.connection);
});
afterEach(async () => {
  await Promise.all([...programs].map((program) => program.end('SIGKILL')));
  programs.clear();
  await door.remove();
  await database.drop();
});

async function start(): Promise<{ readonly program: Program; readonly url: string }> {
  const program = runMain({
    environment: {
      POSTGRESQL_CONNECTION_URI: door.uri(),
      API_KEYS: keys.api_keys,
      NAMED_KEYS: JSON.stringify(named),
    },
  });
  programs.add(program);
  const url = await addressOf(program);
  await program.printed(/"msg":"ready"/);
  return { program, url };
}

function ask(url: string, who: keyof typeof keys, [method, path, body]: readonly [string, string, object]) {
  return fetch(url + path, { method, headers: { 'api-key': keys[who] }, body: JSON.stringify(body) });
}

const rows = (): Promise<Row[]> =>
  withSql(database.connection, async (sql) =>
    (await sql<Row[]>`select who, what, outcome, count::int, details from carryover.audit order by id`).map(
      (row) => ({ ...row }),
    ),
  );

function linesOf(program: Program): Row[] {
  const lines = program.stdout().split('\n').filter(Boolean);
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'audit')
    .map(({ audit, who, outcome, count = null, details }) => {
      return { who, what: audit, outcome, count, details: JSON.stringify(details) } as Row;
    });
}

const inOrder = (each: readonly Row[]): string[] => each.map((row) => JSON.stringify(row)).toSorted();

test('each row has its line, whichever key did it, also what is written at the stop', async () => {
  const { program, url } = await start();
  const role = (name: string) => ['PUT', '/recipe/role', { role: name }] as const;
  const passwordless = { recipeId: 'passwordless', email: 'a@b.test', timeJoinedInMSSinceEpoch: 1 };
  await Promise.all([
    ask(url, 'api_keys', role('reader')),
    ask(url, 'support', role('writer')),
    ask(url, 'migration', role('editor')),
    ask(url, 'migration', ['POST', '/bulk-import/import', { loginMethods: [passwordless] }]),
    ask(url, 'support', ['POST', '/user/remove', { userId: 'nobody' }]),
  ]);
  expect(await program.end()).toEqual([0, null]);
  const kept = await rows();
  expect(inOrder(kept)).toEqual(inOrder(linesOf(program)));
  expect(kept.map(({ who, what, outcome }) => `${who} ${what} ${outcome}`).toSorted()).toEqual([
    'api_keys role.put OK',
    'core core.start OK',
    'migration import.user OK',
    'migration key.refused KEY_SCOPE_MISSING',
    'support role.put OK',
    'support user.remove OK',
  ]);
  for (const key of Object.values(keys)) expect(program.stdout()).not.toContain(key);
});

test('an act that a kill interrupts stays in the log once, with an end that is unknown', async () => {
  const { program, url } = await start();
  const interrupted = async (): Promise<Row[]> => (await rows()).filter(({ what }) => what === 'user.remove');
  await withSql(database.connection, (sql) =>
    sql.begin(async (held) => {
      await held`lock table carryover.users in access exclusive mode`;
      const answer = ask(url, 'support', ['POST', '/user/remove', { userId: 'somebody' }]).catch(
        () => 'none',
      );
      await expect.poll(interrupted).toHaveLength(1);
      await program.end('SIGKILL');
      expect(await answer).toBe('none');
    }),
  );
  const next = await start();
  expect((await ask(next.url, 'support', ['PUT', '/recipe/role', { role: 'late' }])).status).toBe(200);
  expect(await interrupted()).toEqual([
    { who: 'support', what: 'user.remove', outcome: null, count: null, details: '{"userId":"somebody"}' },
  ]);
  const environment = { CARRYOVER_API_KEY: keys.support };
  const listed = await runHere(['audit', '--url', next.url], { folder: os.tmpdir(), environment });
  const acts = listed.stdout.trimEnd().split('\n').slice(1);
  expect(acts.map((line) => line.replace(/^\S+ \S+ +/, '').replaceAll(/ {2,}/g, '  '))).toEqual([
    'support  127.0.0.1  role.put  OK  -  role late',
    expect.stringMatching(/^core {2}- {2}core\.start {2}OK/) as string,
    'support  127.0.0.1  user.remove  unknown  -  userId somebody',
    expect.stringMatching(/^core {2}- {2}core\.start {2}OK/) as string,
  ]);
});
