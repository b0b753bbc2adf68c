import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { credentialOf, useStore, passwordUser, thirdPartyUser } from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

let store: TestStore;
let tenant: Tenant;

useStore((opened, app) => {
  [store, tenant] = [opened, app];
});

const put = (email: string, rest?: Parameters<typeof passwordUser>[2]) =>
  store.users.putPasswordUser(passwordUser(tenant, email, rest));

const hashOf = async (email: string) => (await credentialOf(store, tenant, email))?.passwordHash;

describe('an import', () => {
  it('creates a user with a new email', async () => {
    const user = passwordUser(tenant, 'a@b.test', { passwordHash: '$2b$10$hash' });
    expect(await store.users.putPasswordUser(user)).toEqual({ outcome: 'created' });
    expect(await store.users.findUser(tenant.appNo, user.userId)).toEqual({
      id: user.userId,
      isPrimaryUser: false,
      tenantIds: ['public'],
      timeJoined: user.timeJoined,
      emails: ['a@b.test'],
      phoneNumbers: [],
      thirdParty: [],
      webauthn: { credentialIds: [] },
      loginMethods: [
        {
          recipeId: 'emailpassword',
          recipeUserId: user.userId,
          tenantIds: ['public'],
          timeJoined: user.timeJoined,
          verified: false,
          email: 'a@b.test',
        },
      ],
    });
    expect(await credentialOf(store, tenant, 'a@b.test')).toEqual({
      userId: user.userId,
      passwordHash: '$2b$10$hash',
    });
  });

  it('replaces only the hash when the email has a password: id, join date and verification stay', async () => {
    const user = passwordUser(tenant, 'a@b.test');
    await store.users.putPasswordUser(user);
    await store.verification.setVerified(tenant.appNo, user, true);
    const before = await store.users.findUser(tenant.appNo, user.userId);
    expect(await put('a@b.test', { passwordHash: 'the new one' })).toEqual({
      outcome: 'existing',
      userId: user.userId,
    });
    expect(await credentialOf(store, tenant, 'a@b.test')).toEqual({
      userId: user.userId,
      passwordHash: 'the new one',
    });
    expect(await store.users.findUser(tenant.appNo, user.userId)).toEqual(before);
    expect(before?.loginMethods[0]?.verified).toBe(true);
  });

  it('takes any text as email and hash', async () => {
    const texts = [
      '"quoted"@b.test',
      '\\@b.test',
      '{a,b}@b.test',
      'NULL@b.test',
      'żółw🐢@b.test',
      "o'neil@b.test",
    ];
    const results = await Promise.all(texts.map((text) => put(text, { passwordHash: `hash ${text}` })));
    expect(results).toEqual(texts.map(() => ({ outcome: 'created' })));
    expect(await Promise.all(texts.map(hashOf))).toEqual(texts.map((text) => `hash ${text}`));
  });

  it('of one email 200 times at once creates one user, and the last hash is stored', async () => {
    const users = Array.from({ length: 200 }, (_, i) =>
      passwordUser(tenant, 'same@b.test', { passwordHash: `hash ${i}` }),
    );
    const outcomes = await Promise.all(users.map((user) => store.users.putPasswordUser(user)));
    const [first] = users;
    expect(outcomes[0]).toEqual({ outcome: 'created' });
    expect(outcomes.slice(1)).toEqual(
      Array.from({ length: 199 }, () => ({ outcome: 'existing', userId: first?.userId })),
    );
    expect(await credentialOf(store, tenant, 'same@b.test')).toEqual({
      userId: first?.userId,
      passwordHash: 'hash 199',
    });
    expect(await store.users.countUsers(tenant, [], true)).toBe(1);
  });

  it('of the same 500 emails by two cores in opposite orders creates each once, and neither sees a deadlock', async () => {
    const emails = Array.from({ length: 500 }, (_, i) => `user${i}@b.test`);
    const cores = [store.anotherCore({ maxBatch: 60 }), store.anotherCore({ maxBatch: 60 })] as const;
    const orders = [emails, emails.toReversed()] as const;
    for (const round of [1, 2, 3]) {
      const results = await Promise.all(
        cores.flatMap((core, c) =>
          (orders[c] ?? []).map(async (email) => {
            const user = passwordUser(tenant, `${round}${email}`, { passwordHash: `hash of core ${c}` });
            return { email, user, placed: await core.users.putPasswordUser(user) };
          }),
        ),
      );
      const created = results.filter(({ placed }) => placed.outcome === 'created');
      expect(created.map(({ email }) => email).sort()).toEqual(emails.toSorted());
      const ids = new Map(created.map(({ email, user }) => [email, user.userId]));
      for (const { email, placed } of results) {
        if (placed.outcome !== 'created')
          expect(placed).toEqual({ outcome: 'existing', userId: ids.get(email) });
      }
      expect(await store.users.countUsers(tenant, [], false)).toBe(500 * round);
      expect(await store.users.countUsers(tenant, [], true)).toBe(500 * round);
    }
  });
});

