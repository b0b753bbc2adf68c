/** The real command: an old system compared with the users here. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Difference } from '../../src/imports/difference.ts';
import type { ComparisonSummary } from '../../src/cli/compare/summary.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { hasMariadb, type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { metric } from '../helpers/metrics.ts';
import { knownHash, knownPassword, newApp, userOf } from '../helpers/people.ts';
import { createOldDatabase } from '../helpers/sources.ts';
import { withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;

const limited = 'a-key-that-only-creates-users';
const settings = {
  UPGRADE_PASSWORD_HASHES: 'true',
  NAMED_KEYS: JSON.stringify([{ name: 'limited', scopes: ['import:new'], key: limited }]),
};

beforeAll(async () => {
  [core, place] = await Promise.all([startTestCore({ settings }), makePlace()]);
});
afterAll(async () => {
  await Promise.all([core.stop(), place.remove()]);
});

const newHash = '$2b$05$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';
const emailOf = (name: string): string => `${name}@example.com`;

function user(name: string, more: object = {}, method: object = {}): NativeUser {
  const own = {
    recipeId: 'emailpassword',
    email: emailOf(name),
    passwordHash: knownHash,
    ...method,
  } as const;
  return { externalUserId: `id-${name}`, loginMethods: [own], ...more };
}

const text = (users: readonly NativeUser[]): string =>
  users.map((each) => `${JSON.stringify(each)}\n`).join('');

/** An app of its own, and the command for it. */
async function makeStage() {
  const app = (await newApp(core)).replace('/appid-', '');
  const run = (...args: string[]) => place.run([...args, '--url', core.url, '--app', app], key);
  const compare = async (file: string, ...more: string[]) => {
    const out = `${app}-differences.ndjson`;
    const { code, stdout, stderr } = await run('compare', file, '--json', '-o', out, ...more);
    const lines = await place.read(out).catch(() => '');
    const found = lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Difference);
    return { code, stdout, stderr, lines, found, summary: JSON.parse(stdout) as ComparisonSummary };
  };
  return { app: `/appid-${app}`, run, compare };
}

const brief = (found: readonly Difference[]) =>
  found
    .map((each) => {
      if (each.is === 'different') return [each.userId, each.field, each.changed];
      return 'userId' in each ? [each.userId, each.is] : [each.externalUserId, each.is];
    })
    .sort();

