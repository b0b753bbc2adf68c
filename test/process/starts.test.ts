/** A gate: each failure of a start ends in one line with the cure, or is repeated with one. Never a stack, never endless silence. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ConfigError, loadConfig } from '../../src/config/load.ts';
import { StartupError } from '../../src/process/startup-error.ts';
import { adviceOnStart } from '../../src/database/connection/advice.ts';
import { readConnectionUri } from '../../src/database/connection/uri.ts';
import { closing, type DatabaseDoor, openDoor, withSql } from '../helpers/database-door.ts';
import { createDatabase, createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import {
  addressOf,
  makeWorkplace,
  type Program,
  runCommand,
  runMain,
  type Workplace,
} from '../helpers/process.ts';

const root = path.resolve(import.meta.dirname, '../..');
const secret = 'SECRET';
const key = 'a-key-of-twenty-characters-or-more';
const uri = 'postgresql://app:pw@db.test:5432/app';

/** The error that stops a start before anything is begun. */
function refusal(environment: Record<string, string>): string {
  try {
    const { postgresqlConnectionUri } = loadConfig({ environment });
    if (postgresqlConnectionUri !== undefined) readConnectionUri(postgresqlConnectionUri, environment);
  } catch (error) {
    if (error instanceof ConfigError || error instanceof StartupError) return error.message;
    throw error;
  }
  return 'starts';
}

describe('an environment', () => {
  const instead = (name: string) =>
    `${name} is no setting here: write POSTGRESQL_CONNECTION_URI=postgresql://user:password@host:5432/database`;
  test.each<readonly [Record<string, string>, string]>([
    [{}, 'starts'],
    [{ POSTGRESQL_HOST: secret }, instead('POSTGRESQL_HOST')],
    [{ POSTGRESQL_PASSWORD: secret }, instead('POSTGRESQL_PASSWORD')],
    [{ POSTGRESQL_PASSWORD_FILE: secret }, 'POSTGRESQL_PASSWORD_FILE is no setting here'],
    [{ POSTGRESQL_DATABASE_NAME: secret }, instead('POSTGRESQL_DATABASE_NAME')],
    [{ POSTGRESQL_TABLE_SCHEMA: secret }, "the core's tables are in the schema carryover"],
    [
      { DATABASE_URL: `postgres://${secret}` },
      'DATABASE_URL is no setting here: write POSTGRESQL_CONNECTION_URI=the same',
    ],
    [{ POSTGRES_CONNECTION_URI: secret }, 'POSTGRES_CONNECTION_URI is no setting here'],
    [{ POSTGRES_PASSWORD: secret }, instead('POSTGRES_PASSWORD')],
    [{ API_KEY: secret }, 'API_KEY is no setting here: write API_KEYS'],
    [{ SUPERTOKENS_PORT: secret }, 'SUPERTOKENS_PORT is no setting here: write PORT'],
    [{ IP_ALLOW_REGEX: secret }, 'IP_ALLOW_REGEX is no setting here: a proxy or a firewall allows addresses'],
    [{ BASE_PATH: secret }, 'BASE_PATH is no setting here: the core answers at / only'],
    // Our own settings count, and the rest belongs to another program.
    [{ POSTGRESQL_CONNECTION_URI: uri, DATABASE_URL: secret, POSTGRESQL_HOST: secret }, 'starts'],
    [{ API_KEYS: key, API_KEY: secret }, 'starts'],
    [{ API_KEYS: `"${key}"` }, 'API_KEYS: is in quotes, which are part of the value here: remove them'],
    [{ API_KEYS: `'${key}','${key}2'` }, 'is in quotes'],
    [{ LOG_LEVEL: '"info"' }, 'LOG_LEVEL: is in quotes'],
    [{ HOST: "'::'" }, 'HOST: is in quotes'],
    [{ BCRYPT_PEPPER: '"pepper"' }, 'starts'],
    [{ PORT: secret }, 'port: must be a whole number from 0 to 65535 (PORT in the environment)'],
    [{ REQUIRE_API_KEY: 'True' }, 'must be true or false (REQUIRE_API_KEY in the environment)'],
    [
      { FRONT_END: 'UWEBSOCKETS', KEEP_ALIVE_TIMEOUT_MS: '60000' },
      'set front_end to NODE_HTTP or AUTO, or remove it (KEEP_ALIVE_TIMEOUT_MS in the environment)',
    ],
    [{ FRONT_END: 'AUTO', KEEP_ALIVE_TIMEOUT_MS: '60000' }, 'starts'],
    [{ LOG_LEVEL: 'warning' }, 'fatal, silent (LOG_LEVEL in the environment)'],
    [{ POSTGRESQL_CONNECTION_POOL_SIZE: '3' }, '(POSTGRESQL_CONNECTION_POOL_SIZE in the environment)'],
    [
      { POSTGRESQL_CONNECTION_URI: `postgresql://app:p@${secret}:/x@h/d` },
      'write @ : / ? # % in them as %40 %3A %2F %3F %23 %25 (POSTGRESQL_CONNECTION_URI in the environment)',
    ],
    [{ POSTGRESQL_CONNECTION_URI: `"${uri}"` }, 'POSTGRESQL_CONNECTION_URI: is in quotes'],
    [{ POSTGRESQL_CONNECTION_URI: `${uri} ` }, 'begins or ends with a blank or a line end'],
    [{ POSTGRESQL_CONNECTION_URI: uri, PGSSLMODE: 'sure' }, 'sslmode (from PGSSLMODE) must be one of'],
    [{ POSTGRESQL_CONNECTION_URI: `${uri}?service=none` }, 'service is in none of'],
  ])('%j: %s', (environment, expected) => {
    const said = refusal(environment);
    expect(said).toContain(expected);
    expect(said).not.toMatch(/SECRET|\n/);
  });

  test('a key of another program in config.yaml has the cure', async () => {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-starts-'));
    const file = path.join(folder, 'config.yaml');
    await writeFile(file, `postgresql_host: ${secret}\n`);
    expect(() => loadConfig({ file, environment: {} })).toThrow(
      `${file}: unknown key 'postgresql_host': write POSTGRESQL_CONNECTION_URI=`,
    );
    await rm(folder, { recursive: true });
  });
});

