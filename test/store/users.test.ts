import { describe, expect, it } from 'vitest';
import type { RecipeId, Tenant } from '../../src/domain/model.ts';
import type { AccountInfo, UserChange } from '../../src/operations/ports/ports.ts';
import {
  alsoIn,
  credentialOf,
  link,
  useStore,
  passwordUser,
  putPasswordless,
  thirdPartyUser,
} from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

let store: TestStore;
let tenant: Tenant;

useStore((opened, app) => {
  [store, tenant] = [opened, app];
});

async function putPassword(email: string, where = tenant): Promise<string> {
  const user = passwordUser(where, email);
  expect(await store.users.putPasswordUser(user)).toEqual({ outcome: 'created' });
  return user.userId;
}

async function putSocial(id: string, email = `${id}@social.test`, where = tenant): Promise<string> {
  const user = thirdPartyUser(where, id, { email });
  expect(await store.users.putThirdPartyUser(user)).toEqual({ outcome: 'created' });
  return user.userId;
}

/** A password, a social and a passwordless method that are one user. The head joined first. */
async function putLinked(name: string, where = tenant): Promise<[string, string, string]> {
  const ids: [string, string, string] = [
    await putPassword(`${name}@b.test`, where),
    await putSocial(name, `${name}@social.test`, where),
    await putPasswordless(store.sql, where, { email: `${name}@less.test`, phone: `+${name}` }),
  ];
  await link(store.sql, where, ids);
  return ids;
}

const find = (id: string) => store.users.findUser(tenant.appNo, id);

interface Walk {
  readonly where?: Tenant;
  readonly limit: number;
  readonly order?: 'ASC' | 'DESC';
  readonly recipes?: readonly RecipeId[];
  readonly between?: () => Promise<unknown>;
}

/** The ids of all pages, in order. */
async function walk({
  where = tenant,
  limit,
  order = 'ASC',
  recipes = [],
  between,
}: Walk): Promise<string[]> {
  const ids: string[] = [];
  let from: string | undefined;
  do {
    const page = await store.users.listUsers({ tenant: where, limit, order, recipes, from });
    expect(page.users.length).toBeLessThanOrEqual(limit);
    if (page.nextFrom !== undefined) expect(page.users).toHaveLength(limit);
    ids.push(...page.users.map(({ id }) => id));
    from = page.nextFrom;
    await between?.();
  } while (from !== undefined);
  return ids;
}

const all = { limit: 500 };

