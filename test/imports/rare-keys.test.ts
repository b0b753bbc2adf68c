/**
 * Records that meet a removed user, or data stored for their id, are found; their neighbours are imported the fast way all the
 * same.
 */
import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { identityKey } from '../../src/domain/identity.ts';
import { openRoleStores } from '../../src/features/roles/store/store.ts';
import { rareMark } from '../../src/imports/parse/rare-keys.ts';
import type { ChunkTransaction } from '../../src/imports/ports.ts';
import { countsOf, openTestImports, person, type TestImports } from '../helpers/imports.ts';
import type { TestDatabase } from '../helpers/postgres.ts';
import type { TestStore } from '../helpers/store.ts';
import { useImports } from '../helpers/use-imports.ts';

let database: TestDatabase;
let store: TestStore;
let imports: TestImports;
let tenant: Tenant;

useImports({
  all: (used) => {
    ({ database, store, imports } = used);
  },
  each: (own) => {
    tenant = own;
  },
});

const people = (count: number) => Array.from({ length: count }, (_, n) => person(n));
const remove = (userId: string) => store.users.removeUser(tenant.appNo, userId, true);
const storeFor = (userId: string) =>
  openRoleStores(store.open).metadata.merge({
    appNo: tenant.appNo,
    userId,
    set: { plan: 'pro' },
    removed: [],
  });

async function metadataOf(externalId: string): Promise<unknown> {
  const [row] = await store.sql<{ metadata: unknown }>(
    `select d.metadata from users u join user_details d on d.app_no = u.app_no and d.user_id = u.user_id
     where u.app_no = $1 and u.external_id = $2`,
    [tenant.appNo, externalId],
  );
  return row?.metadata;
}

interface Asked {
  /** The number of records in statements over many records. */
  readonly created: number[];
  readonly recognised: number[];
  /** Records that were looked up individually. */
  readonly single: number[];
}

/** @param before runs in each transaction of a chunk, before everything else; gets the number of previous transactions */
function openWatched(asked: Asked, before: (nth: number) => Promise<void> = () => Promise.resolve()) {
  let transactions = 0;
  const watch = (chunk: ChunkTransaction): ChunkTransaction => ({
    ...chunk,
    async create(created) {
      const isDone = await chunk.create(created);
      if (isDone) asked.created.push(created.rows.count);
      return isDone;
    },
    async recognise(known) {
      const found = await chunk.recognise(known);
      asked.recognised.push(found?.count ?? -1);
      return found;
    },
    find(of, keys) {
      asked.single.push(new Set(keys.identities.record.slice(1, -1).split(',')).size);
      return chunk.find(of, keys);
    },
  });
  return openTestImports(database.connection, {
    chunkBytes: 1_048_576,
    wrap: (chunks) => ({
      transaction: (work) =>
        chunks.transaction(async (chunk) => {
          await before(transactions++);
          return work(watch(chunk));
        }),
    }),
  });
}

const nothingAsked = (): Asked => ({ created: [], recognised: [], single: [] });

it('a mark is the same in SQL', async () => {
  const whats = [`k${identityKey('ä@example.com')}`, 'xlegacy-1', 'xÄ "\\ 🙂', 'x'];
  const [row] = await store.sql<{ secret: string; marks: number[] }>(
    `select d.secret, to_json(array(
       select rare_mark(d.secret, $1::int, w.what) from unnest($2::text[]) with ordinality w (what, n) order by w.n
     )) as marks from decoy_secret d`,
    [tenant.appNo, `{${whats.map((what) => JSON.stringify(what)).join(',')}}`],
  );
  const key = { secret: row?.secret ?? '', appNo: tenant.appNo };
  expect(whats.map((what) => rareMark(key, what))).toEqual(row?.marks);
});

