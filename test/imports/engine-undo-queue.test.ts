/** Undo and the queue with the real engine, real threads and a real database. */
import { v7 as uuidv7 } from 'uuid';
import { describe, expect, it } from 'vitest';
import { findImportedUser } from '../../src/imports/queue/imported-user.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { withoutPlainTexts } from '../../src/imports/queue/passwords.ts';
import { LeaseLost } from '../../src/imports/queue/ports.ts';
import { QueueRunner } from '../../src/imports/queue/runner.ts';
import { bulkQueue } from '../../src/imports/queue/queue.ts';
import { validateRecords } from '../../src/imports/queue/validation.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { queueStore } from '../../src/store/imports/queue/queue.ts';
import { bcryptHash, person, type TestImports } from '../helpers/imports.ts';
import type { TestStore } from '../helpers/store.ts';
import { useImports } from '../helpers/use-imports.ts';

let store: TestStore;
let imports: TestImports;
let tenant: Tenant;

useImports(
  {
    all: (used) => {
      ({ store, imports } = used);
    },
    each: (own) => {
      tenant = own;
    },
  },
  { allowPlainText: true },
);

async function everything() {
  const tables = ['users', 'identities', 'user_details', 'verified_emails', 'tokens', 'external_id_info'];
  const rows = await Promise.all(
    tables.map(async (table) => [
      table,
      await store.sql(`select t.* from ${table} t where t.app_no = $1 order by t::text`, [tenant.appNo]),
    ]),
  );
  return Object.fromEntries(rows) as Record<string, object[]>;
}

const recordOf = (externalUserId: string, email: string, rest: object = {}): NativeUser => ({
  externalUserId,
  loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: bcryptHash(7), ...rest }],
});
const social = (n: number) =>
  ({
    recipeId: 'thirdparty',
    email: `g${n}@example.com`,
    thirdPartyId: 'google',
    thirdPartyUserId: `g${n}`,
  }) as const;

describe('the undo of a job', () => {
  it('that created and changed users of every kind brings everything back', async () => {
    const other = await store.newTenant(tenant);
    const first = [
      ...Array.from({ length: 50 }, (_, n) => person(n)),
      { externalUserId: 'social', userMetadata: { a: 1 }, loginMethods: [social(1)] },
      { loginMethods: [{ recipeId: 'passwordless', email: 'p@example.com', phoneNumber: '+49301234' }] },
      recordOf('alone', 'alone@example.com'),
      { loginMethods: recordOf('', 'unmapped@example.com', { isVerified: true }).loginMethods },
    ] satisfies NativeUser[];
    await imports.run(tenant, first);
    const before = await everything();
    const second = [
      person(100),
      ...Array.from({ length: 10 }, (_, n) => recordOf(`legacy-${n}`, `person-${n}@example.com`)),
      { ...recordOf('legacy-10', 'moved@example.com'), sameIds: true },
      { ...recordOf('legacy-11', 'person-10@example.com'), sameIds: true },
      recordOf('legacy-12', 'person-12@example.com', { tenantIds: ['public', other.tenantId] }),
      {
        externalUserId: 'social',
        userMetadata: { a: 2 },
        userRoles: [{ role: 'admin' }],
        loginMethods: [social(1)],
      },
      {
        externalUserId: 'alone',
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'alone@example.com',
            passwordHash: bcryptHash(7),
            isPrimary: true,
          },
          { ...social(2), isVerified: true },
        ],
      },
      recordOf('mapped', 'unmapped@example.com'),
    ] satisfies NativeUser[];
    const job = await imports.run(tenant, second);
    expect(await imports.allRejects(tenant, job.id)).toEqual([]);
    expect(await everything()).not.toEqual(before);
    const result = await imports.undo(tenant, job.id, false);
    expect(result?.left).toEqual([]);
    expect(result?.removed).toBe(job.created);
    expect(result?.restored).toBe(job.updated);
    expect(await everything()).toEqual(before);
    expect((await imports.find(tenant, job.id))?.state).toBe('undone');
    // As if it had never been: the same file has the same effect again.
    expect(await imports.run(tenant, second)).toMatchObject({ created: job.created, updated: job.updated });
  });

  it('keeps users who signed in or were changed by a later job or a single import', async () => {
    const job = await imports.run(tenant, [person(1), person(2), person(3), person(4)]);
    await imports.run(tenant, [recordOf('legacy-2', 'person-2@example.com')]);
    const single = JSON.stringify(recordOf('legacy-4', 'person-4@example.com'));
    expect(await imports.importRecords(tenant, [single])).toEqual([undefined]);
    const [row] = await store.sql<{ user_id: string }>(
      `select user_id from users where external_id = 'legacy-1' and app_no = $1`,
      [tenant.appNo],
    );
    await store.signIns.mark({ appNo: tenant.appNo, userId: row?.user_id ?? '', at: Date.now() });
    const result = await imports.undo(tenant, job.id, false);
    expect(result).toMatchObject({ removed: 1, restored: 0 });
    expect(result?.left.toSorted((a, b) => a.userId.localeCompare(b.userId))).toEqual([
      { userId: 'legacy-1', email: 'person-1@example.com', reason: 'SIGNED_IN' },
      { userId: 'legacy-2', email: 'person-2@example.com', reason: 'CHANGED_SINCE' },
      { userId: 'legacy-4', email: 'person-4@example.com', reason: 'CHANGED_SINCE' },
    ]);
    expect(await imports.undo(tenant, job.id, true)).toEqual({ removed: 3, restored: 0, left: [] });
    expect((await everything()).users).toEqual([]);
  });
});

