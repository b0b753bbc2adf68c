/** A site whose administrators have second factors moves: no user signs in by the password alone unnoticed. */
import { expect, it } from 'vitest';
import { codeAt, bytesOfBase32 } from '../../src/hashes/parts/one-time-code.ts';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});

const password = 'correct horse battery staple';
const hash = '$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81';
const secret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** 7 has codes of an app and backup codes, 8 codes by mail, 9 nothing. */
const dump = (people: string): string =>
  [
    '-- MySQL dump',
    String.raw`INSERT INTO wp_usermeta (umeta_id, user_id, meta_key, meta_value) VALUES (1,7,'_two_factor_enabled_providers','a:2:{i:0;s:15:\"Two_Factor_Totp\";i:1;s:23:\"Two_Factor_Backup_Codes\";}'),(2,7,'_two_factor_totp_key','${secret}'),(3,7,'_two_factor_backup_codes','a:1:{i:0;s:34:\"${hash}\";}'),(4,8,'_two_factor_enabled_providers','a:1:{i:0;s:16:\"Two_Factor_Email\";}'),(5,7,'wp_capabilities','a:1:{s:13:\"administrator\";b:1;}');`,
    `INSERT INTO wp_users (ID, user_login, user_pass, user_email) VALUES ${[7, 8, 9].map((id) => `(${id},'u${id}','${hash}','u${id}@${people}.example')`).join(',')};`,
  ].join('\n');
const signIn = async (id: number, people: string, app = ''): Promise<unknown> =>
  (await core.post(`${app}/recipe/signin`, { email: `u${id}@${people}.example`, password })).body.status;

it('counts them before and after, and holds the users', async () => {
  await place.write('site.sql', dump('held'));
  for (const args of [['inspect'], ['import', '--dry-run'], ['import', '--yes']]) {
    const [command = '', ...flags] = args;
    const { stdout } = await place.run([command, 'site.sql', ...flags, '--url', core.url], key);
    expect(stdout).toMatch(
      /1 can sign in today\n {4}1 with the old password, by the format of their hashes\n {2}2 restricted: .*\n {4}2 second factor\n/,
    );
    expect(stdout).toMatch(/second factors: (?=.*1 totp)(?=.*1 email)(?=.*1 backup)/);
    expect(stdout).toMatch(/1 imported with something lost\n {4}1 their second factor \(email\)/);
  }
  expect(await Promise.all([7, 8, 9].map((id) => signIn(id, 'held')))).toEqual([
    'WRONG_CREDENTIALS_ERROR',
    'WRONG_CREDENTIALS_ERROR',
    'OK',
  ]);
});

it('brings devices and backup codes that work where the app asks for them', async () => {
  await core.put('/recipe/multitenancy/app/v2', { appId: 'blog' });
  await place.write('site.sql', dump('flagged'));
  const at = ['--url', core.url, '--app', 'blog', '--second-factor', 'flag'];
  expect((await place.run(['import', '--yes', 'site.sql', ...at], key)).code).toBe(0);
  expect(await signIn(7, 'flagged', '/appid-blog')).toBe('OK');
  const verify = async (totp: string): Promise<unknown> =>
    (await core.post('/appid-blog/recipe/totp/verify', { userId: '7', totp })).body.status;
  const now = codeAt(bytesOfBase32(secret) ?? Buffer.alloc(0), Math.floor(Date.now() / 30_000));
  expect(await verify(now)).toBe('OK');
  expect(await verify(password)).toBe('OK');
  expect(await verify(password)).toBe('INVALID_TOTP_ERROR');
});

it('says what a table of users alone does not show', async () => {
  await place.write('users.csv', `ID,user_login,user_pass,user_email\n7,u7,${hash},u7@alone.example\n`);
  const { stderr } = await place.run(['inspect', 'users.csv']);
  expect(stderr).toContain(
    'Without --wordpress-usermeta FILE these are not seen: roles, names and the second factors of plug-ins',
  );
});
