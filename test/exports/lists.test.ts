import { describe, expect, it } from 'vitest';
import { useExportFiles } from '../helpers/export-files.ts';

const { fileOf, sourceOf, converted, linesOf } = useExportFiles();

const auth0 = (name: string) => ({
  user_id: `auth0|${name}`,
  email: `${name}@example.com`,
  email_verified: true,
  identities: [{ provider: 'auth0', user_id: name, connection: 'db' }],
});
const [ada, bob, cyd] = [auth0('ada'), auth0('bob'), auth0('cyd')];

interface Line {
  readonly externalUserId: string;
  readonly userRoles?: readonly { readonly role: string }[];
  readonly userMetadata?: Readonly<Record<string, unknown>>;
  readonly loginMethods: readonly { readonly email?: string; readonly thirdPartyId?: string }[];
}

const usersIn = async (content: unknown, asked = {}): Promise<readonly Line[]> => {
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const lines = (await linesOf(fileOf(text), asked)).split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Line);
};
const idsIn = async (content: unknown, asked = {}) =>
  (await usersIn(content, asked)).map(({ externalUserId }) => externalUserId);
const ids = ['auth0|ada', 'auth0|bob', 'auth0|cyd'];

describe('users of a document', () => {
  it.each<readonly [string, unknown]>([
    ['under a key, with more keys', { start: 0, total: 3, users: [ada, bob, cyd], length: 3 }],
    ['under several keys', { data: { result: { users: [ada, bob, cyd] } }, error: null }],
    ['behind another list', { connections: [{ id: 'c1', name: 'db' }], results: [ada, bob, cyd] }],
    [
      'as the edges of GraphQL',
      { data: { users: { edges: [ada, bob, cyd].map((node) => ({ node, cursor: 'x' })) } } },
    ],
    ['by their ids', { a: ada, b: bob, c: cyd }],
    ['by their ids under a key', { users: { a: ada, b: bob, c: cyd }, version: 2 }],
    ['in pages', [{ users: [ada] }, { users: [] }, { users: [bob, cyd] }]],
    ['in pages under a key', { pages: [{ items: [ada, bob] }, { items: [cyd] }] }],
    [
      'in pages, a line each',
      `${JSON.stringify({ users: [ada] })}\n${JSON.stringify({ users: [bob, cyd] })}\n`,
    ],
    [
      'in pages one after the other',
      `{"users": [${JSON.stringify(ada)}]}\n{"users": [\n${[bob, cyd].map((each) => JSON.stringify(each)).join(',\n')}]}`,
    ],
    ['in pages of which one has them by keys', [{ users: [ada] }, { users: { 1: bob, 2: cyd } }]],
  ])('are read %s', async (_where, document) => {
    expect(await idsIn(document)).toEqual(ids);
    const indented = typeof document === 'string' ? document : JSON.stringify(document, undefined, 2);
    expect(await idsIn(indented, { from: 'auth0' })).toEqual(ids);
  });

  it('get the key of their record as the id that they lack', async () => {
    const row = (email: string) => ({
      email,
      passwordHash: '$2b$10$CTWht0IbMgpF2/RmLjQWquSqLC4CXoTQ8c1Q.lZVrhZ7JAGHKjFfa',
    });
    const document = { users: { u1: row('ada@example.com'), 'u"2': row('bob@example.com') } };
    expect(await idsIn(document, { from: 'native' })).toEqual(['u1', 'u"2']);
  });

  it('are the record itself where the document is one of them', async () => {
    expect(await idsIn({ ...ada, friends: [bob, cyd] })).toEqual(['auth0|ada']);
    expect(await idsIn([{ ...ada, friends: [bob, cyd] }])).toEqual(['auth0|ada']);
  });

  it('of two lists that are alike are refused with the cure', async () => {
    const file = fileOf(JSON.stringify({ members: [ada], archive: [bob] }));
    await expect(linesOf(file)).rejects.toThrow(
      /two lists that may be its users, \.members\[\] and \.archive\[\]: .* jq -c '\.members\[\]' FILE > users\.ndjson/,
    );
  });

  it('without their object are rejected by number', async () => {
    const edges = [{ node: ada }, { node: null }, { cursor: 'x' }];
    const source = await sourceOf(fileOf(JSON.stringify({ data: { users: { edges } } })));
    const [batch] = await converted(source);
    expect(batch?.rejects).toMatchObject([{ record: 2, code: 'INVALID_FIELD' }, { record: 3 }]);
  });

  it.each<readonly [string, unknown]>([
    ['a total', { total: 137, users: [ada, bob] }],
    [
      'a token in the list of GraphQL',
      { data: { users: { pageInfo: { hasNextPage: true }, edges: [{ node: ada }] } } },
    ],
    [
      'the token of the last of several pages',
      [
        { users: [ada], next: 'a' },
        { users: [bob], next: 'b' },
      ],
    ],
    ['a token beside users by their ids', { users: { a: ada }, nextPageToken: 'x' }],
  ])('are not complete by %s', async (_what, document) => {
    await expect(linesOf(fileOf(JSON.stringify(document)))).rejects.toThrow(
      /are missing|another page follows/,
    );
  });

  it('of Keycloak are of all realms but that of its administrators, with roles by realm', async () => {
    const user = (name: string, alias: string) => ({
      id: `id-${name}`,
      username: name,
      email: `${name}@example.com`,
      emailVerified: true,
      enabled: true,
      createdTimestamp: 1704067200000,
      realmRoles: ['editor'],
      federatedIdentities: [{ identityProvider: alias, userId: '7' }],
    });
    const realm = (name: string, alias = 'google') => ({
      id: name,
      realm: name,
      roles: { realm: [{ id: 'r', name: 'editor' }] },
      groups: [{ id: 'g', name: 'all' }],
      users: [user(`${name}-user`, alias)],
    });
    const both = [realm('master'), realm('shop'), realm('blog', 'corporate')];
    const found = await usersIn(both);
    expect(found.map(({ externalUserId }) => externalUserId)).toEqual(['id-shop-user', 'id-blog-user']);
    expect(found.map(({ userRoles }) => userRoles?.[0]?.role)).toEqual(['shop:editor', 'blog:editor']);
    const providersOf = ({ loginMethods }: Line) =>
      loginMethods.flatMap(({ thirdPartyId }) => thirdPartyId ?? []);
    expect(found.map(providersOf)).toEqual([['google'], ['blog:corporate']]);
    expect(found.map(({ userMetadata }) => userMetadata?.realm)).toEqual(['shop', 'blog']);
    const [one] = await usersIn(both, { options: { 'keycloak-realm': 'blog' } });
    expect(one).toMatchObject({ externalUserId: 'id-blog-user', userRoles: [{ role: 'editor' }] });
    await expect(usersIn(both, { options: { 'keycloak-realm': 'none' } })).rejects.toThrow(
      'one of master, shop, blog',
    );
    expect(await idsIn([realm('master')])).toEqual(['id-master-user']);
    expect(await idsIn(realm('shop'), { options: { 'keycloak-realm': 'shop' } })).toEqual(['id-shop-user']);
  });

  it('of the admin API of Supabase are named, with the table that has their hashes', async () => {
    const user = {
      id: '1',
      aud: 'authenticated',
      email: 'a@example.com',
      app_metadata: {},
      user_metadata: {},
    };
    const file = fileOf(JSON.stringify({ data: { users: [user], aud: 'x' }, error: null }));
    await expect(sourceOf(file)).rejects.toThrow(/auth\.users.*encrypted_password/);
  });
});
