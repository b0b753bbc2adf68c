/** Jobs at random over few people: whether known chunks are passed over or not makes no difference. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Job, type NewJob, onConflicts } from '../../src/bulk/job.ts';
import type { NativeLoginMethod, NativeUser } from '../../src/bulk/native.ts';
import type { ChunkStore } from '../../src/bulk/ports.ts';
import type { Tenant } from '../../src/model.ts';
import { createRowsPool, type RowsPool } from '../../src/rows-pool.ts';
import { bcryptHash, openTestImports, person, type TestImports } from '../helpers/imports.ts';
import { tablesOf } from '../helpers/merging.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { randomOf } from '../helpers/random-records.ts';
import { credentialOf, openStoreOn, type TestStore } from '../helpers/store.ts';

let database: TestDatabase;
let store: TestStore;
let threads: RowsPool;
let passing: TestImports;
let full: TestImports;
let passedOver = 0;

/** Bytes of a line, and lines of a chunk. */
const lineBytes = 400;
const blockLines = 5;
const blocks = 6;

beforeAll(async () => {
  database = await createDatabase();
  store = await openStoreOn(database.connection);
  threads = createRowsPool({ threads: 2 });
  const open = (wrap: (chunks: ChunkStore) => ChunkStore): TestImports =>
    openTestImports(database.connection, { threads, chunkBytes: lineBytes * blockLines, wrap });
  passing = open((chunks) => ({
    transaction: (work) =>
      chunks.transaction((chunk) =>
        work({
          ...chunk,
          passOver: (job, known) => {
            passedOver++;
            return chunk.passOver(job, known);
          },
        }),
      ),
  }));
  full = open((chunks) => ({
    transaction: (work) =>
      chunks.transaction((chunk) => work({ ...chunk, findKnown: () => Promise.resolve(undefined) })),
  }));
});

afterAll(async () => {
  await Promise.all([passing, full].map((each) => each.dispose()));
  await threads.close();
  await store.dispose();
  await database.drop();
});

/** From 0 up to 1. */
type Random = () => number;

/** Whole numbers below `n`. */
const below = (random: Random, n: number): number => Math.floor(random() * n);

/** Ways to write the same people down. */
const variants: readonly ((user: NativeUser, n: number) => NativeUser)[] = [
  (user) => user,
  ({ loginMethods }) => ({ loginMethods }),
  (user, n) => (n % blockLines === 1 ? changed(user, { email: 'no address' }) : user),
  (user, n) => (n % blockLines === 2 ? changed(user, { passwordHash: bcryptHash(n + 500) }) : user),
  (user, n) => (n % blockLines === 3 ? { ...user, externalUserId: `legacy-${n + 1}` } : user),
  (user, n) => (n % blockLines === 4 ? changed(user, { email: `person-${n - 1}@example.com` }) : user),
  (user) => changed(user, { isVerified: false }),
  (user, n) => (n % blockLines === 0 ? { ...user, userMetadata: { n } } : user),
];

function changed(user: NativeUser, rest: object): NativeUser {
  const [method] = user.loginMethods;
  return { ...user, loginMethods: [{ ...method, ...rest } as NativeLoginMethod] };
}

/** As many lines as make a chunk; the first variants mostly, so that chunks come again. */
function block(random: Random): string {
  const first = below(random, blocks) * blockLines;
  const variant = variants[random() < 0.6 ? below(random, 3) : below(random, variants.length)];
  return Array.from({ length: blockLines }, (_, k) => {
    const user = variant?.(person(first + k), first + k);
    return JSON.stringify(user).padEnd(lineBytes - 1) + '\n';
  }).join('');
}

interface World {
  readonly tenant: Tenant;
  readonly imports: TestImports;
  readonly jobs: string[];
}

type Step = (world: World) => Promise<unknown>;

/** An earlier upload, or its beginning, and perhaps something else behind it. */
function textOf(random: Random, history: string[]): string {
  const earlier = random() < 0.6 ? history[below(random, history.length)] : undefined;
  const kept = earlier?.slice(0, lineBytes * blockLines * (1 + below(random, 5))) ?? '';
  const others = Array.from({ length: below(random, 4) }, () => block(random)).join('');
  const text = kept + others || block(random);
  history.push(text);
  return text;
}