describe('listing', () => {
  it('gives every user exactly once in the order of joining, whatever the page size', async () => {
    const heads: string[] = [];
    for (let i = 0; i < 3; i++) {
      heads.push(await putPassword(`user${i}@b.test`), await putSocial(`social${i}`));
      heads.push((await putLinked(`linked${i}`))[0]);
      heads.push(await putPasswordless(store.sql, tenant, { phone: `+1${i}` }));
    }
    for (let limit = 1; limit <= heads.length + 1; limit++) {
      expect(await walk({ limit })).toEqual(heads);
      expect(await walk({ limit, order: 'DESC' })).toEqual(heads.toReversed());
    }
  });

  it.each(['ASC', 'DESC'] as const)(
    'gives those who were there once while others join, %s',
    async (order) => {
      const before: string[] = [];
      for (let i = 0; i < 10; i++) before.push(await putPassword(`user${i}@b.test`));
      let joined = 0;
      // Fewer than are read in a page, otherwise an ascending walk would never reach its end.
      const between = async () => joined < 12 && (await putPassword(`late${joined++}@b.test`));
      const seen = await walk({ limit: 3, order, between });
      expect(new Set(seen)).toHaveLength(seen.length);
      const expected = order === 'ASC' ? before : before.toReversed();
      expect(seen.filter((id) => before.includes(id))).toEqual(expected);
      if (order === 'ASC') expect(seen.length).toBeGreaterThan(before.length);
      else expect(seen).toEqual(expected);
    },
  );

  it('gives the users that have a method of the recipes asked for', async () => {
    const password = await putPassword('a@b.test');
    const social = await putSocial('a');
    const passwordless = await putPasswordless(store.sql, tenant, { phone: '+1' });
    const [linked] = await putLinked('linked');
    const given = (...recipes: RecipeId[]) => walk({ limit: 2, recipes });
    expect(await given('emailpassword')).toEqual([password, linked]);
    expect(await given('thirdparty')).toEqual([social, linked]);
    expect(await given('passwordless')).toEqual([passwordless, linked]);
    expect(await given('thirdparty', 'passwordless')).toEqual([social, passwordless, linked]);
    expect(await given()).toEqual([password, social, passwordless, linked]);
  });

  it('gives a tenant its own users only, and one method in two tenants to both', async () => {
    const other = await store.newTenant(tenant);
    const here = await putPassword('a@b.test');
    const there = await putPassword('a@b.test', other);
    const both = await putSocial('both');
    await alsoIn(store.sql, other, both);
    expect(await walk(all)).toEqual([here, both]);
    for (const limit of [1, 2, 3]) {
      expect(await walk({ where: other, limit })).toEqual([there, both]);
      expect(await walk({ where: other, limit, order: 'DESC' })).toEqual([both, there]);
    }
    expect(await walk({ ...all, where: await store.newApp() })).toEqual([]);
  });

  it('gives a linked user to every tenant that one of the methods is in, at the head’s place', async () => {
    const other = await store.newTenant(tenant);
    const [head, social] = await putLinked('linked');
    const later = await putPassword('later@b.test', other);
    await alsoIn(store.sql, other, social);
    expect(await walk({ ...all, where: other })).toEqual([head, later]);
    expect(await walk({ ...all, where: other, recipes: ['thirdparty'] })).toEqual([head]);
    expect(await walk({ ...all, where: other, recipes: ['emailpassword'] })).toEqual([later]);
  });

  it('gives whole users, by the ids that callers see', async () => {
    const [head] = await putLinked('linked');
    await store.mappings.map(tenant.appNo, { superTokensUserId: head, externalUserId: 'ext' });
    const page = await store.users.listUsers({ tenant, limit: 1, order: 'ASC', recipes: [] });
    expect(page).toEqual({ users: [await find('ext')], nextFrom: undefined });
    expect(page.users[0]?.loginMethods).toHaveLength(3);
  });
});

describe('counting', () => {
  it('agrees with listing, for every tenant and every set of recipes', async () => {
    const other = await store.newTenant(tenant);
    await putPassword('a@b.test');
    await putPassword('a@b.test', other);
    await putSocial('a', 'a@b.test', other);
    await putPasswordless(store.sql, tenant, { phone: '+1' });
    await putPasswordless(store.sql, tenant, { email: 'c@b.test', phone: '+2' });
    await putPasswordless(store.sql, other, { email: 'c@b.test' });
    const everywhere = await putLinked('everywhere');
    for (const id of everywhere) await alsoIn(store.sql, other, id);
    const [, onlyMember] = await putLinked('member');
    await alsoIn(store.sql, other, onlyMember);
    const [onlyHead] = await putLinked('head');
    await alsoIn(store.sql, other, onlyHead);
    const [gone] = await putLinked('headless');
    await store.users.removeUser(tenant.appNo, gone, false);
    const sets: RecipeId[][] = [
      [],
      ['emailpassword'],
      ['thirdparty'],
      ['passwordless'],
      ['emailpassword', 'thirdparty'],
      ['emailpassword', 'passwordless'],
      ['thirdparty', 'passwordless'],
    ];
    for (const recipes of sets) {
      const listed = [];
      for (const where of [tenant, other]) {
        const heads = await walk({ ...all, where, recipes });
        expect(heads.length).toBeGreaterThan(0);
        expect(await store.users.countUsers(where, recipes, false)).toBe(heads.length);
        listed.push(...heads);
      }
      expect(await store.users.countUsers(other, recipes, true)).toBe(new Set(listed).size);
    }
    expect(await store.users.countUsers(tenant, [], false)).toBe(3 + 4);
    expect(await store.users.countUsers(other, [], false)).toBe(3 + 3);
    expect(await store.users.countUsers(tenant, [], true)).toBe(6 + 4);
  });

  it('is zero in a new app', async () => {
    expect(await store.users.countUsers(tenant, [], false)).toBe(0);
    expect(await store.users.countUsers(tenant, [], true)).toBe(0);
  });
});

