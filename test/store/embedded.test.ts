import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, mkdtemp, rm, watch, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import postgres from 'postgres';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../src/process/log.ts';
import { StartupError } from '../../src/process/startup-error.ts';
import { openDatabase } from '../../src/database/database.ts';
import { startEmbedded } from '../../src/embedded/embedded.ts';
import type { Embedded, EmbeddedOptions } from '../../src/embedded/embedded.ts';
import { checkBinaries, locateBinaries, openPrograms } from '../../src/embedded/programs.ts';
import { startOf } from '../../src/process/process-start.ts';
import { ended } from '../../src/embedded/leftover.ts';
import { runProgram } from '../../src/embedded/command.ts';
import { Postmaster } from '../../src/embedded/postmaster.ts';
import { migrate } from '../../src/database/migrate.ts';
import { tuningFor } from '../../src/embedded/tuning.ts';

const MIB = 1_048_576;
const log = createLogger({ level: 'silent' });
const isRoot = process.geteuid?.() === 0;

let dataDir: string;
let cleanUp: (() => Promise<unknown>)[];

/** Data folders that tests copy, since making a cluster takes as long as the rest in most of them. */
let begun: string;

beforeAll(async () => {
  begun = await makeFolder();
  await (await startEmbedded({ dataDir: begun, log })).stop();
});
afterAll(() => rm(begun, { recursive: true, force: true }));

/** Copies `folder` as the data: `begun` is the state after a first start and a stop. */
function copyData(folder: string): void {
  execFileSync('cp', ['-a', `${folder}/.`, dataDir]);
}

async function makeFolder(): Promise<string> {
  // A space, because a folder may have one, and open to others, because as root the server is another user.
  const made = await mkdtemp(path.join(os.tmpdir(), 'carry over '));
  await chmod(made, 0o755);
  return made;
}

beforeEach(async () => {
  const made = await makeFolder();
  dataDir = made;
  cleanUp = [() => rm(made, { recursive: true, force: true })];
});

afterEach(async () => {
  for (const each of cleanUp.reverse()) await each();
});

async function start(options: Partial<EmbeddedOptions> = {}): Promise<Embedded> {
  const embedded = await startEmbedded({ dataDir, log, ...options });
  cleanUp.push(() => embedded.stop());
  return embedded;
}

async function query(
  { connection }: Pick<Embedded, 'connection'>,
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const sql = postgres({ ...connection, max: 1 });
  try {
    return await sql.unsafe<Record<string, unknown>[]>(text);
  } finally {
    await sql.end();
  }
}

