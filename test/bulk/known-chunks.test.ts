/** Chunks that are known are passed over, and nobody can tell but by the clock: everything is compared with the full way. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Job, NewJob, OnConflict, Reject } from '../../src/bulk/job.ts';
import type { NativeLoginMethod, NativeUser } from '../../src/bulk/native.ts';
import type { ChunkStore, ChunkTransaction } from '../../src/bulk/ports.ts';
import type { Tenant } from '../../src/model.ts';
import { createRowsPool, type RowsPool } from '../../src/rows-pool.ts';
import type { RowsResult, RowsTask } from '../../workers/protocol.ts';
import {
  bcryptHash,
  countsOf,
  openTestImports,
  person,
  type RunOptions,
  type TestImports,
  type TestImportsOptions,
  textOf,
} from '../helpers/imports.ts';
import { tablesOf } from '../helpers/merging.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { openStoreOn, type TestStore } from '../helpers/store.ts';

let database: TestDatabase;
let store: TestStore;
let threads: RowsPool;
/** Tasks so far, by type. */
const tasks: Record<string, number> = {};
/** Passes over what is known. */
let imports: TestImports;
/** Never does. */
let full: TestImports;

const open = (options: TestImportsOptions = {}): TestImports =>
  openTestImports(database.connection, { threads, ...options });

const inFull = (chunks: ChunkStore): ChunkStore =>
  wrapped(chunks, () => ({ findKnown: () => Promise.resolve(undefined) }));

function wrapped(
  chunks: ChunkStore,
  change: (chunk: ChunkTransaction) => Partial<ChunkTransaction>,
): ChunkStore {
  return { transaction: (work) => chunks.transaction((chunk) => work({ ...chunk, ...change(chunk) })) };
}

beforeAll(async () => {
  database = await createDatabase();
  store = await openStoreOn(database.connection);
  const pool = createRowsPool({ threads: 2 });
  threads = {
    run: <Task extends RowsTask>(task: Task): Promise<RowsResult<Task>> => {
      tasks[task.type] = (tasks[task.type] ?? 0) + 1;
      return pool.run(task);
    },
    close: () => pool.close(),
  };
  imports = open();
  full = open({ wrap: inFull });
});

afterAll(async () => {
  await Promise.all([imports, full].map((each) => each.dispose()));
  await threads.close();
  await store.dispose();
  await database.drop();
});

const people = (count: number, from = 0): NativeUser[] =>
  Array.from({ length: count }, (_, n) => person(from + n));

/** Of the same person, but for these. */
function withMethod(n: number, rest: object): NativeUser {
  const [method] = person(n).loginMethods;
  return person(n, { loginMethods: [{ ...method, ...rest } as NativeLoginMethod] });
}

const none = { created: 0, updated: 0, unchanged: 0, skipped: 0, rejected: 0 };

/** @returns how many chunks were parsed meanwhile */
async function parsedIn(work: () => Promise<unknown>): Promise<number> {
  const before = tasks.parse ?? 0;
  await work();
  return (tasks.parse ?? 0) - before;
}

async function stored(table: 'import_chunks' | 'import_repeats' | 'import_claims', job: Pick<Job, 'id'>) {
  const [row] = await store.sql<{ count: number }>(
    `select count(*)::int as count from ${table} where job_id = $1`,
    [job.id],
  );
  return row?.count;
}

/** What the world sees of a job. */
function seen({ state, physicalLines, bytes, byKind, ...job }: Job, rejects: readonly Reject[]) {
  return { state, physicalLines, bytes, byKind, counts: countsOf(job as Job), rejects };
}

interface World {
  readonly tenant: Tenant;
  readonly imports: TestImports;
  /** Imports, and remembers what came of it. */
  readonly run: (lines: readonly (NativeUser | string)[], options?: RunOptions) => Promise<Job>;
}