describe('the password reset tokens of a user', () => {
  const now = Date.now();
  const newToken = async (userId: string): Promise<string> => {
    const tokenHash = uuidv7().replaceAll('-', '');
    const pair = { userId, email: 'any@example.com' };
    expect(await store.resets.createToken({ tenant, pair, tokenHash, expiresAt: now + 3_600_000 })).toBe(
      true,
    );
    return tokenHash;
  };
  const isGood = async (tokenHash: string) =>
    (await store.resets.consumeToken({ tenant, tokenHash, now })) !== undefined;

  it('end when a job changes the hash or the email, and stay when it changes neither', async () => {
    await imports.run(tenant, [
      ...['hash', 'email', 'details', 'same'].map((name) => recordOf(name, `${name}@example.com`)),
      { loginMethods: recordOf('', 'mapped@example.com').loginMethods },
    ]);
    const mapped = (
      await store.users.findUsersByAccountInfo(tenant, { email: 'mapped@example.com' }, false)
    )[0];
    const ids = ['hash', 'email', 'details', 'same', mapped?.id ?? ''];
    const tokens = await Promise.all(ids.map((id) => newToken(id)));
    const job = await imports.run(tenant, [
      recordOf('hash', 'hash@example.com', { passwordHash: bcryptHash(8) }),
      recordOf('email', 'moved@example.com'),
      { ...recordOf('details', 'details@example.com'), userMetadata: { a: 1 } },
      recordOf('same', 'same@example.com'),
      recordOf('now mapped', 'mapped@example.com', { passwordHash: bcryptHash(8) }),
    ]);
    expect(job).toMatchObject({ updated: 4, unchanged: 1 });
    expect(await Promise.all(tokens.map(isGood))).toEqual([false, false, true, true, false]);
  });

  it('end when an undo brings the former hash back', async () => {
    await imports.run(tenant, [recordOf('a', 'a@example.com'), recordOf('b', 'b@example.com')]);
    const job = await imports.run(tenant, [
      recordOf('a', 'a@example.com', { passwordHash: bcryptHash(8) }),
      { ...recordOf('b', 'b@example.com'), userMetadata: { a: 1 } },
    ]);
    const tokens = [await newToken('a'), await newToken('b')];
    expect(await imports.undo(tenant, job.id, false)).toMatchObject({ restored: 2 });
    expect(await Promise.all(tokens.map(isGood))).toEqual([false, true]);
  });
});

