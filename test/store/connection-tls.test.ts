/** Connections to PostgreSQL over TLS: which servers are trusted, and that statements and COPY work as without. */
import { chmod, chown, copyFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { CopyBytes } from '../../src/imports/parse/copy-binary.ts';
import { adviceOn } from '../../src/database/connection/advice.ts';
import { readConnectionUri } from '../../src/database/connection/uri.ts';
import { type Database, openDatabase } from '../../src/database/database.ts';
import { type DatabaseDoor, openDoor } from '../helpers/database-door.ts';
import { freePort } from '../helpers/free-port.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { olderPrograms, type OlderPostgres, startOlderPostgres } from '../helpers/store.ts';
import { certificate, openTlsDoor, type TlsDoor } from '../helpers/tls-door.ts';

let server: TestDatabase;
let tls: TlsDoor;
/** As a server that has no TLS. */
let plain: DatabaseDoor;
const opened: Database[] = [];

beforeAll(async () => {
  server = await createDatabase();
  tls = await openTlsDoor(server.connection);
  plain = await openDoor(server.connection);
});
afterEach(async () => {
  await Promise.all(opened.splice(0).map((database) => database.close(0)));
});
afterAll(async () => {
  await tls.remove();
  await plain.remove();
  await server.drop();
});

function open(uri: string): Database {
  const database = openDatabase({ target: readConnectionUri(uri), poolSize: 1 });
  opened.push(database);
  return database;
}

const ask = (uri: string) => open(uri).read<{ one: number }>('select 1 as one');

/** The failure: the cause of a refusal, and the advice on it. */
async function failure(
  uri: string,
): Promise<{ readonly code: unknown; readonly advice: string | undefined }> {
  const error: unknown = await ask(uri).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
  return { code: (cause as { code?: unknown } | undefined)?.code, advice: adviceOn(cause) };
}

const ca = `sslrootcert=${certificate('ca.pem')}`;
const otherCa = `sslrootcert=${certificate('other-ca.pem')}`;

describe('a connection over TLS', () => {
  test.each([
    ['require', 'sslmode=require', 'localhost'],
    ['require and its authority', `sslmode=require&${ca}`, '127.0.0.1'],
    ['verify-ca, by another name', `sslmode=verify-ca&${ca}`, '127.0.0.1'],
    ['verify-full', `sslmode=verify-full&${ca}`, 'localhost'],
    ['prefer', 'sslmode=prefer', 'localhost'],
  ])('comes about with %s', async (_what, parameters, host) => {
    const before = tls.clients.length;
    expect(await ask(tls.uri(parameters, host))).toEqual([{ one: 1 }]);
    expect(tls.clients.slice(before)).toEqual(['nobody']);
  });

  test.each([
    ['authority of verify-full', `sslmode=verify-full&${otherCa}`, 'sslrootcert'],
    ['authority of verify-ca', `sslmode=verify-ca&${otherCa}`, 'sslrootcert'],
    ['authority of require', `sslmode=require&${otherCa}`, 'sslrootcert'],
    ['authority that Node trusts', 'sslmode=verify-full', 'sslrootcert'],
    ['authority of the system', 'sslrootcert=system', 'sslrootcert'],
  ])('is refused to a server of another %s, with the cure', async (_what, parameters, cure) => {
    expect((await failure(tls.uri(parameters))).advice).toContain(cure);
  });

  it('is refused to a server of another name, or of an address that its certificate has not', async () => {
    const { code, advice } = await failure(tls.uri(`sslmode=verify-full&${ca}`, '127.0.0.1'));
    expect(code).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(advice).toContain('verify-ca');
  });

  test.each(['client.key', 'client-locked.key'])('shows the certificate of %s', async (key) => {
    const own = `sslcert=${certificate('client.pem')}&sslkey=${certificate(key)}&sslpassword=secret-passphrase`;
    await ask(tls.uri(`sslmode=verify-full&${ca}&${own}`));
    expect(tls.clients.at(-1)).toBe('postgres');
  });

  it('is not used where the server has no TLS: prefer does without, require does not', async () => {
    expect(await ask(`${plain.uri()}?sslmode=prefer`)).toEqual([{ one: 1 }]);
    expect((await failure(`${plain.uri()}?sslmode=require`)).advice).toContain("set 'sslmode=disable'");
  });

  it('carries megabytes of a COPY, and what follows', async () => {
    const database = open(tls.uri(`sslmode=verify-full&${ca}`));
    await database.write('create table public.notes (id integer, text text)');
    const rows = 20_000;
    const bytes = new CopyBytes(rows * 300);
    for (let id = 0; id < rows; id++) {
      bytes.row(2);
      bytes.int32(id);
      bytes.text(`note ${id} `.padEnd(250, 'é'));
    }
    const into = 'copy public.notes (id, text) from stdin (format binary)';
    await database.transaction((_query, savepoint) =>
      savepoint((_inner, copy) => copy(into, bytes.finish())),
    );
    const read = `select count(*)::int as rows, count(distinct id)::int as ids,
      bool_and(text like 'note ' || id || ' é%') as whole from public.notes`;
    expect(await database.read(read)).toEqual([{ rows, ids: rows, whole: true }]);
  });

  it('that is lost in a statement leaves its outcome unknown, and the next one connects again', async () => {
    const database = open(tls.uri(`sslmode=verify-full&${ca}`));
    await database.read('select 1');
    const lost = database.write('select pg_sleep(3600)');
    const watcher = open(plain.uri());
    const underWay = `select from pg_stat_activity
      where state = 'active' and datname = current_database() and query like 'select pg_sleep%'`;
    while ((await watcher.read(underWay)).length === 0);
    tls.cut();
    await expect(lost).rejects.toMatchObject({ code: 'OUTCOME_UNKNOWN' });
    expect(await database.read('select 1 as one')).toEqual([{ one: 1 }]);
  });
});

/** A real server that requires TLS over TCP, with a certificate of the requested role. */
async function startServerWithTls(): Promise<OlderPostgres & { uri(parameters: string): string }> {
  const port = await freePort();
  const server = await startOlderPostgres(olderPrograms ?? '', async ({ folder, data, owner }) => {
    // Copies: it may not read the checkout, and requires its key to be private.
    const own = async (name: string): Promise<string> => {
      const file = path.join(folder, name);
      await copyFile(certificate(name), file);
      await chmod(file, 0o600);
      if (owner.uid !== undefined && owner.gid !== undefined) await chown(file, owner.uid, owner.gid);
      return file;
    };
    await writeFile(path.join(data, 'pg_hba.conf'), 'hostssl all all all cert\n');
    return {
      listen_addresses: '127.0.0.1',
      port: String(port),
      ssl: 'on',
      ssl_key_file: await own('server.key'),
      ssl_cert_file: await own('server.pem'),
      ssl_ca_file: await own('ca.pem'),
    };
  });
  return { ...server, uri: (parameters) => `postgres://postgres@localhost:${port}/postgres?${parameters}` };
}

describe.runIf(olderPrograms !== undefined)('a server that wants TLS', () => {
  let own: Awaited<ReturnType<typeof startServerWithTls>>;

  beforeAll(async () => {
    own = await startServerWithTls();
  });
  afterAll(() => own.stop());

  it('is distinguished from one that refuses for other reasons', async () => {
    const { code, advice } = await failure(own.uri(''));
    expect(code).toBe('28000');
    expect(advice).toContain("'sslmode=verify-full'");
  });

  it('admits the role that the certificate is made for', async () => {
    const own509 = `sslcert=${certificate('client.pem')}&sslkey=${certificate('client.key')}`;
    const uri = own.uri(`sslmode=verify-full&${ca}&${own509}`);
    const used = 'select ssl, version from pg_stat_ssl where pid = pg_backend_pid()';
    expect(await open(uri).read(used)).toEqual([{ ssl: true, version: 'TLSv1.3' }]);
    const { code, advice } = await failure(own.uri(`sslmode=verify-full&${ca}`));
    expect([code, advice]).toEqual(['28000', undefined]);
  });
});
