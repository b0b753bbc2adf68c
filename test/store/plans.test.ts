/**
 * A connection prepares its statements once, perhaps on empty tables, which then grow to millions of rows long before the server
 * gathers statistics. No cached plan may be one that only suits an empty table: every statement of a request must look up by
 * index, in a database with users and without statistics.
 */
import { openMoveStores } from '../../src/features/moves/store/store.ts';
import { openRoleStores } from '../../src/features/roles/store/store.ts';
import { carryStore } from '../../src/features/session-carry/store/store.ts';
import { sessionStore } from '../../src/features/sessions/store/store.ts';
import { totpStore } from '../../src/features/totp/store/store.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database, DatabaseOptions, Planned, Query } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/database.ts';
import { migrate } from '../../src/database/migrate.ts';
import type { Contact } from '../../src/features/passwordless/model.ts';
import { dashboardSessionStore } from '../../src/features/dashboard/store/sessions.ts';
import { dashboardUserStore } from '../../src/features/dashboard/store/users.ts';
import { passwordlessStore } from '../../src/features/passwordless/store/store.ts';
import { onePlace } from '../../src/store/places/places.ts';
import { createStore } from '../../src/store/store.ts';
import { explain, faultsOf, largeTables, planOf, prepare, type Statement } from '../helpers/plans.ts';
import { createMigratedDatabase } from '../helpers/postgres.ts';
import {
  defaultSettings,
  olderPrograms,
  passwordUser,
  startOlderPostgres,
  thirdPartyUser,
} from '../helpers/store.ts';

type Target = DatabaseOptions['target'];

/** A database that records its statements, under the name of the calling operation. */
function recorder(database: Database) {
  const statements = new Map<string, Statement>();
  let operation = '';
  const recording =
    (usually: Planned, query: Query): Query =>
    (text, parameters = [], planned = usually) => {
      const key = `${operation}: ${text}`;
      if (!statements.has(key)) statements.set(key, { name: operation, planned, text, parameters });
      return query(text, parameters, planned);
    };
  const record = (usually: Planned): Database => ({
    ...database,
    read: recording(usually, database.read),
    write: recording(usually, database.write),
    transaction: (work) =>
      database.transaction((query, savepoint) => work(recording(usually, query), savepoint)),
  });
  const recorded = { live: record('each-time'), imports: record('once') };
  const during = async (name: string, work: () => Promise<unknown>) => {
    operation = name;
    await work();
  };
  return { recorded, during, statements };
}

