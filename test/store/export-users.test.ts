import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { exportOperations } from '../../src/operations/export.ts';
import type { OperationsContext } from '../../src/operations/context.ts';
import type { ExportStore } from '../../src/operations/ports/ports.ts';
import { sealedFactors, testSealer } from '../helpers/imports.ts';
import { knownHash } from '../helpers/people.ts';
import {
  alsoIn,
  link,
  useStore,
  passwordUser,
  putDetails,
  putPasswordless,
  thirdPartyUser,
} from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

let store: TestStore;
let tenant: Tenant;

useStore((opened, app) => {
  [store, tenant] = [opened, app];
});

function operations(allowHashExport: boolean | undefined, limit?: number, exports = store.exports) {
  // Only this part of the context is used.
  const context = {
    stores: { exports },
    now: Date.now,
    sealer: testSealer,
    ...(allowHashExport !== undefined && { allowHashExport }),
  };
  return exportOperations(context as unknown as OperationsContext, limit);
}

async function exported(limit = 500, between?: () => Promise<unknown>): Promise<NativeUser[]> {
  const users: NativeUser[] = [];
  for await (const text of operations(true, limit).users(tenant)) {
    expect(text.endsWith('\n')).toBe(true);
    const lines = text.slice(0, -1).split('\n');
    expect(lines.length).toBeLessThanOrEqual(limit);
    users.push(...lines.map((line) => JSON.parse(line) as NativeUser));
    await between?.();
  }
  return users;
}

let joined = Date.UTC(2026, 5, 1);

async function putPassword(email: string, rest: Parameters<typeof passwordUser>[2] = {}, where = tenant) {
  const user = passwordUser(where, email, { timeJoined: joined++, passwordHash: knownHash, ...rest });
  await store.users.putPasswordUser(user);
  return user;
}

async function putSocial(id: string, rest: Parameters<typeof thirdPartyUser>[2] = {}, where = tenant) {
  const user = thirdPartyUser(where, id, { timeJoined: joined++, ...rest });
  await store.users.putThirdPartyUser(user);
  return user;
}

const map = ({ userId }: { userId: string }, externalUserId: string) =>
  store.mappings.map(tenant.appNo, { superTokensUserId: userId, externalUserId });

