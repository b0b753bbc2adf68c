/** Before a share: who of the users here could not return to the old system, and why. */
import { expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { newApp } from '../helpers/people.ts';
import { openWritten, writingBack } from '../helpers/write-back.ts';
import { useCoreAndPlace } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
useCoreAndPlace(
  (used) => {
    ({ core, place } = used);
  },
  { settings: { ALLOW_HASH_EXPORT: 'true' } },
);

const hash = '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';
const password = (email: string) => ({ recipeId: 'emailpassword', email, passwordHash: hash });
const social = (thirdPartyId: string, email: string) => ({
  ...{ recipeId: 'thirdparty', thirdPartyId, thirdPartyUserId: email, email, isVerified: true },
});

it('counts and lists them by the reason, changes nothing, and is recorded in the move', async () => {
  const app = await newApp(core);
  const old = await openWritten('laravel', undefined);
  try {
    const move = writingBack({ core, place, app, system: 'laravel', old });
    const imported = (externalUserId: string, ...loginMethods: object[]) =>
      move.ok('/bulk-import/import', { externalUserId, loginMethods });
    await imported(
      '42',
      { ...password('ada@example.com'), isPrimary: true },
      social('google', 'ada@gmail.example'),
    );
    await imported('43', social('facebook', 'bob@example.com'));
    await imported(
      '44',
      { ...password('eve@example.com'), isPrimary: true },
      social('apple', 'eve@apple.example'),
    );
    await imported('45', { recipeId: 'passwordless', phoneNumber: '+441632960001' });
    await move.signUp('here@example.com', 'a new password');
    await move.ok('/move', move.source);
    const before = await old.rows('select * from users');

    // The table has a column for Google alone.
    const { code, stdout, stderr } = await move.writeBack('--check', '--out', 'no-way-back.ndjson');
    expect([code, stderr]).toEqual([1, stderr]);
    const answer = JSON.parse(stdout) as object;
    expect(answer).toMatchObject({
      users: 5,
      without: 3,
      why: { NO_LOGIN: 1, NO_EMAIL: 1, NOT_THERE: 1 },
      leftOut: { LOGIN: 2, PHONE: 1 },
    });
    const listed = (await place.read('no-way-back.ndjson')).trim().split('\n');
    expect(listed.map((line) => JSON.parse(line) as object).toSorted(byId)).toEqual([
      { id: '43', email: 'bob@example.com', why: 'NO_LOGIN', leftOut: ['LOGIN'] },
      { id: '44', email: 'eve@example.com', leftOut: ['LOGIN'] },
      { id: '45', why: 'NO_EMAIL', leftOut: ['PHONE'] },
      { email: 'here@example.com', why: 'NOT_THERE', leftOut: [] },
    ]);
    expect(await old.rows('select * from users')).toEqual(before);

    await place.write('way-back.json', stdout);
    const recorded = await place.run(
      ['move', 'record', 'way-back.json', '--url', core.url, '--app', app.replace('/appid-', '')],
      { environment: { CARRYOVER_API_KEY: core.apiKey } },
    );
    expect([recorded.code, recorded.stdout]).toEqual([0, expect.stringContaining('3 without one')]);
    const { body } = await core.get(`${app}/move/status`);
    expect(body).toMatchObject({ reports: { 'way-back': { figures: { users: 5, without: 3 } } } });
  } finally {
    await old.drop();
  }
});

it('counts sign-ups as users with a way back once they are noted', async () => {
  const app = await newApp(core);
  const old = await openWritten('laravel', undefined);
  try {
    const move = writingBack({ core, place, app, system: 'laravel', old });
    await move.signUp('before@example.com', 'a password');
    await move.lead();
    await move.signUp('since@example.com', 'a password');
    const { code, stdout } = await move.writeBack('--check');
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { users: 2, without: 1, why: { NOT_THERE: 1 } }]);
  } finally {
    await old.drop();
  }
});

it('counts users whose only way to sign in is a password that an app without passwords has no place for', async () => {
  const app = await newApp(core);
  const old = await openWritten('authjs', undefined);
  try {
    await old.run('alter table "user" drop column "hashed_password"');
    const move = writingBack({ core, place, app, system: 'authjs', old });
    const methods = [
      { ...password('ada@example.com'), isPrimary: true },
      social('google', 'ada@gmail.example'),
    ];
    await move.ok('/bulk-import/import', { externalUserId: '42', loginMethods: methods });
    await move.ok('/bulk-import/import', {
      externalUserId: '43',
      loginMethods: [password('bob@example.com')],
    });
    const { stdout } = await move.writeBack('--check');
    expect(JSON.parse(stdout)).toMatchObject({
      users: 2,
      without: 1,
      why: { NO_LOGIN: 1 },
      leftOut: { PASSWORD: 2 },
    });
  } finally {
    await old.drop();
  }
});

it('writes a list only with it', async () => {
  const args = [
    'write-back',
    'postgres://reader@localhost/shop',
    '--from',
    'laravel',
    '--out',
    'list.ndjson',
  ];
  expect(await place.run(args)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--check') as string,
  });
});

function byId(one: { readonly id?: string }, other: { readonly id?: string }): number {
  return (one.id ?? 'none').localeCompare(other.id ?? 'none');
}
