/** Only the order of lines counts: not which of them are in a chunk, or are written concurrently. */
import { describe, expect, it } from 'vitest';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { ChunkStore } from '../../src/imports/ports.ts';
import type { Tenant } from '../../src/domain/model.ts';
import {
  bcryptHash,
  countsOf,
  person,
  type TestImports,
  type TestImportsOptions,
} from '../helpers/imports.ts';
import { tablesOf } from '../helpers/merging.ts';
import { randomOf, randomRecords } from '../helpers/random-records.ts';
import {
  codesOf,
  counts,
  type Engines,
  google,
  useEngines,
  password,
  recordOf,
} from '../helpers/semantics.ts';
import { passwordUser, type TestStore } from '../helpers/store.ts';

let engines: Engines;
let store: TestStore;
let tenant: Tenant;
let imports: TestImports;

useEngines((all, own) => {
  [engines, tenant] = [all, own];
  ({ store, imports } = all);
});

/** One line a chunk, three at once. */
const sideBySide = (rest: TestImportsOptions = {}) =>
  engines.importsOf({ chunkBytes: 100, lanes: 3, ...rest });

describe('lines that touch the same users', () => {
  /** @returns counts, codes and tables, by one chunk and by a chunk for each line */
  async function bothWays(before: readonly NativeUser[], users: readonly NativeUser[], apart = sideBySide()) {
    const outcomes = [];
    for (const by of [imports, apart]) {
      tenant = await store.newApp();
      await imports.run(tenant, before);
      const job = await by.run(tenant, users);
      outcomes.push({
        counts: countsOf(job),
        codes: await codesOf(by, tenant, job),
        tables: await tablesOf(store.sql, tenant),
      });
    }
    const [one, other] = outcomes;
    expect(other).toEqual(one);
    return one;
  }

  it('hand an email on from user to user, in the order of the lines', async () => {
    const before = [0, 1, 2].map((n) => person(n));
    const moved = (n: number, to: number) => ({
      ...recordOf(`legacy-${n}`, password(`person-${to}@example.com`)),
      sameIds: true,
    });
    const last = recordOf('new', password('person-1@example.com'));
    const downwards = await bothWays(before, [moved(2, 3), moved(1, 2), last]);
    expect(downwards?.counts).toEqual(counts({ updated: 2, created: 1 }));
    const upwards = await bothWays(before, [moved(1, 2), moved(2, 3)]);
    expect(upwards?.counts).toEqual(counts({ updated: 2 }));
  });

  it('find a key that an unchanged user had claimed, even after that user gave it up', async () => {
    const users = [
      recordOf(undefined, password('a@example.com')),
      recordOf('x', password('b@example.com')),
      recordOf(undefined, password('a@example.com', { passwordHash: bcryptHash(2) })),
    ];
    const outcome = await bothWays([recordOf('x', password('a@example.com'))], users);
    expect(outcome?.codes).toEqual([[3, 'DUPLICATE_IN_JOB', 'loginMethods.0.email']]);
  });

  const before = {
    ...recordOf('x', password('a@example.com', { isPrimary: true }), google('g1')),
    userMetadata: { v: 1 },
  };
  // The second equals the state before the first.
  const users = [
    { ...recordOf(undefined, google('g1')), userMetadata: { v: 2 } },
    { ...recordOf(undefined, password('a@example.com')), userMetadata: { v: 1 } },
  ];

  it('see what an earlier line changed by another of the keys: in one chunk', async () => {
    expect((await bothWays([before], users))?.counts).toEqual(counts({ updated: 2 }));
    expect(await store.details.metadata(tenant.appNo, 'x')).toEqual({ v: 1 });
  });

  it.each([false, true])(
    'see it, too, when the later one was looked at at the same time (parsed: %s)',
    async (allowPlainText) => {
      const outcome = await bothWays([before], users, sideBySide({ wrap: secondFirst, allowPlainText }));
      expect(outcome?.counts).toEqual(counts({ updated: 2 }));
    },
  );
});