/** Calls every operation that serves a request, on a database without users. */
async function statementsOf(database: Database): Promise<Statement[]> {
  const { recorded, during, statements } = recorder(database);
  const {
    users,
    verification,
    resets,
    mappings,
    tenants,
    signIns,
    activeUsers,
    restrictions,
    exports,
    hashReports,
    details,
    linking,
    tenantUsers,
    open,
  } = createStore(
    onePlace(recorded),
    { defaults: defaultSettings, isTestMode: false },
    {
      importLanes: 1,
      importLaneAt: 1,
      liveLanes: 1,
      maxBatch: 1000,
      maxBacklog: 1000,
      observe: () => undefined,
    },
  );
  const { roles, userRoles, metadata } = openRoleStores(open);
  const moves = openMoveStores(open);
  const sessions = open(({ batches, live }) => sessionStore(batches, live));
  const carries = open(({ batches, live }) => carryStore(batches, live));
  const totp = open(({ batches, live }) => totpStore(batches, live));
  const dashboardUsers = open(({ live }) => dashboardUserStore(live));
  const dashboardSessions = open(({ live }) => dashboardSessionStore(live));
  const passwordless = open(({ batches, live }) => passwordlessStore(batches, live));
  await tenants.putTenant('public', 'other', {});
  const tenant = await tenants.find('public', 'public');
  const other = await tenants.find('public', 'other');
  if (!tenant || !other) throw new Error('no tenant');
  statements.clear();

  const user = passwordUser(tenant, 'a@b.test');
  const social = thirdPartyUser(tenant, 'g1');
  const pair = { userId: user.userId, email: 'a@b.test' };
  const token = { tenant, pair, tokenHash: '00', expiresAt: 1 };
  const use = { tenant, tokenHash: '00', now: 0 };
  const { appNo } = tenant;

  await during('redeem a verification token', () => verification.redeemToken(use));
  await during('consume a reset token', () => resets.consumeToken(use));
  await during('put a password user', () => users.putPasswordUser(user));
  await during('put a social user', () => users.putThirdPartyUser(social));
  for (const where of [tenant, other])
    await during(`find a credential of ${where.tenantId}`, () => users.findCredential(where, 'a@b.test'));
  await during('find a user', () => users.findUser(appNo, user.userId));
  await during('find a login method', () => users.findLoginMethod(appNo, user.userId));
  await during('find by account info', () =>
    users.findUsersByAccountInfo(
      tenant,
      { email: 'a@b.test', phoneNumber: '+1', thirdParty: { id: 'google', userId: 'g1' } },
      true,
    ),
  );
  for (const where of [tenant, other]) {
    for (const order of ['ASC', 'DESC'] as const) {
      const page = { tenant: where, order, limit: 100, recipes: [] };
      await during(`list users of ${where.tenantId}, ${order}`, () => users.listUsers(page));
      const search = { ...page, emails: ['a'], phones: ['+1'], providers: ['g'] };
      await during(`search users of ${where.tenantId}, ${order}`, () => users.searchUsers(search));
    }
  }
  const ofUser = { appNo, userId: user.userId, at: 1, passwordHash: 'hash' };
  await during('mark a sign-in', () => signIns.mark(ofUser));
  await during('note a password check', () => signIns.markCheck({ ...ofUser, isRight: false }));
  await during('touch a user', () => activeUsers.touch({ appNo, id: user.userId, at: 1 }));
  await during('count active users', () => activeUsers.count(appNo, 0));
  const upgrade = { appNo, userId: user.userId, from: user.passwordHash, to: 'new', at: 1 };
  await during('upgrade a hash', () => users.upgradeHash(upgrade));
  await during('put an upgraded user', () => users.putPasswordUser(user));
  await during('read the first hashes', () => hashReports.hashes(appNo, undefined, 100));
  await during('read hashes', () => hashReports.hashes(appNo, user.userId, 100));
  await during('put a role', () => roles.put({ appNo, role: 'r', permissions: ['p'] }));
  const role = { tenant, userId: user.userId, role: 'r' };
  await during('assign a role', () => userRoles.assign(role));
  await during('find roles', () => details.roles(tenant, user.userId));
  await during('find users of a role', () => userRoles.users(tenant, 'r'));
  await during('take a role', () => userRoles.take(role));
  await during('find permissions', () => roles.permissions(appNo, 'r'));
  await during('find roles of a permission', () => roles.rolesWith(appNo, 'p'));
  await during('remove permissions', () => roles.removePermissions(appNo, 'r', ['p']));
  await during('remove a role', () => roles.remove(appNo, 'r'));
  await during('find metadata', () => details.metadata(appNo, user.userId));
  await during('merge metadata', () =>
    metadata.merge({ appNo, userId: user.userId, set: { a: 1 }, removed: [] }),
  );
  await during('remove metadata', () => metadata.remove(appNo, user.userId));
  const named = { email: 'a@b.test' };
  await during('find the person of a move', () => moves.people.find({ tenant, named }));
  for (const of of [user.userId, named])
    await during('count an outcome for a move', () =>
      moves.outcomes.count({ tenant, user: of, isRight: false }),
    );
  await database.write(`insert into moves (app_no, move_no, system, label) values ($1, 1, 'laravel', '')`, [
    appNo,
  ]);
  await database.write(`insert into move_leases values ($1, 1, 2, 1, 'holder', 1)`, [appNo]);
  for (const conflicts of [false, true])
    await during('list changes to write back', () =>
      moves.journal.next(appNo, 1, { limit: 100, conflicts, after: '5' }),
    );
  await during('read hashes whose like is made', () => moves.passwords.newest(appNo));
  await during('set a rule of hashes', () => moves.hashRules.set(appNo, 1, '$2y$04$model'));
  await during('add a second hash', () =>
    moves.passwords.add(appNo, 1, { hash: 'a hash', second: 'another' }),
  );
  await during('find second hashes', () =>
    moves.passwords.find(appNo, 1, ['0123456789abcdef0123456789abcdef']),
  );
  const passwordMark = '0123456789abcdef0123456789abcdef';
  const written = { id: user.userId, changes: ['1'], passwordMark };
  const settled = [
    { ...written, oldId: '1' },
    { ...written, conflict: 'CHANGED_THERE' },
  ];
  for (const each of settled)
    await during('settle a change', async () => {
      expect(await moves.journal.settle(appNo, 1, [each])).toBe(true);
    });
  await during('find restrictions', () => restrictions.find(appNo, user.userId));
  await during('restrict', () => restrictions.change({ appNo, userId: user.userId, isDisabled: true }));
  await during('list the restricted', () => restrictions.list(appNo, undefined, 100));
  await during('export the first page', () => exports.page(appNo, undefined, 500));
  await during('export a page', () => exports.page(appNo, user.userId, 500));
  await during('export who changed', () => exports.changedPage(appNo, user.userId, 500, 1));
  await during('create a verification token', () => verification.createToken(token));
  await during('read whether verified', () => verification.isVerified(appNo, pair));
  await during('verify', () => verification.setVerified(appNo, pair, true));
  await during('unverify', () => verification.setVerified(appNo, pair, false));
  await during('remove verification tokens', () => verification.removeTokens(tenant, pair));
  await during('create a reset token', () => resets.createToken(token));
  const mapping = { superTokensUserId: user.userId, externalUserId: 'ext' };
  await during('find what is kept before mapping', () => mappings.keptOfUnmapped(appNo, user.userId, 1));
  await during('map', () => mappings.map(appNo, mapping));
  await during('find a mapping', () => mappings.find(appNo, 'ext', 'ANY'));
  await during('set info', () => mappings.setInfo(appNo, 'ext', 'ANY', 'info'));
  await during('find what is kept before unmapping', () => mappings.keptOfMapped(appNo, 'ext', 'ANY', 1));
  await during('unmap', () => mappings.unmap(appNo, 'ext', 'ANY'));
  await database.write('update users set primary_user_id = $1', [user.userId]);
  const device = { appNo, userId: user.userId, id: user.userId, name: 'phone', period: 30, skew: 1 };
  const shape = { algorithm: 'SHA1', digits: 6 } as const;
  const newDevice = { ...device, ...shape, isVerified: false, createdAt: 1, sealedSecret: Buffer.of(1) };
  const tried = { tenant, userKey: user.userId, code: '123456', now: 1, expiresAt: 2, keptUntil: 3 };
  await during('put a TOTP device', () => totp.put(newDevice));
  await during('find TOTP devices', () => totp.devices(appNo, user.userId));
  await during('find TOTP codes', () => totp.codes({ tenant, userId: user.userId, atMost: 5, now: 1 }));
  await during('keep a TOTP code', () => totp.keepCode({ ...tried, seq: 1, verifies: user.userId }));
  const codes = { id: '00000000-0000-4000-8000-000000000002', sealedSecret: Buffer.of(3) };
  const spends = { former: user.userId, codes };
  await during('spend a backup code', () => totp.keepCode({ ...tried, seq: 2, spends }));
  await during('rename a TOTP device', () => totp.rename(appNo, user.userId, 'phone', 'tablet'));
  await during('remove a TOTP device', () => totp.remove(appNo, user.userId, 'tablet'));
  await database.write(
    `insert into user_details (app_no, user_id, totp_devices) values ($1, $2, '[{"secretKey": "S"}]')
     on conflict (app_no, user_id) do update set totp_devices = excluded.totp_devices`,
    [appNo, user.userId],
  );
  await during('seal devices of an import', () =>
    totp.sealImported(appNo, user.userId, () => ({
      devices: [{ ...newDevice, isVerified: true }],
      backupCodes: { id: '00000000-0000-4000-8000-000000000001', sealedSecret: Buffer.of(2) },
      digest: 'digest',
      createdAt: 1,
    })),
  );
  await during('change a user', () =>
    users.changeUser({ appNo, userId: user.userId, email: 'b@b.test', passwordHash: 'new' }),
  );
  const second = passwordUser(tenant, 'second@b.test');
  await during('put a password user', () => users.putPasswordUser(second));
  const two = { appNo, recipeUserId: second.userId, primaryUserId: user.userId };
  await during('ask whether primary', () => linking.mayBePrimary(appNo, second.userId));
  await during('link', () => linking.link(two));
  await during('unlink', () => linking.unlink(appNo, second.userId));
  for (const where of [tenant, other])
    await during('take out of a tenant', () =>
      tenantUsers.remove({ tenant: where, recipeUserId: second.userId }),
    );
  await during('put into a tenant', () => tenantUsers.add({ tenant, recipeUserId: second.userId }));
  await during('make primary', () => linking.makePrimary(appNo, second.userId));
  const [email, phone] = [{ email: 'a@b.test' }, { phoneNumber: '+1' }] as const;
  const code = (n: number) => ({
    tenant,
    deviceHash: `${n}`.padStart(4, '0'),
    linkHash: `${n}`.padStart(4, '0'),
    codeId: crypto.randomUUID(),
    createdAt: 1,
    expiresAt: 2,
  });
  const sentTo = (n: number, contact: Contact) => ({ ...code(n), contact, salt: Buffer.alloc(1) });
  const codeUse = (n: number, contact: Contact) => ({
    tenant,
    device: sentTo(n, contact),
    linkHash: '00',
    freshFrom: 0,
    maxAttempts: 5,
    isTyped: true,
    consumes: true,
  });
  const signUp = (contact: Contact) => ({
    tenant,
    contact,
    userId: crypto.randomUUID(),
    timeJoined: 1,
    verifiesEmail: true,
  });
  await during('create a device', () => passwordless.createDevice(sentTo(1, email)));
  await during('add a code', () => passwordless.addCode(code(1)));
  await during('find a device', () => passwordless.findDevice(tenant, '0001'));
  await during('find a link', () => passwordless.findDeviceByLink(tenant, '0001', 0));
  await during('use a code', () => passwordless.useCode(codeUse(1, email)));
  for (const search of [email, phone, { deviceHash: '0001' }]) {
    await during('list codes', () => passwordless.list(tenant, search));
    await during('remove devices', () => passwordless.removeDevices(tenant, search));
  }
  await during('create a device', () => passwordless.createDevice(sentTo(1, phone)));
  const { codeId } = (await passwordless.list(tenant, phone))[0]?.codes[0] ?? { codeId: '' };
  await during('remove a code', () => passwordless.removeCode(tenant, codeId));
  const mailed = signUp(email);
  await during('put a passwordless user', () => passwordless.putUser(mailed));
  await database.write('update users set primary_user_id = user_id where recipe = 3');
  const contacts = { appNo, userId: mailed.userId, email: 'c@b.test', phoneNumber: '+2' };
  const operator = { appNo, userId: user.userId, email: 'a@b.test', passwordHash: 'hash', timeJoined: 1 };
  await during('add a dashboard user', () => dashboardUsers.add(operator));
  await during('find a dashboard credential', () => dashboardSessions.findCredential(appNo, operator.email));
  const opened = { ...operator, handle: user.userId, createdAt: 1, expiresAt: 2 };
  await during('open a dashboard session', () => dashboardSessions.open(opened));
  await during('find a dashboard session', () => dashboardSessions.find(appNo, user.userId, 1));
  await during('list dashboard sessions', () => dashboardSessions.list(appNo, user.userId, 1));
  await during('end dashboard sessions', () => dashboardSessions.end(appNo, [user.userId]));
  for (const by of ['userId', 'email'] as const) {
    const ref = { appNo, by, value: operator[by] };
    await during('change a dashboard user', () => dashboardUsers.change(ref, {}));
    await during('remove a dashboard user', () => dashboardUsers.remove(ref));
    await dashboardUsers.add(operator);
  }
  await during('change contacts', () => passwordless.changeContacts(contacts));
  const session = (n: number, userId: string) => ({
    tenant,
    id: crypto.randomUUID(),
    userId,
    refreshHash: '00',
    expiresAt: n,
    createdAt: 1,
    usesStaticKey: false,
    jwtPayload: '{}',
    data: '{}',
  });
  const begun = session(1, user.userId);
  const whose = { appNo, userId: user.userId, ofLinkedAccounts: true };
  await during('begin a session', () => sessions.create(begun));
  await during('find a session', () => sessions.find(appNo, begun.id));
  await during('promote a token', () =>
    sessions.promote({ appNo, id: begun.id, from: '00', to: '01', expiresAt: 2 }),
  );
  await during('change a session', () => sessions.change({ appNo, id: begun.id, now: 1, data: '{}' }));
  await during('list sessions', () => sessions.list(whose, 1));
  const digest = 'ab'.repeat(32);
  const old = { digest, userId: 'old', expiresAt: 1, issuedAt: undefined };
  const carried = { ...session(1, ''), id: crypto.randomUUID(), externalId: 'old', caller: '00' };
  const times = { antiCsrf: false, issuedAt: 1, keptUntil: 2 };
  await during('carry a session', () => carries.carry({ ...carried, ...times, tokenDigest: digest }));
  await during('keep old tokens', () =>
    carries.keepOpaque({ tenant, source: 's', importedAt: 1, tokens: [old] }),
  );
  await during('find an old token', () => carries.findOpaque({ tenant, source: 's', digest }));
  await during('end sessions', () => sessions.remove(appNo, [{ id: begun.id, tenantId: 'public' }]));
  await during('end sessions of a user', () => sessions.removeOfUser({ ...whose, tenantNo: 0 }));
  await during('remove a user', () => users.removeUser(appNo, user.userId, true));
  await during('find a tenant', async () => tenants.find('public', 'unknown'));

  const many = Array.from({ length: 200 }, (_, i) => i);
  const all = (work: (i: number) => Promise<unknown>) => Promise.all(many.map(work));
  const manyUsers = many.map((i) => passwordUser(tenant, `user${i}@b.test`));
  const manyPairs = manyUsers.map(({ userId }) => ({ userId, email: 'a@b.test' }));
  const hashes = many.map((i) => i.toString(16).padStart(64, '0'));
  await during('put many password users', () =>
    Promise.all(manyUsers.map((each) => users.putPasswordUser(each))),
  );
  await during('put many social users', () =>
    all((i) => users.putThirdPartyUser(thirdPartyUser(tenant, `many${i}`))),
  );
  await during('find many credentials', () => all((i) => users.findCredential(tenant, `user${i}@b.test`)));
  await during('find many users', () => all((i) => users.findUser(appNo, manyUsers[i]?.userId ?? '')));
  await during('mark many sign-ins', () =>
    Promise.all(manyUsers.map(({ userId }) => signIns.mark({ appNo, userId, at: 2 }))),
  );
  await during('note many password checks', () =>
    Promise.all(
      manyUsers.map(({ userId }) =>
        signIns.markCheck({ appNo, userId, at: 2, passwordHash: 'hash', isRight: true }),
      ),
    ),
  );
  await during('upgrade many hashes', () =>
    Promise.all(
      manyUsers.map(({ userId, passwordHash }) =>
        users.upgradeHash({ appNo, userId, from: passwordHash, to: 'new', at: 2 }),
      ),
    ),
  );
  await during('find many TOTP devices', () =>
    Promise.all(manyUsers.map(({ userId }) => totp.devices(appNo, userId))),
  );
  await during('find many TOTP codes', () =>
    Promise.all(manyUsers.map(({ userId }) => totp.codes({ tenant, userId, atMost: 5, now: 1 }))),
  );
  await during('put many TOTP devices', () =>
    Promise.all(manyUsers.map(({ userId }) => totp.put({ ...newDevice, userId, id: userId }))),
  );
  await during('keep many TOTP codes', () =>
    Promise.all(
      manyUsers.map(({ userId }) => totp.keepCode({ ...tried, userKey: userId, seq: 1, verifies: userId })),
    ),
  );
  const manySessions = manyUsers.map(({ userId }, n) => session(n, userId));
  await during('begin many sessions', () => Promise.all(manySessions.map((each) => sessions.create(each))));
  await during('find many sessions', () =>
    Promise.all(manySessions.map(({ id }) => sessions.find(appNo, id))),
  );
  await during('promote many tokens', () =>
    Promise.all(
      manySessions.map(({ id }) => sessions.promote({ appNo, id, from: '00', to: '01', expiresAt: 2 })),
    ),
  );
  await during('find many metadata', () =>
    Promise.all(manyUsers.map(({ userId }) => details.metadata(appNo, userId))),
  );
  await during('assign many roles', () =>
    Promise.all(manyUsers.map(({ userId }) => userRoles.assign({ tenant, userId, role: 'r' }))),
  );
  await during('find many roles', () =>
    Promise.all(manyUsers.map(({ userId }) => details.roles(tenant, userId))),
  );
  await during('create many tokens', () =>
    Promise.all(
      manyPairs.map((each, i) =>
        verification.createToken({ tenant, pair: each, tokenHash: hashes[i] ?? '', expiresAt: 1 }),
      ),
    ),
  );
  const contactOf = (n: number) => ({ email: `user${n}@b.test` });
  await during('create many devices', () => all((n) => passwordless.createDevice(sentTo(n, contactOf(n)))));
  await during('add many codes', () =>
    all((n) => passwordless.addCode({ ...code(n), linkHash: `ff${n + 1000}` })),
  );
  await during('use many codes', () => all((n) => passwordless.useCode(codeUse(n, contactOf(n)))));
  await during('put many passwordless users', () => all((n) => passwordless.putUser(signUp(contactOf(n)))));
  await during('redeem many tokens', () =>
    Promise.all(hashes.map((tokenHash) => verification.redeemToken({ tenant, tokenHash, now: 0 }))),
  );
  await during('map many', () =>
    Promise.all(
      manyPairs.map(({ userId }, i) =>
        mappings.map(appNo, { superTokensUserId: userId, externalUserId: `ext ${i}` }),
      ),
    ),
  );
  return [...statements.values()];
}