describe('compare', () => {
  it('finds nothing right after an import, and leaves everything as it is', async () => {
    const { run, compare } = await makeStage();
    await place.write('all.ndjson', text([user('a'), user('b', { userMetadata: { plan: 'pro' } })]));
    expect((await run('import', 'all.ndjson', '--yes')).code).toBe(0);
    const { code, found, summary } = await compare('all.ndjson');
    expect([code, found]).toEqual([0, []]);
    expect(summary).toMatchObject({ records: 2, equal: 2, unexplained: 0 });
  });

  it('finds each of the planted differences and nothing else, and an import of the repair file settles them', async () => {
    const { app, run, compare } = await makeStage();
    const method = (name: string, more: object) => user(name, {}, more);
    const names = [
      'same',
      'gone',
      'removed',
      'passwordThere',
      'passwordHere',
      'passwordBoth',
      'upgraded',
      'emailThere',
      'emailHere',
      'verified',
      'linked',
      'swap1',
      'swap2',
    ];
    const before = [
      ...names.map((name) => user(name)),
      user('metadata', { userMetadata: { plan: 'free' } }),
      user('metadataHere', { userMetadata: { plan: 'free' } }),
      user('roles', { userRoles: [{ role: 'editor' }] }),
      user('totp', { totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }] }),
      user('disabled', { isDisabled: false }),
      user('disabledHere', { isDisabled: false }),
    ];
    await place.write('before.ndjson', text(before));
    expect((await run('import', 'before.ndjson', '--yes', '--second-factor', 'flag')).code).toBe(0);

    const post = (at: string, body: object) => core.post(`${app}${at}`, body);
    const put = (at: string, body: object) => core.put(`${app}${at}`, body);
    await post('/user/remove', { userId: 'id-removed' });
    await put('/recipe/user', { recipeUserId: 'id-passwordHere', password: 'another one 1' });
    await put('/recipe/user', { recipeUserId: 'id-passwordBoth', password: 'another one 1' });
    await put('/recipe/user', { recipeUserId: 'id-emailHere', email: emailOf('moved') });
    await put('/recipe/user/metadata', { userId: 'id-metadataHere', metadataUpdate: { plan: 'gold' } });
    await put('/user/restrictions', { userId: 'id-disabledHere', isDisabled: true });
    await post('/recipe/signin', { email: emailOf('upgraded'), password: knownPassword });
    while ((await metric(core, 'carryover_hash_upgrades_total', {})) === 0);
    const signUp = await core.post(`${app}/recipe/signup`, {
      email: emailOf('signedUp'),
      password: 'another one 1',
    });
    const { id: signedUp } = userOf(signUp);

    const after = [
      user('new'),
      ...['same', 'removed', 'passwordHere', 'upgraded', 'emailHere'].map((name) => user(name)),
      method('passwordThere', { passwordHash: newHash }),
      method('passwordBoth', { passwordHash: newHash }),
      method('emailThere', { email: emailOf('elsewhere') }),
      method('verified', { isVerified: true }),
      method('swap1', { email: emailOf('swap2') }),
      method('swap2', { email: emailOf('swap1') }),
      user('linked', {
        loginMethods: [
          { recipeId: 'emailpassword', email: emailOf('linked'), passwordHash: knownHash, isPrimary: true },
          {
            recipeId: 'thirdparty',
            thirdPartyId: 'google',
            thirdPartyUserId: 'g-1',
            email: emailOf('linked'),
          },
        ],
      }),
      user('metadata', { userMetadata: { plan: 'pro' } }),
      user('metadataHere', { userMetadata: { plan: 'free' } }),
      user('roles', { userRoles: [{ role: 'admin' }] }),
      user('totp', { totpDevices: [{ secretKey: 'KRSXG5CTMVRXEZLU' }] }),
      user('disabled', { isDisabled: true }),
      user('disabledHere', { isDisabled: false }),
    ];
    await place.write('after.ndjson', text(after));
    const { code, stdout, stderr, lines, found, summary } = await compare(
      'after.ndjson',
      '--second-factor',
      'flag',
      '--repair-to',
      'repair.ndjson',
    );
    expect(stderr).not.toContain('Something unexpected');
    expect(brief(found)).toEqual([
      [signedUp, 'madeHere'],
      ['id-disabled', 'isDisabled', 'there'],
      ['id-disabledHere', 'isDisabled', 'here'],
      ['id-emailHere', 'loginMethods.0.email', 'here'],
      ['id-emailThere', 'loginMethods.0.email', 'there'],
      ['id-gone', 'missingThere'],
      ['id-linked', 'loginMethods.0.isPrimary', 'there'],
      ['id-linked', 'loginMethods.1', 'there'],
      ['id-metadata', 'userMetadata', 'there'],
      ['id-metadataHere', 'userMetadata', 'here'],
      ['id-new', 'missingHere'],
      ['id-passwordBoth', 'loginMethods.0.passwordHash', 'both'],
      ['id-passwordHere', 'loginMethods.0.passwordHash', 'here'],
      ['id-passwordThere', 'loginMethods.0.passwordHash', 'there'],
      ['id-removed', 'removedHere'],
      ['id-roles', 'userRoles', 'there'],
      ['id-swap1', 'loginMethods.0.email', 'there'],
      ['id-swap2', 'loginMethods.0.email', 'there'],
      ['id-totp', 'totpDevices', 'there'],
      ['id-verified', 'loginMethods.0.isVerified', 'there'],
    ]);
    expect(code).toBe(1);
    expect(summary).toMatchObject({
      records: 19,
      equal: 2,
      unexplained: 13,
      users: {
        different: 15,
        changedHere: 4,
        missingHere: 1,
        missingThere: 1,
        removedHere: 1,
        madeHere: 1,
        removedThere: 0,
        notImportable: 0,
        leftOut: 0,
      },
    });
    const secrets = [knownHash, newHash, 'JBSWY3DPEHPK3PXP', 'KRSXG5CTMVRXEZLU', 'another one 1'];
    for (const secret of secrets) expect(lines + stderr + stdout).not.toContain(secret);

    // Users who are gone from the source are settled by a whole export alone.
    expect((await run('import', 'repair.ndjson', '--yes', '--second-factor', 'flag')).code).toBe(0);
    expect(
      brief(
        (await compare('after.ndjson', '--second-factor', 'flag')).found.filter(
          ({ explained }) => !explained,
        ),
      ),
    ).toEqual([['id-gone', 'missingThere']]);
    expect(
      (await run('import', 'after.ndjson', '--yes', '--second-factor', 'flag', '--absent', 'disable')).code,
    ).toBe(0);
    const settled = await compare('after.ndjson', '--second-factor', 'flag');
    expect([settled.code, settled.summary.unexplained]).toEqual([0, 0]);
    expect(brief(settled.found)).toContainEqual(['id-gone', 'removedThere']);
  });

  it('finds by its page and its file what it counts', async () => {
    const { run } = await makeStage();
    await place.write('one.ndjson', text([user('<b>')]));
    const { code } = await run('compare', 'one.ndjson', '--page', 'page.html');
    expect(code).toBe(1);
    const page = await place.read('page.html');
    expect(page).toContain('<td data-label="users">1</td>');
    expect(page).not.toContain('<b>');
  });

  it.each([
    [['--from', 'laravel', 'postgres://reader@127.0.0.1:1/app'], 'SOURCE_UNREADABLE'],
    [['postgres://reader@127.0.0.1:1/app'], 'UNKNOWN_SYSTEM'],
    [['postgres://reader@127.0.0.1:1/app', '--from', 'auth0'], 'UNKNOWN_SYSTEM'],
    [['known.ndjson', '--source', 'forum'], 'UNKNOWN_SOURCE'],
    [['other.ndjson'], 'ANOTHER_SOURCE'],
    [['known.ndjson', '-o', 'known.ndjson'], 'REFUSED'],
    [['nothing-there.ndjson'], 'FILE_ERROR'],
  ])('refuses %j with %s', async (args, status) => {
    const { run } = await makeStage();
    await place.write('known.ndjson', text([user('a'), user('b')]));
    await place.write('other.ndjson', text([user('x'), user('y')]));
    expect((await run('import', 'known.ndjson', '--yes')).code).toBe(0);
    const { code, stdout } = await run('compare', ...args, '--json');
    expect([code, (JSON.parse(stdout) as { code: string }).code]).toEqual([2, status]);
  });

  it('refuses a key that may only create users, and a core that is not there', async () => {
    await place.write('one.ndjson', text([user('a')]));
    const by = { environment: { CARRYOVER_API_KEY: limited } };
    const refused = await place.run(['compare', 'one.ndjson', '--url', core.url], by);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('import')]);
    const away = ['compare', 'one.ndjson', '--url', 'http://127.0.0.1:1', '--patience', '0'];
    expect((await place.run(away, key)).code).toBe(2);
  });
});

