/** `carryover backup` and `carryover restore`: from one PostgreSQL to another, with all data of a core. */
import { randomUUID } from 'node:crypto';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../src/core/backup/run.ts';
import { migrateDatabase } from '../../src/core/migrate-database.ts';
import { bytesOfBase32, codeAt } from '../../src/hashes/parts/one-time-code.ts';
import { findRunning } from '../../src/embedded/running.ts';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';
import { uriOf } from '../helpers/bulk-client.ts';
import { type Ended, runHere } from '../helpers/command.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, knownPassword, signIn, verificationToken } from '../helpers/people.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { olderPrograms, startOlderPostgres } from '../helpers/store.ts';
import {
  addressOf,
  makeWorkplace,
  type Program,
  runCommand,
  runMain,
  type Workplace,
} from '../helpers/process.ts';

const example = path.resolve(import.meta.dirname, '../../examples/export.ndjson');
const secretKey = 'JBSWY3DPEHPK3PXP';
const totpUser = 'ada';
const key = Buffer.alloc(32, 7);

let core: TestCore;
let workplace: Workplace;
/** Made from the core's database while the core ran. */
let file: string;
let accessToken: string;
let verification: string;

const inWorkplace = (name: string): string => path.join(path.dirname(workplace.dataDir), name);
const ofCore = () => ({
  POSTGRESQL_CONNECTION_URI: uriOf(core.database.connection),
});

/** In this process, which has the same effect without loading the program again. */
const run = (args: readonly string[], environment: Readonly<Record<string, string>> = {}): Promise<Ended> =>
  runHere(args, {
    folder: inWorkplace(''),
    environment: { HOME: inWorkplace(''), ...environment },
    backup: (sources) => backUpDatabase({ ...sources, version: '0.1.0' }),
    restore: restoreDatabase,
  });

/** The standard error without the progress, which is displayed on a busy machine. */
const withoutProgress = (stderr: string): string =>
  stderr.replaceAll(/^(?:\d+% of about .*|[\d.,]+ \w+), in \w+\n/gm, '');

/** A core with data of every kind. */
async function fill(): Promise<void> {
  await core.put('/recipe/role', { role: 'editor', permissions: ['write'] });
  await core.put('/recipe/multitenancy/tenant/v2', { tenantId: 'north' });
  const record = {
    externalUserId: totpUser,
    userRoles: [{ role: 'editor', tenantIds: ['public'] }],
    userMetadata: { text: 'Zoë 漢字 🎉', long: 'x'.repeat(700_000) },
    totpDevices: [{ secretKey, deviceName: 'phone' }],
    loginMethods: [{ recipeId: 'passwordless', email: 'ada@example.com' }],
  };
  expect((await core.post('/bulk-import/import', record)).http).toBe(200);
  // The first request about an imported device seals it.
  const wrong = await core.post('/recipe/totp/verify', { userId: totpUser, totp: 'no code' });
  expect(wrong.body.status).toBe('INVALID_TOTP_ERROR');
  const imported = await run(['import', '--yes', example, '--url', core.url], {
    CARRYOVER_API_KEY: testApiKey,
  });
  expect(imported.code).toBe(0);
  const { id } = await importUser(core, 'bob@example.com');
  verification = await verificationToken(core, { userId: id, email: 'bob@example.com' });
  const session = { userId: id, userDataInJWT: {}, userDataInDatabase: {}, enableAntiCsrf: false };
  const { body } = await core.post('/recipe/session', session);
  accessToken = (body.accessToken as { token: string }).token;
}

