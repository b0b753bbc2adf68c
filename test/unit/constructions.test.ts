/** Apps' constructions from a password and a salt: each as PHP, Ruby, Python or Node compute it, verified with its password. */
import { createHash, createHmac, pbkdf2Sync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { buildHash } from '../../src/hashes/constructions.ts';
import { parseConstruction, type Construction } from '../../src/hashes/parts/construction.ts';
import { costText } from '../../src/hashes/kind.ts';
import { parseHash } from '../../src/hashes/recognise.ts';
import { rowFor } from '../../src/hashes/registry.ts';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';

const password = 'Grüße & Küsse 7';
const salt = 'k#9';
const hexSalt = '69671c9f460179441dc939181ead8132';
const digest = (name: string, ...parts: readonly (string | Buffer)[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash(name)).digest();
const hex = (name: string, ...parts: readonly (string | Buffer)[]): string =>
  digest(name, ...parts).toString('hex');

function authlogic(rounds: number): string {
  let last = password + salt;
  for (let round = 0; round < rounds; round++) last = hex('sha512', last);
  return last;
}

function made(text: string): Construction {
  const parsed = parseConstruction(text);
  if (typeof parsed === 'string') throw new Error(parsed);
  return parsed;
}

function verify(how: string, hash: string, saltText: string | undefined, typed: string): boolean {
  const built = buildHash(made(how), hash, saltText);
  if (!built.ok) throw new Error(built.fault);
  const result = parseHash(built.hash, undefined, limits);
  if (!result.ok) throw new Error(result.message);
  return verifyParsed(result.parsed, Buffer.from(typed), { signerKey: undefined });
}

const cases: readonly (readonly [how: string, hash: string, saltText?: string])[] = [
  ['md5(password.salt)', hex('md5', password, salt), salt],
  ['md5(salt.password)', hex('md5', salt, password).toUpperCase(), salt],
  ['sha256(salt+password)', digest('sha256', salt, password).toString('base64'), salt],
  ['sha512(password.salt)', hex('sha512', password, salt), salt],
  // vBulletin 3 and 4
  ['md5(md5(password).salt)', hex('md5', hex('md5', password), salt), salt],
  // IP.Board
  ['md5(md5(salt).md5(password))', hex('md5', hex('md5', salt), hex('md5', password)), salt],
  // MyBB, OpenCart
  ['sha1(salt.sha1(salt.sha1(password)))', hex('sha1', salt, hex('sha1', salt, hex('sha1', password))), salt],
  // restful-authentication
  ["sha1('--'.salt.'--'.password.'--')", hex('sha1', `--${salt}--${password}--`), salt],
  // Authlogic
  ['sha512(password.salt,iterations=20)', authlogic(20), salt],
  // Joomla 1.5, in one column
  ['md5(password.salt)', `${hex('md5', password, salt)}:${salt}`],
  // phpBB 2
  ['md5(password)', hex('md5', password)],
  // MySQL's PASSWORD() without its star
  ['sha1(raw(sha1(password)))', hex('sha1', digest('sha1', password))],
  ['md5(upper(md5(password)))', hex('md5', hex('md5', password).toUpperCase())],
  ['sha1(base64(md5(password)).salt)', hex('sha1', digest('md5', password).toString('base64'), salt), salt],
  ['sha256(salt.password,salt=hex)', hex('sha256', Buffer.from(hexSalt, 'hex'), password), hexSalt],
  [
    'sha256(password.salt,salt=base64)',
    hex('sha256', password, Buffer.from('c2FsdA==', 'base64')),
    'c2FsdA==',
  ],
  ['hmac-sha256(password,key=salt)', createHmac('sha256', salt).update(password).digest('hex'), salt],
  // Node's crypto.pbkdf2Sync, with the text of the salt and with its bytes
  [
    'pbkdf2-sha512(iterations=1000)',
    pbkdf2Sync(password, hexSalt, 1000, 64, 'sha512').toString('hex'),
    hexSalt,
  ],
  [
    'pbkdf2-sha512(iterations=1000,salt=hex)',
    pbkdf2Sync(password, Buffer.from(hexSalt, 'hex'), 1000, 64, 'sha512').toString('hex'),
    hexSalt,
  ],
  [
    'pbkdf2-sha1(iterations=10000,salt=base64)',
    pbkdf2Sync(password, Buffer.from('c2FsdHNhbHQ=', 'base64'), 10_000, 20, 'sha1').toString('base64'),
    'c2FsdHNhbHQ=',
  ],
];

it.each(cases.map(([how, hash, saltText]) => ({ how, hash, saltText })))(
  '$how is verified with its password and no other',
  ({ how, hash, saltText }) => {
    expect(verify(how, hash, saltText, password)).toBe(true);
    expect(verify(how, hash, saltText, `${password} `)).toBe(false);
    if (saltText !== undefined) expect(verify(how, hash, `AAAA${saltText}`, password)).toBe(false);
  },
);

describe('what is no construction is refused with what is wrong', () => {
  it.each([
    ['md5(password', /ends too early/],
    ['md4(password)', /md4 is not a digest/],
    ['md5(salt)', /the password is not in/],
    ['md5(password.peper)', /expected/],
    ['md5(password,rounds=3)', /rounds= is not known here/],
    ['md5(password,iterations=0)', /whole number from 1/],
    ['md5(password) and more', /after the end/],
    ["md5(password.'a$b')", /has no \$/],
    ['pbkdf2-sha512(salt=hex)', /needs its iterations/],
    ['pbkdf2-md5(iterations=1)', /sha1, sha256 and sha512/],
    ['hmac-sha1(salt,key=password)', /of the password/],
    ['sha1(password.salt,salt=octal)', /text, hex or base64/],
    [`md5(${'md5('.repeat(9)}password${')'.repeat(10)}`, /more than 8 digests/],
    [`md5(password.'${'x'.repeat(200)}')`, /at most 200 characters/],
  ])('%s', (text, fault) => {
    expect(parseConstruction(text)).toMatch(fault);
  });
});

describe('a hash that it does not fit is refused without being repeated', () => {
  it.each([
    ['sha1(password.salt)', hex('md5', password), salt, /20 bytes/],
    ['md5(password.salt)', hex('md5', password), undefined, /--map passwordSalt=COLUMN/],
    ['md5(password.salt,salt=hex)', hex('md5', password), salt, /its salt is not hex/],
    ['md5(password.salt)', 'no hash', salt, /16 bytes in hexadecimal digits or base64/],
  ])('%s of %s', (how, hash, saltText, message) => {
    const built = buildHash(made(how), hash, saltText);
    expect(built).toMatchObject({ ok: false, fault: expect.stringMatching(message) as string });
    expect(JSON.stringify(built)).not.toContain(hash);
  });
});

it('holds the ceiling for every digest that it computes', () => {
  const stored = `$construction$md5(md5(password,iterations=6000).salt,iterations=6000)$c2FsdA==$${digest('md5', 'x').toString('base64')}`;
  expect(parseHash(stored, undefined, limits)).toMatchObject({ code: 'out-of-range' });
  expect(parseHash(stored, undefined, { ...limits, digestMaxIterations: 12_000 }).ok).toBe(true);
});

it('shows no text of a construction in the cost that reports have', () => {
  const built = buildHash(made("sha1('pepper'.password.salt)"), hex('sha1', 'x'), salt);
  const result = built.ok ? parseHash(built.hash, undefined, limits) : undefined;
  expect(result?.ok === true && costText(rowFor(result.parsed).cost(result.parsed))).toBe(
    "construction sha1('…'.password.salt)",
  );
});