/** A core in a process of its own. */
function spawnOwner(): ChildProcess & { stdout: NodeJS.ReadableStream } {
  const program = path.resolve(import.meta.dirname, '../helpers/embedded-owner.ts');
  const child = spawn(process.execPath, [program, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  cleanUp.push(() => kill(child));
  return child;
}

/** @returns the pid of the server it has started. */
async function serverOf(owner: { stdout: NodeJS.ReadableStream }): Promise<number> {
  const [line] = (await once(createInterface({ input: owner.stdout }), 'line')) as [string];
  const pid = Number(line);
  cleanUp.push(async () => {
    if (startOf(pid) === undefined) return;
    process.kill(pid, 'SIGQUIT');
    await ended(pid, 20_000);
  });
  return pid;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

describe('a start', () => {
  test('makes a durable UTF-8 cluster with a database, reached by a private socket and a password', async () => {
    const embedded = await start();
    const names = ['listen_addresses', 'fsync', 'synchronous_commit', 'server_encoding', 'data_checksums'];
    const [row] = await query(
      embedded,
      `select current_database() as database, ${names.map((name) => `current_setting('${name}') as ${name}`).join()}`,
    );
    expect(row).toEqual({
      database: 'carryover',
      listen_addresses: '',
      fsync: 'on',
      synchronous_commit: 'on',
      server_encoding: 'UTF8',
      data_checksums: 'on',
    });
    expect(statSync(embedded.connection.host).mode & 0o777).toBe(0o700);
    expect(statSync(path.join(dataDir, 'postgres-password')).mode & 0o777).toBe(0o600);
    const guessed = { connection: { ...embedded.connection, password: 'guessed' } };
    await expect(query(guessed, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  test('takes settings over its own, but none that would lose an acknowledged write', async () => {
    copyData(begun);
    const embedded = await start({ settings: { max_connections: '37', fsync: 'off' } });
    const shown = await query(
      embedded,
      `select current_setting('max_connections') as max, current_setting('fsync') as fsync`,
    );
    expect(shown[0]).toEqual({ max: '37', fsync: 'on' });
  });

  test('puts the server in a process group of its own, where Ctrl-C does not reach it', async () => {
    copyData(begun);
    const { pid } = await start();
    // Signal 0 to a group only checks whether the group exists.
    expect(process.kill(-pid, 0)).toBe(true);
  });

  test('finds another place for the socket when the path is too long for one', async () => {
    dataDir = path.join(dataDir, 'x'.repeat(60), 'y'.repeat(60));
    const embedded = await start();
    expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }]);
    await embedded.stop();
    expect(existsSync(embedded.connection.host)).toBe(false);
  });

  test('keeps the data of the one before', async () => {
    const first = await start();
    await query(first, `create table kept as select 'still here' as text`);
    await first.stop();
    const second = await start();
    expect(await query(second, 'select text from kept')).toEqual([{ text: 'still here' }]);
  });

  test('makes a new password when the file of it was lost', async () => {
    copyData(begun);
    const file = path.join(dataDir, 'postgres-password');
    const password = readFileSync(file, 'utf8').trim();
    await rm(file);
    const embedded = await start();
    expect(embedded.connection.password).not.toBe(password);
    expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }]);
  });
});

const superusers = 'select rolname from pg_roles where rolsuper order by 1';

describe('Ctrl-C while a program is started, before it has left the group of the core,', () => {
  /** Dies of the signal at its first start, as if the signal arrived between fork and setsid. */
  async function cutOffOnce(signal: string, then: string): Promise<string> {
    const program = path.join(dataDir, 'program');
    const once = `mkdir "$0.begun" 2>/dev/null && kill -${signal} $$`;
    await writeFile(program, `#!/bin/sh\n${once}\n${then}\n`, { mode: 0o755 });
    return program;
  }

  test.each(['INT', 'TERM'])('lets it begin again: SIG%s', async (signal) => {
    const program = await cutOffOnce(signal, 'read line && test "$line" = ada');
    await runProgram(program, [], undefined, { input: 'ada\n' });
  });

  test('lets the server begin again', async () => {
    const ready = 'echo "database system is ready to accept connections" >&2; exec sleep 600';
    const postgres = await cutOffOnce('INT', ready);
    const server = await Postmaster.start({
      postgres,
      cluster: dataDir,
      settings: {},
      runAs: undefined,
      log,
      onExit: () => undefined,
    });
    await server.stop();
    expect(startOf(server.pid)).toBeUndefined();
  });

  test('is named where a program is ended by it again and again, and by no other signal', async () => {
    const always = await cutOffOnce('INT', 'kill -INT $$');
    await expect(runProgram(always, [], undefined)).rejects.toThrow('program failed: ended by SIGINT');
    await rm(`${always}.begun`, { recursive: true });
    const killed = await cutOffOnce('KILL', 'exit 0');
    await expect(runProgram(killed, [], undefined)).rejects.toThrow('program failed: ended by SIGKILL');
  });
});

describe('the role of the core', () => {
  test('is no superuser and owns the database, and no superuser is let in', async () => {
    const embedded = await start();
    const [role] = await query(
      embedded,
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls
       from pg_roles where rolname = current_user`,
    );
    expect(role).toEqual({
      rolname: 'carryover',
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
    });
    expect(await query(embedded, superusers)).toEqual([{ rolname: 'postgres' }]);
    await expect(query(embedded, `select pg_read_file('PG_VERSION')`)).rejects.toMatchObject({
      code: '42501',
    });
    const asSuperuser = { connection: { ...embedded.connection, user: 'postgres' } };
    await expect(query(asSuperuser, 'select 1')).rejects.toMatchObject({ code: '28000' });
    const database = openDatabase({ target: embedded.connection, poolSize: 1 });
    expect(await migrate(database)).toContain(1);
    await database.close(1000);
  });

  test.each(['local all postg', ''])('is admitted again where pg_hba.conf is %j', async (left) => {
    copyData(begun);
    const file = path.join(dataDir, 'postgres', 'pg_hba.conf');
    const admission = readFileSync(file, 'utf8');
    await writeFile(file, left);
    const embedded = await start();
    expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await query(embedded, superusers)).toEqual([{ rolname: 'postgres' }]);
    expect(readFileSync(file, 'utf8')).toBe(admission);
  });
});

describe('the folder of the data', () => {
  test('is closed to others, also where it was open before', async () => {
    const made = path.join(dataDir, 'made');
    for (const folder of [made, dataDir]) {
      const embedded = await start({ dataDir: folder });
      expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }]);
      // As root, the group of PostgreSQL's user may pass through and sees nothing.
      expect(statSync(folder).mode & 0o777).toBe(isRoot ? 0o710 : 0o700);
    }
  });

  test('stays as it is where it was opened to a group alone', async () => {
    copyData(begun);
    await chmod(dataDir, 0o750);
    await start();
    expect(statSync(dataDir).mode & 0o777).toBe(0o750);
  });
});

describe('a stop', () => {
  test('leaves no process, no socket and no lock, and may be repeated', async () => {
    copyData(begun);
    const embedded = await start();
    await Promise.all([embedded.stop(), embedded.stop()]);
    await embedded.stop();
    expect(startOf(embedded.pid)).toBeUndefined();
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres-password']);
  });
});

describe('a server that ends unexpectedly', () => {
  /** Resolves when a new server answers at the old address. */
  async function answersAgain(embedded: Embedded): Promise<readonly Record<string, unknown>[]> {
    for (;;) {
      const rows = await query(embedded, 'select text from kept').catch(() => undefined);
      if (rows) return rows;
    }
  }

  test.each(['SIGQUIT', 'SIGKILL'] as const)(
    'by %s is started again, with its data, at the same address',
    async (signal) => {
      copyData(begun);
      const embedded = await start();
      await query(embedded, `create table kept as select 'still here' as text`);
      const killed = embedded.pid;
      process.kill(killed, signal);
      expect(await answersAgain(embedded)).toEqual([{ text: 'still here' }]);
      expect(embedded.pid).not.toBe(killed);
    },
  );

  test('is not started again when the core stops meanwhile', async () => {
    copyData(begun);
    const embedded = await start();
    process.kill(embedded.pid, 'SIGKILL');
    await embedded.stop();
    expect(startOf(embedded.pid)).toBeUndefined();
    expect(existsSync(path.join(dataDir, 'carryover.pid'))).toBe(false);
  });
});

function uidOf(name: string): number | undefined {
  const line = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .find((each) => each.startsWith(`${name}:`));
  return line === undefined ? undefined : Number(line.split(':')[2]);
}

describe.runIf(isRoot)('root hands the server to another user', () => {
  test('who passes through folders that are closed to it, and has no other right of root', async () => {
    await chmod(dataDir, 0o700);
    dataDir = path.join(dataDir, 'data');
    const embedded = await start();
    expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }]);
    const status = readFileSync(`/proc/${embedded.pid}/status`, 'utf8');
    expect(/^Uid:\s+(\d+)/m.exec(status)?.[1]).not.toBe('0');
    // Bit 2 is CAP_DAC_READ_SEARCH, see capabilities(7).
    expect(Number.parseInt(/^CapEff:\s+(\w+)/m.exec(status)?.[1] ?? '', 16)).toBe(0b100);
  });

  test('from a copy of the programs when those lie in a folder that is closed to it', async () => {
    const checkout = await mkdtemp(path.join(os.tmpdir(), 'carryover-closed-'));
    cleanUp.push(() => rm(checkout, { recursive: true, force: true }));
    const installed = path.dirname(path.dirname(locateBinaries().postgres));
    await cp(installed, path.join(checkout, 'native'), { recursive: true, verbatimSymlinks: true });
    const bin = path.join(checkout, 'native', 'bin');
    const closed = { initdb: path.join(bin, 'initdb'), postgres: path.join(bin, 'postgres') };
    const nobody = { uid: 65534, gid: 65534 };
    await expect(checkBinaries(closed, nobody)).rejects.toThrow(StartupError);

    const copy = await openPrograms(closed, nobody, { dataDir, log });
    await checkBinaries(copy, nobody);
    // A killed core removed nothing: the next one does.
    const next = await openPrograms(closed, nobody, { dataDir, log });
    expect([existsSync(copy.postgres), existsSync(next.postgres)]).toEqual([false, true]);
    await next.remove();
    expect([existsSync(next.postgres), existsSync(closed.postgres)]).toEqual([false, true]);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  test('and says so where other programs may be that user, too', async () => {
    copyData(begun);
    const lines: string[] = [];
    const into = { write: (line: string) => void lines.push(line) };
    await start({ log: createLogger({ level: 'warn', stream: into }) });
    const owner = statSync(path.join(dataDir, 'postgres')).uid;
    const names = ['postgres', 'nobody'].filter((name) => uidOf(name) === owner);
    expect(lines.filter((line) => line.includes('useradd --system carryover'))).toHaveLength(names.length);
  });

  test('without any right of root where folders are open', async () => {
    copyData(begun);
    const embedded = await start();
    expect(readFileSync(`/proc/${embedded.pid}/status`, 'utf8')).toMatch(/^CapEff:\s+0+$/m);
  });
});

describe('after a core was killed', () => {
  test('its server is replaced and what it had committed is there', async () => {
    copyData(begun);
    const owner = spawnOwner();
    const orphan = await serverOf(owner);
    const password = readFileSync(path.join(dataDir, 'postgres-password'), 'utf8').trim();
    const host = path.join(dataDir, 'socket');
    const connection = { host, port: 5432, user: 'carryover', password, database: 'carryover' };
    await query({ connection }, `create table kept as select 'still here' as text`);
    await kill(owner);
    expect(startOf(orphan)).toBeDefined();
    const embedded = await start();
    expect(embedded.pid).not.toBe(orphan);
    expect(startOf(orphan)).toBeUndefined();
    expect(await query(embedded, 'select text from kept')).toEqual([{ text: 'still here' }]);
  });

  test('in the middle of initdb, the draft is removed and made again', async () => {
    const owner = spawnOwner();
    for await (const { filename } of watch(dataDir)) if (filename?.startsWith('postgres.init-')) break;
    await kill(owner);
    expect(existsSync(path.join(dataDir, 'postgres'))).toBe(false);
    const embedded = await start();
    expect(await query(embedded, 'select current_database() as name')).toEqual([{ name: 'carryover' }]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith('postgres.init-'))).toEqual([]);
  });

  test('a lock whose pid belongs to another process by now is replaced', async () => {
    copyData(begun);
    await writeFile(path.join(dataDir, 'carryover.pid'), `${process.pid} 1\n`);
    if (startOf(process.pid) === '') return;
    await start();
    expect(readFileSync(path.join(dataDir, 'carryover.pid'), 'utf8')).not.toContain(`${process.pid} 1\n`);
  });

  test('a postmaster.pid that names a stranger does not keep the server from starting', async () => {
    copyData(begun);
    const stranger = spawn('sleep', ['600']);
    cleanUp.push(() => kill(stranger));
    await writeFile(
      path.join(dataDir, 'postgres', 'postmaster.pid'),
      `${stranger.pid ?? 0}\n${dataDir}/postgres\n`,
    );
    const embedded = await start();
    expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBeNull();
  });

  test('the lock of a killed server’s socket that names a stranger does not, either', async () => {
    copyData(begun);
    // Owned by the server's own user: it would ignore another one's.
    const { uid, gid } = statSync(path.join(dataDir, 'postgres'));
    const stranger = spawn('sleep', ['600'], process.getuid?.() === 0 ? { uid, gid, cwd: '/' } : {});
    cleanUp.push(() => kill(stranger));
    const socket = path.join(dataDir, 'socket');
    await mkdir(socket, { mode: 0o700 });
    const lines = [stranger.pid ?? 0, `${dataDir}/postgres`, 0, 5432, socket, ''];
    await writeFile(path.join(socket, '.s.PGSQL.5432.lock'), lines.join('\n'));
    const embedded = await start();
    expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(stranger.exitCode).toBeNull();
  });
});

describe('a start is refused in one line', () => {
  async function refusal(): Promise<string> {
    const error: unknown = await start().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    if (!(error instanceof StartupError)) throw new Error('not refused as expected', { cause: error });
    expect(error.message).not.toContain('\n');
    return error.message;
  }

  test('while another core lives, which is named and left alone', async () => {
    copyData(begun);
    const owner = spawnOwner();
    const server = await serverOf(owner);
    expect(await refusal()).toContain(`in use by the core with pid ${owner.pid ?? 0}`);
    expect(startOf(server)).toBeDefined();
  });

  test('while a server answers whose process cannot be seen, as in another container on the same volume', async () => {
    copyData(begun);
    const embedded = await start();
    const lock = path.join(dataDir, 'carryover.pid');
    const postmaster = path.join(dataDir, 'postgres', 'postmaster.pid');
    const [owner, server] = [readFileSync(lock, 'utf8'), readFileSync(postmaster, 'utf8')];
    await rm(lock);
    await writeFile(postmaster, server.replace(/^\d+/, '4194301'));
    expect(await refusal()).toContain('in use by a core in another container');
    await writeFile(postmaster, server);
    await writeFile(lock, owner);
    expect(await query(embedded, 'select 1 as one')).toEqual([{ one: 1 }]);
  });

  test('twice in one process', async () => {
    copyData(begun);
    await start();
    expect(await refusal()).toContain(`in use by the core with pid ${process.pid}`);
  });

  test('when the cluster is of another version', async () => {
    await mkdir(path.join(dataDir, 'postgres'));
    await writeFile(path.join(dataDir, 'postgres', 'PG_VERSION'), '14\n');
    expect(await refusal()).toContain('was made by PostgreSQL 14');
    expect(existsSync(path.join(dataDir, 'carryover.pid'))).toBe(false);
  });

  test('when a development version made the cluster, whose role was the superuser', async () => {
    copyData(begun);
    const file = path.join(dataDir, 'postgres', 'pg_hba.conf');
    await writeFile(file, 'local all all scram-sha-256\n');
    expect(await refusal()).toMatch(
      /was made by a development version .*: export its users .* set another DATA_DIR/,
    );
    expect(readFileSync(file, 'utf8')).toBe('local all all scram-sha-256\n');
    expect(existsSync(path.join(dataDir, 'carryover.pid'))).toBe(false);
  });

  test('when files lie where the cluster should be', async () => {
    await mkdir(path.join(dataDir, 'postgres'));
    await writeFile(path.join(dataDir, 'postgres', 'notes.txt'), 'mine');
    expect(await refusal()).toContain('holds files but no complete cluster');
    expect(readdirSync(path.join(dataDir, 'postgres'))).toEqual(['notes.txt']);
  });

  test('when the server does not accept a setting, with its own words', async () => {
    copyData(begun);
    const error: unknown = await start({ settings: { max_connections: 'many' } }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ message: expect.stringContaining('max_connections') as string });
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'postgres-password']);
  });

  test.skipIf(isRoot)('when the folder cannot be written', async () => {
    await chmod(dataDir, 0o555);
    cleanUp.push(() => chmod(dataDir, 0o755));
    expect(await refusal()).toContain('cannot be written (EACCES)');
  });

  test('when no PostgreSQL comes for the platform', () => {
    expect(() => locateBinaries('plan9-mips')).toThrow(
      /no PostgreSQL comes .* plan9-mips.*POSTGRESQL_CONNECTION_URI/,
    );
  });
});

describe('tuning by memory', () => {
  test.each([
    [256 * MIB, '32MB', '1024MB'],
    [1024 * MIB, '128MB', '1024MB'],
    [8192 * MIB, '1024MB', '2048MB'],
    [262_144 * MIB, '2048MB', '8192MB'],
  ])('%d bytes give shared_buffers %s and max_wal_size %s', (memory, shared, wal) => {
    expect(tuningFor(memory)).toMatchObject({ shared_buffers: shared, max_wal_size: wal });
  });
});