/** Does the same in one app by passing over and in another in full. @returns the last job's counts, when all is equal */
async function inBothWays(scenario: (world: World) => Promise<unknown>, engines = [imports, full] as const) {
  const [passing, all] = await Promise.all(
    engines.map(async (engine) => {
      const tenant = await store.newApp();
      const jobs: ReturnType<typeof seen>[] = [];
      await scenario({
        tenant,
        imports: engine,
        async run(lines, options) {
          const job = await engine.run(tenant, lines, options);
          jobs.push(seen(job, await engine.allRejects(tenant, job.id)));
          return job;
        },
      });
      return { jobs, tables: await tablesOf(store.sql, tenant) };
    }),
  );
  expect(passing).toEqual(all);
  return passing?.jobs.at(-1)?.counts;
}

const idOf = async ({ appNo }: Tenant, n: number): Promise<string> => {
  const [row] = await store.sql<{ user_id: string }>(
    'select user_id from users where app_no = $1 and email = $2',
    [appNo, `person-${n}@example.com`],
  );
  if (!row) throw new Error('no such user');
  return row.user_id;
};

describe('the same file again', () => {
  it('is passed over as a whole, as often as it comes', async () => {
    const tenant = await store.newApp();
    const file = textOf(people(300));
    let first: Job | undefined;
    expect(await parsedIn(async () => (first = await imports.run(tenant, file)))).toBeGreaterThan(10);
    const before = await tablesOf(store.sql, tenant);
    for (const onConflict of ['update', 'skip', 'reject'] as const) {
      let job: Job | undefined;
      expect(await parsedIn(async () => (job = await imports.run(tenant, file, { onConflict })))).toBe(0);
      expect(job).toMatchObject({ ...none, unchanged: 300, state: 'done', byKind: { bcrypt: 300 } });
      expect(job).toMatchObject({ bytes: first?.bytes, physicalLines: 300 });
    }
    expect(await tablesOf(store.sql, tenant)).toEqual(before);
  });

  it('is what a dry run says of it', async () => {
    const tenant = await store.newApp();
    await imports.run(tenant, people(100));
    const jobs: Job[] = [];
    const parsed = await parsedIn(async () => {
      for (const dryRun of [true, false]) jobs.push(await imports.run(tenant, people(100), { dryRun }));
    });
    expect(parsed).toBe(0);
    expect(jobs.map(countsOf)).toEqual(Array(2).fill({ ...none, unchanged: 100 }));
  });

  it('leaves nothing behind of its passing over', async () => {
    const tenant = await store.newApp();
    await imports.run(tenant, people(100));
    const again = await imports.run(tenant, people(100));
    await imports.close();
    expect(await stored('import_repeats', again)).toBe(0);
    expect(await stored('import_claims', again)).toBe(0);
  });

  it('is not known after a dry run', async () => {
    const tenant = await store.newApp();
    const dry = await imports.run(tenant, people(100), { dryRun: true });
    expect(await stored('import_chunks', dry)).toBe(0);
    expect(countsOf(await imports.run(tenant, people(100)))).toEqual({ ...none, created: 100 });
  });

  it.each([1, 2, 4])('on %i lanes', async (lanes) => {
    const own = open({ lanes, chunkBytes: 2000 });
    const tenant = await store.newApp();
    await own.run(tenant, people(200));
    const parsed = await parsedIn(async () => {
      expect(countsOf(await own.run(tenant, people(200)))).toEqual({ ...none, unchanged: 200 });
    });
    expect(parsed).toBe(0);
    await own.dispose();
  });

  it('blank lines and a byte order mark are part of what is known', async () => {
    const counts = await inBothWays(async ({ run }) => {
      await run(['\ufeff' + JSON.stringify(person(0)), '', ...people(99, 1), '  ']);
      await run(['\ufeff' + JSON.stringify(person(0)), '', ...people(99, 1), '  ']);
    });
    expect(counts).toEqual({ ...none, unchanged: 100 });
  });
});

