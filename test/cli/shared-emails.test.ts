/** Two users of one file with one email, one with a password: both are imported, and reported before and after. */
import { expect, it } from 'vitest';
import { addressDigest } from '../../src/exports/emails/addresses.ts';
import { SharedEmailCounter } from '../../src/exports/emails/shared-emails.ts';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { knownHash } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});

const head = 'id,name,email,email_verified_at,password,remember_token,created_at,updated_at\n';
const row = (id: number, email: string, password = ''): string =>
  `${id},X,${email},,${password},,2024-01-01 00:00:00,2024-01-01 00:00:00\n`;
const twice = [
  row(1, 'user1@shared.example', knownHash),
  row(2, 'USER1@shared.example'),
  row(3, 'user3@shared.example', knownHash),
  // Of one kind: the core rejects the second.
  row(4, 'User3@shared.example', knownHash),
  row(5, 'user5@shared.example'),
];

it('says so in inspect, in a dry run and in the import, for people and for programs', async () => {
  await place.write('users.csv', head + twice.join(''));
  const said = '1 email belongs to two users, with login methods of two kinds: record 2 (as record 1)';
  for (const args of [['inspect'], ['import', '--dry-run'], ['import', '--yes']]) {
    const [command = '', ...flags] = args;
    const run = [command, 'users.csv', ...flags, '--url', core.url];
    expect((await place.run(run, key)).stdout).toContain(said);
    const { stdout } = await place.run([...run, '--json'], key);
    expect(JSON.parse(stdout)).toMatchObject({ sharedEmails: 1 });
  }
});

it('counts them in native records too, where these are read, and over tables that are joined', async () => {
  const native = (email: string, method: object): string =>
    `${JSON.stringify({ loginMethods: [{ email, ...method }] })}\n`;
  const password = { recipeId: 'emailpassword', passwordHash: knownHash };
  const social = { recipeId: 'thirdparty', thirdPartyId: 'google', thirdPartyUserId: 'g1' };
  await place.write(
    'users.ndjson',
    native('a@native.example', password) + native('A@native.example', social),
  );
  const inspected = await place.run(['inspect', 'users.ndjson', '--json', '--url', core.url], key);
  expect(JSON.parse(inspected.stdout)).toMatchObject({ sharedEmails: 1, duplicates: 0 });
  const site = [
    '-- MySQL dump',
    "INSERT INTO wp_usermeta (umeta_id, user_id, meta_key, meta_value) VALUES (1,7,'first_name','Ada');",
    `INSERT INTO wp_users (ID, user_login, user_pass, user_email) VALUES (7,'a','${knownHash}','a@joined.example'),(8,'b','','A@joined.example');`,
  ];
  await place.write('site.sql', site.join('\n'));
  const dry = await place.run(['import', 'site.sql', '--dry-run', '--json', '--url', core.url], key);
  expect(JSON.parse(dry.stdout)).toMatchObject({ sharedEmails: 1 });
});

it('counts an email once, however many users have it', () => {
  const counter = new SharedEmailCounter();
  const [first, second] = [addressDigest('public:a'), addressDigest('public:b')];
  counter.addOne(first, 1, 1);
  counter.addOne(second, 4, 2);
  counter.addOne(first, 2, 3);
  counter.addOne(first, 2, 4);
  counter.addOne(first, 1, 5);
  expect(counter.found).toEqual({ count: 1, examples: [[3, 1]] });
});
