/** What is remembered of chunks: that a stored row's text is its record's, and what the statements find and plan. */
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chunkDigest } from '../../src/bulk/known-chunks.ts';
import type { Job } from '../../src/bulk/job.ts';
import type { NativeLoginMethod, NativeUser } from '../../src/bulk/native.ts';
import { parseChunk } from '../../src/bulk/parse-chunk.ts';
import type { ChunkStore, JobStore, KnownChunk } from '../../src/bulk/ports.ts';
import type { Tenant } from '../../src/model.ts';
import { chunkStore } from '../../src/store/bulk/chunk.ts';
import { jobStore } from '../../src/store/bulk/jobs.ts';
import type { Database, Query } from '../../src/store/database.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { RecordRules } from '../../workers/protocol.ts';
import { bcryptHash, person, textOf } from '../helpers/imports.ts';
import { newJob, rulesWith } from '../helpers/merging.ts';
import {
  explain,
  faultsOf,
  largeTables,
  planOf,
  prepare,
  squaresOf,
  type Statement,
} from '../helpers/plans.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { olderPrograms, openStoreOn, startOlderPostgres, type TestStore } from '../helpers/store.ts';

type Target = TestDatabase['connection'] | Awaited<ReturnType<typeof startOlderPostgres>>['target'];

const timeJoinedInMSSinceEpoch = 1_704_067_200_000;
const one = (method: object, externalUserId?: string): NativeUser => ({
  ...(externalUserId !== undefined && { externalUserId }),
  loginMethods: [{ timeJoinedInMSSinceEpoch, ...method } as NativeLoginMethod],
});

/** Each is a chunk by itself, so that a difference in any of them shows. */
const kinds: Record<string, NativeUser> = {
  'a password': one({ recipeId: 'emailpassword', email: 'a@example.com', passwordHash: bcryptHash(1) }),
  'verified, primary, with an external id': one(
    {
      recipeId: 'emailpassword',
      email: 'b@example.com',
      passwordHash: bcryptHash(2),
      isVerified: true,
      isPrimary: true,
    },
    'legacy-1',
  ),
  'signs of JSON and arrays': one(
    { recipeId: 'emailpassword', email: 'c@example.com', passwordHash: bcryptHash(3) },
    `{"a\\b", 'NULL'}\t:1:`,
  ),
  'no ASCII': one(
    { recipeId: 'emailpassword', email: 'jürgen@exämple.com', passwordHash: bcryptHash(4) },
    'Ünï 漢字 🎉 \u2028 e\u0301',
  ),
  'a provider': one(
    { recipeId: 'thirdparty', email: 'd@example.com', thirdPartyId: 'google', thirdPartyUserId: 'gö-1' },
    'legacy-2',
  ),
  'an email without a password': one({ recipeId: 'passwordless', email: 'e@example.com', isVerified: true }),
  'a phone number': one({ recipeId: 'passwordless', phoneNumber: '+15555550100' }, 'legacy-3'),
};

function byKindOf(users: readonly NativeUser[]): Record<string, number> {
  const bcrypt = users.filter(({ loginMethods: [method] }) => method && 'passwordHash' in method).length;
  return bcrypt > 0 ? { bcrypt } : {};
}

interface Sealed {
  readonly digest: string;
  readonly job: Job;
}