/** A digest of each table's rows, and the value of each sequence. */
function contentsOf(connection: EmbeddedConnection): Promise<Record<string, unknown>> {
  return withSql(connection, async (sql) => {
    const found: Record<string, unknown> = {};
    const tables =
      // Each start is in the audit log. Unlogged tables are not part of a backup.
      await sql`select relname as name from pg_class
        where relnamespace = 'carryover'::regnamespace and relkind = 'r' and relpersistence = 'p'
          and relname not like 'audit%' order by 1`;
    for (const { name } of tables as unknown as { name: string }[]) {
      const columns = name === 'migrations' ? 't.version, t.name' : 't.*';
      const [row] = await sql.unsafe(
        `select count(*)::int as rows, md5(string_agg(md5(r::text), '' order by md5(r::text))) as digest
         from (select ${columns} from carryover.${name} t) r`,
      );
      found[name] = [row?.rows, row?.digest];
    }
    const sequences =
      await sql`select sequencename, last_value from pg_sequences where schemaname = 'carryover'`;
    return { ...found, sequences: [...sequences].map((each) => ({ ...each })) };
  });
}

async function hasTables(connection: EmbeddedConnection): Promise<boolean> {
  const [row] = await withSql(
    connection,
    (sql) => sql`select 1 from pg_namespace where nspname = 'carryover'`,
  );
  return row !== undefined;
}

/** Whether a connection is idle in a transaction. */
async function isAtWork(connection: EmbeddedConnection): Promise<boolean> {
  const rows = await withSql(
    connection,
    (sql) => sql`select 1 from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and query like 'copy %'`,
  );
  return rows.length > 0;
}

beforeAll(async () => {
  workplace = await makeWorkplace();
  file = inWorkplace('all.carryover');
  core = await startTestCore();
  await fill();
  const made = runCommand({
    arguments: ['backup', file],
    environment: { HOME: inWorkplace(''), ...ofCore() },
  });
  expect([await made.ended, withoutProgress(made.stderr())]).toEqual([[0, null], '']);
  expect(made.stdout()).toMatch(/^Backed up: \d+ login methods, and all else, at version \d+\./);
});
afterAll(async () => {
  await core.stop();
  await workplace.remove();
});

/** A moved core serves as before. */
async function servesAsBefore(there: Pick<TestCore, 'post' | 'get'>): Promise<void> {
  expect(await signIn(there as TestCore, 'bob@example.com', knownPassword)).toBe('OK');
  expect(await signIn(there as TestCore, 'bob@example.com', 'wrong')).toBe('WRONG_CREDENTIALS_ERROR');
  const checks = { doAntiCsrfCheck: false, enableAntiCsrf: false, checkDatabase: true };
  expect((await there.post('/recipe/session/verify', { accessToken, ...checks })).body.status).toBe('OK');
  const roles = await there.get('/recipe/user/roles', { userId: totpUser });
  expect(roles.body).toEqual({ status: 'OK', roles: ['editor'] });
  const bytes = bytesOfBase32(secretKey) ?? Buffer.alloc(0);
  const totp = codeAt(bytes, Math.floor(Date.now() / 30_000), { algorithm: 'SHA1', digits: 6 });
  expect((await there.post('/recipe/totp/verify', { userId: totpUser, totp })).body.status).toBe('OK');
}

