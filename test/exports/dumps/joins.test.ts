/** Tables that belong together are read from one dump: those of the same schema or with the same prefix. */
import { expect, it } from 'vitest';
import type { NativeUser } from '../../../src/imports/record/native-record.ts';
import { textOf, useExportFiles } from '../../helpers/export-files.ts';

const { fileOf, sourceOf, converted } = useExportFiles();

async function usersOf(dump: string, table?: string): Promise<readonly NativeUser[]> {
  const source = await sourceOf(fileOf(dump), { reading: { table } });
  return textOf(await converted(source))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as NativeUser);
}

const hash = '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81';
const site = (prefix: string, role: string): string => `
INSERT INTO \`${prefix}usermeta\` (umeta_id, user_id, meta_key, meta_value) VALUES (1,7,'first_name','Ada'),(2,7,'${prefix}capabilities','a:1:{s:6:\\"${role}\\";b:1;}');
INSERT INTO \`${prefix}users\` (ID, user_login, user_pass, user_email) VALUES (7,'ada','${hash}','${role}@example.com');
`;

it("takes WordPress's usermeta with the prefix of its users", async () => {
  const dump = `-- MySQL dump\n${site('wp_', 'author')}${site('shop_', 'editor')}`;
  await expect(usersOf(dump)).rejects.toThrow('--table, one of wp_users, shop_users');
  for (const [table, role] of [
    ['wp_users', 'author'],
    ['shop_users', 'editor'],
  ] as const)
    expect(await usersOf(dump, table)).toMatchObject([
      { externalUserId: '7', userMetadata: { first_name: 'Ada' }, userRoles: [{ role }] },
    ]);
});

it("takes Supabase's identities of the schema auth, wherever they stand, with rows or without", async () => {
  const users =
    'COPY auth.users (id, email, encrypted_password, email_confirmed_at, raw_user_meta_data) FROM stdin;\nu1\tada@example.com\t\\N\t2024-01-15 10:30:00+00\t{"name": "A\\\\"da"}\n\\.\n';
  const identities = (rows: string): string =>
    `COPY auth.identities (provider_id, user_id, identity_data, provider) FROM stdin;\n${rows}\\.\n`;
  const google = 'g1\tu1\t{"sub": "g1", "email": "ada@example.com"}\tgoogle\n';
  const beginning = '-- PostgreSQL database dump\n';
  const others = 'COPY public.identities (user_id, provider, uid) FROM stdin;\nu1\tgithub\t9\n\\.\n';
  const [ada] = await usersOf(`${beginning}${others}${identities(google)}${users}`);
  expect(ada).toMatchObject({ userMetadata: { user_metadata: { name: 'A"da' } } });
  expect(ada?.loginMethods).toMatchObject([{ thirdPartyId: 'google', thirdPartyUserId: 'g1' }]);
  const [alone] = await usersOf(`${beginning}${others}${users}${identities('')}`);
  expect(alone?.loginMethods).toMatchObject([{ recipeId: 'passwordless', email: 'ada@example.com' }]);
});