function knownChunks(make: () => Promise<{ target: Target; dispose(): Promise<void> }>) {
  let target: Target;
  let store: TestStore;
  let lanes: Database;
  let chunks: ChunkStore;
  let jobs: JobStore;
  let dispose = () => Promise.resolve();
  let tenant: Tenant;
  let next: Job;

  beforeAll(async () => {
    const made = await make();
    ({ target } = made);
    store = await openStoreOn(target);
    lanes = openDatabase({ target, poolSize: 3, planned: 'once' });
    chunks = chunkStore(lanes);
    jobs = jobStore(store.database);
    dispose = async () => {
      await lanes.close(1000);
      await store.dispose();
      await made.dispose();
    };
  });
  beforeEach(async () => {
    tenant = await store.newApp();
    next = await newJob(store.database, tenant);
  });
  afterAll(() => dispose());

  /** Creates the users and remembers the chunk: with finished rows, or behind those that are placed as columns. */
  async function seal(
    users: readonly NativeUser[],
    { through = chunks, as = 'finished' }: { through?: ChunkStore; as?: 'finished' | 'columns' } = {},
  ): Promise<Sealed> {
    const job = await newJob(store.database, tenant);
    const bytes = Buffer.from(textOf(users));
    const finishFor = as === 'finished' ? job : undefined;
    const task = {
      type: 'parse',
      bytes,
      isFirst: true,
      rules: rulesWith({}),
      seals: true,
      finishFor,
    } as const;
    const { seal: made, rejects, lines, rows } = parseChunk(task);
    if (!made) throw new Error('not to be sealed');
    await through.transaction(async (chunk) => {
      if ('identities' in rows) {
        expect(await chunk.create({ job, rows })).toBe(true);
        return;
      }
      await chunk.place({ job, rows, linesBefore: 0, hasClaims: false, expected: 'mixed' });
      const byKind = byKindOf(users);
      await chunk.seal({ job, seal: made, userIds: rows.userId, byKind, rejects, lines });
    });
    return { digest: made.digest, job };
  }

  const find = (digest: string, of = next) => chunks.transaction((chunk) => chunk.findKnown(of, digest));
  const change = (assignment: string) =>
    store.sql(`update users set ${assignment} where app_no = $1`, [tenant.appNo]);

  describe('a chunk', () => {
    it.each(Object.entries(kinds))('is known while its users are as it states them: %s', async (_, user) => {
      for (const as of ['finished', 'columns'] as const) {
        tenant = await store.newApp();
        next = await newJob(store.database, tenant);
        const { digest, job } = await seal([user], { as });
        const rest = { records: 1, byKind: byKindOf([user]), rejects: [], lines: 1 };
        expect(await find(digest)).toEqual({ digest, madeBy: job.id, ...rest } satisfies KnownChunk);
      }
    });

    it('is known with what it says of itself, however its rows were written', async () => {
      const users = [person(1), one({ recipeId: 'passwordless', email: 'x@example.com' }, 'x'), person(2)];
      const text = Buffer.from(`${textOf(users)}no JSON: \u00e4\n`);
      const job = await newJob(store.database, tenant);
      const task = { type: 'parse', bytes: text, isFirst: true, rules: rulesWith({}), seals: true } as const;
      const { rows, seal: made } = parseChunk({ ...task, finishFor: job });
      if (!made || !('identities' in rows)) throw new Error('not as asked for');
      expect(await chunks.transaction((chunk) => chunk.create({ job, rows }))).toBe(true);
      expect(await find(made.digest)).toMatchObject({
        records: 3,
        byKind: { bcrypt: 2 },
        rejects: [{ line: 4, code: 'INVALID_JSON' }],
        lines: 4,
      });
    });

    it('of all kinds that can stand together is known, too', async () => {
      const alike = Object.values(kinds).filter((user) => user.externalUserId !== undefined);
      expect(alike.length).toBeGreaterThan(3);
      expect(await find((await seal(alike)).digest)).toMatchObject({ records: alike.length });
    });

    const changes = [
      `email = 'other@example.com'`,
      'email = null',
      `email = ''`,
      `password_hash = 'other'`,
      'password_hash = null',
      'email_verified = not email_verified',
      `external_id = 'other'`,
      'external_id = null',
      `external_id = ''`,
      'primary_user_id = user_id',
      'primary_user_id = gen_random_uuid()',
      `third_party_id = 'x'`,
      `third_party_id = ''`,
      `third_party_user_id = 'x'`,
      `phone = '+1'`,
      'recipe = 3',
      'user_id = gen_random_uuid()',
      // The same signs in other cells.
      `email = email || length(password_hash) || ':' || password_hash, password_hash = null`,
    ];

    it.each(changes)('is not known any more after %s', async (assignment) => {
      const { digest } = await seal([person(1)]);
      expect(await find(digest)).toBeDefined();
      await change(assignment);
      expect(await find(digest)).toBeUndefined();
    });

    it('is known again when its user is as before', async () => {
      const { digest } = await seal([person(1)]);
      await change('email_verified = false');
      await change('email_verified = true');
      expect(await find(digest)).toBeDefined();
    });

    it('is not known with a user too few', async () => {
      const { digest } = await seal([person(1), person(2)]);
      await store.users.removeUser(tenant.appNo, 'legacy-2', true);
      expect(await find(digest)).toBeUndefined();
    });

    it('is not known when two of its users have changed places', async () => {
      const { digest } = await seal([person(1), person(2)]);
      await store.sql('drop index users_external_id');
      await change(`email = case email when 'person-1@example.com' then 'person-2@example.com' else 'person-1@example.com' end,
        external_id = case external_id when 'legacy-1' then 'legacy-2' else 'legacy-1' end,
        password_hash = case external_id when 'legacy-1' then '${bcryptHash(2)}' else '${bcryptHash(1)}' end`);
      expect(await find(digest)).toBeUndefined();
      await store.sql(
        'create unique index users_external_id on users (app_no, external_id) where external_id is not null',
      );
    });

    it('is not known to the job that made it, nor in another app, nor once its tenant is gone', async () => {
      const { digest, job } = await seal([person(1)]);
      expect(await find(digest, job)).toBeUndefined();
      const other = await store.newApp();
      expect(await find(digest, await newJob(store.database, other))).toBeUndefined();
      await store.sql('update import_chunks set tenant_no = 77 where app_no = $1', [tenant.appNo]);
      expect(await find(digest)).toBeUndefined();
    });

    it('that was made twice is known by the later job', async () => {
      const first = await seal([person(1)]);
      await store.users.removeUser(tenant.appNo, 'legacy-1', true);
      const second = await seal([person(1)]);
      expect(second.digest).toBe(first.digest);
      expect(await find(first.digest)).toMatchObject({ madeBy: second.job.id });
    });
  });

  describe('a chunk that was passed over', () => {
    const passOver = async (digest: string) => {
      const known = await find(digest);
      if (!known) throw new Error('not known');
      return chunks.transaction((chunk) => chunk.passOver(next, known));
    };
    const claims = () =>
      store.sql(
        `select c.kind, c.tenant_no, c.with_external, c.line, u.external_id
         from import_claims c left join users u on u.app_no = $2 and u.user_id = c.key
         where c.job_id = $1 order by u.external_id nulls last`,
        [next.id, tenant.appNo],
      );

    it('is not known to its job any more, but to others', async () => {
      const { digest } = await seal([person(1)]);
      const known = await find(digest);
      expect(await passOver(digest)).toBe(true);
      expect(await find(digest)).toBeUndefined();
      if (!known) throw new Error('not known');
      expect(await chunks.transaction((chunk) => chunk.passOver(next, known))).toBe(false);
      expect(await find(digest, await newJob(store.database, tenant))).toEqual(known);
    });

    it('has its users claimed once, as the full way claims them', async () => {
      await passOver((await seal([person(1), person(2)])).digest);
      await passOver((await seal([one({ recipeId: 'passwordless', email: 'x@example.com' })])).digest);
      expect(await jobs.repeats(next)).toEqual({ hasKnown: true, passed: 2, claimed: 0 });
      for (let n = 0; n < 2; n++) {
        expect(await chunks.transaction((chunk) => chunk.claimRepeats(next))).toBe(false);
        const claim = { kind: 6, tenant_no: 0, line: 0 };
        expect(await claims()).toEqual([
          { ...claim, with_external: true, external_id: 'legacy-1' },
          { ...claim, with_external: true, external_id: 'legacy-2' },
          { ...claim, with_external: false, external_id: null },
        ]);
      }
      expect(await jobs.repeats(next)).toEqual({ hasKnown: true, passed: 2, claimed: 2 });
    });

    it('is claimed with some others at a time, until none is left', async () => {
      for (let n = 0; n < 30; n++) await passOver((await seal([person(n)])).digest);
      const claimSome = () => chunks.transaction((chunk) => chunk.claimRepeats(next));
      expect([await claimSome(), (await claims()).length]).toEqual([true, 25]);
      expect([await claimSome(), (await claims()).length]).toEqual([false, 30]);
    });

    it('is forgotten with the job', async () => {
      await passOver((await seal([person(1)])).digest);
      await jobs.finish(next, 'cancelled', 1);
      await jobs.forgetClaims(next);
      expect(await jobs.repeats(next)).toEqual({ hasKnown: true, passed: 0, claimed: 0 });
    });
  });

  it('statements look up by index when an empty database, where they were prepared, has grown', async () => {
    const asking = openDatabase({ target, poolSize: 1, planned: 'once' });
    const statements = new Map<string, Statement>();
    const recording =
      (query: Query): Query =>
      (text, parameters = []) => {
        const name = text.trim().slice(0, 80);
        if (text.includes('import_chunks') || text.includes('import_repeats'))
          statements.set(text, { name, planned: 'once', text, parameters });
        return query(text, parameters);
      };
    const recorded = chunkStore({
      ...asking,
      transaction: (work) => asking.transaction((query, savepoint) => work(recording(query), savepoint)),
    });
    const { digest } = await seal([person(1)], { through: recorded, as: 'columns' });
    await recorded.transaction(async (chunk) => {
      const known = await chunk.findKnown(next, digest);
      if (!known) throw new Error('not known');
      await chunk.passOver(next, known);
      await chunk.claimRepeats(next);
    });
    expect(statements.size).toBe(4);
    await asking.write(`truncate ${largeTables.join(', ')}`);
    const all = [...statements.values()];
    await asking.write('analyze');
    await prepare(asking, all);
    await grow(asking, { job: next, digest });
    const faults: Record<string, string[]> = {};
    for (const statistics of ['without', 'with']) {
      if (statistics === 'with') await asking.write('analyze');
      for (const [n, { name, text }] of all.entries()) {
        for (const plan of [await planOf(asking, all, n), await explain(asking, literal(all[n]))]) {
          const found = [...faultsOf(plan), ...squaresOf(plan)];
          if (found.length > 0) faults[`${statistics} statistics: ${name} ${text.length}`] = found;
        }
      }
    }
    expect(faults).toEqual({});
    await asking.close(1000);
  });
}