/** Users of every kind in both tenants, unknown to the server's statistics. */
async function grow(database: Database): Promise<void> {
  await database.write(
    `insert into users (app_no, recipe, email_verified, user_id, time_joined, email, third_party_id, third_party_user_id)
     select 0, 1 + n % 2, false, gen_random_uuid(), n, 'user' || n || '@grown.test',
       case when n % 2 = 1 then 'google' end, case when n % 2 = 1 then n::text end
     from generate_series(1, 5000) n`,
  );
  await database.write(
    `insert into identities
     select u.app_no, u.time_joined % 2, u.recipe,
       identity_key(u.recipe, u.email, u.third_party_id, u.third_party_user_id, u.phone), u.user_id
     from users u`,
  );
  await database.write(
    `insert into tokens select app_no, 1, sha256(email::bytea), 0, user_id::text, email, 1 from users`,
  );
  await database.write('insert into verified_emails select app_no, user_id::text, email from users');
  await database.write(
    'insert into former_identities select app_no, 0, 1, gen_random_uuid(), user_id from users',
  );
  await database.write(`insert into external_id_info select app_no, user_id, 'info' from users`);
  await database.write("insert into own_external_ids select app_no, 'own ' || user_id, user_id from users");
  await database.write(`insert into user_details select app_no, user_id, '{}' from users`);
  await database.write('insert into roles select app_no, user_id::text from users');
  await database.write(`insert into role_permissions select app_no, user_id::text, user_id::text from users`);
  await database.write('insert into user_roles select app_no, user_id::text, 0, user_id::text from users');
  await database.write(`insert into text_metadata select app_no, user_id::text, '{}' from users`);
  await database.write('insert into former_heads select app_no, user_id, user_id from users');
  await database.write('insert into tombstones select app_no, user_id, user_id, null, 1 from users');
  await database.write('insert into sign_ins select app_no, user_id, 1 from users');
  await database.write(
    `insert into sessions select app_no, gen_random_uuid(), 0, user_id::text, '', 1, 1, false, '{}', '{}' from users`,
  );
  await database.write(
    `insert into totp_devices
     select app_no, user_id::text, 'phone', user_id, 30, 1, true, false, 1, '' from users
     on conflict do nothing`,
  );
  await database.write(
    `insert into totp_codes select app_no, user_id::text, 0, n, 'code', 1, 1, 1 from users, generate_series(1, 2) n
     on conflict do nothing`,
  );
  await database.write(
    `insert into passwordless_devices select app_no, sha256(user_id::text::bytea), 0, email, null, '', 0, 1 from users`,
  );
  await database.write(
    `insert into passwordless_codes
     select app_no, user_id, sha256(user_id::text::bytea), sha256(user_id::text::bytea), 1 from users`,
  );
  await database.write(
    `insert into dashboard_users select app_no, user_id, user_id::text, 'hash', 1 from users`,
  );
  await database.write('insert into dashboard_sessions select app_no, user_id, user_id, 1, 2 from users');
  await database.write(
    `insert into import_queue (app_no, entry_id, record, traces, created_at, updated_at)
     select app_no, user_id, '{}', array[user_id], 1, 1 from users`,
  );
}

