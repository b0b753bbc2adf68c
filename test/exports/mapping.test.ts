/** `--map`: negated flags, words, salts, times, metadata; and refusals with the cure. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Names } from '../../src/exports/readers/names.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { useExportFiles } from '../helpers/export-files.ts';
import { passwordHash } from '../helpers/users-table.ts';

const { fileOf, linesOf, sourceOf, converted } = useExportFiles();

/** Users of a CSV table by their ids. */
async function usersOf(csv: string, names: Names, options = {}): Promise<Map<string, NativeUser>> {
  const lines = await linesOf(fileOf(csv), { reading: { names }, from: 'native', options });
  const users = lines
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as NativeUser);
  return new Map(users.map((user) => [user.externalUserId ?? '', user]));
}

const base = { externalUserId: 'id', email: 'mail' };

it('reads a column that is mapped to the field of its own name', async () => {
  const csv = 'id,email,password\n1,a@example.com,x\n';
  const users = await usersOf(csv, { externalUserId: 'id', email: 'email' });
  expect(users.get('1')?.loginMethods).toMatchObject([{ email: 'a@example.com' }]);
});

describe('a flag of the opposite sense', () => {
  it.each([
    ['1', false],
    ['0', true],
    ['t', false],
    ['FALSE', true],
    // PHP's and Ruby's false, and values that are not true in SQL.
    ['', true],
    ['NULL', true],
    // Neither: blocked.
    ['perhaps', true],
  ])('is_active %j disables: %j', async (value, isDisabled) => {
    const csv = `id,mail,is_active\n0,z@example.com,1\n1,a@example.com,${value}\n`;
    const users = await usersOf(csv, { ...base, isDisabled: '!is_active' });
    expect(users.get('1')).toMatchObject({ isDisabled });
  });

  it('is refused of a column that has no flags, with the form for words', async () => {
    const csv = 'id,mail,status\n1,a@example.com,active\n';
    await expect(usersOf(csv, { ...base, isDisabled: '!status' })).rejects.toThrow(
      /--map isDisabled=!status: the first records of .* have neither a flag .* nor a time in status; for words write --map 'isDisabled=!status:word'/,
    );
  });
});

describe('the first records of a JSON file', () => {
  const linesFor = (records: readonly object[], names: Names) =>
    linesOf(fileOf(records.map((each) => JSON.stringify(each)).join('\n')), {
      reading: { names },
      from: 'native',
    });
  const ada = { id: '1', mail: 'a@example.com', is_active: 'unknown' };
  const bob = { id: '2', mail: 'b@example.com', is_active: true, profile: { deletedAt: null } };

  it('say together whether a column has flags', async () => {
    const names = { ...base, isDisabled: '!is_active' };
    expect(await linesFor([ada, bob], names)).toContain('"isDisabled":false');
    await expect(linesFor([ada, ada], names)).rejects.toThrow('the first records of');
  });

  it('have a field that is called nearly as one that they lack', async () => {
    const names = { ...base, isDisabled: 'profile.deleted_at' };
    await expect(linesFor([ada, bob], names)).rejects.toThrow(
      'have no field profile.deleted_at; the nearest that they have is profile.deletedAt',
    );
    expect(await linesFor([ada, bob], { ...base, isDisabled: 'removed' })).toContain('"externalUserId":"2"');
  });
});

describe('words', () => {
  const csv =
    'id,mail,status\n1,a@example.com,Active\n2,b@example.com,banned\n3,c@example.com,\n4,d@example.com,new\n';
  const disabledBy = async (own: string): Promise<unknown[]> =>
    [...(await usersOf(csv, { ...base, isDisabled: own })).values()].map((user) => user.isDisabled);

  it('are those that disable, or with ! all others', async () => {
    expect(await disabledBy('status:banned|inactive')).toEqual([false, true, false, false]);
    expect(await disabledBy('!status:active|new')).toEqual([false, true, true, false]);
  });

  it('do not take a colon of a name for theirs', async () => {
    const users = await usersOf('id,mail,custom:off\n1,a@example.com,1\n', {
      ...base,
      isDisabled: 'custom:off',
    });
    expect(users.get('1')).toMatchObject({ isDisabled: true });
  });
});