let database: TestDatabase;
let door: DatabaseDoor;
let folder: string;
beforeAll(async () => {
  database = await createDatabase();
  door = await openDoor(database.connection);
  folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-starts-'));
});
afterAll(async () => {
  await door.remove();
  await database.drop();
  await rm(folder, { recursive: true });
});

const start = (environment: Record<string, string>): Program =>
  runMain({ environment: { API_KEYS: key, ...environment } });

/** The first line about an unreachable database, and that the core stops in order all the same. */
async function retried(environment: Record<string, string>): Promise<Record<string, unknown>> {
  const program = start(environment);
  const [line = ''] = await program.printed(/^.*cannot be reached yet.*$/m);
  expect(await program.end()).toEqual([0, null]);
  expect(program.stderr()).toBe('');
  return JSON.parse(line) as Record<string, unknown>;
}

describe('a database that cannot be reached yet is reported with what to check', () => {
  test('where nothing listens', async () => {
    expect(await retried({ POSTGRESQL_CONNECTION_URI: 'postgresql://app:pw@[::1]:1/app' })).toMatchObject({
      reason: expect.stringContaining('ECONNREFUSED ::1:1') as string,
      advice: expect.stringContaining('No PostgreSQL listens there') as string,
    });
  });

  test('where a proxy without a PostgreSQL closes each connection', async () => {
    const proxy = await closing();
    const line = await retried({ POSTGRESQL_CONNECTION_URI: `postgresql://app:pw@${proxy.address}/app` });
    await proxy.close();
    expect(line).toMatchObject({
      reason: expect.stringContaining('closed the connection without an answer') as string,
      advice: expect.stringContaining('A proxy or pooler') as string,
    });
  });

  test('where it is read-only', async () => {
    const { connection } = database;
    await withSql(connection, (sql) =>
      sql.unsafe(`alter database "${connection.database}" set default_transaction_read_only = on`),
    );
    const line = await retried({ POSTGRESQL_CONNECTION_URI: door.uri() });
    await withSql(connection, (sql) =>
      sql.unsafe(
        `set transaction read write; alter database "${connection.database}" reset default_transaction_read_only`,
      ),
    );
    expect(line).toMatchObject({
      reason: expect.stringContaining('read-only transaction') as string,
      advice: expect.stringContaining("give the primary's address") as string,
    });
  });

  test.each([
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENOENT',
    'CONNECT_TIMEOUT',
    'CLOSED_AT_ONCE',
    '53300',
    '57P03',
    'EHOSTUNREACH',
    '',
  ])('for %s', (code) => {
    expect(adviceOnStart(Object.assign(new Error('x'), { code }))).toMatch(/^[A-Z].*[^.]$/);
  });

  test('and a stop meanwhile is at once and in order, though nothing answers there', async () => {
    // It accepts connections and never answers, as an address behind a firewall that drops everything.
    const silent = net.createServer().listen(0, '127.0.0.1');
    const connected = new Promise((resolve) => silent.once('connection', resolve));
    await new Promise((resolve) => silent.once('listening', resolve));
    const { port } = silent.address() as net.AddressInfo;
    const program = start({
      POSTGRESQL_CONNECTION_URI: `postgresql://app:pw@127.0.0.1:${port}/app`,
      SHUTDOWN_TIMEOUT_MS: '600000',
    });
    await program.printed(/"msg":"listening"/);
    await connected;
    expect(await program.end()).toEqual([0, null]);
    expect(program.stdout()).not.toContain('ending now');
    silent.close();
  });
});

