import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { takeMysqlTls } from '../../src/exports/sources/engines/mysql-tls.ts';

const taken = (query: string, host = 'db.example.com') => takeMysqlTls(new URLSearchParams(query), host);
const file = fileURLToPath(import.meta.url);

it('wants TLS of a server on another host, and checks it as far as configured', () => {
  expect(taken('')).toEqual({ rejectUnauthorized: false });
  expect(taken('', '127.0.0.1')).toBeUndefined();
  expect(taken('sslmode=require', 'localhost')).toEqual({ rejectUnauthorized: false });
  expect(taken('sslmode=disable')).toBeUndefined();
  expect(taken('ssl-mode=VERIFY_CA')).toEqual({ rejectUnauthorized: true });
  expect(taken('sslmode=verify-full')).toEqual({ rejectUnauthorized: true, verifyIdentity: true });
});

it('believes only the authority that it is given', () => {
  const ca = expect.stringContaining('takeMysqlTls') as string;
  const strict = { rejectUnauthorized: true, verifyIdentity: true, ca };
  expect(taken(`sslrootcert=${file}`)).toEqual(strict);
  expect(taken(`sslmode=require&ssl-ca=${file}`)).toEqual({ rejectUnauthorized: true, ca });
});

it('says what cannot be', () => {
  expect(() => taken('sslmode=prefer')).toThrow('sslmode must be one of disable, require');
  expect(() => taken('sslmode=disable&sslrootcert=ca.pem')).toThrow('sslrootcert takes');
  expect(() => taken('sslrootcert=/nowhere.pem')).toThrow('cannot be read (ENOENT)');
});