describe('a linked user', () => {
  it('is whole by any id of any method', async () => {
    const [head, social, passwordless] = await putLinked('linked');
    await store.mappings.map(tenant.appNo, { superTokensUserId: social, externalUserId: 'ext social' });
    const user = await find(head);
    expect(user).toMatchObject({
      id: head,
      isPrimaryUser: true,
      emails: ['linked@b.test', 'linked@social.test', 'linked@less.test'],
      phoneNumbers: ['+linked'],
      thirdParty: [{ id: 'google', userId: 'linked' }],
      loginMethods: [
        { recipeId: 'emailpassword', recipeUserId: head },
        { recipeId: 'thirdparty', recipeUserId: 'ext social' },
        { recipeId: 'passwordless', recipeUserId: passwordless },
      ],
    });
    for (const id of [social, 'ext social', passwordless]) expect(await find(id)).toEqual(user);
  });

  it('is one that is primary alone, too', async () => {
    const id = await putPassword('a@b.test');
    await link(store.sql, tenant, [id]);
    expect(await find(id)).toMatchObject({ id, isPrimaryUser: true });
    expect(await walk(all)).toEqual([id]);
    expect(await store.users.countUsers(tenant, [], false)).toBe(1);
  });

  it('joined when the first of the methods did', async () => {
    const older = await putSocial('a');
    const head = await putPassword('a@b.test');
    await link(store.sql, tenant, [head, older]);
    const [oldest] = (await find(head))?.loginMethods ?? [];
    expect(oldest?.recipeUserId).toBe(older);
    expect((await find(head))?.timeJoined).toBe(oldest?.timeJoined);
  });
});

describe('a user', () => {
  it('is no user by an unknown id, in another app, or by an email', async () => {
    const id = await putPassword('a@b.test');
    const unknown = passwordUser(tenant, 'x@b.test').userId;
    for (const other of [unknown, 'nobody', '', 'a@b.test', id.toUpperCase()]) {
      expect(await find(other)).toBeUndefined();
      expect(await store.users.findLoginMethod(tenant.appNo, other)).toBeUndefined();
    }
    expect(await store.users.findUser((await store.newApp()).appNo, id)).toBeUndefined();
  });

  it('is found by each of many who ask at once, in their order', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 30; i++) ids.push(await (i % 2 ? putSocial(`${i}`) : putPassword(`${i}@b.test`)));
    const asked = [...ids, 'nobody', ...ids.toReversed()];
    const found = await Promise.all(asked.map(find));
    expect(found.map((user) => user?.id ?? 'nobody')).toEqual(asked);
  });
});