describe('lines that are rejected', () => {
  const lines = () => [
    ...people(30),
    '{"externalUserId": "\\ud800 \u2028 é",',
    ...people(30, 30),
    '',
    withMethod(100, { tenantIds: ['nowhere'] }),
    withMethod(101, { email: 'no address \0' }),
    ...people(40, 60),
    '[]',
  ];

  it('are known, too, and rejected as before', async () => {
    const tenant = await store.newApp();
    const first = await imports.run(tenant, lines());
    const again: Job[] = [];
    const parsed = await parsedIn(async () => again.push(await imports.run(tenant, lines())));
    expect(parsed).toBe(0);
    expect(again.map(countsOf)).toEqual([{ ...none, unchanged: 100, rejected: 4 }]);
    const rejects = await imports.allRejects(tenant, first.id);
    expect(rejects.map(({ line }) => line)).toEqual([31, 63, 64, 105]);
    expect(await imports.allRejects(tenant, again[0]?.id ?? '')).toEqual(rejects);
  });

  it('are those of the full way', async () => {
    const found = await inBothWays(async ({ run }) => {
      await run(lines());
      await run([...lines(), '{', person(3)]);
    });
    expect(found).toEqual({ ...none, unchanged: 100, rejected: 6 });
  });

  it('claim nothing', async () => {
    const found = await inBothWays(async ({ run }) => {
      await run(lines());
      await run([...lines(), person(100), person(101)]);
    });
    expect(found).toEqual({ ...none, unchanged: 100, created: 2, rejected: 4 });
  });
});

describe('a user changed in between', () => {
  const changes: [string, (world: World) => Promise<unknown>, object][] = [
    [
      'by its password',
      async ({ tenant }) =>
        store.users.changeUser({
          appNo: tenant.appNo,
          userId: await idOf(tenant, 7),
          passwordHash: bcryptHash(9),
        }),
      { updated: 1, unchanged: 99 },
    ],
    [
      'by its email',
      async ({ tenant }) =>
        store.users.changeUser({
          appNo: tenant.appNo,
          userId: await idOf(tenant, 7),
          email: 'new@example.com',
        }),
      { updated: 1, unchanged: 99 },
    ],
    [
      'by being no longer verified',
      async ({ tenant }) =>
        store.verification.setVerified(
          tenant.appNo,
          { userId: 'legacy-7', email: 'person-7@example.com' },
          false,
        ),
      { updated: 1, unchanged: 99 },
    ],
    [
      'by being verified',
      async ({ tenant }) =>
        store.verification.setVerified(
          tenant.appNo,
          { userId: await idOf(tenant, 50), email: 'person-50@example.com' },
          true,
        ),
      { unchanged: 100 },
    ],
    [
      'by losing its external id',
      ({ tenant }) => store.mappings.unmap(tenant.appNo, 'legacy-7', 'ANY'),
      { updated: 1, unchanged: 99 },
    ],
    [
      'by gaining an external id',
      async ({ tenant }) =>
        store.mappings.map(tenant.appNo, {
          superTokensUserId: await idOf(tenant, 60),
          externalUserId: 'gained',
        }),
      { unchanged: 100 },
    ],
    [
      'by its removal',
      ({ tenant }) => store.users.removeUser(tenant.appNo, 'legacy-7', true),
      { created: 1, unchanged: 99 },
    ],
    [
      'by its removal and return',
      async ({ tenant, run }) => {
        await store.users.removeUser(tenant.appNo, 'legacy-7', true);
        await run([person(7)]);
      },
      { unchanged: 100 },
    ],
    [
      'by being linked to another',
      async ({ tenant }) => {
        await store.sql('update users set primary_user_id = $2 where app_no = $1 and user_id in ($2, $3)', [
          tenant.appNo,
          await idOf(tenant, 8),
          await idOf(tenant, 7),
        ]);
      },
      { unchanged: 100 },
    ],
    [
      'by details',
      async ({ run }) => run([person(7, { userMetadata: { plan: 'pro' } })]),
      { unchanged: 100 },
    ],
    [
      'by another import',
      async ({ run }) => {
        const [other] = person(7).loginMethods;
        await run([person(7, { loginMethods: [{ ...other, passwordHash: bcryptHash(8) } as never] })]);
      },
      { updated: 1, unchanged: 99 },
    ],
  ];

  /** Half of them verified and with an external id, half neither. */
  const mixed = () =>
    people(100).map((user, n): NativeUser => {
      const [method] = user.loginMethods;
      return n < 50 ? user : { loginMethods: [{ ...method, isVerified: false } as never] };
    });

  it.each(changes)('%s', async (_, change, counts) => {
    const found = await inBothWays(async (world) => {
      await world.run(mixed());
      await change(world);
      await world.run(mixed());
    });
    expect(found).toEqual({ ...none, ...counts });
  });

  it.each<OnConflict>(['skip', 'reject'])('with onConflict %s', async (onConflict) => {
    const found = await inBothWays(async ({ tenant, run }) => {
      await run(people(100));
      const change = { appNo: tenant.appNo, userId: await idOf(tenant, 90), email: 'new@example.com' };
      await store.users.changeUser(change);
      await run(people(100), { onConflict });
    });
    const outcome = onConflict === 'skip' ? { skipped: 1 } : { rejected: 1 };
    expect(found).toEqual({ ...none, unchanged: 99, ...outcome });
  });

  it('only ends the passing over where it stands', async () => {
    const tenant = await store.newApp();
    const chunks = await parsedIn(() => imports.run(tenant, people(300)));
    await store.users.removeUser(tenant.appNo, 'legacy-299', true);
    const parsed = await parsedIn(async () => {
      expect(countsOf(await imports.run(tenant, people(300)))).toEqual({
        ...none,
        created: 1,
        unchanged: 299,
      });
    });
    expect([chunks > 10, parsed]).toEqual([true, 1]);
  });
});