function importing(random: Random, history: string[]): Step {
  const text = textOf(random, history);
  const onConflict = onConflicts[below(random, onConflicts.length)] ?? 'update';
  const dryRun = random() < 0.15;
  const options: NewJob = { name: '', onConflict, dryRun, secondFactor: 'flag', uploadLength: text.length };
  // In two requests sometimes, the first of which ends in the middle of a line.
  const cuts = random() < 0.3 ? [below(random, text.length), text.length] : [text.length];
  return async ({ tenant, imports, jobs }) => {
    let job: Job = await imports.create(tenant, options);
    for (const end of cuts) {
      if (end - job.bytes < lineBytes) continue;
      const upload = await imports.openUpload(tenant, job.id, { offset: job.bytes });
      if (!upload.write(Buffer.from(text).subarray(job.bytes, end))) await upload.ready();
      job = await upload.end();
    }
    expect(job.state).toBe('done');
    jobs.push(job.id);
    const { created, updated, unchanged, skipped, rejected, byKind, physicalLines } = job;
    const counts = { created, updated, unchanged, skipped, rejected, byKind, physicalLines };
    return { ...counts, rejects: await imports.allRejects(tenant, job.id) };
  };
}

const anyone = (random: Random): string => `person-${below(random, blocks * blockLines)}@example.com`;

function changing(random: Random): Step {
  const [email, other] = [anyone(random), random() < 0.5 ? anyone(random) : 'new@example.com'];
  return async ({ tenant }) => {
    const user = await credentialOf(store, tenant, email);
    if (user === undefined) return undefined;
    return store.users.changeUser({
      appNo: tenant.appNo,
      userId: await coreIdOf(tenant, email),
      email: other,
    });
  };
}

async function coreIdOf({ appNo }: Tenant, email: string): Promise<string> {
  const [row] = await store.sql<{ user_id: string }>(
    'select user_id from users where app_no = $1 and email = $2 and recipe = 1',
    [appNo, email],
  );
  return row?.user_id ?? '';
}

function unmapping(random: Random): Step {
  const id = `legacy-${below(random, blocks * blockLines)}`;
  return ({ tenant }) => store.mappings.unmap(tenant.appNo, id, 'EXTERNAL');
}

function removing(random: Random): Step {
  const id = `legacy-${below(random, blocks * blockLines)}`;
  return ({ tenant }) => store.users.removeUser(tenant.appNo, id, true);
}

function undoing(random: Random): Step {
  const which = random();
  return async ({ tenant, imports, jobs }) => {
    const [id] = jobs.splice(Math.floor(which * jobs.length), 1);
    if (id === undefined) return undefined;
    const { removed, restored, left } = (await imports.undo(tenant, id, false)) ?? {};
    return { removed, restored, left: left?.length };
  };
}

function stepOf(random: Random, history: string[]): Step {
  const what = random();
  if (what < 0.7) return importing(random, history);
  if (what < 0.8) return changing(random);
  if (what < 0.87) return unmapping(random);
  return what < 0.94 ? removing(random) : undoing(random);
}

it.each(Array.from({ length: 8 }, (_, n) => n + 1))('from seed %i', async (seed) => {
  const bounded = randomOf(seed);
  const random = () => bounded(1_000_000) / 1_000_000;
  const worlds = await Promise.all(
    [passing, full].map(async (imports): Promise<World> => ({
      imports,
      tenant: await store.newApp(),
      jobs: [],
    })),
  );
  const history: string[] = [];
  for (let n = 0; n < 25; n++) {
    const step = stepOf(random, history);
    const outcomes = await Promise.all(worlds.map((world) => step(world)));
    expect(outcomes[0], `step ${n}`).toEqual(outcomes[1]);
    const tables = await Promise.all(worlds.map(({ tenant }) => tablesOf(store.sql, tenant)));
    expect(tables[0], `step ${n}`).toEqual(tables[1]);
  }
});

it('has passed over many chunks', () => {
  expect(passedOver).toBeGreaterThan(20);
});
