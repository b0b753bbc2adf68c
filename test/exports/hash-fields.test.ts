/** Hashes in a special form, or next to something that they were made with: the result of importing each. */
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseStoredHash } from '../../src/hashes/recognise.ts';
import { stating } from '../../src/hashes/transforms/transforms.ts';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { textOf, useExportFiles, type Asked } from '../helpers/export-files.ts';
import { isRight } from '../helpers/framework-exports.ts';
import { defaultLimits } from '../helpers/hash-limits.ts';

const { sourceOf, converted, fileOf } = useExportFiles();

interface Result {
  readonly users: readonly NativeUser[];
  /** Including those of lost passwords. */
  readonly rejects: readonly string[];
  readonly notes: readonly string[];
}

async function importOf(file: string, asked?: Asked): Promise<Result> {
  const from = file.includes(path.sep) ? file : path.join(import.meta.dirname, 'hash-files', file);
  const batches = await converted(await sourceOf(from, asked));
  const lines = textOf(batches)
    .split('\n')
    .filter((line) => line !== '');
  return {
    users: lines.map((line) => JSON.parse(line) as NativeUser),
    rejects: batches.flatMap(({ rejects, account }) => [
      ...rejects.map(({ code, message }) => `${code}: ${message}`),
      ...Object.entries(account.lostPasswords).flatMap(([reason, { count }]) =>
        Array<string>(count).fill(reason),
      ),
    ]),
    notes: batches.flatMap(({ notes }) => Object.entries(notes).map(([note, users]) => `${users} ${note}`)),
  };
}

/** The emails whose password is right, and not right with an appended text. */
function signedIn(users: readonly NativeUser[], passwords: Readonly<Record<string, string>>): string[] {
  return users.flatMap((user) => {
    const email = user.loginMethods[0]?.email ?? '';
    const password = passwords[email.split('@')[0] ?? ''] ?? '';
    const conversion = { ok: true, user } as const;
    return isRight(conversion, password) && !isRight(conversion, `${password}!`)
      ? [email.split('@')[0] ?? '']
      : [];
  });
}

const names = (map: Readonly<Record<string, string>>, from = 'native'): Asked => ({
  reading: { names: map },
  from,
});
const mail = { email: 'mail' };

describe('files whose hashes are all verified', () => {
  it.each<[string, Readonly<Record<string, string>>, Asked?]>([
    ['workos-scrypt.csv', { tom: 'Tom-pass-1', una: 'Una-pass-2' }],
    ['auth0-pbkdf2-sha384.json', { p38: 'P38-pass-1', p51: 'P51-pass-2' }],
    ['keycloak-bcrypt.json', { lotte: 'Lotte-Wolf-1', mats: 'Mats-Wolf-2' }],
    ['aspnet-membership.csv', { xavi: 'Xavi-Pine-1', ylva: 'Ylva-Pine-2', zeki: 'Zeki-Pine-3' }],
    ['fusionauth-hmac.json', { elsa: 'Elsa-Quill-1', fedor: 'Fedor-Quill-2' }],
    [
      'ldap-crypt.csv',
      { liv: 'Liv-Boat-1', milo: 'Milo-Boat-2', nane: 'Nane-Boat-3' },
      names({ ...mail, externalUserId: 'uid', passwordHash: 'userPassword' }),
    ],
    [
      'nextcloud.csv',
      { emelie: 'Emelie-Cloud-1', falko: 'Falko-Cloud-2' },
      names({ externalUserId: 'uid', passwordHash: 'password' }),
    ],
    [
      'werkzeug.csv',
      { katja: 'Katja-Bell-1', leo: 'Leo-Bell-2' },
      names({ ...mail, externalUserId: 'id', passwordHash: 'password' }),
    ],
  ])('%s', async (file, passwords, asked) => {
    const { users, rejects, notes } = await importOf(file, asked);
    expect({ rejects, notes }).toEqual({ rejects: [], notes: [] });
    expect(signedIn(users, passwords)).toEqual(Object.keys(passwords));
  });

  it('firebase-bcrypt.json, made for auth:import: each with its own password', async () => {
    const { users, rejects } = await importOf('firebase-bcrypt.json');
    expect(rejects).toEqual([]);
    expect(signedIn(users, { lar: 'Lar-pass-1', las: 'Lar-pass-1' })).toEqual(['lar']);
  });

  it('a table whose hashes have the prefixes of Spring and Django', async () => {
    const hash = '$2y$04$BphBYvY.AAYKQlfvAwowIuUAvJXAsZBmHLwYn4x37tbrnFjh1QSZu';
    const rows = ['{bcrypt}', 'bcrypt$', 'bcrypt', '{CRYPT}'].map(
      (prefix, at) => `${at},u${at}@example.com,${prefix}${hash}`,
    );
    const file = fileOf(`externalUserId,email,passwordHash\n${rows.join('\n')}\n`);
    const { users, rejects } = await importOf(file);
    expect(rejects).toEqual([]);
    const right = 'Nétt & späte-7';
    expect(signedIn(users, { u0: right, u1: right, u2: right, u3: right })).toEqual(['u0', 'u1', 'u2', 'u3']);
  });
});

