/** Dumps that the databases' own programs made, each with its program and version in its head: the same users from each. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { convert, recogniseFile } from '../../../src/exports/convert/convert.ts';
import type { ConversionReject, ConvertOptions } from '../../../src/exports/providers/provider.ts';
import type { NativeUser } from '../../../src/imports/record/native-record.ts';
import { createConvertPool } from '../../../src/threads/convert-pool.ts';

const folder = fileURLToPath(new URL('../dump-files/', import.meta.url));
const pool = createConvertPool({ threads: 1 });

afterAll(() => pool.close());

interface Converted {
  readonly users: readonly NativeUser[];
  readonly rejects: readonly ConversionReject[];
  readonly unmatched: Readonly<Record<string, number>>;
}

async function convertedOf(name: string, options: ConvertOptions = {}): Promise<Converted> {
  const file = path.resolve(folder, name);
  const found = await recogniseFile(file);
  if (found === undefined) throw new Error('nobody knows it');
  const { provider, table } = found;
  let text = '';
  const rejects: ConversionReject[] = [];
  let unmatched = {};
  const source = { file, provider, related: {}, options, tenant: undefined, reading: { table } };
  for await (const batch of convert(source, pool)) {
    text += Buffer.from(batch.text).toString();
    rejects.push(...batch.rejects);
    ({ unmatched } = batch);
  }
  const lines = text.split('\n').filter((line) => line !== '');
  const users = lines.map((line) => JSON.parse(line) as NativeUser);
  // PostgreSQL writes rows in physical order, a changed one after the others.
  users.sort((a, b) => String(a.externalUserId).localeCompare(String(b.externalUserId)));
  return { users, rejects, unmatched };
}

const dumpsOf = (system: string): readonly string[] =>
  readdirSync(folder).filter((name) => name.startsWith(`${system}.`));

describe('Keycloak', () => {
  it.each(dumpsOf('keycloak'))('has its users with all that belongs to them: %s', async (name) => {
    const { users, rejects, unmatched } = await convertedOf(name);
    expect(users).toMatchObject([
      {
        externalUserId: '5d1f7f0e-7f5c-4c0e-8a0e-0c8d5b1f9a01',
        userMetadata: {
          firstName: 'Ada "the\tfirst"',
          lastName: "O'Hara \\N\nLovelace 👩‍💻",
          attributes: { locale: ['en'], about: ['C:\\new\\table\r\n\\.\nend'] },
          groups: ['/staff/paris'],
          clientRoles: { app: ['manage'] },
        },
        userRoles: [{ role: 'editor' }],
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            isVerified: true,
            timeJoinedInMSSinceEpoch: 1_704_067_200_000,
            passwordHash: expect.stringMatching(/^\$argon2id\$/) as string,
          },
          { recipeId: 'thirdparty', thirdPartyId: 'google', thirdPartyUserId: '109876543210987654321' },
        ],
      },
      { loginMethods: [{ email: 'bob@example.com', isVerified: false }] },
    ]);
    expect(rejects).toMatchObject([{ code: 'NOT_IMPORTABLE', field: 'serviceAccountClientId' }]);
    expect(Object.values(unmatched).every((rows) => rows === 0)).toBe(true);
  });

  it('has the users of the realm that is named', async () => {
    const master = await convertedOf('keycloak.pg_dump.sql', { 'keycloak-realm': 'master' });
    expect(master.users).toMatchObject([{ loginMethods: [{ email: 'root@example.com' }] }]);
    await expect(convertedOf('keycloak.pg_dump.sql', { 'keycloak-realm': 'other' })).rejects.toThrow(
      'there is no such realm: say which with --keycloak-realm, one of master, shop',
    );
  });
});

it('refuses a dump without a table that users need, and says which', async () => {
  const whole = readFileSync(path.join(folder, 'keycloak.pg_dump.sql'), 'utf8');
  const cut = mkdtempSync(path.join(tmpdir(), 'carryover-test-'));
  for (const table of ['credential', 'keycloak_role']) {
    const file = path.join(cut, 'dump.sql');
    writeFileSync(file, whole.replaceAll(`public.${table} `, 'public.other '));
    await expect(convertedOf(file)).rejects.toThrow(`the dump has no table ${table},`);
  }
  rmSync(cut, { recursive: true });
});

describe('Kratos', () => {
  it.each(dumpsOf('kratos'))('has its identities with their credentials: %s', async (name) => {
    const { users, rejects, unmatched } = await convertedOf(name);
    expect(rejects).toEqual([]);
    expect(users).toMatchObject([
      {
        userMetadata: {
          traits: { name: `O'Hara \\\\N "x" \n 👩‍💻` },
          metadata_public: { plan: 'pro' },
        },
        loginMethods: [
          {
            email: 'ada@example.com',
            isVerified: true,
            passwordHash: expect.stringMatching(/^\$argon2id/) as string,
          },
          { thirdPartyId: 'google', thirdPartyUserId: '109876543210987654321' },
        ],
      },
      { loginMethods: [{ email: 'inactive@example.com' }] },
    ]);
    expect(unmatched).toEqual({ credentials: 0, addresses: 0 });
  });
});

const awkward = `O'Hara \\N "x"\n👩‍💻`;
const google = { recipeId: 'thirdparty', thirdPartyId: 'google', thirdPartyUserId: '109876543210987654321' };
const ada = { recipeId: 'emailpassword', email: 'ada@example.com', isVerified: true };

describe('other systems', () => {
  it('WordPress by mariadb-dump: user meta, ids beyond 2^53, a date of zeros', async () => {
    const { users, rejects } = await convertedOf('wordpress.mariadb-dump.sql');
    expect(rejects).toEqual([]);
    const joined = { timeJoinedInMSSinceEpoch: Date.parse('2019-03-04T05:06:07Z') };
    expect(users).toMatchObject([
      { externalUserId: '18446744073709551615', userMetadata: { name: 'Bób' }, loginMethods: [joined] },
      { externalUserId: '42', userMetadata: { last_name: awkward }, userRoles: [{ role: 'editor' }] },
      { externalUserId: '44' },
    ]);
    expect(users[2]?.loginMethods[0]).not.toHaveProperty('timeJoinedInMSSinceEpoch');
  });

  it('Laravel by mariadb-dump, with a generated column between the others', async () => {
    const { users, rejects } = await convertedOf('laravel.mariadb-dump.sql');
    expect(rejects).toEqual([]);
    expect(users).toMatchObject([
      {
        externalUserId: '42',
        userMetadata: { name: awkward },
        isDisabled: false,
        loginMethods: [ada, google],
      },
      { externalUserId: '43', isDisabled: true, loginMethods: [{ email: 'banned@example.com' }] },
    ]);
  });

  it('Supabase by pg_dump: COPY of the schema auth', async () => {
    const { users, rejects } = await convertedOf('supabase.pg_dump.sql');
    expect(rejects).toMatchObject([{ field: 'is_anonymous' }]);
    expect(users).toMatchObject([
      { loginMethods: [ada, google, { phoneNumber: '+15555550100' }] },
      { isDisabled: true, loginMethods: [{ email: 'banned@example.com' }] },
      { totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }] },
    ]);
  });

  it('Django by pg_dump --column-inserts --rows-per-insert', async () => {
    const { users, rejects } = await convertedOf('django.pg_dump-column-inserts.sql');
    expect(rejects).toMatchObject([{ code: 'NOT_IMPORTABLE', field: 'email' }]);
    expect(users).toMatchObject([
      { externalUserId: '42', isDisabled: false, loginMethods: [ada, google] },
      { externalUserId: '43', isDisabled: true, loginMethods: [{ email: 'inactive@example.com' }] },
    ]);
  });
});