describe('cores of one database', () => {
  const keysOf = (byte: number) => Buffer.alloc(32, byte).toString('base64');
  const running: Program[] = [];
  // A separate one: at the end it is closed to cores without keys.
  let shared: TestDatabase;
  let way: DatabaseDoor;
  beforeAll(async () => {
    shared = await createMigratedDatabase();
    way = await openDoor(shared.connection);
  });
  afterAll(async () => {
    await Promise.all(running.map((program) => program.end()));
    await way.remove();
    await shared.drop();
  });
  const serving = async (environment: Record<string, string> = {}) => {
    const program = start({ POSTGRESQL_CONNECTION_URI: way.uri(), ...environment });
    running.push(program);
    const address = await addressOf(program);
    await program.printed(/"msg":"ready"/);
    const post = async (route: string, body: object) => {
      const headers = { 'api-key': key };
      const reply = await fetch(`${address}${route}`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return [reply.status, await reply.text()] as const;
    };
    return { program, post };
  };

  test('serve without keys, warn, and say what a session lacks; one with keys shuts those with none, or others, out', async () => {
    const [first, second] = [await serving(), await serving()];
    for (const { program } of [first, second])
      expect(program.stdout()).toMatch(
        /"level":"warn"[^\n]*encryption_keys is not set[^\n]*same value on every core/,
      );
    const person = { email: 'ada@example.com', password: 'correct horse' };
    expect((await first.post('/recipe/signup', person))[0]).toBe(200);
    expect((await second.post('/recipe/signin', person))[1]).toContain('"status":"OK"');
    const session = { userId: 'ada', userDataInJWT: {}, userDataInDatabase: {}, enableAntiCsrf: false };
    const [status, said] = await second.post('/recipe/session', session);
    expect([status, said]).toEqual([400, expect.stringContaining('encryption_keys')]);

    const third = await serving({ ENCRYPTION_KEYS: keysOf(1) });
    expect(third.program.stdout()).not.toContain('encryption_keys is not set');
    expect((await third.post('/recipe/session', session))[0]).toBe(200);
    const others: Record<string, string>[] = [{}, { ENCRYPTION_KEYS: keysOf(2) }];
    for (const environment of others) {
      const program = start({ POSTGRESQL_CONNECTION_URI: way.uri(), ...environment });
      expect([await program.ended, program.stderr()]).toEqual([
        [1, null],
        expect.stringMatching(
          /^The database holds sealed secrets[^\n]*set 'encryption_keys' to the keys of the other cores[^\n]*\n$/,
        ),
      ]);
    }
  });
});

describe('a log on a full disk', () => {
  test.runIf(process.platform === 'linux')('does not end the core', async () => {
    const port = String(20_000 + Math.floor(Math.random() * 20_000));
    const script = `exec ${process.execPath} src/main.ts > /dev/full`;
    const child = spawn('sh', ['-c', script], {
      cwd: root,
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: process.env.NODE_OPTIONS,
        HASHING_THREADS: '1',
        PORT: port,
        API_KEYS: key,
        POSTGRESQL_CONNECTION_URI: door.uri(),
      },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const ready = () => fetch(`http://127.0.0.1:${port}/readyz`).then(({ status }) => status, String);
    await expect.poll(ready).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
  });
});

/** A file system of 64 KiB of our own, which only root may make. */
const full = path.join(os.tmpdir(), `carryover-full-${process.pid}`);
const mounts = (): boolean => {
  spawnSync('mkdir', ['-p', full]);
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4k,nr_inodes=3', 'tmpfs', full]).status === 0;
};
const hasFull = process.getuid?.() === 0 && mounts();
afterAll(() => {
  if (hasFull) spawnSync('umount', [full]);
  spawnSync('rmdir', [full]);
});

describe('a data folder', () => {
  test.runIf(hasFull)('on a full volume is refused with the space it needs', async () => {
    await mkdir(path.join(full, 'data'));
    await writeFile(path.join(full, 'data', 'filling'), Buffer.alloc(4096)).catch(() => undefined);
    const program = start({ DATA_DIR: path.join(full, 'data') });
    expect([(await program.ended)[0], program.stderr()]).toEqual([
      1,
      `${path.join(full, 'data')} has no room left (ENOSPC): make room, or set another DATA_DIR. A new database takes 100 MB\n`,
    ]);
  });
});

describe('a limit of the system', () => {
  let place: Workplace;
  beforeAll(async () => {
    // Folders for temporary files may be in the shared memory that a test limits.
    place = await makeWorkplace('/var/tmp');
  });
  afterAll(() => place.remove());
  /** @param shell commands before the core replaces the shell */
  const within = (launcher: readonly string[], shell: string) => {
    const [first, ...rest] = [...launcher, 'sh', '-c', `${shell} && exec "$@"`, 'sh'];
    const { PATH, NODE_OPTIONS } = process.env;
    const environment = { PATH, NODE_OPTIONS, PORT: '0', HASHING_THREADS: '1', API_KEYS: key };
    const { status, stderr } = spawnSync(first, [...rest, process.execPath, path.join(root, 'src/main.ts')], {
      env: { ...environment, DATA_DIR: place.dataDir },
      encoding: 'utf8',
      cwd: '/',
    });
    return [status, stderr];
  };

  test('of open files ends in one line with the cure', () => {
    expect(within([], 'ulimit -n 48')).toEqual([
      1,
      expect.stringMatching(/^[^\n]*insufficient file descriptors[^\n]*: ulimit -n 1024\n$/),
    ]);
  });

  const hasMountSpaces = spawnSync('unshare', ['--mount', 'true']).status === 0;
  test.runIf(hasMountSpaces)('of shared memory ends in one line with the cure', () => {
    expect(within(['unshare', '--mount'], 'mount -t tmpfs -o size=64k tmpfs /dev/shm')).toEqual([
      1,
      expect.stringMatching(/^[^\n]*could not resize shared memory[^\n]*: docker run --shm-size=64m\n$/),
    ]);
  });
});

describe('a command whose output cannot be written', () => {
  test.runIf(process.platform === 'linux')('says so in one line', () => {
    const command = `exec ${process.execPath} ${path.resolve(root, 'src/cli.ts')} doctor env > /dev/full`;
    const { PATH, NODE_OPTIONS } = process.env;
    const { status, stderr } = spawnSync('sh', ['-c', command], {
      env: { PATH, NODE_OPTIONS },
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([
      2,
      'The output cannot be written (ENOSPC): make room, or send it elsewhere\n',
    ]);
  });
});

describe('carryover doctor env', () => {
  test('says where each value comes from, and hides secrets', async () => {
    const file = path.join(folder, 'config.yaml');
    await writeFile(file, 'log_level: debug\nport: 3999\n');
    const program = runCommand({
      arguments: ['doctor', 'env', '--config', file],
      environment: {
        API_KEYS: key,
        BCRYPT_PEPPER: secret,
        POSTGRESQL_CONNECTION_URI: `postgresql://app:${secret}@db.test:5433/app?sslpassword=${secret}`,
        PORT: '4000',
      },
    });
    expect([await program.ended, program.stderr()]).toEqual([[0, null], '']);
    const lines = program.stdout().split('\n');
    const line = (name: string) =>
      lines.find((each) => each.startsWith(`${name} `))?.replace(/ {2,}/g, ' | ');
    expect(['port', 'api_keys', 'postgresql_connection_uri', 'log_level', 'import_lanes'].map(line)).toEqual([
      'port | 4000 | environment: PORT',
      'api_keys | (secret) | environment: API_KEYS',
      'postgresql_connection_uri | postgresql://***@db.test:5433/app | environment: POSTGRESQL_CONNECTION_URI',
      `log_level | debug | file: ${file}`,
      'import_lanes | 3 | default',
    ]);
    expect(program.stdout()).not.toMatch(new RegExp(`${secret}|${key}`));
  });
});