describe('a search by account info', () => {
  const search = async (info: AccountInfo, union = false) =>
    (await store.users.findUsersByAccountInfo(tenant, info, union)).map(({ id }) => id);

  it('finds by email whatever the recipe, each user once', async () => {
    const ids = [
      await putPassword('a@b.test'),
      await putSocial('a', 'a@b.test'),
      await putPasswordless(store.sql, tenant, { email: 'a@b.test' }),
    ];
    await putPassword('b@b.test');
    expect(await search({ email: 'a@b.test' })).toEqual(ids);
    await link(store.sql, tenant, ids);
    expect(await search({ email: 'a@b.test' })).toEqual([ids[0]]);
  });

  it('finds by phone number and by provider identity', async () => {
    const both = await putPasswordless(store.sql, tenant, { email: 'a@b.test', phone: '+1' });
    const social = await putSocial('g1');
    expect(await search({ phoneNumber: '+1' })).toEqual([both]);
    expect(await search({ phoneNumber: '+2' })).toEqual([]);
    expect(await search({ thirdParty: { id: 'google', userId: 'g1' } })).toEqual([social]);
    expect(await search({ thirdParty: { id: 'github', userId: 'g1' } })).toEqual([]);
  });

  it('finds who matches all that is asked, over all linked methods', async () => {
    const [head] = await putLinked('linked');
    const social = await putSocial('g1', 'linked@b.test');
    const thirdParty = { id: 'google', userId: 'linked' };
    expect(await search({ email: 'linked@b.test' })).toEqual([head, social]);
    expect(await search({ email: 'linked@b.test', thirdParty })).toEqual([head]);
    expect(await search({ email: 'linked@b.test', thirdParty, phoneNumber: '+linked' })).toEqual([head]);
    expect(await search({ email: 'linked@b.test', phoneNumber: '+other' })).toEqual([]);
    expect(await search({ email: 'nobody@b.test', thirdParty })).toEqual([]);
  });

  it('finds who matches any of it, if asked so', async () => {
    const a = await putPassword('a@b.test');
    const b = await putSocial('g1', 'b@b.test');
    const c = await putPasswordless(store.sql, tenant, { phone: '+1' });
    const thirdParty = { id: 'google', userId: 'g1' };
    expect(await search({ email: 'a@b.test', thirdParty, phoneNumber: '+1' }, true)).toEqual([a, b, c]);
    expect(await search({ email: 'b@b.test', thirdParty }, true)).toEqual([b]);
    expect(await search({ email: 'nobody@b.test', phoneNumber: '+1' }, true)).toEqual([c]);
  });

  it('finds no user when nothing is asked', async () => {
    await putPassword('a@b.test');
    expect(await search({})).toEqual([]);
    expect(await search({}, true)).toEqual([]);
  });

  it('finds users of the tenant only', async () => {
    const other = await store.newTenant(tenant);
    await putPassword('a@b.test', other);
    await putSocial('g1', 'a@b.test', other);
    await putPasswordless(store.sql, other, { email: 'a@b.test', phone: '+1' });
    expect(await search({ email: 'a@b.test' })).toEqual([]);
    expect(await search({ phoneNumber: '+1' })).toEqual([]);
    expect(await search({ thirdParty: { id: 'google', userId: 'g1' } })).toEqual([]);
    expect(await store.users.findUsersByAccountInfo(other, { email: 'a@b.test' }, false)).toHaveLength(3);
  });
});