describe('a salt in another column', () => {
  it.each([
    ['devise-encryptable.csv', 'password_salt', { kati: 'Kati-Viola-3' }, undefined],
    ['node-pbkdf2.csv', 'salt', {}, names({ ...mail, externalUserId: 'id', passwordHash: 'hash' })],
  ] as const)('of %s is named, and no kind is suggested', async (file, column, passwords, asked) => {
    const { users, rejects } = await importOf(file, asked);
    expect(signedIn(users, passwords)).toEqual(Object.keys(passwords));
    expect(rejects.length).toBe(2);
    for (const reject of rejects) {
      expect(reject).toContain(
        `as long as SHA-512 in hexadecimal digits, and the record has a salt in ${column}:`,
      );
      expect(reject).not.toMatch(/hashingAlgorithm|hash-as/);
    }
  });

  it('of vBulletin withdraws what --hash-as md5 claims', async () => {
    const asked = names({ externalUserId: 'userid', passwordHash: 'password' });
    const { notes } = await importOf('vbulletin.csv', { ...asked, options: { 'hash-as': 'md5' } });
    expect(notes).toEqual([expect.stringMatching(/^2 whose record has a salt that the kind of their hash/)]);
  });

  it('is nothing to speak of where it is empty, or the hash has its own', async () => {
    const asked = names({ ...mail, externalUserId: 'id', passwordHash: 'password' });
    expect(await importOf('symfony-empty-salt.csv', asked)).toMatchObject({ rejects: [], notes: [] });
    const salted = fileOf(
      'externalUserId,email,passwordHash,salt\n1,a@example.com,{SSHA}TpKFvik1beWPO7ZmdMSfJilf62301ML/,x\n',
    );
    expect(await importOf(salted)).toMatchObject({ rejects: [], notes: [] });
  });

  it('does not repeat a name that may be anything', async () => {
    const file = fileOf(
      `externalUserId,email,passwordHash,"\u001b[31m salt"\n1,a@example.com,${'a'.repeat(32)},x\n`,
    );
    expect((await importOf(file)).rejects).toEqual([
      expect.stringContaining('a salt in a field of its own:'),
    ]);
  });
});

describe('columns that say what was hashed', () => {
  const meteor = names({
    externalUserId: '_id',
    email: 'emails.0.address',
    passwordHash: 'services.password.bcrypt',
  });

  it('of Meteor make its bcrypt the kind that hashes a SHA-256', async () => {
    const { users, rejects, notes } = await importOf('meteor.csv', meteor);
    expect(rejects).toEqual([]);
    expect(notes).toEqual([expect.stringMatching(/^2 with a bcrypt hash of Meteor, .*SHA-256/)]);
    expect(signedIn(users.slice(0, 1), { klaas: 'Nétt & späte-7' })).toEqual(['klaas']);
    expect(users[1]?.loginMethods[0]).toMatchObject({
      passwordHash: expect.stringMatching(/^bcrypt_sha256\$\$2b/) as string,
    });
  });

  it("of MySQL's PASSWORD() are named as what they are", async () => {
    const mapped = names({ externalUserId: 'id', email: 'mail', passwordHash: 'passwd' });
    const { users, rejects, notes } = await importOf('mysql-password.csv', mapped);
    const passwords = { dorle: 'Dorle-Chess-1', erik: 'Erik-Chess-2', feli: 'Feli-Chess-3' };
    expect(rejects).toEqual([]);
    expect(signedIn(users, passwords)).toEqual(Object.keys(passwords));
    expect(notes).toEqual([expect.stringMatching(/^2 with a hash of MySQL's PASSWORD\(\)/)]);
  });

  it('are left alone where it is stated what was done to passwords', async () => {
    const { users, notes } = await importOf('meteor.csv', {
      ...meteor,
      options: { 'password-as': 'sha256-hex' },
    });
    expect(notes).toEqual([]);
    expect(users[1]?.loginMethods[0]).toMatchObject({
      passwordHash: expect.stringMatching(/^\$2b/) as string,
    });
  });

  it.each([
    {
      who: 'of Meteor',
      column: 'services.password.argon2',
      mark: 'x',
      transforms: 'sha256-hex',
      hash: '$argon2id$v=19$m=256,t=2,p=1$N3lRb2d3NW1meXdRYU91dw$thWM3JQJhzW97kZpyiF4XoO7QkabnJoRbd6EBNzQorM',
    },
    {
      who: 'of NodeBB',
      column: 'password',
      mark: 'password:shaWrapped',
      transforms: 'sha512-hex',
      hash: '$2y$04$VhWFkeXhHQUl2IwBQV.rR.Xxcxm5Ek6uhIueCG5gvyZ.Hy9Nt6/Dq',
    },
  ])('$who ($column, $mark) state $transforms', async ({ who, column, mark, transforms, hash }) => {
    const file = fileOf(`id,email,${column},${mark}\n1,a@example.com,"${hash}",1\n`);
    const { users, notes } = await importOf(file, names({ externalUserId: 'id', passwordHash: column }));
    expect(notes).toEqual([expect.stringContaining(who)]);
    const [method] = users[0]?.loginMethods ?? [];
    expect(method).toMatchObject({ passwordHash: hash, passwordTransforms: transforms });
    const stored = parseStoredHash(stating(transforms, hash), defaultLimits);
    if (!stored.ok) throw new Error(stored.message);
    const isRight = (text: string) =>
      verifyParsed(stored.parsed, Buffer.from(text), { signerKey: undefined });
    expect([isRight('Nétt & späte-7'), isRight('Nétt & späte-8')]).toEqual([true, false]);
  });
});

describe('wrapped hashers of Django', () => {
  it('are named as such, with what to do', async () => {
    const { users, rejects } = await importOf('django-wrapped.json');
    expect(signedIn(users, { vincent: 'Vincent-Web-2' })).toEqual(['vincent']);
    expect(rejects).toEqual([expect.stringMatching(/wraps older hashes.*without-hashes/)]);
  });
});