it('the undo of its job makes a chunk unknown', async () => {
  const found = await inBothWays(async ({ tenant, imports: engine, run }) => {
    const job = await run(people(100));
    expect(await engine.undo(tenant, job.id, false)).toMatchObject({ removed: 100, left: [] });
    expect(await stored('import_chunks', job)).toBe(0);
    await run(people(100));
    await run(people(100));
  });
  expect(found).toEqual({ ...none, unchanged: 100 });
});

describe('a later line', () => {
  it.each([false, true])('that repeats a user passed over is a duplicate; dry run: %s', async (dryRun) => {
    const found = await inBothWays(async ({ run }) => {
      await run(people(150));
      const repeated: NativeUser[] = [
        ...people(30, 1000),
        person(2000, { externalUserId: 'legacy-3' }),
        { ...person(4), externalUserId: 'other' },
        { loginMethods: person(5).loginMethods },
        person(2001, { externalUserId: 'other' }),
        person(6),
        ...people(30, 1100),
        person(7, { loginMethods: [{ recipeId: 'passwordless', email: 'person-7@example.com' }] }),
        person(140),
      ];
      await run([...people(150), ...repeated], { dryRun });
    });
    expect(found).toEqual({ ...none, unchanged: 150, created: 60, rejected: 7 });
  });

  it('that has an email in common with one passed over, of another kind, is none', async () => {
    const found = await inBothWays(async ({ run }) => {
      await run(people(100));
      const others = people(5).map((_, n): NativeUser => ({
        loginMethods: [
          { recipeId: 'passwordless', email: `person-${n}@example.com`, timeJoinedInMSSinceEpoch: n },
        ],
      }));
      await run([...people(100), ...others]);
    });
    expect(found).toEqual({ ...none, unchanged: 100, created: 5 });
  });

  it('is known, but an earlier one is not: it is not passed over', async () => {
    const found = await inBothWays(async ({ run, imports: engine }) => {
      await run(people(100));
      const parsed = await parsedIn(() => run([person(500), ...people(100)]));
      expect(parsed).toBeGreaterThan(0);
      expect(engine).toBeDefined();
    });
    expect(found).toEqual({ ...none, unchanged: 100, created: 1 });
  });

  it.each([1, 3])(
    'of a known chunk behind a rejected one finds its duplicates, on %i lanes',
    async (lanes) => {
      const engines = [open({ lanes }), open({ lanes, wrap: inFull })] as const;
      const found = await inBothWays(async ({ run }) => {
        await run(people(200));
        await run(['{', ...people(200).reverse(), ...people(200)]);
      }, engines);
      expect(found).toEqual({ ...none, unchanged: 200, rejected: 201 });
      await Promise.all(engines.map((each) => each.dispose()));
    },
  );
});

