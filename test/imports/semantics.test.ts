/** The guarantees of an import, through the whole engine: which user is meant, and what changes. */
import { describe, expect, it } from 'vitest';
import type { OnConflict } from '../../src/imports/model.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { countsOf, person, type TestImports } from '../helpers/imports.ts';
import { codesOf, counts, google, hash, useEngines, password, recordOf } from '../helpers/semantics.ts';
import type { TestStore } from '../helpers/store.ts';

let store: TestStore;
let tenant: Tenant;
let imports: TestImports;

useEngines((all, own) => {
  tenant = own;
  ({ store, imports } = all);
});

const find = (id: string) => store.users.findUser(tenant.appNo, id);

describe('a linked user who exists', () => {
  const linked = recordOf('ext', password('a@example.com', { isPrimary: true }), google('g1'));
  const more = recordOf('ext', password('a@example.com', { isPrimary: true }), google('g1'), google('g2'));

  it.each<[OnConflict, object, string[]]>([
    ['update', { updated: 1 }, ['g1', 'g2']],
    ['skip', { skipped: 1 }, ['g1']],
    ['reject', { rejected: 1 }, ['g1']],
  ])('gets a further login method, or not: onConflict %s', async (onConflict, expected, ids) => {
    await imports.run(tenant, [linked]);
    const job = await imports.run(tenant, [more], { onConflict });
    expect(countsOf(job)).toEqual(counts(expected));
    const user = await find('ext');
    expect(user).toMatchObject({ id: 'ext', isPrimaryUser: true, timeJoined: 1000 });
    expect(user?.thirdParty.map(({ userId }) => userId).sort()).toEqual(ids);
    expect(await codesOf(imports, tenant, job)).toEqual(
      onConflict === 'reject' ? [[1, 'ALREADY_EXISTS', 'loginMethods.2.thirdPartyUserId']] : [],
    );
  });

  it.each<OnConflict>(['update', 'skip', 'reject'])(
    'is unchanged when it is so already: onConflict %s',
    async (onConflict) => {
      await imports.run(tenant, [linked]);
      const partly = [recordOf('ext', google('g1')), recordOf(undefined, password('a@example.com'))];
      for (const user of [linked, ...partly])
        expect(countsOf(await imports.run(tenant, [user], { onConflict }))).toEqual(counts({ unchanged: 1 }));
    },
  );

  it('is met by any of its login methods, whose facts are updated', async () => {
    await imports.run(tenant, [linked]);
    const job = await imports.run(tenant, [
      recordOf(undefined, google('g1', { email: 'new@example.com', isVerified: true })),
    ]);
    expect(countsOf(job)).toEqual(counts({ updated: 1 }));
    expect((await find('ext'))?.loginMethods[1]).toMatchObject({ email: 'new@example.com', verified: true });
  });
});

describe('an external id', () => {
  it('is adopted by the user who has the identity and none', async () => {
    await imports.run(tenant, [recordOf(undefined, password('a@example.com'))]);
    expect(countsOf(await imports.run(tenant, [recordOf('ext', password('a@example.com'))]))).toEqual(
      counts({ updated: 1 }),
    );
    expect(await find('ext')).toMatchObject({ emails: ['a@example.com'] });
  });

  it('is the key where it is given: another email is a changed one', async () => {
    await imports.run(tenant, [recordOf('ext', password('a@example.com', { isVerified: true }))]);
    expect(countsOf(await imports.run(tenant, [recordOf('ext', password('b@example.com'))]))).toEqual(
      counts({ updated: 1 }),
    );
    expect(await find('ext')).toMatchObject({
      emails: ['b@example.com'],
      loginMethods: [{ verified: false }],
    });
    expect(countsOf(await imports.run(tenant, [recordOf('ext', password('a@example.com'))]))).toEqual(
      counts({ updated: 1 }),
    );
    expect(await find('ext')).toMatchObject({
      emails: ['a@example.com'],
      loginMethods: [{ verified: true }],
    });
  });

  it('of one and the identity of another user are refused', async () => {
    await imports.run(tenant, [
      recordOf('x', password('a@example.com')),
      recordOf('y', password('b@example.com')),
    ]);
    const job = await imports.run(tenant, [
      recordOf('x', password('b@example.com')),
      recordOf('z', password('a@example.com')),
    ]);
    expect(await codesOf(imports, tenant, job)).toEqual([
      [1, 'IDENTITY_TAKEN', 'loginMethods.0.email'],
      [2, 'IDENTITY_TAKEN', 'loginMethods.0.email'],
    ]);
  });
});

describe('what exists', () => {
  it('is never un-verified, and keeps its join date', async () => {
    await imports.run(tenant, [recordOf('x', password('a@example.com', { isVerified: true }))]);
    const later = { isVerified: false, timeJoinedInMSSinceEpoch: 5000 };
    const job = await imports.run(tenant, [recordOf('x', password('a@example.com', later))]);
    expect(countsOf(job)).toEqual(counts({ unchanged: 1 }));
    expect(await find('x')).toMatchObject({ timeJoined: 1000, loginMethods: [{ verified: true }] });
  });

  it('has its details replaced where they are stated, and kept where they are not', async () => {
    const plain = recordOf('x', password('a@example.com'));
    await imports.run(tenant, [{ ...plain, userMetadata: { a: 1 }, userRoles: [{ role: 'r' }] }]);
    const job = await imports.run(tenant, [{ ...plain, userMetadata: { b: 2 } }]);
    expect(countsOf(job)).toEqual(counts({ updated: 1 }));
    expect(await store.details.metadata(tenant.appNo, 'x')).toEqual({ b: 2 });
    expect(await store.details.roles(tenant, 'x')).toEqual(['r']);
    expect(countsOf(await imports.run(tenant, [plain], { onConflict: 'reject' }))).toEqual(
      counts({ unchanged: 1 }),
    );
  });
});

describe('one bad line', () => {
  it('never costs another line', async () => {
    const deep = `{"userMetadata":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}},"loginMethods":[{"recipeId":"passwordless","email":"d@example.com"}]}`;
    const withMetadata = (json: string) =>
      `{"userMetadata":{"a":${json}},"loginMethods":[{"recipeId":"passwordless","email":"e@example.com"}]}`;
    const bad = [
      deep,
      withMetadata('"\\u0000"'),
      withMetadata('{"\\u0000":1}'),
      withMetadata('"\\ud800"'),
      withMetadata('1e999999'),
      JSON.stringify(recordOf('n', password('a\u0000@example.com'))),
      JSON.stringify(recordOf('t', password('t@example.com', { tenantIds: ['nowhere'] }))),
      JSON.stringify(
        recordOf('c', password('c@example.com', { passwordHash: hash.replace('$10$', '$31$') })),
      ),
      '[]',
      'null',
    ];
    const lines = bad.flatMap((line, n) => [line, '', JSON.stringify(person(n))]);
    const job = await imports.run(tenant, lines);
    expect(countsOf(job)).toEqual(counts({ created: bad.length, rejected: bad.length }));
    expect((await codesOf(imports, tenant, job)).map(([line]) => line)).toEqual(bad.map((_, n) => 3 * n + 1));
    const text = JSON.stringify(await imports.allRejects(tenant, job.id));
    expect(text).not.toContain(hash.slice(10, 40));
  });
});
