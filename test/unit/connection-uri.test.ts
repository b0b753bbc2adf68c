import { describe, expect, it, test } from 'vitest';
import { StartupError } from '../../src/process/startup-error.ts';
import { readConnectionUri } from '../../src/store/database/connection/uri.ts';
import { certificate } from '../helpers/tls-door.ts';

const read = (rest: string) =>
  readConnectionUri(`postgres://somebody:secret%40@localhost:5433/people${rest}`);
const plain = 'postgres://somebody:secret%40@localhost:5433/people';

function refusal(parameters: string): string {
  try {
    read(`?${parameters}`);
  } catch (error) {
    if (error instanceof StartupError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a connection URI', () => {
  it('stays what it is without parameters', () => {
    expect(read('')).toEqual({ uri: plain });
  });

  it("keeps a server's settings, and the driver's", () => {
    const parameters = '?application_name=core-1&work_mem=64MB&target_session_attrs=read-write';
    expect(read(parameters)).toEqual({ uri: plain + parameters });
  });

  it('loses what says no more than is done', () => {
    const parameters =
      '?channel_binding=prefer&gssencmode=disable&sslcompression=0&sslsni=1&ssl_min_protocol_version=TLSv1.2';
    expect(read(parameters)).toEqual({ uri: plain });
  });

  it('may name the folder of a socket, which has no TLS', () => {
    expect(read('?host=/run/postgresql&port=5434&sslmode=require')).toEqual({
      uri: plain,
      host: '/run/postgresql',
      port: 5434,
      ssl: false,
    });
  });

  it('counts the last of several parameters', () => {
    expect(read('?sslmode=require&sslmode=disable')).toEqual({ uri: plain, ssl: false });
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
      expect(readConnectionUri(`postgres://${host}/people`).ssl).toMatchObject({ rejectUnauthorized: false });
      expect(readConnectionUri(`postgres:///people?host=${host}`).ssl).toBeTypeOf('object');
      expect(readConnectionUri(`postgres://${host}/people?sslmode=disable`).ssl).toBe(false);
    },
  );

  test.each(['localhost', '127.0.0.1', '[::1]', '%2Frun%2Fpostgresql', ''])('is none on this: %j', (host) => {
    expect(readConnectionUri(`postgres://${host}/people`).ssl).toBeUndefined();
  });
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
    const { ssl, uri } = read(`?${parameters}`);
    expect(uri).toBe(plain);
    if (typeof expected === 'object') expect(ssl).toMatchObject(expected);
    else expect(ssl).toBe(expected);
  });

  it("compares the server's name for verify-full only", () => {
    const comparing = (parameters: string) => {
      const { ssl } = read(`?${parameters}`);
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
  ])('is told the address of %s', (uri, address) => {
    const { ssl } = readConnectionUri(uri);
    expect(typeof ssl === 'object' ? ssl.host : 'none').toBe(address);
  });
});