describe('in an app with rare keys', () => {
  it('users who are new are still created by COPY, but for those with such a key', async () => {
    await storeFor('legacy-9');
    const asked = nothingAsked();
    const watched = openWatched(asked);
    expect(countsOf(await watched.run(tenant, people(50)))).toMatchObject({ created: 50 });
    await watched.dispose();
    expect(asked).toEqual({ created: [49], recognised: [], single: [1] });
    expect(await metadataOf('legacy-9')).toEqual({ plan: 'pro' });
  });

  it('lines that are known are still known, and only the others are parsed', async () => {
    await imports.run(tenant, people(50));
    await remove('legacy-7');
    const asked = nothingAsked();
    const watched = openWatched(asked);
    expect(countsOf(await watched.run(tenant, people(50)))).toMatchObject({ unchanged: 49, rejected: 1 });
    await watched.dispose();
    expect(asked).toEqual({ created: [], recognised: [49], single: [1] });
  });

  it('an id that a user has by now is no longer one', async () => {
    await storeFor('legacy-3');
    await imports.run(tenant, people(5));
    await storeFor('other');
    const [left] = await store.sql('select count(*)::int as n from awaited_ids where app_no = $1', [
      tenant.appNo,
    ]);
    expect(left).toEqual({ n: 1 });
    const asked = nothingAsked();
    const watched = openWatched(asked);
    expect(countsOf(await watched.run(tenant, people(5)))).toMatchObject({ unchanged: 5 });
    await watched.dispose();
    expect(asked).toEqual({ created: [], recognised: [5], single: [] });
  });
});

describe('a key that becomes rare between the parse of a chunk and its transaction', () => {
  it.each([
    ['the first of its app', false],
    ['one of many', true],
  ])('is found: %s', async (_, hasOthers) => {
    if (hasOthers) await storeFor('legacy-3');
    const asked = nothingAsked();
    const watched = openWatched(asked, async (nth) => {
      if (nth === 0) await storeFor('legacy-9');
    });
    expect(countsOf(await watched.run(tenant, people(50)))).toMatchObject({ created: 50 });
    await watched.dispose();
    expect(asked.single).toEqual([hasOthers ? 2 : 1]);
    expect(await metadataOf('legacy-9')).toEqual({ plan: 'pro' });
  });

  it('is found by a later chunk that was parsed before it', async () => {
    await imports.run(tenant, [person(199)]);
    let isRemoved = false;
    const watched = openTestImports(database.connection, {
      chunkBytes: 8192,
      wrap: (chunks) => ({
        transaction: (work) =>
          chunks.transaction(async (chunk) => {
            // All chunks of the file are parsed by then, except those that wait for room.
            if (!isRemoved) {
              isRemoved = true;
              await remove('legacy-199');
            }
            return work(chunk);
          }),
      }),
    });
    expect(countsOf(await watched.run(tenant, people(200)))).toMatchObject({ created: 199, rejected: 1 });
    await watched.dispose();
  });

  it('is found though a transaction that is older, and has stored others, is still under way', async () => {
    await imports.run(tenant, [person(7)]);
    const release = Promise.withResolvers<undefined>();
    const begun = Promise.withResolvers<undefined>();
    const long = store.database.transaction(async (query) => {
      await query(`insert into text_metadata values ($1, 'legacy-12', '{"plan":"late"}')`, [tenant.appNo]);
      begun.resolve(undefined);
      await release.promise;
    });
    await begun.promise;
    const watched = openWatched(nothingAsked(), async (nth) => {
      if (nth > 0) return;
      await remove('legacy-7');
      release.resolve(undefined);
      await long;
    });
    expect(countsOf(await watched.run(tenant, people(20)))).toMatchObject({ created: 19, rejected: 1 });
    expect(await metadataOf('legacy-12')).toEqual({ plan: 'late' });
    await watched.dispose();
  });

  it('is not looked for again in keys that were found before', async () => {
    await imports.run(tenant, people(30));
    for (const n of [1, 2, 3]) await remove(`legacy-${n}`);
    const asked = nothingAsked();
    const watched = openWatched(asked, async (nth) => {
      if (nth === 0) await remove('legacy-4');
    });
    expect(countsOf(await watched.run(tenant, people(30)))).toMatchObject({ unchanged: 26, rejected: 4 });
    await watched.dispose();
    expect(asked).toEqual({ created: [], recognised: [26], single: [4] });
  });
});