describe('times', () => {
  it.each([
    ['2020-01-01 00:00:00', false],
    ['2999-01-01', true],
    ['', false],
    ['0000-00-00 00:00:00', false],
    ['for ever', true],
  ])('a ban until %j disables: %j', async (value, isDisabled) => {
    const csv = `id,mail,ban_end\n1,a@example.com,${value}\n`;
    const users = await usersOf(csv, { ...base, bannedUntil: 'ban_end' });
    expect(users.get('1')).toMatchObject({ isDisabled });
  });

  it.each([
    ['NULL', false],
    ['0000-00-00', false],
    ['0', false],
    ['2024-01-02 03:04:05', true],
    ['1', true],
  ])('deleted_at %j is gone: %j', async (value, isGone) => {
    const file = fileOf(`id,mail,deleted_at\n1,a@example.com,${value}\n`);
    const given = { reading: { names: { ...base, deleted: 'deleted_at' } }, from: 'native' };
    const rejects = (await converted(await sourceOf(file, given))).flatMap((each) => each.rejects);
    expect(rejects.map(({ code }) => code)).toEqual(isGone ? ['NOT_IMPORTABLE'] : []);
    const options = { 'include-deleted': 'true' };
    const kept = await linesOf(file, { ...given, options });
    expect(JSON.parse(kept)).toMatchObject(isGone ? { isDisabled: true } : { externalUserId: '1' });
  });

  it('verify an email by being there', async () => {
    const csv = 'id,mail,seen\n1,a@example.com,2024-01-02 03:04:05\n2,b@example.com,\n3,c@example.com,f\n';
    const users = await usersOf(csv, { ...base, isVerified: 'seen' });
    expect([...users.values()].map(({ loginMethods: [method] }) => method?.isVerified)).toEqual([
      true,
      false,
      false,
    ]);
  });
});

it('several columns go into the metadata, next to what is there, and roles and phone have their fields', async () => {
  const csv =
    'id,mail,plan,since,notes,extra,role,tel\n' +
    `1,a@example.com,pro,2024-01-02,NULL,"{""a"":1}","admin, editor",+49 151 12345678\n`;
  const users = await usersOf(csv, {
    ...base,
    'userMetadata.plan': 'plan',
    'userMetadata.since': 'since',
    'userMetadata.notes': 'notes',
    userMetadata: 'extra',
    userRoles: 'role',
    phoneNumber: 'tel',
  });
  expect(users.get('1')).toMatchObject({
    userRoles: [{ role: 'admin' }, { role: 'editor' }],
    loginMethods: [{ email: 'a@example.com' }, { phoneNumber: '+4915112345678' }],
  });
  expect(users.get('1')?.userMetadata).toEqual({ a: 1, plan: 'pro', since: '2024-01-02' });
});

describe('a salt of another column', () => {
  const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
  const csv = (name: string): string =>
    `id,mail,pwd,${name}\n1,a@example.com,${md5(`${md5('secret')}k#9`)},k#9\n2,b@example.com,${passwordHash},\n`;
  const names = { ...base, passwordHash: 'pwd' };
  const options = { 'hash-as': 'md5(md5(password).salt)' };

  it('is put together with the hash, and hashes that show their kind stay as they are', async () => {
    const users = await usersOf(csv('salt'), { ...names, passwordSalt: 'salt' }, options);
    expect(users.get('1')?.loginMethods[0]).toMatchObject({
      passwordHash: expect.stringMatching(/^\$construction\$md5\(md5\(password\)\.salt\)\$ayM5\$/) as string,
    });
    expect(users.get('2')?.loginMethods[0]).toMatchObject({ passwordHash });
  });

  it('keeps blanks at its ends', async () => {
    const blank = `id,mail,pwd,salt\n1,a@example.com,${md5('x')}," 9 "\n`;
    const users = await usersOf(blank, { ...names, passwordSalt: 'salt' }, options);
    expect(users.get('1')?.loginMethods[0]).toMatchObject({
      passwordHash: expect.stringContaining(`$${Buffer.from(' 9 ').toString('base64')}$`) as string,
    });
  });

  it('works in a format that is known: Devise with Authlogic’s salt', async () => {
    const devise = `id,email,encrypted_password,password_salt\n1,a@example.com,${'0a'.repeat(64)},pepperless\n`;
    const line = await linesOf(fileOf(devise), {
      from: 'devise',
      reading: { names: { passwordSalt: 'password_salt' } },
      options: { 'hash-as': 'sha512(password.salt,iterations=20)' },
    });
    expect(line).toContain('$construction$sha512(password.salt,iterations=20)$');
  });

  it('is not taken for empty where it is not mapped: the password is not imported', async () => {
    const users = await usersOf(csv('salt'), names, options);
    expect(users.get('1')?.loginMethods).not.toMatchObject([{ recipeId: 'emailpassword' }]);
    expect(users.get('2')?.loginMethods[0]).toMatchObject({ passwordHash });
  });
});

describe('what cannot be mapped is refused with what there is', () => {
  const csv = 'id,mail,pwd\n1,a@example.com,x\n';
  it.each([
    [
      { ...base, isDisabled: '!active' },
      /--map isDisabled=!active: .* has no column active; it has id, mail, pwd/,
    ],
    [
      { ...base, isActive: 'pwd' },
      /native has no field isActive; it has externalUserId, email, .*userMetadata\.KEY/,
    ],
    [{ ...base, 'userMetadata.': 'pwd' }, /has no field userMetadata\.;/],
  ])('%j', async (names, message) => {
    await expect(usersOf(csv, names)).rejects.toThrow(message);
  });
});