/** A statement with its values in it, as it would be planned anew. */
function literal(statement: Statement | undefined): string {
  const { text = '', parameters = [] } = statement ?? {};
  return text.replaceAll(/\$(\d+)/g, (_, n: string) => {
    const value = parameters[Number(n) - 1] ?? null;
    return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value);
  });
}

/** Rows in the app and the job that are asked for. */
async function grow(database: Database, { job, digest }: Sealed): Promise<void> {
  const series = 'generate_series(1, 6000) n';
  await database.write(
    `insert into users (app_no, recipe, email_verified, user_id, time_joined, email)
     select $1, 1, false, gen_random_uuid(), n, 'user' || n from ${series}`,
    [job.appNo],
  );
  await database.write(
    `insert into import_claims select $1, 1 + n % 6, gen_random_uuid(), 0, false, n from ${series}`,
    [job.id],
  );
  await database.write(
    `insert into import_chunks (app_no, digest, job_id, tenant_no, with_external, user_ids, state, by_kind, rejects, lines)
     select $1, case when n = 1 then decode($2, 'hex') else sha256(n::text::bytea) end, $3, 0, false,
       array[gen_random_uuid()], '', '{}', '[]', 1 from ${series}`,
    [job.appNo, digest, uuidv7()],
  );
  await database.write(`insert into import_repeats select $1, sha256(n::text::bytea), $2 from ${series}`, [
    job.id,
    uuidv7(),
  ]);
}