describe('a backup of a core that runs', () => {
  test('is for its owner only, is compressed, and leaves no draft', async () => {
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect((await stat(file)).size).toBeLessThan(100_000);
    await expect(stat(`${file}.part`)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('moves to a PostgreSQL of the core’s own, from there to another one, and nothing is lost', async () => {
    const before = await contentsOf(core.database.connection);
    const restored = await run(['restore', '--yes', file, '--data', workplace.dataDir]);
    expect(restored.code).toBe(0);
    expect(restored.stdout).toMatch(/^Restored: \d+ login methods, and all else, of 20\d\d-/);
    expect(restored.stderr).toMatch(/sealed with a key that is not here: put the file 'encryption-key'/);

    await writeFile(path.join(workplace.dataDir, 'encryption-key'), `${key.toString('base64url')}\n`);
    const own = runMain({ environment: { DATA_DIR: workplace.dataDir, API_KEYS: testApiKey } });
    await own.printed(/"msg":"ready"/);
    const running = await findRunning(workplace.dataDir);
    if (!running) throw new Error('no PostgreSQL runs there');
    expect(await contentsOf(running)).toEqual(before);

    const again = await run(['backup', '-', '--data', workplace.dataDir]);
    expect(again.code).toBe(0);
    expect(again.stderr).toMatch(/^Backed up: .*encryption-key/m);
    await signInAt(await addressOf(own));
    const other = await createDatabase();
    const moved = await run(['backup', inWorkplace('moved'), '--data', workplace.dataDir]);
    expect(moved.code).toBe(0);
    expect(await own.end()).toEqual([0, null]);
    const last = await run(['restore', '--yes', inWorkplace('moved')], {
      POSTGRESQL_CONNECTION_URI: uriOf(other.connection),
      ENCRYPTION_KEYS: key.toString('base64'),
    });
    expect([last.code, withoutProgress(last.stderr)]).toEqual([0, '']);
    await withCoreOn(other, servesAsBefore);
  });

  test('may be read from the standard input', async () => {
    const there = await createDatabase();
    const program = runCommand({
      arguments: ['restore', '--yes', '-'],
      environment: { POSTGRESQL_CONNECTION_URI: uriOf(there.connection) },
      keepsInput: true,
    });
    program.child.stdin?.end(await readFile(file));
    expect(await program.ended).toEqual([0, null]);
    await withCoreOn(there, async (moved) => {
      await servesAsBefore(moved);
      const token = { method: 'token', token: verification };
      expect((await moved.post('/recipe/user/email/verify', token)).body.status).toBe('OK');
    });
  });
});

async function signInAt(url: string): Promise<void> {
  const body = JSON.stringify({ email: 'bob@example.com', password: knownPassword });
  const reply = await fetch(`${url}/recipe/signin`, {
    method: 'POST',
    headers: { 'api-key': testApiKey },
    body,
  });
  expect(await reply.json()).toMatchObject({ status: 'OK' });
}

async function withCoreOn(database: TestDatabase, work: (core: TestCore) => Promise<void>): Promise<void> {
  const there = await startTestCore({ database });
  try {
    await work(there);
  } finally {
    await there.close();
    await database.drop();
  }
}

describe('a backup that is not finished', () => {
  /** This table is locked, and so a backup waits. */
  const heldBackup = async (target: string): Promise<{ program: Program; release: () => Promise<void> }> => {
    const release = Promise.withResolvers<undefined>();
    const isHeld = Promise.withResolvers<undefined>();
    const holding = withSql(core.database.connection, (sql) =>
      sql.begin(async (tx) => {
        await tx`lock table carryover.verified_emails in access exclusive mode`;
        isHeld.resolve(undefined);
        await release.promise;
      }),
    );
    await isHeld.promise;
    const program = runCommand({ arguments: ['backup', target], environment: ofCore() });
    await expect
      .poll(() =>
        withSql(
          core.database.connection,
          async (sql) =>
            (
              await sql`select 1 from pg_locks l join pg_database d on d.oid = l.database
              where not l.granted and d.datname = current_database()`
            ).length,
        ),
      )
      .toBeGreaterThan(0);
    return {
      program,
      release: async () => {
        release.resolve(undefined);
        await holding;
      },
    };
  };

  test('is not there under its name when its program is killed, and what is left is refused', async () => {
    const target = inWorkplace('killed');
    const { program, release } = await heldBackup(target);
    await program.end('SIGKILL');
    await release();
    await expect(stat(target)).rejects.toMatchObject({ code: 'ENOENT' });
    await refused(`${target}.part`, /ends before its end/);
  });

  test('leaves the former file when it is stopped, and nothing else', async () => {
    const target = inWorkplace('stopped');
    await writeFile(target, 'the one before');
    const { program, release } = await heldBackup(target);
    program.child.kill('SIGINT');
    await release();
    expect(await program.ended).toEqual([130, null]);
    expect(await readFile(target, 'utf8')).toBe('the one before');
    await expect(stat(`${target}.part`)).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

/** An incomplete backup file changes nothing. */
async function refused(damaged: string, why: RegExp): Promise<void> {
  const there = await createDatabase();
  try {
    const { code, stdout, stderr } = await run(['restore', '--yes', damaged], {
      POSTGRESQL_CONNECTION_URI: uriOf(there.connection),
    });
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(why);
    expect(stderr).toMatch(/^[^\n]+\n$/);
    expect(await hasTables(there.connection)).toBe(false);
  } finally {
    await there.drop();
  }
}

async function refusedBytes(bytes: Uint8Array, why: RegExp): Promise<void> {
  const damaged = inWorkplace(`damaged-${randomUUID()}`);
  await writeFile(damaged, bytes);
  await refused(damaged, why);
}

/** The header as JSON, and what follows it. */
function opened(backup: Buffer): { header: Record<string, unknown>; rest: Buffer } {
  const length = backup.readUInt32BE(1);
  const header = JSON.parse(backup.subarray(5, 5 + length).toString()) as Record<string, unknown>;
  return { header, rest: backup.subarray(5 + length) };
}

function withHeader(backup: Buffer, change: object): Buffer {
  const { header, rest } = opened(backup);
  const bytes = Buffer.from(JSON.stringify({ ...header, ...change }));
  const head = Buffer.alloc(5);
  head.writeUInt8(1);
  head.writeUInt32BE(bytes.length, 1);
  return gzipSync(Buffer.concat([head, bytes, rest]));
}

describe('a restore', () => {
  test.each([0.3, 0.999])('of a file that was cut off at %d of it changes nothing', async (part) => {
    const whole = await readFile(file);
    await refusedBytes(whole.subarray(0, Math.floor(whole.length * part)), /ends before its end/);
  });

  test('of rows that are whole, but without the end, changes nothing', async () => {
    const plain = gunzipSync(await readFile(file));
    const endBytes = 5 + JSON.stringify({ sha256: 'x'.repeat(64) }).length;
    await refusedBytes(gzipSync(plain.subarray(0, -endBytes)), /ends before its end/);
  });

  test('of a file with one bit that is another changes nothing', async () => {
    const bytes = Buffer.from(await readFile(file));
    const at = Math.floor(bytes.length / 2);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    await refusedBytes(bytes, /^The backup cannot be restored: /);
    const plain = gunzipSync(await readFile(file));
    const place = plain.indexOf('bob@example.com');
    plain[place] = 'c'.charCodeAt(0);
    await refusedBytes(gzipSync(plain), /its checksum is wrong, so it is damaged/);
  });

  test('of something else says so', async () => {
    await refused(example, /not a file that carryover backup wrote/);
    await refusedBytes(gzipSync('some text that is long enough'), /not a file that carryover backup wrote/);
    await refused(inWorkplace('nothing'), /nothing: there is no such file/);
  });

  test('ends at what is no backup, whether its sender has ended or not', async () => {
    const there = await createDatabase();
    const program = runCommand({
      arguments: ['restore', '--yes', '-'],
      environment: { POSTGRESQL_CONNECTION_URI: uriOf(there.connection) },
      keepsInput: true,
    });
    program.child.stdin?.write(gzipSync('some text that is long enough'));
    expect(await program.ended).toEqual([2, null]);
    expect(program.stderr()).toMatch(/not a file that carryover backup wrote/);
    await there.drop();
  });

  test.each([
    [{ version: 999 }, /database is at version 999, and this carryover knows \d+: take carryover \d/],
    [
      { migrations: [{ version: 1, name: '0001_another.sql' }] },
      /a development version .* made its database/,
    ],
    // The form of development versions.
    [{ version: 54, migration: '0054_another.sql', migrations: undefined }, /restore it with that version/],
    [{ formatVersion: 2 }, /newer format/],
    [{ format: 'of somebody' }, /not a file that carryover backup wrote/],
  ])('of one of another version is refused: %o', async (change, why) => {
    await refusedBytes(withHeader(gunzipSync(await readFile(file)), change), why);
  });

  test('stopped in the middle leaves nothing', async () => {
    const there = await createDatabase();
    const program = runCommand({
      arguments: ['restore', '--yes', '-'],
      environment: { POSTGRESQL_CONNECTION_URI: uriOf(there.connection) },
      keepsInput: true,
    });
    const whole = await readFile(file);
    program.child.stdin?.write(whole.subarray(0, whole.length - 100));
    await expect.poll(() => isAtWork(there.connection)).toBe(true);
    expect(await program.end('SIGINT')).toEqual([130, null]);
    expect(withoutProgress(program.stderr())).toBe('Stopped.\n');
    expect(await hasTables(there.connection)).toBe(false);
    await there.drop();
  });

  test.runIf(olderPrograms !== undefined)('takes a PostgreSQL 15, where this machine has one', async () => {
    const older = await startOlderPostgres(olderPrograms ?? '');
    const target = { ...older.target, password: '' };
    const restored = await run(['restore', '--yes', file], { POSTGRESQL_CONNECTION_URI: uriOf(target) });
    expect(restored.code).toBe(0);
    expect(await contentsOf(target)).toEqual(await contentsOf(core.database.connection));
    await older.stop();
  });

  test('leaves out, by name, other tables in the schema of the core', async () => {
    const [source, target] = [await createDatabase(), await createDatabase()];
    await migrateDatabase({ environment: { POSTGRESQL_CONNECTION_URI: uriOf(source.connection) } });
    await withSql(source.connection, (sql) =>
      sql.unsafe("create table carryover.notes (text text); insert into carryover.notes values ('a'), ('b')"),
    );
    const made = inWorkplace('with-notes');
    await run(['backup', made], { POSTGRESQL_CONNECTION_URI: uriOf(source.connection) });
    const restored = await run(['restore', '--yes', made], {
      POSTGRESQL_CONNECTION_URI: uriOf(target.connection),
    });
    expect(restored.code).toBe(0);
    expect(withoutProgress(restored.stderr)).toBe("Left out: the table notes, which is not the core's\n");
    const { notes, ...ours } = await contentsOf(source.connection);
    expect([notes, ours]).toEqual([[2, expect.any(String)], await contentsOf(target.connection)]);
    await Promise.all([source, target].map((each) => each.drop()));
  });

  test('into a database that a core has is refused, and leaves it as it was', async () => {
    const before = await contentsOf(core.database.connection);
    const { code, stderr } = await run(['restore', '--yes', file], ofCore());
    expect(code).toBe(2);
    expect(stderr).toMatch(/^The database holds tables in the schema carryover \(.*give another database/);
    expect(await contentsOf(core.database.connection)).toEqual(before);
  });
});

describe('a backup', () => {
  test('of nothing says what to name', async () => {
    const empty = await createDatabase();
    const none = await run(['backup', inWorkplace('none')], {
      POSTGRESQL_CONNECTION_URI: uriOf(empty.connection),
    });
    expect(none.stderr).toMatch(/^The database holds no tables of a core/);
    const nowhere = await run(['backup', inWorkplace('none'), '--data', inWorkplace('nowhere')]);
    expect(nowhere.stderr).toMatch(/nowhere: no core has its data there: name the folder with --data/);
    expect([none.code, nowhere.code]).toEqual([2, 2]);
    await expect(stat(inWorkplace('none'))).rejects.toMatchObject({ code: 'ENOENT' });
    await empty.drop();
  });

  test('that cannot be written says why', async () => {
    const { code, stderr } = await run(['backup', inWorkplace('no/folder')], ofCore());
    expect(code).toBe(2);
    expect(stderr).toMatch(/no\/folder: there is no such folder: make it first\n$/);
  });
});