describe('a file put together of known ones', () => {
  const large = { chunkBytes: 1_048_576 };

  it('passes over chunks of several jobs', async () => {
    const own = open({ chunkBytes: 10_000 });
    const tenant = await store.newApp();
    const [first, before, second] = [people(100, 100), people(40, 200), people(100, 300)].map(padded);
    await own.run(tenant, first ?? '');
    await own.run(tenant, `${before ?? ''}${second ?? ''}`);
    const parsed = await parsedIn(async () => {
      expect(countsOf(await own.run(tenant, `${first ?? ''}${second ?? ''}`))).toEqual({
        ...none,
        unchanged: 200,
      });
    });
    expect(parsed).toBe(0);
    await own.dispose();
  });

  /** As NDJSON that fills chunks of 10,000 bytes exactly. */
  function padded(users: readonly NativeUser[]): string {
    const lines = users.map((user) => JSON.stringify(user).padEnd(499) + '\n');
    return lines.join('');
  }

  it.each([10_000, 50_000])(
    'finds all of it again in its second copy: chunks of %i bytes',
    async (chunkBytes) => {
      const engines = [open({ chunkBytes }), open({ chunkBytes, wrap: inFull })] as const;
      const file = padded(people(100)).split('\n').slice(0, -1);
      const found = await inBothWays(async ({ run }) => {
        await run(file);
        await run([...file, ...file]);
        await run([...file.slice(0, 20), ...file.slice(0, 20), ...file]);
      }, engines);
      expect(found).toEqual({ ...none, unchanged: 100, rejected: 40 });
      await Promise.all(engines.map((each) => each.dispose()));
    },
  );

  it('a chunk of few lines and one of many', async () => {
    const engines = [open(large), open({ ...large, wrap: inFull })] as const;
    const found = await inBothWays(async ({ run }) => {
      await run(people(500));
      await run(people(500));
      await run(people(501));
    }, engines);
    expect(found).toEqual({ ...none, unchanged: 500, created: 1 });
    await Promise.all(engines.map((each) => each.dispose()));
  });
});