describe('removing', () => {
  const remove = (id: string, allLinked: boolean) => store.users.removeUser(tenant.appNo, id, allLinked);

  /** Rows of the app in every table of users. */
  const rows = async () => {
    const tables = ['users', 'identities', 'verified_emails', 'tokens', 'external_id_info'];
    const counts = tables.map((table) => `(select count(*) from ${table} where app_no = $1) as ${table}`);
    return (await store.sql(`select ${counts.join(', ')}`, [tenant.appNo]))[0];
  };
  const nothing = { users: 0, identities: 0, verified_emails: 0, tokens: 0, external_id_info: 0 };

  it('a user leaves nothing behind, whichever id is given', async () => {
    for (const [i, given] of ['core', 'external'].entries()) {
      const id = await putPassword(`a${i}@b.test`);
      const mapping = { superTokensUserId: id, externalUserId: `ext ${i}`, externalUserIdInfo: 'info' };
      await store.mappings.map(tenant.appNo, mapping);
      const pair = { userId: id, email: 'former@b.test' };
      await store.verification.setVerified(tenant.appNo, pair, true);
      const token = { tenant, pair: { userId: id, email: 'a' }, tokenHash: `0${i}`, expiresAt: 1 };
      await store.verification.createToken(token);
      await store.resets.createToken({ ...token, tokenHash: `1${i}` });
      expect(await rows()).toEqual({
        users: 1,
        identities: 1,
        verified_emails: 1,
        tokens: 2,
        external_id_info: 1,
      });
      await remove(given === 'core' ? id : `ext ${i}`, true);
      expect(await rows()).toEqual(nothing);
    }
  });

  it('a user in several tenants, with email and phone number, frees all of it', async () => {
    const other = await store.newTenant(tenant);
    const id = await putPasswordless(store.sql, tenant, { email: 'a@b.test', phone: '+1' });
    await alsoIn(store.sql, other, id);
    const social = await putSocial('g1');
    await alsoIn(store.sql, other, social);
    await remove(id, true);
    await remove(social, true);
    expect(await rows()).toEqual(nothing);
  });

  it('of an unknown id changes nothing, twice is as once', async () => {
    const id = await putPassword('a@b.test');
    const before = await rows();
    await remove('nobody', true);
    await remove(passwordUser(tenant, 'x').userId, true);
    expect(await rows()).toEqual(before);
    await remove(id, false);
    await remove(id, false);
    expect(await rows()).toEqual(nothing);
  });

  it.each([0, 1, 2])('a linked user with all methods works by any id (method %i)', async (n) => {
    const bystander = await putPassword('bystander@b.test');
    const ids = await putLinked('linked');
    await remove(ids[n] ?? '', true);
    expect(await Promise.all(ids.map(find))).toEqual([undefined, undefined, undefined]);
    expect(await walk(all)).toEqual([bystander]);
    expect(await rows()).toEqual({ ...nothing, users: 1, identities: 1 });
  });

  it('one linked method leaves the others', async () => {
    const [head, social, passwordless] = await putLinked('linked');
    await remove(social, false);
    expect(await find(social)).toBeUndefined();
    expect((await find(head))?.loginMethods.map(({ recipeUserId }) => recipeUserId)).toEqual([
      head,
      passwordless,
    ]);
    expect(await walk(all)).toEqual([head]);
  });

  it('the head’s own method leaves the others, which are still found by the head’s id', async () => {
    const [head, social, passwordless] = await putLinked('linked');
    await remove(head, false);
    const left = await find(head);
    expect(left).toMatchObject({ id: head, isPrimaryUser: true });
    expect(left?.loginMethods.map(({ recipeUserId }) => recipeUserId)).toEqual([social, passwordless]);
    expect([await find(social), await find(passwordless)]).toEqual([left, left]);
    expect(await walk(all)).toEqual([head]);
    expect(await store.users.countUsers(tenant, [], false)).toBe(1);
    expect(await credentialOf(store, tenant, 'linked@b.test')).toBeUndefined();
    await remove(head, true);
    expect(await rows()).toEqual(nothing);
  });

  it('the head and then each of the others leaves nothing', async () => {
    const [head, social, passwordless] = await putLinked('linked');
    await remove(head, false);
    await remove(head, false);
    await remove(social, false);
    expect((await find(head))?.loginMethods).toHaveLength(1);
    await remove(passwordless, false);
    expect(await find(head)).toBeUndefined();
    expect(await rows()).toEqual(nothing);
  });

  it('the same linked user by all ids at the same instant is no deadlock', async () => {
    const others = [store.anotherCore(), store.anotherCore()];
    for (let round = 0; round < 5; round++) {
      const ids = await putLinked(`linked${round}`);
      await Promise.all(
        [store, ...others].flatMap((core) => ids.map((id) => core.users.removeUser(tenant.appNo, id, true))),
      );
      expect(await rows()).toEqual(nothing);
    }
  });
});

