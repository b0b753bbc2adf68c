/** Placing simple rows: which are created, which are unchanged, which are left to be decided. */
import { v4 as uuidv4, v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openRoleStores } from '../../src/features/roles/store/store.ts';
import type { Job } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { ChunkStore } from '../../src/imports/ports.ts';
import { identityKey } from '../../src/domain/identity.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { chunkStore } from '../../src/store/imports/chunk.ts';
import { openDatabase, type Database } from '../../src/database/database.ts';
import { bcryptHash, openTestImports, person } from '../helpers/imports.ts';
import {
  type Expected,
  finished,
  inlineThreads,
  look,
  newJob,
  place,
  someoneWaits,
  tablesOf,
} from '../helpers/merging.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { randomOf, randomRecords } from '../helpers/random-records.ts';
import { olderPrograms, openStoreOn, startOlderPostgres, type TestStore } from '../helpers/store.ts';

type Target = TestDatabase['connection'];

const expectations: readonly Expected[] = ['new', 'unchanged', 'mixed'];
const people = (from: number, count: number): NativeUser[] =>
  Array.from({ length: count }, (_, n) => person(from + n));

const withMethod = (email: string, rest: object = {}): Pick<NativeUser, 'loginMethods'> => ({
  loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: bcryptHash(1), ...rest }],
});

