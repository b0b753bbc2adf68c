/** Keys of a running program: the generated one, and that keys are read again on request. */
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { type DatabaseDoor, openDoor } from '../helpers/database-door.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { addressOf, type Program, runMain } from '../helpers/process.ts';

let folder: string;
let database: TestDatabase;
let door: DatabaseDoor;
let program: Program | undefined;

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-keys-'));
  database = await createMigratedDatabase();
  door = await openDoor(database.connection);
});
afterEach(async () => {
  await program?.end('SIGKILL');
  await door.remove();
  await database.drop();
  await rm(folder, { recursive: true });
});

test('SIGHUP reads the files of keys again, and what is wrong changes nothing', async () => {
  const file = path.join(folder, 'key');
  const dataDir = path.join(folder, 'data');
  await writeFile(file, 'the-first-key-of-monitoring\n');
  const named = [{ name: 'monitoring', scopes: ['metrics'], key_file: file }];
  program = runMain({
    environment: {
      POSTGRESQL_CONNECTION_URI: door.uri(),
      DATA_DIR: dataDir,
      NAMED_KEYS: JSON.stringify(named),
    },
  });
  await program.printed(/"msg":"ready"/);
  const base = await addressOf(program);
  const asks = async (key: string): Promise<number> =>
    (await fetch(`${base}/metrics`, { headers: { 'api-key': key } })).status;
  expect(await asks('the-first-key-of-monitoring')).toBe(200);
  // Named keys alone, with a database elsewhere: nothing is written into a folder.
  expect(existsSync(dataDir)).toBe(false);

  await writeFile(file, 'short\n');
  program.child.kill('SIGHUP');
  await program.printed(/named_keys: key 'monitoring'.*the keys could not be read again/);
  expect(await asks('the-first-key-of-monitoring')).toBe(200);

  await writeFile(file, 'the-second-key-of-monitoring\n');
  program.child.kill('SIGHUP');
  await program.printed(/"named":\["monitoring"\],"msg":"keys were read again"/);
  expect(await asks('the-first-key-of-monitoring')).toBe(401);
  expect(await asks('the-second-key-of-monitoring')).toBe(200);
  expect(program.stdout()).not.toMatch(/-key-of-monitoring/);
  expect(await program.end()).toEqual([0, null]);
});