describe('the queue', () => {
  const newId = (msecs: number) => uuidv7({ msecs });
  const common = { now: Date.now, newId };
  const made = () => {
    const { engine } = imports;
    const runner = new QueueRunner({
      store: queueStore(store.database),
      engine: imports,
      findTenant: (appId, tenantId) => store.tenants.find(appId, tenantId),
      log: {
        error: (details) => {
          expect(details).toBeUndefined();
        },
      },
      ...common,
    });
    const queue = bulkQueue({
      store: queueStore(store.database),
      engine: {
        validateRecords: (where, texts) => validateRecords(engine, where, texts),
        importRecords: (where, texts) => imports.importRecords(where, texts),
        readUsers: (where, bytes, mostUsers) => imports.readUsers(where, bytes, mostUsers),
        hashesOf: (passwords) => imports.hashesOf(passwords),
        // The stored value must be a hash that can be imported.
        withoutPlainTexts: (texts) =>
          withoutPlainTexts({ ...engine, hasher: { hash: () => Promise.resolve(bcryptHash(9)) } }, texts),
      },
      findImported: (where, record) => findImportedUser(store, where, record),
      nudge: () => {
        runner.nudge();
      },
      ...common,
    });
    return { queue, runner };
  };

  it('imports users and keeps those that cannot be', async () => {
    await imports.run(tenant, [recordOf('holder', 'taken@example.com')]);
    const { queue, runner } = made();
    runner.start();
    const plain = recordOf('plain', 'plain@example.com', {
      passwordHash: undefined,
      plainTextPassword: 'secret',
    });
    const users = [
      ...Array.from({ length: 1000 }, (_, n) => person(n)),
      recordOf('thief', 'taken@example.com'),
      plain,
    ];
    expect(await queue.add(tenant, users)).toEqual([]);
    expect(await queue.add(tenant, [person(0, { userMetadata: { later: true } })])).toEqual([]);
    while ((await queue.count(tenant, undefined)) > 1) await store.sql('select');
    await runner.stop();
    const { users: failed } = await queue.list(tenant, {});
    expect(failed).toMatchObject([{ externalUserId: 'thief', status: 'FAILED' }]);
    expect(failed[0]?.errorMessage).toContain('IDENTITY_TAKEN');
    expect(await store.users.countUsers(tenant, [], false)).toBe(1002);
    expect(await store.details.metadata(tenant.appNo, 'legacy-0')).toEqual({ later: true });
    expect(await store.users.findUser(tenant.appNo, 'plain')).toBeDefined();
  });

  it('imports nothing more for a core that stalled while another one took the app over', async () => {
    const { queue } = made();
    const [slow, heir] = [queueStore(store.database), queueStore(store.anotherCore().database)];
    const most = { entries: 10, bytes: 10_000 };
    await queue.add(tenant, [recordOf('a', 'a@example.com', { passwordHash: bcryptHash(1) })]);
    const first = { id: newId(1), now: Date.now(), until: Date.now() + 1000 };
    const [entry] = await slow.claim(first, most);
    const later = { id: newId(2), now: first.until, until: first.until + 60_000 };
    expect(await heir.claim(later, most)).toMatchObject([{ id: entry?.id }]);
    const stalled = imports.importRecords(tenant, [entry?.record ?? ''], first.id);
    await expect(stalled).rejects.toBeInstanceOf(LeaseLost);
    expect(await store.users.countUsers(tenant, [], false)).toBe(0);
    expect(await imports.importRecords(tenant, [entry?.record ?? ''], later.id)).toEqual([undefined]);
    await heir.settle(later, [{ appNo: tenant.appNo, id: entry?.id ?? '', outcome: 'imported' }]);
  });

  it('is left to a core that is committing, although its lease ran out', async () => {
    const { queue } = made();
    const [slow, heir] = [queueStore(store.database), queueStore(store.anotherCore().database)];
    const most = { entries: 10, bytes: 10_000 };
    await queue.add(tenant, [recordOf('a', 'a@example.com')]);
    const first = { id: newId(1), now: Date.now(), until: Date.now() + 1000 };
    const [entry] = await slow.claim(first, most);
    const later = { id: newId(2), now: first.until, until: first.until + 60_000 };
    await imports.engine.chunksOf(0).transaction(async (transaction) => {
      expect(await transaction.holdLease({ appNo: tenant.appNo, id: newId(3) }, first.id)).toBe(true);
      expect(await heir.claim(later, most)).toEqual([]);
    });
    expect(await heir.claim(later, most)).toMatchObject([{ id: entry?.id }]);
    await heir.settle(later, [{ appNo: tenant.appNo, id: entry?.id ?? '', outcome: 'imported' }]);
  });

  it('takes nothing of a request with a user who is wrong', async () => {
    const { queue } = made();
    const invalid = await queue.add(tenant, [
      person(1),
      recordOf('x', 'no email'),
      'no user',
      recordOf('y', 'y@example.com', { tenantIds: ['nowhere'] }),
      person(1),
    ]);
    expect(invalid.map(({ index }) => index)).toEqual([1, 2, 3]);
    expect(await queue.count(tenant, undefined)).toBe(0);
  });

  it('is not needed for one user', async () => {
    const { queue } = made();
    const answer = await queue.importOne(tenant, recordOf('one', 'one@example.com'));
    expect(answer).toMatchObject({ user: { id: 'one', emails: ['one@example.com'] } });
    const { loginMethods } = recordOf('', 'two@example.com');
    expect(await queue.importOne(tenant, { loginMethods })).toMatchObject({
      user: { emails: ['two@example.com'] },
    });
    expect(await queue.importOne(tenant, recordOf('two', 'one@example.com'))).toMatchObject({
      reject: { code: 'IDENTITY_TAKEN' },
    });
    expect(await queue.importOne(tenant, { loginMethods: [] })).toMatchObject({ reject: { line: 1 } });
  });
});