function placing(make: () => Promise<{ target: Target; dispose(): Promise<void> }>) {
  let target: Target;
  let store: TestStore;
  let lanes: Database;
  let chunks: ChunkStore;
  let dispose = () => Promise.resolve();
  let tenant: Tenant;
  let job: Job;

  beforeAll(async () => {
    const made = await make();
    ({ target } = made);
    store = await openStoreOn(target);
    lanes = openDatabase({ target, poolSize: 3, planned: 'once' });
    chunks = chunkStore(lanes);
    dispose = async () => {
      await lanes.close(1000);
      await store.dispose();
      await made.dispose();
    };
  });
  beforeEach(async () => {
    tenant = await store.newApp();
    job = await newJob(store.database, tenant);
  });
  afterAll(() => dispose());

  const run = (users: readonly NativeUser[], options: Parameters<typeof place>[3] = {}, of = job) =>
    chunks.transaction((chunk) => place(chunk, of, users, options));
  const nextJob = () => newJob(store.database, tenant);
  const count = async (table: string): Promise<number> => {
    const [row] = await store.sql<{ n: number }>(
      `select count(*)::int as n from ${table} where app_no = $1`,
      [tenant.appNo],
    );
    return row?.n ?? -1;
  };

  it.each(expectations)(
    'distinguishes new from unchanged, and leaves the others: %s expected',
    async (expected) => {
      await run([...people(0, 3), person(9)]);
      const users = [
        ...people(0, 2),
        { ...person(2), loginMethods: withMethod('person-2@example.com').loginMethods },
        ...people(3, 2),
        { externalUserId: 'legacy-9', ...withMethod('other@example.com') },
      ];
      const again = await nextJob();
      // Too many are changed, and not all are new: both fall back to reading everything.
      expect(await run(users, { expected }, again)).toEqual({ created: 2, unchanged: 2, left: [2, 5] });
      expect(await count('users')).toBe(6);
      expect(await count('identities')).toBe(6);
    },
  );

  it('takes back what it had created when one of those that were expected to be new is there', async () => {
    await run([person(50)]);
    const again = await nextJob();
    const placed = await run(people(0, 100), { expected: 'new' }, again);
    expect(placed).toEqual({ created: 99, unchanged: 1, left: [] });
    expect([await count('users'), await count('identities')]).toEqual([100, 100]);
  });

  it('takes back what it had found when many of those that were expected to be unchanged differ', async () => {
    await run(people(0, 10));
    const again = await nextJob();
    await run(
      [...people(0, 9), { ...person(9), ...withMethod('person-9@example.com') }],
      { expected: 'unchanged' },
      again,
    );
    const claims = await store.sql(
      'select line from import_claims where job_id = $1 and kind = 6 order by line',
      [again.id],
    );
    expect(claims).toEqual(Array.from({ length: 9 }, (_, n) => ({ line: n + 1 })));
  });

  it.each(expectations)('leaves users that the job has met before: %s expected', async (expected) => {
    await run(people(0, 40));
    const again = await nextJob();
    expect(await run(people(0, 40), { expected }, again)).toEqual({ created: 0, unchanged: 40, left: [] });
    expect(await run(people(39, 2), { expected }, again)).toEqual({ created: 1, unchanged: 0, left: [0] });
  });

  it.each(expectations)('leaves rows of a tenant that is gone: %s expected', async (expected) => {
    const users = [
      person(1),
      { ...person(2), ...withMethod('person-2@example.com', { tenantIds: ['gone'] }) },
    ];
    const placed = await run(users, { expected, tenants: { gone: 77 } });
    expect(placed).toEqual({ created: 1, unchanged: 0, left: [1] });
    expect(await count('identities')).toBe(1);
  });

  it.each(expectations)('leaves an external id that is a user’s core id: %s expected', async (expected) => {
    await run([withMethod('core@example.com')]);
    const [core] = await store.sql<{ user_id: string }>('select user_id from users where app_no = $1', [
      tenant.appNo,
    ]);
    const users = [
      { ...person(1), externalUserId: core?.user_id ?? '' },
      { ...person(2), externalUserId: uuidv4() },
      { ...person(3), externalUserId: (core?.user_id ?? '').toUpperCase() },
    ];
    expect(await run(users, { expected }, await nextJob())).toEqual({
      created: 2,
      unchanged: 0,
      left: [0],
    });
  });

  it.each(expectations)(
    'makes a user verified whose pair was verified before: %s expected',
    async (expected) => {
      await store.sql(`insert into verified_emails values ($1, 'known', 'a@example.com')`, [tenant.appNo]);
      const users = ['known', 'unknown'].map((externalUserId) => ({
        externalUserId,
        ...withMethod(externalUserId === 'known' ? 'a@example.com' : 'b@example.com'),
      }));
      expect(await run(users, { expected })).toMatchObject({ created: 2 });
      const rows = await store.sql(
        'select external_id, email_verified from users where app_no = $1 order by external_id',
        [tenant.appNo],
      );
      expect(rows).toEqual([
        { external_id: 'known', email_verified: true },
        { external_id: 'unknown', email_verified: false },
      ]);
    },
  );

  it.each(expectations)('leaves users that this job has met: %s expected', async (expected) => {
    await run([person(1)]);
    const again = await nextJob();
    expect(await run([person(1)], { expected }, again)).toMatchObject({ unchanged: 1 });
    expect(await run([person(1)], { expected }, again)).toEqual({ created: 0, unchanged: 0, left: [0] });
    expect(await run([person(2)], { expected }, again)).toMatchObject({ created: 1 });
    expect(await run([person(2)], { expected }, again)).toEqual({ created: 0, unchanged: 0, left: [0] });
    const { decided } = await chunks.transaction((chunk) => look(chunk, again, [person(1), person(2)]));
    expect(decided.rejects.map(({ code }) => code)).toEqual(['DUPLICATE_IN_JOB', 'DUPLICATE_IN_JOB']);
  });

  it.each(expectations)('leaves what claims name, when they are asked for: %s expected', async (expected) => {
    await run([person(4)]);
    const claim =
      'insert into import_claims (app_no, job_id, kind, key, tenant_no, line) values ($1, $2, $3, $4, 0, 1)';
    const again = await nextJob();
    await store.sql(claim, [again.appNo, again.id, 1, identityKey('person-1@example.com')]);
    await store.sql(claim, [again.appNo, again.id, 5, identityKey('legacy-2')]);
    await store.sql(claim, [again.appNo, again.id, 1, identityKey('person-4@example.com')]);
    const placed = await run(people(1, 4), { expected, hasClaims: true }, again);
    expect(placed).toEqual({ created: 1, unchanged: 0, left: [0, 1, 3] });
  });

  it('compares details, and only those that are stated', async () => {
    const details = { userMetadata: { a: [1, { b: null }] }, userRoles: [{ role: 'admin' }] };
    await run([person(1, details), person(2)]);
    const compared = async (user: NativeUser) => (await run([user], {}, await nextJob())).unchanged;
    expect(await compared(person(1))).toBe(1);
    expect(await compared(person(1, { ...details, userMetadata: { a: [1, { b: null }] } }))).toBe(1);
    // Details that were stated before, all or none: a record without some is decided individually.
    expect(await compared(person(1, { userRoles: [{ role: 'admin' }] }))).toBe(0);
    expect(await compared(person(1, { userMetadata: { a: [1, { b: 1 }] } }))).toBe(0);
    expect(await compared(person(1, { userRoles: [{ role: 'user' }] }))).toBe(0);
    expect(await compared(person(1, { totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }] }))).toBe(0);
    expect(await compared(person(2, { userMetadata: { a: 1 } }))).toBe(0);
  });

  it.each(expectations)('places social and passwordless rows: %s expected', async (expected) => {
    const google = { recipeId: 'thirdparty', thirdPartyId: 'google', thirdPartyUserId: 'g1' } as const;
    const users: NativeUser[] = [
      { loginMethods: [{ ...google, email: 'g@example.com' }] },
      { loginMethods: [{ recipeId: 'passwordless', email: 'g@example.com', isPrimary: true }] },
      { loginMethods: [{ recipeId: 'passwordless', phoneNumber: '+4930123456' }] },
    ];
    expect(await run(users, { expected })).toEqual({ created: 3, unchanged: 0, left: [] });
    expect(await run(users, { expected }, await nextJob())).toEqual({ created: 0, unchanged: 3, left: [] });
    const changed: NativeUser[] = [
      { loginMethods: [{ ...google, email: 'h@example.com' }] },
      { loginMethods: [{ recipeId: 'passwordless', phoneNumber: '+4930123456', isPrimary: true }] },
    ];
    expect(await run(changed, { expected }, await nextJob())).toEqual({
      created: 0,
      unchanged: 0,
      left: [0, 1],
    });
  });

  const creates = (users: readonly NativeUser[], of = job) =>
    chunks.transaction((chunk) => chunk.create({ job: of, rows: finished(users, of) }));

  it.each([
    ['an external id', { ...person(3), ...withMethod('other@example.com') }],
    ['an email', { ...person(3), externalUserId: 'other' }],
  ])('creates all or nothing: %s is taken', async (_, last) => {
    await run([person(3)]);
    const again = await nextJob();
    expect(await creates([...people(0, 3), last], again)).toBe(false);
    expect([await count('users'), await count('identities')]).toEqual([1, 1]);
    expect(await creates(people(0, 3), again)).toBe(true);
    expect([await count('users'), await count('identities')]).toEqual([4, 4]);
  });

  it('creates users that look doubtful and are not', async () => {
    await run([withMethod('core@example.com')]);
    const pair = `insert into verified_emails values ($1, 'known', 'other@example.com')`;
    await store.sql(pair, [tenant.appNo]);
    const users = [
      { externalUserId: uuidv7(), ...withMethod('a@example.com') },
      { externalUserId: 'known', ...withMethod('b@example.com') },
    ];
    expect(await creates(users, await nextJob())).toBe(true);
    expect(await creates([{ externalUserId: 'known-2', ...withMethod('c@example.com') }])).toBe(true);
    await store.sql(`insert into verified_emails values ($1, 'known-3', 'd@example.com')`, [tenant.appNo]);
    expect(await creates([{ externalUserId: 'known-3', ...withMethod('d@example.com') }])).toBe(false);
  });

  it('copies the rows of both tables, and writes details', async () => {
    const texts: string[] = [];
    const telling = chunkStore({
      ...lanes,
      transaction: (work) =>
        lanes.transaction((query, savepoint) =>
          work(query, (part) =>
            savepoint((inner, copy, copyOut) =>
              part(
                inner,
                (text, input) => {
                  texts.push(text.trim());
                  return copy(text, input);
                },
                copyOut,
              ),
            ),
          ),
        ),
    });
    await openRoleStores(store.open).roles.put({ appNo: job.appNo, role: 'admin', permissions: [] });
    const details = { userMetadata: { a: 1 }, userRoles: [{ role: 'admin' }] };
    const rows = finished([...people(0, 50), person(50, details)], job);
    expect(await telling.transaction((chunk) => chunk.create({ job, rows }))).toBe(true);
    expect(texts.map((text) => text.split(' ').slice(0, 2))).toEqual([
      ['copy', 'identities'],
      ['copy', 'users'],
    ]);
    expect([await count('users'), await count('user_details'), await count('user_roles')]).toEqual([
      51, 1, 1,
    ]);
  });

  it('copies the same as it places, whatever the texts', async () => {
    const odd = ['\\N', '\\', `'"{NULL},`, 'Ünï 漢字 🎉', 'e\u0301\u2028x', 'a\t\n\r\fb', '%s $1 --'];
    const users: NativeUser[] = odd.flatMap((text, n) => [
      {
        externalUserId: text,
        userMetadata: { [text]: text },
        ...withMethod(`o'dd+${n}@exämple.com`, { isPrimary: n % 2 === 0, isVerified: n % 3 === 0 }),
      },
      {
        loginMethods: [
          {
            recipeId: 'thirdparty',
            email: `t${n}@example.com`,
            thirdPartyId: `p${n}`,
            thirdPartyUserId: `x${text}x`,
            timeJoinedInMSSinceEpoch: n === 0 ? 0 : 1_704_067_200_000 + n,
          },
        ],
      },
      {
        externalUserId: `phone ${n}`,
        loginMethods: [{ recipeId: 'passwordless', phoneNumber: `+493012345${n}` }],
      },
    ]);
    const outcomes = [];
    for (const expected of ['new', 'mixed'] as const) {
      tenant = await store.newApp();
      const fresh = await nextJob();
      const created =
        expected === 'new' ? await creates(users, fresh) : (await run(users, { expected }, fresh)).created;
      expect(created).toBe(expected === 'new' ? true : users.length);
      outcomes.push(await tablesOf(store.sql, tenant));
    }
    expect(outcomes[0]).toEqual(outcomes[1]);
    const rows = await store.sql<{ id: string }>(
      `select external_id as id from users where app_no = $1 and external_id not like 'phone%'`,
      [tenant.appNo],
    );
    expect(rows.map(({ id }) => id).sort()).toEqual([...odd].sort());
  });

  it('waits for another job that is creating the same people, and then finds them', async () => {
    const other = await nextJob();
    const entered = Promise.withResolvers<undefined>();
    const first = chunks.transaction(async (chunk) => {
      await place(chunk, other, people(0, 5));
      entered.resolve(undefined);
      await someoneWaits(store.sql);
    });
    await entered.promise;
    // The same external ids with other emails: only the unique key of external ids shows it.
    const users = people(0, 5).map((user, n) => ({
      ...user,
      ...(n === 4 && withMethod('moved@example.com')),
    }));
    expect(await run(users)).toEqual({ created: 0, unchanged: 4, left: [4] });
    await first;
    expect(await count('users')).toBe(5);
  });

  it.each([1, 2, 3])('comes to the same whatever is expected (seed %i)', async (seed) => {
    const outcomes = [];
    for (const expected of [undefined, ...expectations])
      for (const hasClaims of expected ? [false, true] : [false]) {
        const imports = openTestImports(target, {
          threads: inlineThreads,
          lanes: 1,
          chunkBytes: 1_000_000,
          wrap: (inner) => (expected ? forced(inner, expected, hasClaims) : inner),
        });
        const app = await store.newApp();
        const { tenantId } = await store.newTenant(app);
        const random = randomOf(seed);
        const before = randomRecords(random, tenantId, 12);
        const first = await imports.run(app, before);
        const users = [...before.slice(random(12)), ...randomRecords(random, tenantId, 15)];
        const second = await imports.run(app, users);
        const rejects = await imports.allRejects(app, second.id);
        const counts = [first, second].map(({ created, updated, unchanged, rejected, byKind }) => ({
          created,
          updated,
          unchanged,
          rejected,
          byKind,
        }));
        outcomes.push({ counts, rejects, tables: await tablesOf(store.sql, app) });
        await imports.dispose();
      }
    for (const outcome of outcomes) expect(outcome).toEqual(outcomes[0]);
  });
}

/** Whatever the engine expects. */
function forced(chunks: ChunkStore, expected: Expected, hasClaims: boolean): ChunkStore {
  return {
    transaction: (work) =>
      chunks.transaction((chunk) =>
        work({
          ...chunk,
          create: (created) =>
            expected === 'new' && !hasClaims ? chunk.create(created) : Promise.resolve(false),
          compare: (compared) => chunk.compare({ ...compared, hasClaims: hasClaims || compared.hasClaims }),
          place: async (placed) => {
            const forcedOn = { ...placed, hasClaims: hasClaims || placed.hasClaims };
            const compared = expected === 'unchanged' ? await chunk.compare(forcedOn) : undefined;
            return compared ?? chunk.place(forcedOn);
          },
        }),
      ),
  };
}

describe('placing', () => {
  placing(async () => {
    const fresh = await createMigratedDatabase();
    return { target: fresh.connection, dispose: () => fresh.drop() };
  });
});

describe.runIf(olderPrograms !== undefined)('placing in PostgreSQL 15', () => {
  placing(async () => {
    const { target, stop } = await startOlderPostgres(olderPrograms ?? '');
    return { target: { ...target, password: '' }, dispose: stop };
  });
});