/** Tables of requests; those of imports are in bulk-merge-plans.test.ts and bulk-plans.test.ts. */
const requestTables = largeTables.filter((table) => !table.startsWith('import_'));

function plans(make: () => Promise<{ target: Target; dispose(): Promise<void> }>) {
  let dispose = () => Promise.resolve();
  let statements: Statement[] = [];
  let database: Database;

  beforeAll(async () => {
    const made = await make();
    const recorded = openDatabase({ target: made.target, poolSize: 2 });
    await migrate(recorded);
    for (const table of requestTables)
      await recorded.write(`alter table ${table} set (autovacuum_enabled = off)`);
    statements = await statementsOf(recorded);
    await recorded.write(`truncate ${requestTables.join(', ')}`);
    await recorded.close(1000);
    // One connection for all of it, so that prepared statements remain.
    database = openDatabase({ target: made.target, poolSize: 1 });
    // As for tables of millions of rows.
    for (const size of ['table', 'index']) await database.write(`set min_parallel_${size}_scan_size = 0`);
    dispose = async () => {
      await database.close(1000);
      await made.dispose();
    };
  });
  afterAll(() => dispose());

  it('are made of every statement that serves a request', () => {
    expect(statements.length).toBeGreaterThan(30);
    const texts = statements.map(({ text }) => text).join();
    for (const table of requestTables) expect(texts).toContain(` ${table} `);
    const kept = statements.filter(({ planned }) => planned === 'once').map(({ name }) => name);
    expect(kept).toEqual(
      expect.arrayContaining(['find many credentials', 'find many users', 'mark many sign-ins']),
    );
    expect(kept).not.toContain('redeem many tokens');
  });

  it('look up by index when an empty database, where they were prepared, has grown', async () => {
    await database.write('analyze'); // knows that the tables are empty: the worst basis for a cached plan
    await prepare(database, statements);
    await grow(database);
    const faults: Record<string, string[]> = {};
    for (const statistics of ['without', 'with']) {
      if (statistics === 'with') await database.write('analyze');
      for (const [n, { name, text }] of statements.entries()) {
        const found = faultsOf(await planOf(database, statements, n));
        if (found.length > 0)
          faults[`${statistics} statistics, ${name}: ${text.trim().slice(0, 80)}`] = found;
      }
    }
    expect(faults).toEqual({});
  });

  it('would be seen to scan if they did', async () => {
    const scans = [
      'select * from users where password_hash is null',
      'select * from users where app_no = 0',
      'select * from identities where kind = 1',
      'delete from tokens where app_no = 0 and purpose = 1',
      'select count(*) from identities where app_no = 0',
    ];
    const lookUp = `select * from tokens where app_no = 0 and purpose = 1 and token_hash = ''`;
    const faults = [];
    for (const text of [...scans, lookUp]) {
      faults.push(faultsOf(await explain(database, text)).length);
    }
    expect(faults).toEqual([1, 1, 1, 1, 1, 0]);
  });
}

describe('plans', () => {
  plans(async () => {
    const fresh = await createMigratedDatabase();
    return { target: fresh.connection, dispose: () => fresh.drop() };
  });
});

describe.runIf(olderPrograms !== undefined)('plans of PostgreSQL 15', () => {
  plans(async () => {
    const { target, stop } = await startOlderPostgres(olderPrograms ?? '');
    return { target, dispose: stop };
  });
});
