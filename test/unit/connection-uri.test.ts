import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { cutUri } from '../../src/config/postgresql-uri.ts';
import { StartupError } from '../../src/process/startup-error.ts';
import { readConnectionUri } from '../../src/database/connection/uri.ts';
import { certificate } from '../helpers/tls-door.ts';

const start = 'postgres://somebody:secret%40@localhost:5433/people';
const read = (rest: string) => readConnectionUri(start + rest);
const account = { user: 'somebody', password: 'secret@', database: 'people' };
const local = { host: 'localhost', port: 5433, ssl: false };
const plain = { ...account, servers: [local], kind: 'any', isDirect: false, settings: {} };
const sslOf = (uri: string) => readConnectionUri(uri).servers[0]?.ssl;

function refusalOf(uri: string, environment: Record<string, string> = {}): string {
  try {
    readConnectionUri(uri, environment);
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

const refusal = (parameters: string): string => refusalOf(`${start}?${parameters}`);

describe('a connection URI', () => {
  it('is taken apart', () => {
    expect(read('')).toEqual(plain);
  });

  it("keeps a server's settings", () => {
    const settings = { application_name: 'core+1', work_mem: '64MB', options: '-c geqo=off' };
    const parameters = '?application_name=core+1&work_mem=64MB&options=-c%20geqo%3Doff';
    expect(read(parameters)).toEqual({ ...plain, settings });
  });

  it('loses what says no more than is done', () => {
    const parameters =
      '?channel_binding=prefer&gssencmode=disable&sslcompression=0&sslsni=1&ssl_min_protocol_version=TLSv1.2&client_encoding=utf8';
    expect(read(parameters)).toEqual(plain);
  });

  const socket = { host: '/run/postgresql', port: 5432, ssl: false };
  test.each([
    ['an IPv6 address', 'postgresql://app:pw@[::1]:5433/app', { host: '::1', port: 5433, ssl: false }],
    ['an IPv6 address, no port', 'postgresql://app:pw@[::1]/app', { host: '::1', port: 5432, ssl: false }],
    ['a socket as its host', 'postgresql://app:pw@%2Frun%2Fpostgresql/app', socket],
    [
      'a socket and a port',
      'postgresql://app:pw@%2Frun%2Fpostgresql:5434/app?sslmode=require',
      { ...socket, port: 5434 },
    ],
    ['a socket in the query', 'postgresql://app:pw@/app?host=/run/postgresql', socket],
    ['a socket, host localhost', 'postgresql://app:pw@localhost/app?host=/run/postgresql', socket],
    ['no host', 'postgresql://app:pw@/app', { host: 'localhost', port: 5432, ssl: false }],
    [
      'a host in the query',
      'postgresql://app:pw@/app?host=127.0.0.1&port=5434',
      { host: '127.0.0.1', port: 5434, ssl: false },
    ],
  ])('may have %s', (_what, uri, server) => {
    expect(readConnectionUri(uri)).toMatchObject({
      servers: [server],
      user: 'app',
      password: 'pw',
      database: 'app',
    });
  });

  test.each([
    ['postgresql://app@h1:5433,[fd00::2],h3:5435/db', ['h1:5433', 'fd00::2:5432', 'h3:5435'], 'read-write'],
    ['postgresql://app@h1,h2/db?port=6000', ['h1:6000', 'h2:6000'], 'read-write'],
    ['postgresql:///db?host=h1,h2&port=5433,5434&target_session_attrs=any', ['h1:5433', 'h2:5434'], 'any'],
    ['postgresql://h1/db?target_session_attrs=primary', ['h1:5432'], 'primary'],
  ])('may name several servers: %s', (uri, servers, kind) => {
    const target = readConnectionUri(uri);
    expect(target.servers.map(({ host, port }) => `${host}:${port}`)).toEqual(servers);
    expect(target.kind).toBe(kind);
  });

  it('is percent-encoded in each of its parts', () => {
    const uri = 'postgresql://a%40b:%25%3A%2F%3F%23%40:x@localhost/a%2Fb%3F%23';
    expect(readConnectionUri(uri)).toMatchObject({ user: 'a@b', password: '%:/?#@:x', database: 'a/b?#' });
  });

  it('counts the last of several parameters', () => {
    expect(read('?sslmode=require&sslmode=disable')).toEqual(plain);
  });

  test.each([
    ['postgresql://app:100%@db.test/app', 'user and password must be percent-encoded'],
    ['postgresql://app:p@SECRET:/SECRET@db.test:5432/app', 'user and password must be percent-encoded'],
    ['postgresql://app:p@SECRET@db.test:5432/app', 'user and password must be percent-encoded'],
    ['postgresql://app:SEC#RET@db.test:5432/app', 'user and password must be percent-encoded'],
    ['postgresql://app:SEC?RET@db.test:5432/app', 'user and password must be percent-encoded'],
    ['postgresql://app:SEC/RET@db.test:5432/app', 'user and password must be percent-encoded'],
    ['postgresql://app:SECRET', 'must be a whole number from 1 to 65535. And user and password must be'],
    ['postgresql://app:SEC%FFRET@db.test/app', 'has a %-escape that is not UTF-8'],
    ['postgresql://app:pw@::1/app', 'an IPv6 address in it needs brackets: [::1]:5432'],
    ['postgresql://app:pw@[nothing]/app', 'the host in it is neither a name'],
    ['postgresql://app:pw@db.test:99999/app', 'the port in it must be a whole number from 1 to 65535'],
    [' postgresql://app:SECRET@db.test/app', 'begins or ends with a blank or a line end: remove that'],
    ['postgresql://app:SECRET@db.test/app\n', 'begins or ends with a blank or a line end: remove that'],
    ['postgresql://app:SEC RET@db.test/app', 'write a blank as %20'],
    ['"postgresql://app:SECRET@db.test/app"', 'is in quotes, which are part of the value here'],
    ["'postgresql://app:SECRET@db.test/app'", 'is in quotes, which are part of the value here'],
    ['jdbc:postgresql://db.test/SECRET', 'must be a URI such as postgresql://user:password@host'],
    ['host=db.test password=SECRET', 'must be a URI such as postgresql://user:password@host'],
    ['', 'must be a URI such as postgresql://user:password@host'],
    [7, 'must be a URI such as postgresql://user:password@host'],
  ])('%j is refused without a piece of the password', (uri, expected) => {
    const cut = cutUri(uri);
    expect(cut).toEqual({ ok: false, expected: expect.stringContaining(expected) as string });
    expect(JSON.stringify(cut)).not.toMatch(/SEC|RET/);
    if (typeof uri === 'string') expect(refusalOf(uri)).toContain(`postgresql_connection_uri: `);
  });

  test.each([
    [
      'channel_binding=require',
      "channel_binding is not supported but for 'disable' and 'prefer': leave it out",
    ],
    ['sslcrl=/some/file', 'sslcrl is not supported: leave it out'],
    ['ssl_min_protocol_version=TLSv1.3', 'ssl_min_protocol_version is not supported but for'],
    ['search_path=public', "search_path is the core's own: leave it out"],
    ['statement_timeout=1s', "statement_timeout is the core's own: leave it out"],
    ['host=/run/postgresql&port=none', 'port must be a whole number from 1 to 65535'],
    ['sslmode=on', 'sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full'],
    ['ssl=1', 'sslmode must be one of'],
    ['sslnegotiation=none', 'sslnegotiation must be one of postgres, direct'],
    ['sslnegotiation=direct', "sslnegotiation takes 'sslmode=require' or stricter"],
    ['sslrootcert=/ca.pem', "sslrootcert takes 'sslmode=require' or stricter"],
    ['sslmode=prefer&sslkey=/key', "sslkey takes 'sslmode=require' or stricter"],
    ['sslmode=require&sslrootcert=system', "sslrootcert may be 'system' with 'sslmode=verify-full' only"],
    ['sslmode=require&sslrootcert=/none.pem', 'sslrootcert names /none.pem, which cannot be read (ENOENT)'],
    ['sslmode=require&sslcert=/none.pem', "sslcert needs 'sslcert' and 'sslkey' both"],
    [
      `sslmode=verify-ca&sslrootcert=${certificate('README.md')}`,
      'sslrootcert names a file that is not what it',
    ],
    [
      `sslmode=require&sslcert=${certificate('client.pem')}&sslkey=${certificate('server.key')}`,
      'sslcert or sslkey names a file that is not what it should be',
    ],
    [
      `sslmode=require&sslcert=${certificate('client.pem')}&sslkey=${certificate('client-locked.key')}&sslpassword=wrong`,
      'sslcert or sslkey names a file that is not what it should be',
    ],
  ])('with %s is refused', (parameters, expected) => {
    const message = refusal(parameters);
    expect(message).toContain(`postgresql_connection_uri: ${expected}`);
    expect(message).not.toMatch(/\n|secret|wrong/);
  });
});

describe('TLS without sslmode', () => {
  test.each(['db.test', '10.0.0.1', '[fd00::1]', 'localhost.test', '127.0.0.1.test'])(
    'is a must on another host: %s',
    (host) => {
      expect(sslOf(`postgres://${host}/people`)).toMatchObject({ rejectUnauthorized: false });
      const bare = host.replace(/[[\]]/g, '');
      expect(sslOf(`postgres:///people?host=${bare}`)).toBeTypeOf('object');
      expect(sslOf(`postgres://${host}/people?sslmode=disable`)).toBe(false);
    },
  );

  test.each(['localhost', '127.0.0.1', '[::1]', '%2Frun%2Fpostgresql', ''])(
    'is not used on this: %j',
    (host) => {
      expect(sslOf(`postgres://${host}/people`)).toBe(false);
    },
  );
});

describe('TLS', () => {
  test.each([
    ['sslmode=disable', false],
    ['ssl=false', false],
    ['sslmode=allow', 'prefer'],
    ['sslmode=prefer', 'prefer'],
    ['sslmode=require', { rejectUnauthorized: false }],
    [`sslmode=require&sslrootcert=${certificate('ca.pem')}`, { rejectUnauthorized: true }],
    [`sslmode=verify-ca&sslrootcert=${certificate('ca.pem')}`, { rejectUnauthorized: true }],
    ['sslmode=verify-full', { rejectUnauthorized: true }],
    ['ssl=true', { rejectUnauthorized: true }],
    ['sslrootcert=system', { rejectUnauthorized: true }],
  ])('is for %s %j', (parameters, expected) => {
    const { servers, ...rest } = read(`?${parameters}`);
    expect({ ...rest, servers: [local] }).toEqual(plain);
    const ssl = servers[0]?.ssl;
    if (typeof expected === 'object') expect(ssl).toMatchObject(expected);
    else expect(ssl).toBe(expected);
  });

  it("compares the server's name for verify-full only", () => {
    const comparing = (parameters: string) => {
      const ssl = sslOf(`${start}?${parameters}`);
      return typeof ssl === 'object' && !('checkServerIdentity' in ssl);
    };
    expect(['sslmode=require', 'sslmode=verify-ca', 'sslmode=verify-full'].map(comparing)).toEqual([
      false,
      false,
      true,
    ]);
  });

  test.each([
    ['postgres://127.0.0.1/people?sslmode=verify-full', '127.0.0.1'],
    ['postgres://[::1]/people?sslmode=verify-full', '::1'],
    ['postgres:///people?host=10.0.0.1&sslmode=verify-full', '10.0.0.1'],
    ['postgres://db.test/people?sslmode=verify-full', undefined],
  ])('gets the address of %s', (uri, address) => {
    const ssl = sslOf(uri);
    expect(typeof ssl === 'object' ? ssl.host : 'none').toBe(address);
  });
});

describe("libpq's variables", () => {
  const bare = 'postgresql:///';
  it('say what the URI leaves open', () => {
    const environment = {
      PGHOST: 'h1,h2',
      PGPORT: '5433',
      PGUSER: 'app',
      PGPASSWORD: 'secret',
      PGDATABASE: 'people',
      PGAPPNAME: 'core-1',
      PGSSLMODE: 'disable',
      PGCONNECT_TIMEOUT: '7',
      PGTARGETSESSIONATTRS: 'primary',
    };
    expect(readConnectionUri(bare, environment)).toEqual({
      servers: [
        { host: 'h1', port: 5433, ssl: false },
        { host: 'h2', port: 5433, ssl: false },
      ],
      kind: 'primary',
      user: 'app',
      password: 'secret',
      database: 'people',
      connectTimeoutS: 7,
      isDirect: false,
      settings: { application_name: 'core-1' },
    });
    expect(readConnectionUri(start, { ...environment, PGHOST: '', PGTARGETSESSIONATTRS: '' })).toMatchObject({
      ...account,
      servers: [{ host: 'localhost', port: 5433 }],
    });
  });

  it('PGSSLMODE asks for TLS on this machine too, and the URI wins', () => {
    const environment = { PGSSLMODE: 'verify-full' };
    expect(readConnectionUri(start, environment).servers[0]?.ssl).toMatchObject({ rejectUnauthorized: true });
    expect(readConnectionUri(`${start}?sslmode=disable`, environment).servers[0]?.ssl).toBe(false);
  });

  test.each([
    [{ PGSSLMODE: 'sure' }, 'sslmode (from PGSSLMODE) must be one of disable'],
    [{ PGSSLCRL: '/crl' }, 'sslcrl (from PGSSLCRL) is not supported: leave it out'],
    [{ PGCHANNELBINDING: 'require' }, 'channel_binding (from PGCHANNELBINDING) is not supported but for'],
    [{ PGPORT: 'secret' }, 'port (from PGPORT) must be a whole number'],
    [
      { PGTARGETSESSIONATTRS: 'master' },
      'target_session_attrs (from PGTARGETSESSIONATTRS) must be one of any',
    ],
  ])('are refused by their names: %j', (environment, expected) => {
    expect(refusalOf(bare, environment)).toContain(`postgresql_connection_uri: ${expected}`);
  });
});

describe('a service', () => {
  it('says what the URI leaves open, before the variables', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-service-'));
    const file = path.join(folder, 'pg_service.conf');
    writeFileSync(
      file,
      '# ours\n[other]\nhost=other.test\n[auth]\nhost=db.test\nport = 5434\npassword=p=1\n\nuser=app\n',
    );
    const environment = { PGSERVICEFILE: file, PGUSER: 'nobody', PGDATABASE: 'people' };
    expect(readConnectionUri('postgresql:///?service=auth&port=5435', environment)).toMatchObject({
      servers: [{ host: 'db.test', port: 5435 }],
      user: 'app',
      password: 'p=1',
      database: 'people',
    });
    expect(refusalOf('postgresql:///?service=none', environment)).toBe(
      `postgresql_connection_uri: service is in none of ${file}: write it there, or leave it out`,
    );
    rmSync(folder, { recursive: true });
    expect(refusalOf('postgresql:///', { ...environment, PGSERVICE: 'auth' })).toContain(
      `service (from PGSERVICE) is in ${file}, which cannot be read (ENOENT)`,
    );
  });
});