describe('a user is exported', () => {
  it('with a password: its hash and the kind of it, external id, details', async () => {
    const user = await putPassword('ada@b.test');
    await map(user, 'auth0|1');
    await store.verification.setVerified(tenant.appNo, { userId: 'auth0|1', email: 'ada@b.test' }, true);
    const details = {
      metadata: { name: 'Ada', nested: { list: [1, null] } },
      roles: [{ role: 'admin' }, { role: 'reader' }],
      totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP', period: 30, skew: 1, deviceName: 'phone' }],
    };
    const totpDevices = sealedFactors(tenant, details.totpDevices);
    await putDetails(store.sql, tenant, user.userId, { ...details, totpDevices });
    expect(await exported()).toEqual([
      {
        externalUserId: 'auth0|1',
        userMetadata: details.metadata,
        userRoles: details.roles,
        totpDevices: details.totpDevices,
        loginMethods: [
          {
            recipeId: 'emailpassword',
            tenantIds: ['public'],
            email: 'ada@b.test',
            passwordHash: knownHash,
            hashingAlgorithm: 'bcrypt',
            isVerified: true,
            timeJoinedInMSSinceEpoch: user.timeJoined,
          },
        ],
      },
    ] satisfies NativeUser[]);
  });

  it('of a third party, without what is not there', async () => {
    const user = await putSocial('g-1', { email: 'ada@b.test', isVerified: true });
    expect(await exported()).toEqual([
      {
        loginMethods: [
          {
            recipeId: 'thirdparty',
            tenantIds: ['public'],
            email: 'ada@b.test',
            thirdPartyId: 'google',
            thirdPartyUserId: 'g-1',
            isVerified: true,
            timeJoinedInMSSinceEpoch: user.timeJoined,
          },
        ],
      },
    ] satisfies NativeUser[]);
  });

  it.each([{ email: 'ada@b.test' }, { phone: '+4912345' }, { email: 'ada@b.test', phone: '+4912345' }])(
    'without a password, with %j',
    async (given) => {
      await putPasswordless(store.sql, tenant, given);
      const [user] = await exported();
      expect(user).toEqual({
        loginMethods: [
          {
            recipeId: 'passwordless',
            tenantIds: ['public'],
            ...('email' in given && { email: given.email }),
            ...('phone' in given && { phoneNumber: given.phone }),
            isVerified: false,
            timeJoinedInMSSinceEpoch: expect.any(Number) as number,
          },
        ],
      });
    },
  );

  it('with the names of all of the tenants, and so are users of other tenants', async () => {
    const other = await store.newTenant(tenant);
    const both = await putPassword('both@b.test');
    await alsoIn(store.sql, other, both.userId);
    await putPassword('there@b.test', {}, other);
    const users = await exported();
    expect(users.map(({ loginMethods }) => loginMethods[0]?.tenantIds)).toEqual([
      ['public', other.tenantId],
      [other.tenantId],
    ]);
  });

  it('as one record when it is linked: the primary method first, the others by their join dates', async () => {
    const [late, early] = [await putSocial('late'), await putSocial('early')];
    const head = await putPassword('head@b.test');
    await store.sql('update users set time_joined = 5 where app_no = $1 and user_id = $2', [
      tenant.appNo,
      early.userId,
    ]);
    await link(store.sql, tenant, [head.userId, late.userId, early.userId]);
    await map(head, 'ext of head');
    await map(late, 'ext of late');
    await putDetails(store.sql, tenant, head.userId, { metadata: { of: 'head' } });
    const users = await exported();
    expect(users).toMatchObject([{ externalUserId: 'ext of head', userMetadata: { of: 'head' } }]);
    expect(users[0]?.loginMethods.map((method) => [method.recipeId, method.email, method.isPrimary])).toEqual(
      [
        ['emailpassword', 'head@b.test', true],
        ['thirdparty', 'early@social.test', undefined],
        ['thirdparty', 'late@social.test', undefined],
      ],
    );
  });

  it('as primary when it is one of a single method', async () => {
    const user = await putPassword('a@b.test');
    await link(store.sql, tenant, [user.userId]);
    expect((await exported())[0]?.loginMethods).toMatchObject([{ isPrimary: true }]);
  });

  it('as one record when its head was removed: the heir of its external id stands in', async () => {
    const head = await putPassword('head@b.test');
    const [first, second] = [await putSocial('first'), await putSocial('second')];
    await link(store.sql, tenant, [head.userId, second.userId, first.userId]);
    await map(head, 'ext of head');
    await map(first, 'ext of first');
    await store.users.removeUser(tenant.appNo, head.userId, false);
    expect(await exported()).toMatchObject([
      {
        externalUserId: 'ext of head',
        loginMethods: [{ thirdPartyUserId: 'second', isPrimary: true }, { thirdPartyUserId: 'first' }],
      },
    ]);
  });

  it('as one record when its head was removed, who had no external id: the method that joined first stands in', async () => {
    const head = await putPassword('head@b.test');
    const [first, second] = [await putSocial('first'), await putSocial('second')];
    await link(store.sql, tenant, [head.userId, second.userId, first.userId]);
    await map(first, 'ext of first');
    await putDetails(store.sql, tenant, head.userId, { metadata: { of: 'head' } });
    await store.users.removeUser(tenant.appNo, head.userId, false);
    for (const limit of [1, 500]) {
      expect(await exported(limit)).toMatchObject([
        {
          externalUserId: 'ext of first',
          userMetadata: { of: 'head' },
          loginMethods: [{ thirdPartyUserId: 'first', isPrimary: true }, { thirdPartyUserId: 'second' }],
        },
      ]);
    }
  });
});