describe('known chunks', () => {
  knownChunks(async () => {
    const fresh = await createDatabase();
    return { target: fresh.connection, dispose: () => fresh.drop() };
  });
});

describe.runIf(olderPrograms !== undefined)('known chunks in PostgreSQL 15', () => {
  knownChunks(async () => {
    const { target, stop } = await startOlderPostgres(olderPrograms ?? '');
    return { target, dispose: stop };
  });
});

describe('the digest of a chunk', () => {
  const bytes = Buffer.from(textOf([person(1)]));
  const rules = rulesWith({ a: 1, b: 2 });
  const of = (changed: Partial<RecordRules> = {}, isFirst = false) =>
    chunkDigest({ bytes, isFirst, rules: { ...rules, ...changed } });

  it.each<[string, Partial<RecordRules>]>([
    ['a ceiling', { limits: { ...rules.limits, bcryptMaxCost: 4 } }],
    ['the signer key', { signerKey: Buffer.from('k') }],
    ['the pepper', { pepper: Buffer.from('k') }],
    ['plain texts', { allowPlainText: true }],
    ['the tenants', { tenants: { public: 0, a: 1, b: 3 } }],
    ['a tenant more', { tenants: { ...rules.tenants, c: 3 } }],
  ])('depends on %s', (_, changed) => {
    expect(of(changed)).not.toBe(of());
  });

  it('depends on whether it is the first, and on its bytes', () => {
    const longer = chunkDigest({ bytes: Buffer.from(`${bytes.toString()}\n`), isFirst: false, rules });
    expect(new Set([of(), of({}, true), longer]).size).toBe(3);
    expect(of({ signerKey: Buffer.from('k') })).not.toBe(of({ pepper: Buffer.from('k') }));
  });

  it('does not depend on the time, on what is known of others, or on the order of tenants', () => {
    expect(of({ now: 1, onConflict: 'reject', dryRun: true, tenants: { b: 2, a: 1, public: 0 } })).toBe(of());
    expect(of()).toMatch(/^[0-9a-f]{64}$/);
  });
});