describe('changing', () => {
  const change = (userId: string, what: Partial<UserChange>) =>
    store.users.changeUser({ appNo: tenant.appNo, userId, ...what });
  const credential = (email: string, where = tenant) => credentialOf(store, where, email);

  it('email and hash at once, or one of them, or nothing', async () => {
    const userId = await putPassword('a@b.test');
    expect(await change(userId, { email: 'b@b.test', passwordHash: 'new' })).toBe('changed');
    expect(await credential('a@b.test')).toBeUndefined();
    expect(await credential('b@b.test')).toEqual({ userId, passwordHash: 'new' });
    expect(await change(userId, { passwordHash: 'newer' })).toBe('changed');
    expect(await change(userId, { email: 'c@b.test' })).toBe('changed');
    expect(await change(userId, { email: 'c@b.test' })).toBe('changed');
    expect(await change(userId, {})).toBe('changed');
    expect(await credential('c@b.test')).toEqual({ userId, passwordHash: 'newer' });
    expect(await putPassword('a@b.test')).not.toBe(userId);
  });

  it('an unknown user is refused', async () => {
    const unknown = passwordUser(tenant, 'x@b.test').userId;
    expect(await change(unknown, { email: 'a@b.test' })).toBe('unknown-user');
  });

  it('to an email of another user is refused, and nothing is changed', async () => {
    await putPassword('taken@b.test');
    const userId = await putPassword('a@b.test');
    expect(await change(userId, { email: 'taken@b.test', passwordHash: 'new' })).toBe('email-taken');
    expect(await credential('a@b.test')).toEqual({ userId, passwordHash: 'hash of a@b.test' });
    expect((await find(userId))?.emails).toEqual(['a@b.test']);
  });

  it('an email changes it in every tenant of the user, or in none', async () => {
    const other = await store.newTenant(tenant);
    const userId = await putPassword('a@b.test');
    await alsoIn(store.sql, other, userId);
    await putPassword('taken@b.test', other);
    expect(await change(userId, { email: 'taken@b.test' })).toBe('email-taken');
    expect((await credential('a@b.test', other))?.userId).toBe(userId);
    expect(await change(userId, { email: 'free@b.test' })).toBe('changed');
    const holders = await Promise.all([tenant, other].map((where) => credential('free@b.test', where)));
    expect(holders.map((each) => each?.userId)).toEqual([userId, userId]);
    expect([await credential('a@b.test'), await credential('a@b.test', other)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('two users to one email at the same instant: one has it', async () => {
    for (let round = 0; round < 10; round++) {
      const ids = [await putPassword(`x${round}@b.test`), await putPassword(`y${round}@b.test`)];
      const outcomes = await Promise.all(ids.map((id) => change(id, { email: `wanted${round}@b.test` })));
      expect(outcomes.toSorted()).toEqual(['changed', 'email-taken']);
      const winner = ids[outcomes.indexOf('changed')];
      expect((await credential(`wanted${round}@b.test`))?.userId).toBe(winner);
    }
  });

  it.each(['emailpassword', 'thirdparty', 'passwordless'] as const)(
    'a linked user’s email to that of another primary user (by %s) is refused',
    async (recipe) => {
      const [head, social] = await putLinked('linked');
      const others = await putLinked('others');
      const owned = { emailpassword: 'b', thirdparty: 'social', passwordless: 'less' }[recipe];
      for (const id of [head, social]) {
        const refused = change(id, { email: `others@${owned}.test` });
        expect(await refused).toBe('email-of-other-primary-user');
      }
      expect((await find(head))?.emails).toEqual((await find(social))?.emails);
      expect((await find(head))?.emails[0]).toBe('linked@b.test');
      expect((await find(others[0]))?.emails).toHaveLength(3);
    },
  );

  it('a linked user’s email to one of their own, or of a user who is not primary, is allowed', async () => {
    const [head, social] = await putLinked('linked');
    await putPassword('single@b.test');
    expect(await change(head, { email: 'linked@social.test' })).toBe('changed');
    expect(await change(social, { email: 'single@b.test' })).toBe('changed');
    expect((await find(head))?.emails).toEqual(['linked@social.test', 'single@b.test', 'linked@less.test']);
  });

  it('an email of a user who is not linked to that of a primary user by another recipe is allowed', async () => {
    await putLinked('linked');
    const userId = await putPassword('single@b.test');
    expect(await change(userId, { email: 'linked@social.test' })).toBe('changed');
  });
});