describe('an export', () => {
  it('gives every user once in the order of their ids, whatever the page size', async () => {
    const emails: (string | undefined)[] = [];
    for (let i = 0; i < 3; i++) {
      emails.push((await putPassword(`a${i}@b.test`)).email, (await putSocial(`g${i}`)).email);
      const [head, member] = [await putPassword(`head${i}@b.test`), await putSocial(`member${i}`)];
      await link(store.sql, tenant, [head.userId, member.userId]);
      emails.push(head.email);
      const [gone, left] = [await putPassword(`gone${i}@b.test`), await putSocial(`left${i}`)];
      await link(store.sql, tenant, [gone.userId, left.userId]);
      await store.users.removeUser(tenant.appNo, gone.userId, false);
      emails.push(left.email);
    }
    for (let limit = 1; limit <= emails.length + 1; limit++) {
      const users = await exported(limit);
      expect(users.map(({ loginMethods }) => loginMethods[0]?.email)).toEqual(emails);
    }
  });

  it('gives those who were there once while others join and leave', async () => {
    const emails: string[] = [];
    for (let i = 0; i < 10; i++) emails.push((await putPassword(`user${i}@b.test`)).email);
    let turn = 0;
    // Each a user of their own: a page that is read meanwhile may have a brief one, too.
    const between = async () => {
      if (turn++ < 5) await putPassword(`late${turn}@b.test`);
      await store.users.removeUser(tenant.appNo, (await putPassword(`brief${turn}@b.test`)).userId, true);
    };
    const seen = (await exported(3, between)).map(({ loginMethods }) => loginMethods[0]?.email ?? '');
    expect(seen.filter((email) => emails.includes(email))).toEqual(emails);
    expect(new Set(seen)).toHaveLength(seen.length);
  });

  it('holds the users of its app only, and none of an empty one', async () => {
    expect(await exported()).toEqual([]);
    const { appNo } = await store.newApp();
    await putPassword('a@b.test');
    expect(await exported()).toHaveLength(1);
    expect(await store.exports.page(appNo, undefined, 500)).toEqual({ users: [], next: undefined });
  });

  it('reads a page while the one before it is written, and no further one', async () => {
    for (let i = 0; i < 8; i++) await putPassword(`user${i}@b.test`);
    const asked: (string | undefined)[] = [];
    const exports: ExportStore = {
      ...store.exports,
      page: (appNo, after, limit) => {
        asked.push(after);
        return store.exports.page(appNo, after, limit);
      },
    };
    const pages = operations(true, 2, exports).users(tenant)[Symbol.asyncIterator]();
    expect(await pages.next()).toMatchObject({ done: false });
    await pages.return?.();
    expect(asked).toHaveLength(2);
  });

  it('fails with the failure of a page that was read ahead, after the one before it', async () => {
    for (let i = 0; i < 8; i++) await putPassword(`user${i}@b.test`);
    const exports: ExportStore = {
      ...store.exports,
      page: (appNo, after, limit) =>
        after === undefined
          ? store.exports.page(appNo, after, limit)
          : Promise.reject(new Refusal('DATABASE_UNAVAILABLE')),
    };
    const pages = operations(true, 2, exports).users(tenant)[Symbol.asyncIterator]();
    expect(await pages.next()).toMatchObject({ done: false });
    await expect(pages.next()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await pages.next()).toMatchObject({ done: true });
  });

  it('is refused at once where it is not allowed, naming the setting', () => {
    for (const allowed of [false, undefined]) {
      let refusal: unknown;
      try {
        operations(allowed).users(tenant);
      } catch (error) {
        refusal = error;
      }
      expect(refusal).toBeInstanceOf(Refusal);
      expect(refusal).toMatchObject({ code: 'HASH_EXPORT_NOT_ALLOWED', http: 403 });
      expect((refusal as Refusal).message).toContain('allow_hash_export');
    }
  });
});