describe('a sign-up', () => {
  it('never replaces a hash', async () => {
    const user = passwordUser(tenant, 'a@b.test', { passwordHash: 'the first' });
    await store.users.putPasswordUser(user);
    expect(await put('a@b.test', { passwordHash: 'of a stranger', replace: false })).toEqual({
      outcome: 'existing',
      userId: user.userId,
    });
    expect(await hashOf('a@b.test')).toBe('the first');
  });

  it('does not undo an import of the same instant, whichever comes first', async () => {
    const outcomes = await Promise.all([
      put('a@b.test', { passwordHash: 'sign-up', replace: false }),
      put('a@b.test', { passwordHash: 'import' }),
      put('a@b.test', { passwordHash: 'late sign-up', replace: false }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'existing', 'existing']);
    expect(await hashOf('a@b.test')).toBe('import');
  });
});

describe('the same email', () => {
  it('is another user in another tenant and in another app', async () => {
    const tenants = [tenant, await store.newTenant(tenant), await store.newApp()];
    const users = tenants.map((each, i) => passwordUser(each, 'a@b.test', { passwordHash: `hash ${i}` }));
    for (const user of users) expect(await store.users.putPasswordUser(user)).toEqual({ outcome: 'created' });
    expect(await Promise.all(tenants.map((each) => credentialOf(store, each, 'a@b.test')))).toEqual(
      users.map(({ userId, passwordHash }) => ({ userId, passwordHash })),
    );
  });

  it('is another user in two tenants of one batch', async () => {
    const other = await store.newTenant(tenant);
    const outcomes = await Promise.all(
      [tenant, other, tenant, other].map((each) =>
        store.users.putPasswordUser(passwordUser(each, 'a@b.test')),
      ),
    );
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'existing', 'existing']);
  });

  it('is another user when it comes from a provider', async () => {
    const social = thirdPartyUser(tenant, 'g1', { email: 'a@b.test' });
    await store.users.putThirdPartyUser(social);
    const own = passwordUser(tenant, 'a@b.test');
    expect(await store.users.putPasswordUser(own)).toEqual({ outcome: 'created' });
    expect((await credentialOf(store, tenant, 'a@b.test'))?.userId).toBe(own.userId);
    expect((await store.users.findUser(tenant.appNo, social.userId))?.thirdParty).toHaveLength(1);
  });
});