describe('an upload that breaks off', () => {
  const newJob: NewJob = {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    uploadLength: undefined,
  };

  interface Sending {
    readonly engine: TestImports;
    readonly tenant: Tenant;
    readonly id: string;
    readonly text: string;
  }

  /** Sends the text up to `bytes`, then hangs up; else all of it. */
  async function send({ engine, tenant, id, text }: Sending, bytes?: number): Promise<Job | undefined> {
    const job = await engine.find(tenant, id);
    const upload = await engine.openUpload(tenant, id, {
      offset: job?.bytes ?? 0,
      uploadLength: text.length,
    });
    const part = Buffer.from(text).subarray(job?.bytes ?? 0, bytes ?? text.length);
    for (let from = 0; from < part.length; from += 1000) {
      if (!upload.write(part.subarray(from, from + 1000))) await upload.ready();
    }
    if (bytes === undefined) return upload.end();
    // What has not begun by then is not begun any more.
    await expect.poll(async () => (await engine.find(tenant, id))?.unchanged).toBeGreaterThan(0);
    await upload.abort();
    return undefined;
  }

  it.each([9_000, 30_000])('after %i bytes goes on passing over', async (bytes) => {
    const tenant = await store.newApp();
    const text = textOf(people(300));
    await imports.run(tenant, text);
    const { id } = await imports.create(tenant, newJob);
    const parsed = await parsedIn(async () => {
      await send({ engine: imports, tenant, id, text }, bytes);
      expect((await imports.find(tenant, id))?.unchanged).toBeGreaterThan(0);
      const job = await send({ engine: imports, tenant, id, text });
      expect(job).toMatchObject({ ...none, unchanged: 300, state: 'done' });
    });
    expect(parsed).toBe(0);
  });

  it('knows behind it whom it has passed over', async () => {
    const known = textOf(people(150));
    const text = known + textOf([...people(20, 900), person(3), person(700, { externalUserId: 'legacy-4' })]);
    const found = await inBothWays(async ({ tenant, imports: engine, run }) => {
      await run(people(150));
      const { id } = await engine.create(tenant, newJob);
      await send({ engine, tenant, id, text }, 12_000);
      const job = await send({ engine, tenant, id, text });
      expect(job).toMatchObject({ ...none, unchanged: 150, created: 20, rejected: 2, state: 'done' });
      await run(people(150));
    });
    expect(found).toEqual({ ...none, unchanged: 150 });
  });

  it('right when the users passed over are claimed goes on in full, and knows them', async () => {
    const text = textOf([...people(150), ...people(20, 900), person(3)]);
    const tenant = await store.newApp();
    await imports.run(tenant, people(150));
    const failing = open({
      wrap: (chunks) => wrapped(chunks, () => ({ place: () => Promise.reject(new Error('lost')) })),
    });
    const { id } = await failing.create(tenant, newJob);
    await expect(send({ engine: failing, tenant, id, text })).rejects.toThrow('lost');
    const before = await failing.find(tenant, id);
    expect(before?.unchanged).toBeGreaterThan(100);
    expect(await stored('import_claims', { id })).toBe(before?.unchanged);
    const job = await send({ engine: imports, tenant, id, text });
    expect(job).toMatchObject({ ...none, unchanged: 150, created: 20, rejected: 1 });
    await failing.dispose();
  });

  it('that was not all new at first knows the chunks whose users it created after all', async () => {
    const refusing = open({
      wrap: (chunks) => wrapped(chunks, () => ({ create: () => Promise.resolve(false) })),
    });
    const tenant = await store.newApp();
    expect(await refusing.run(tenant, people(150))).toMatchObject({ ...none, created: 150 });
    await refusing.dispose();
    const parsed = await parsedIn(async () => {
      expect(await imports.run(tenant, people(150))).toMatchObject({ ...none, unchanged: 150 });
    });
    expect(parsed).toBe(0);
  });

  it('between passing over and claiming finds duplicates afterwards', async () => {
    const text = textOf([...people(150), ...people(20, 900), person(3)]);
    const tenant = await store.newApp();
    await imports.run(tenant, people(150));
    const failing = open({
      wrap: (chunks) => wrapped(chunks, () => ({ claimRepeats: () => Promise.reject(new Error('lost')) })),
    });
    const { id } = await failing.create(tenant, newJob);
    await expect(send({ engine: failing, tenant, id, text })).rejects.toThrow('lost');
    expect(await stored('import_claims', { id })).toBe(0);
    expect(await stored('import_repeats', { id })).toBeGreaterThan(1);
    const job = await send({ engine: imports, tenant, id, text });
    expect(job).toMatchObject({ ...none, unchanged: 150, created: 20, rejected: 1 });
    await failing.dispose();
  });

  it('and is cancelled leaves nothing behind', async () => {
    const tenant = await store.newApp();
    const text = textOf(people(300));
    await imports.run(tenant, text);
    const { id } = await imports.create(tenant, newJob);
    await send({ engine: imports, tenant, id, text }, 20_000);
    expect(await stored('import_repeats', { id })).toBeGreaterThan(0);
    await imports.cancel(tenant, id);
    await imports.close();
    expect(await stored('import_repeats', { id })).toBe(0);
  });
});