const oldUsers = `
  create table users (id bigint primary key, email varchar(255) not null, email_verified_at timestamp null, password varchar(255) not null, deleted_at timestamp null);
  insert into users (id, email, password) values ${[1, 2, 3, 4].map((n) => `(${n}, 'u${n}@example.com', '${knownHash}')`).join(', ')};`;
const later = `
  update users set password = '${newHash}' where id = 2; delete from users where id = 3;
  insert into users (id, email, password) values (5, 'u5@example.com', '${knownHash}'), (6, 'no email', '${knownHash}');
  insert into users (id, email, password, deleted_at) values (7, 'u7@example.com', '${knownHash}', '2024-02-01 00:00:00');`;

/** @param change runs statements in the old database */
async function comparesDatabase(
  address: string,
  change: (statements: string) => Promise<void>,
): Promise<void> {
  const { app, run, compare } = await makeStage();
  const from = ['--from', 'laravel'];
  const exported = await place.run(['export-from', address, ...from, '-o', `${app.slice(1)}.ndjson`]);
  expect(exported.code).toBe(0);
  expect((await run('import', `${app.slice(1)}.ndjson`, '--yes')).code).toBe(0);
  expect(await compare(address, ...from)).toMatchObject({ code: 0, found: [] });
  await change(later);
  const found = await compare(address, ...from, '--repair-to', 'repair.ndjson');
  expect(brief(found.found)).toEqual([
    ['2', 'loginMethods.0.passwordHash', 'there'],
    ['3', 'missingThere'],
    ['5', 'missingHere'],
    ['6', 'notImportable'],
    ['7', 'leftOut'],
  ]);
  const secret = decodeURIComponent(new URL(address).password);
  const shown = found.lines + found.stdout + found.stderr;
  for (const each of [knownHash, newHash, ...(secret === '' ? [] : [secret])])
    expect(shown).not.toContain(each);
  expect((await run('import', 'repair.ndjson', '--yes')).code).toBe(0);
  expect(brief((await compare(address, ...from)).found)).toEqual([
    ['3', 'missingThere'],
    ['6', 'notImportable'],
    ['7', 'leftOut'],
  ]);
}

describe('compare with a database', () => {
  it('of PostgreSQL', async () => {
    const database = await createOldDatabase(oldUsers);
    await comparesDatabase(database.address, database.run);
    await database.drop();
  });

  describe.skipIf(!hasMariadb)('of MariaDB (Debian: apt-get install mariadb-server)', () => {
    let mariadb: Mariadb;
    beforeAll(async () => {
      mariadb = await startMariadb();
    });
    afterAll(() => mariadb.stop());

    it('finds the same', async () => {
      const { address } = await mariadb.create('compared', oldUsers);
      await comparesDatabase(address, (statements) => mariadb.run('compared', statements));
    });
  });
});
