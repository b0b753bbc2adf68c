/** An installation in which the code of a thread is damaged: the program says which file, and ends; nothing waits for ever. */
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type DatabaseDoor, openDoor } from '../helpers/database-door.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { addressOf, type Program, runCommand, runMain } from '../helpers/process.ts';

const key = 'a-key-of-twenty-characters-or-more';
const repository = path.resolve(import.meta.dirname, '../..');
let root: string;
let database: TestDatabase;
let door: DatabaseDoor;

beforeAll(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'carryover-broken-'));
  for (const name of ['src', 'workers', 'package.json', 'config.yaml'])
    await cp(path.join(repository, name), path.join(root, name), { recursive: true });
  await symlink(path.join(repository, 'node_modules'), path.join(root, 'node_modules'));
  database = await createMigratedDatabase();
  door = await openDoor(database.connection);
});
afterAll(async () => {
  await door.remove();
  await database.drop();
  await rm(root, { recursive: true });
});

let whole: readonly [file: string, text: string];
async function damage(worker: string, text: string): Promise<string> {
  const file = path.join(root, 'workers', worker);
  whole = [file, await readFile(file, 'utf8')];
  await writeFile(file, text);
  return file;
}
const repair = (): Promise<void> => writeFile(...whole);
afterEach(repair);

const start = (environment: Record<string, string> = {}): Program =>
  runMain({ root, environment: { API_KEYS: key, POSTGRESQL_CONNECTION_URI: door.uri(), ...environment } });

const said = (file: string, reason: string): string =>
  `A thread cannot load ${file}: ${reason}. Install carryover again (npm ci, or the image), unless a limit of the machine is the reason\n`;

describe('threads of passwords that cannot be loaded', () => {
  test.each([
    ['with a database', () => door.uri()],
    ['without one', () => 'postgresql://app:pw@[::1]:1/app'],
  ])('end the start in one line, %s', async (_, uri) => {
    const file = await damage('password.ts', "import './gone.ts';\n");
    const program = start({ POSTGRESQL_CONNECTION_URI: uri() });
    expect([await program.ended, program.stderr()]).toEqual([
      [1, null],
      said(file, `Cannot find module '${path.join(root, 'workers/gone.ts')}' imported from ${file}`),
    ]);
    expect(program.stdout()).not.toContain('ending now');
  });
});

describe('threads of imports that cannot be loaded', () => {
  test('cost the requests that need them a 500, until they are repaired, and the stop is in order', async () => {
    const file = await damage('rows.ts', 'export default (;\n');
    const program = start();
    const address = await addressOf(program);
    await program.printed(/"msg":"ready"/);
    const post = async (route: string, body: string, type = 'application/json'): Promise<number> => {
      const headers = { 'api-key': key, 'content-type': type };
      return (await fetch(`${address}${route}`, { method: 'POST', headers, body })).status;
    };
    const user = { externalUserId: 'ada', loginMethods: [{ recipeId: 'passwordless', email: 'ada@b.test' }] };
    const upload = (query: string) =>
      post(`/bulk-import/jobs${query}`, `${JSON.stringify(user)}\n`, 'application/x-ndjson');
    const large = () =>
      post('/bulk-import/users', JSON.stringify({ users: [user], filling: ' '.repeat(70_000) }));
    expect([await upload('?dryRun=true'), await large()]).toEqual([500, 500]);
    const [, message = ''] = await program.printed(/"message":"(A thread cannot load [^"]*)"/);
    expect(`${message}\n`).toBe(said(file, `Expression expected (${file}:1)`));

    await repair();
    expect(await upload('')).toBe(200);
    expect(await program.end()).toEqual([0, null]);
    expect(program.stdout()).not.toContain('ending now');
  });
});

describe('threads of conversions that cannot be loaded', () => {
  test('end the command in one line', async () => {
    const file = await damage('convert.ts', 'export default (;\n');
    const table = path.join(root, 'users.csv');
    await writeFile(table, 'id,email\n1,ada@b.test\n');
    const args = [
      'convert',
      table,
      '--map',
      'externalUserId=id',
      '--map',
      'email=email',
      '--out',
      `${table}.ndjson`,
    ];
    const command = runCommand({ root, arguments: args });
    expect([await command.ended, command.stderr()]).toEqual([
      [2, null],
      expect.stringContaining(said(file, `Expression expected (${file}:1)`)),
    ]);
  });
});