describe('a credential', () => {
  it('is found only for password users, by their exact email', async () => {
    await store.users.putThirdPartyUser(thirdPartyUser(tenant, 'g1', { email: 'social@b.test' }));
    await put('own@b.test');
    expect(await credentialOf(store, tenant, 'social@b.test')).toBeUndefined();
    expect(await credentialOf(store, tenant, 'nobody@b.test')).toBeUndefined();
    expect(await credentialOf(store, tenant, 'OWN@b.test')).toBeUndefined();
    expect(await credentialOf(store, await store.newTenant(tenant), 'own@b.test')).toBeUndefined();
    expect(await hashOf('own@b.test')).toBe('hash of own@b.test');
  });

  it('is found by all of many who ask at once', async () => {
    const emails = Array.from({ length: 300 }, (_, i) => `user${i}@b.test`);
    await Promise.all(emails.filter((_, i) => i % 2 === 0).map((email) => put(email)));
    expect(await Promise.all(emails.map(hashOf))).toEqual(
      emails.map((email, i) => (i % 2 === 0 ? `hash of ${email}` : undefined)),
    );
  });

  it('is gone with its user, and the email is free again', async () => {
    const user = passwordUser(tenant, 'a@b.test');
    await store.users.putPasswordUser(user);
    await store.users.removeUser(tenant.appNo, user.userId, true);
    expect(await hashOf('a@b.test')).toBeUndefined();
    expect(await put('a@b.test')).toEqual({ outcome: 'created' });
  });
});

describe('a tenant that is removed', () => {
  it('takes no user any more, and does not affect the rest of the batch', async () => {
    const gone = await store.newTenant(tenant);
    await store.tenants.removeTenant(gone.appId, gone.tenantId);
    const outcomes = await Promise.all([
      store.users.putPasswordUser(passwordUser(gone, 'a@b.test')),
      put('a@b.test'),
      store.users.putThirdPartyUser(thirdPartyUser(gone, 'g1')),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['tenant-gone', 'created', 'tenant-gone']);
  });

  it('while users are put into it leaves no row behind, whatever was answered', async () => {
    const other = store.anotherCore();
    for (let round = 0; round < 10; round++) {
      const doomed = await store.newTenant(tenant);
      const wave = (n: number) =>
        Promise.all(
          Array.from({ length: 60 }, (_, i) =>
            i % 2 === 0
              ? store.users.putPasswordUser(passwordUser(doomed, `user${n}.${i}@b.test`))
              : store.users.putThirdPartyUser(thirdPartyUser(doomed, `user${n}.${i}`)),
          ),
        );
      expect(new Set((await wave(0)).map(({ outcome }) => outcome))).toEqual(new Set(['created']));
      const removal = other.tenants.removeTenant(doomed.appId, doomed.tenantId);
      for (let n = 1, gone = false; !gone; n++) {
        gone = (await wave(n)).some(({ outcome }) => outcome === 'tenant-gone');
      }
      expect(await removal).toBe(true);
      expect(await rowsOf(doomed)).toEqual({ identities: 0, users: 0 });
    }
  });

  it('while emails in it are changed leaves no row behind', async () => {
    const other = store.anotherCore();
    for (let round = 0; round < 10; round++) {
      const doomed = await store.newTenant(tenant);
      const users = Array.from({ length: 12 }, (_, i) => passwordUser(doomed, `user${i}@b.test`));
      await Promise.all(users.map((user) => store.users.putPasswordUser(user)));
      const [removed, ...changes] = await Promise.all([
        other.tenants.removeTenant(doomed.appId, doomed.tenantId),
        ...users.map(({ userId, email }) =>
          store.users.changeUser({ appNo: doomed.appNo, userId, email: `new-${email}` }),
        ),
      ]);
      expect(removed).toBe(true);
      for (const change of changes) expect(['changed', 'unknown-user']).toContain(change);
      expect(await rowsOf(doomed)).toEqual({ identities: 0, users: 0 });
    }
  });
});

/** The remaining rows of a tenant, when no user of its app is elsewhere. */
async function rowsOf({ appNo, tenantNo }: Tenant): Promise<unknown> {
  const [row] = await store.sql(
    `select (select count(*) from identities where app_no = $1 and tenant_no = $2) as identities,
       (select count(*) from users where app_no = $1) as users`,
    [appNo, tenantNo],
  );
  return row;
}
