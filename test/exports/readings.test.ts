/** Stated properties that a file does not show: columns, names of fields, the kind of its hashes. */
import { describe, expect, it } from 'vitest';
import type { ConvertOptions } from '../../src/exports/providers/provider.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { useExportFiles } from '../helpers/export-files.ts';
import { columns, passwordHash, plainText, quoted, rows, tableIn } from '../helpers/users-table.ts';

const { fileOf, sourceOf, converted, linesOf } = useExportFiles();

describe('columns of a file without a header row', () => {
  const headerless = tableIn({ delimiter: ';', absent: '', cell: quoted, isHeaderless: true });

  it('are those that are given, in their order', async () => {
    const shortened = rows.map(([id, , email, , password = '']) => `${password};${email};${id}\n`).join('');
    const file = fileOf(shortened);
    await expect(linesOf(file, { from: 'laravel' })).rejects.toThrow('name its 3 columns with --columns');
    const lines = await linesOf(file, { reading: { columns: ['password', 'email', 'id'] }, from: 'laravel' });
    expect(JSON.parse(lines.split('\n')[0] ?? '')).toMatchObject({
      externalUserId: '42',
      loginMethods: [{ email: 'ada@example.com', passwordHash }],
    });
  });

  it('are refused where they do not fit: too few, a header row, JSON', async () => {
    await expect(
      linesOf(fileOf(headerless), { reading: { columns: ['id', 'email'] }, from: 'laravel' }),
    ).rejects.toThrow('--columns names 2 columns, and the first row of');
    await expect(linesOf(fileOf(plainText), { reading: { columns }, from: 'laravel' })).rejects.toThrow(
      'leave --columns out',
    );
    const json = fileOf('[{"id":1,"email":"a@example.com"}]');
    await expect(linesOf(json, { reading: { columns }, from: 'laravel' })).rejects.toThrow(
      '--columns is for CSV',
    );
  });
});

describe('fields with other names', () => {
  const own = `key;mail;pwd\n7;ada@example.com;${passwordHash}\n`;
  const names = { externalUserId: 'key', email: 'mail', passwordHash: 'pwd' };
  const ada = {
    externalUserId: '7',
    loginMethods: [{ recipeId: 'emailpassword', email: 'ada@example.com', passwordHash }],
  };

  it('are those of the record in a table of your own, of CSV and of JSON', async () => {
    expect(JSON.parse(await linesOf(fileOf(own), { reading: { names } }))).toMatchObject(ada);
    const json = JSON.stringify([{ key: 7, mail: 'ada@example.com', pwd: passwordHash }]);
    expect(JSON.parse(await linesOf(fileOf(json), { reading: { names }, from: 'native' }))).toMatchObject(
      ada,
    );
  });

  it('are all that a record of one row may have', async () => {
    const file = fileOf(
      'id,email,isVerified,phoneNumber,timeJoinedInMSSinceEpoch,isDisabled,userMetadata,plainTextPassword,passwordHash\n' +
        `1,ada@example.com,t,+4915112345678,2024-01-01,0,"{""plan"":""pro""}",secret,\n`,
    );
    const timeJoinedInMSSinceEpoch = Date.UTC(2024, 0, 1);
    expect(JSON.parse(await linesOf(file))).toEqual({
      externalUserId: '1',
      userMetadata: { plan: 'pro' },
      isDisabled: false,
      loginMethods: [
        {
          recipeId: 'emailpassword',
          email: 'ada@example.com',
          plainTextPassword: 'secret',
          isVerified: true,
          isPrimary: true,
          timeJoinedInMSSinceEpoch,
        },
        {
          recipeId: 'passwordless',
          phoneNumber: '+4915112345678',
          isVerified: true,
          isPrimary: false,
          timeJoinedInMSSinceEpoch,
        },
      ],
    });
  });

  it('are those of a format, together with --columns', async () => {
    const headerless = own.slice(own.indexOf('\n') + 1);
    const reading = {
      columns: ['id', 'mail', 'pwd'],
      names: { email: 'mail', password: 'pwd' },
    };
    expect(
      JSON.parse(await linesOf(fileOf(headerless), { reading: reading, from: 'laravel' })),
    ).toMatchObject(ada);
  });

  it('are refused where the file has none of them, with those that it has', async () => {
    const mistyped = { ...names, email: 'e_mail' };
    await expect(linesOf(fileOf(own), { reading: { names: mistyped }, from: 'native' })).rejects.toThrow(
      /--map email=e_mail: .* has no column e_mail; it has key, mail, pwd$/,
    );
  });
});

describe('hashes that do not show their kind', () => {
  const md5 = '5f4dcc3b5aa765d61d8327deb882cf99';
  const method = { email: 'ada@example.com', passwordHash: md5, hashingAlgorithm: 'md5' };
  const files = {
    laravel: `id,email,password\n1,ada@example.com,${md5}\n2,bob@example.com,${passwordHash}\n`,
    native: `externalUserId,email,passwordHash\n1,ada@example.com,${md5}\n2,bob@example.com,${passwordHash}\n`,
    supertokens: JSON.stringify({
      users: [
        { loginMethods: [{ recipeId: 'emailpassword', email: 'ada@example.com', passwordHash: md5 }] },
        { loginMethods: [{ recipeId: 'emailpassword', email: 'bob@example.com', passwordHash }] },
      ],
    }),
  };

  it.each(Object.entries(files))('are of the kind that is said: in %s', async (from, content) => {
    const lines = await linesOf(fileOf(content), { from, options: { 'hash-as': 'md5' } });
    const [first, second] = lines
      .split('\n')
      .slice(0, 2)
      .map((line) => JSON.parse(line) as NativeUser);
    expect(first?.loginMethods).toMatchObject([method]);
    expect(second?.loginMethods[0]).toMatchObject({ passwordHash });
    expect(second?.loginMethods[0]).not.toHaveProperty('hashingAlgorithm');
  });

  it('are lost with the flag in the reason, and where they are of another kind', async () => {
    const lostOf = async (options: ConvertOptions) => {
      const source = await sourceOf(fileOf(files.laravel), { from: 'laravel', options });
      return (await converted(source)).flatMap(({ account }) => Object.entries(account.lostPasswords));
    };
    const first = { count: 1, records: [1] };
    expect(await lostOf({})).toEqual([[expect.stringContaining('--hash-as md5'), first]]);
    expect(await lostOf({ 'hash-as': 'sha256' })).toEqual([
      [expect.stringContaining('invalid SHA256 format'), first],
    ]);
    const source = await sourceOf(fileOf(files.laravel), {
      from: 'laravel',
      options: { 'without-password': 'reject' },
    });
    expect((await converted(source)).flatMap(({ rejects }) => rejects)).toMatchObject([
      { record: 1, code: 'INVALID_PASSWORD_HASH' },
    ]);
  });
});

describe('the realm file of Keycloak without its users', () => {
  const realm = { id: 'shop', realm: 'shop', enabled: true, clients: [{ clientId: 'app' }], groups: [] };

  it.each([undefined, 'keycloak'])('is refused with the files to take, read as %s', async (from) => {
    const file = fileOf(JSON.stringify(realm, undefined, 2));
    await expect(linesOf(file, { from: from })).rejects.toThrow(
      'a Keycloak realm without its users: take the files next to it that are called <realm>-users-0.json',
    );
    const whole = fileOf(
      JSON.stringify({ ...realm, users: [{ id: '1', username: 'a', email: 'a@example.com' }] }),
    );
    expect(await linesOf(whole, { from: from })).toContain('"externalUserId":"1"');
  });
});
