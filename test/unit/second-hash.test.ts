/** Which hash the old system would make. */
import { describe, expect, it } from 'vitest';
import { databaseProviders } from '../../src/exports/providers/index.ts';
import { storedKind } from '../../src/hashes/recognise.ts';
import { tagged } from '../../src/hashes/spellings.ts';
import { makeHash } from '../../src/hashes/verify/make.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';
import { likeOf, ownHashes } from '../../src/features/moves/second-hash.ts';

const bcrypt = (cost: string) => `$2y$${cost}$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2`;
const argon2 =
  '$argon2id$v=19$m=65536,t=4,p=1$c2FsdHNhbHRzYWx0c2FsdA$dGFndGFndGFndGFndGFndGFndGFndGFndGFndGFndGE';
const pbkdf2 = (iterations: number) =>
  `pbkdf2_sha256$${iterations}$Qm3vTz8LkW0pYxRa1sCe7B$I3zmeiKZSgb0jqJv6qA/j0zkGLSDCSx/zQOGhOsuZww=`;

const imported = (...hashes: readonly string[]) => ({ hashes, areImported: true, hasPepper: false });
const peppered = tagged('bcrypt_peppered', bcrypt('11').replace('$2y', '$2a'));

it('is known for every system to which changes are written back', () => {
  const written = databaseProviders.filter(({ database }) => database.writes !== undefined);
  expect(written.length).toBeGreaterThan(1);
  expect([...ownHashes.keys()].toSorted()).toEqual(written.map(({ name }) => name).toSorted());
});

it.each([...ownHashes.keys()])('is made for a user of %s who is the first', (system) => {
  const hash = likeOf(system, imported()) ?? '';
  const kind = storedKind(hash);
  const model = kind && { hash, kind, limits: defaultLimits, secrets: { signerKey: undefined } };
  expect(model && makeHash(model, Buffer.from('a password'), true)).toMatch(
    /^(?:\$2[aby]\$1[02]\$|pbkdf2_sha256\$600000\$|\$carryover\$better_auth\$[0-9a-f]{32}:|\$pbkdf2-sha512\$i=210000,l=64\$|\$password-as\$slashed,trimmed\|trimmed\$\$P\$B)/,
  );
});

describe('the like of hashes', () => {
  it('is the most expensive one of the most frequent kind', () => {
    expect(likeOf('laravel', imported(bcrypt('04'), argon2, bcrypt('12'), bcrypt('10')))).toBe(bcrypt('12'));
    expect(likeOf('laravel', imported(argon2, bcrypt('12'), argon2))).toBe(argon2);
    expect(likeOf('django', imported(pbkdf2(260_000), pbkdf2(870_000), argon2))).toBe(pbkdf2(870_000));
  });

  it('is the usual one of a system without any, or with those of others', () => {
    const usual = likeOf('django', imported());
    expect(usual).toMatch(/^pbkdf2_sha256\$600000\$/);
    expect(likeOf('django', imported(bcrypt('04'), 'a damaged hash', '$legacy$old'))).toBe(usual);
    expect(likeOf('laravel', imported('$2y$12$damaged'))).toMatch(/^\$2y\$12\$/);
  });

  it('is undefined for a system whose hashes are not made here', () => {
    expect(likeOf('cognito', imported(bcrypt('04')))).toBeUndefined();
  });

  it('is peppered for Devise if its imported hashes are, and plain if they are not', () => {
    const withPepper = (...hashes: readonly string[]) => ({ ...imported(...hashes), hasPepper: true });
    expect(likeOf('devise', withPepper(bcrypt('12'), peppered, peppered))).toBe(peppered);
    // The pepper is that of another system.
    expect(likeOf('devise', withPepper(bcrypt('12'), bcrypt('10')))).toBe(bcrypt('12'));
    expect(likeOf('devise', imported())).toMatch(/^\$2a\$12\$/);
  });

  it('is undefined for Devise if hashes made here may be all that is known, and there is a pepper', () => {
    const made = (...hashes: readonly string[]) => ({ hashes, areImported: false, hasPepper: true });
    expect(likeOf('devise', made())).toBeUndefined();
    expect(likeOf('devise', made(bcrypt('12'), bcrypt('12'), peppered))).toBeUndefined();
    expect(likeOf('devise', made(bcrypt('12'), peppered, peppered))).toBe(peppered);
    expect(likeOf('devise', { ...made(bcrypt('12')), hasPepper: false })).toBe(bcrypt('12'));
  });
});