it('two jobs that pass over the same chunks do not disturb each other', async () => {
  const tenant = await store.newApp();
  await imports.run(tenant, people(300));
  const jobs = await Promise.all([1, 2, 3].map(() => imports.run(tenant, [...people(300), person(0)])));
  expect(jobs.map(countsOf)).toEqual(Array(3).fill({ ...none, unchanged: 300, rejected: 1 }));
});

describe('what records are judged by', () => {
  const withSettings = (tenant: Tenant, changed: Partial<Tenant['settings']>): Tenant => ({
    ...tenant,
    settings: { ...tenant.settings, ...changed },
  });

  it('decides what is known: a ceiling was lowered', async () => {
    const tenant = await store.newApp();
    await imports.run(tenant, people(100));
    const hashLimits = { ...tenant.settings.hashLimits, bcryptMaxCost: 9 };
    const job = await imports.run(withSettings(tenant, { hashLimits }), people(100));
    expect(countsOf(job)).toEqual({ ...none, rejected: 100 });
  });

  it.each(['signerKey', 'pepper'])('%s', async (name) => {
    const tenant = await store.newApp();
    await imports.run(tenant, people(100));
    const changed = withSettings(tenant, { [name]: Buffer.from('another') });
    const again = () => imports.run(changed, people(100));
    expect(await parsedIn(again)).toBeGreaterThan(0);
    expect(countsOf(await again())).toEqual({ ...none, unchanged: 100 });
  });

  it('a tenant that was removed and made anew', async () => {
    const tenant = await store.newApp();
    const { tenantId } = await store.newTenant(tenant);
    const users = people(100).map((user): NativeUser => {
      const [method] = user.loginMethods;
      return { ...user, loginMethods: [{ ...method, tenantIds: [tenantId] } as never] };
    });
    await imports.run(tenant, users);
    expect(await parsedIn(() => imports.run(tenant, users))).toBe(0);
    await store.tenants.removeTenant(tenant.appId, tenantId);
    expect(countsOf(await imports.run(tenant, users))).toEqual({ ...none, rejected: 100 });
    await store.tenants.putTenant(tenant.appId, tenantId, {});
    expect(countsOf(await imports.run(tenant, users))).toEqual({ ...none, created: 100 });
  });
});

describe('what is not sealed', () => {
  const cases: [string, () => (NativeUser | string)[]][] = [
    ['a chunk with details', () => [person(1, { userMetadata: { a: 1 } })]],
    [
      'a chunk with a join date in the future, which it will not always be',
      () => [person(1), withMethod(2, { timeJoinedInMSSinceEpoch: 99_999_999_999_999 })],
    ],
    ['a chunk with a duplicate', () => [person(1), person(1)]],
    [
      'a record of several login methods',
      () => [person(1, { loginMethods: [...person(1).loginMethods, ...person(2).loginMethods] })],
    ],
    [
      'a chunk that mixes records with and without external ids',
      () => [person(1), { loginMethods: person(2).loginMethods }],
    ],
    ['blank lines', () => ['', '']],
  ];

  it.each(cases)('%s', async (_, lines) => {
    const job = await imports.run(await store.newApp(), lines());
    expect(await stored('import_chunks', job)).toBe(0);
  });

  it('a chunk some of whose users were there', async () => {
    const tenant = await store.newApp();
    await imports.run(tenant, [person(3)]);
    const job = await imports.run(tenant, people(5));
    expect(countsOf(job)).toEqual({ ...none, created: 4, unchanged: 1 });
    expect(await stored('import_chunks', job)).toBe(0);
  });

  it('records that belong to no job', async () => {
    const tenant = await store.newApp();
    await imports.importRecords(
      tenant,
      people(3).map((user) => JSON.stringify(user)),
    );
    const rows = await store.sql('select from import_chunks where app_no = $1', [tenant.appNo]);
    expect(rows).toHaveLength(0);
  });
});