describe('the same people from several sides at once', () => {
  it('are created once each, by two cores and by sign-ups', async () => {
    const [one, other] = [sideBySide({ chunkBytes: 2000 }), sideBySide({ chunkBytes: 3000 })];
    const people = Array.from({ length: 150 }, (_, n) => person(n));
    // Half of them with another email: external ids meet, too.
    const moved = people.map((user, n) =>
      n % 2 ? user : recordOf(user.externalUserId, password(`moved-${n}@example.com`)),
    );
    const signUps = people
      .slice(0, 30)
      .map((_, n) => passwordUser(tenant, `person-${n * 5}@example.com`, { replace: false }));
    const [first, second] = await Promise.all([
      one.run(tenant, people),
      other.run(tenant, moved.toReversed()),
      ...signUps.map((user) => store.users.putPasswordUser(user)),
    ]);
    for (const job of [first, second]) {
      const { created, updated, unchanged, rejected } = job;
      expect([created + updated + unchanged + rejected, job.state]).toEqual([150, 'done']);
    }
    const rows = await store.sql<{ external_id: string | null }>(
      'select external_id from users where app_no = $1',
      [tenant.appNo],
    );
    const ids = rows.flatMap(({ external_id: id }) => id ?? []);
    expect(new Set(ids).size).toBe(150);
    expect(ids).toHaveLength(150);
    const [{ n } = { n: -1 }] = await store.sql<{ n: number }>(
      `select count(*)::int as n from users u cross join lateral identities_of(u.app_no, u) i where u.app_no = $1`,
      [tenant.appNo],
    );
    expect(n).toBe(rows.length);
  });

  it('wait for no lane that a later chunk of another upload has', async () => {
    const one = engines.importsOf({ chunkBytes: 300, lanes: 1 });
    const uploads = [0, 1, 2, 3].map((n) =>
      one.run(
        tenant,
        Array.from({ length: 10 }, (_, m) => person(5 * n + m)),
      ),
    );
    const jobs = await Promise.all(uploads);
    expect(jobs.map(({ created, unchanged }) => created + unchanged)).toEqual([10, 10, 10, 10]);
    expect(await store.users.countUsers(tenant, [], false)).toBe(25);
  });
});

/** The first chunk looks up its users only after the second has done so. */
function secondFirst(chunks: ChunkStore): ChunkStore {
  const isSecondDone = Promise.withResolvers<undefined>();
  let transactions = 0;
  return {
    transaction: (work) =>
      chunks.transaction(async (chunk) => {
        const isFirst = ++transactions === 1;
        const looked = async <Result>(look: Promise<Result>): Promise<Result> => {
          const result = await look;
          if (!isFirst) isSecondDone.resolve(undefined);
          return result;
        };
        return work({
          ...chunk,
          place: (rows) => looked(chunk.place(rows)),
          compare: (rows) => looked(chunk.compare(rows)),
          async find(job, keys) {
            if (isFirst) await isSecondDone.promise;
            return looked(chunk.find(job, keys));
          },
        });
      }),
  };
}

describe('random records', () => {
  // 812: a user's email, in a later line, is stated by an earlier one for another primary user.
  it.each([1, 2, 3, 812])('come to the same wherever the file is cut (seed %i)', async (seed) => {
    const outcomes = [];
    for (const by of [imports, engines.importsOf({ chunkBytes: 100, lanes: 1 }), sideBySide()]) {
      tenant = await store.newApp();
      const { tenantId } = await store.newTenant(tenant);
      const random = randomOf(seed);
      await imports.run(tenant, randomRecords(random, tenantId, 12));
      const job = await by.run(tenant, randomRecords(random, tenantId, 20, 12));
      const codes = (await codesOf(by, tenant, job)).map(([line, code]) => [line, code]);
      outcomes.push({ counts: countsOf(job), codes, tables: await tablesOf(store.sql, tenant) });
    }
    const [whole, ...cut] = outcomes;
    expect(whole?.counts.rejected).toBeGreaterThan(0);
    for (const outcome of cut) expect(outcome).toEqual(whole);
  });

  it.each([1, 2, 3, 4])(
    'create nothing when they come again, and an undo brings back what was (seed %i)',
    async (seed) => {
      const random = randomOf(seed);
      const { tenantId } = await store.newTenant(tenant);
      const apart = engines.importsOf({ chunkBytes: 1000, lanes: 3 });
      await apart.run(tenant, randomRecords(random, tenantId, 20));
      const rows = async () =>
        Promise.all(
          ['users', 'identities', 'user_details', 'verified_emails'].map((table) =>
            store.sql(`select t.* from ${table} t where t.app_no = $1 order by t::text`, [tenant.appNo]),
          ),
        );
      const before = await rows();
      const users = randomRecords(random, tenantId, 30);
      const job = await apart.run(tenant, users);
      const after = await rows();
      expect(job.created).toBeGreaterThan(0);
      expect(job.updated).toBeGreaterThan(0);
      const again = await apart.run(tenant, users);
      expect(again.created).toBe(0);
      await apart.undo(tenant, again.id, false);
      expect(await rows()).toEqual(after);
      expect(await apart.undo(tenant, job.id, false)).toMatchObject({ left: [] });
      expect(await rows()).toEqual(before);
    },
  );
});
