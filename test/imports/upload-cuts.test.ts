/** However an upload is divided into requests, pieces, chunks and cores, the result is the same. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Job, type NewJob, type OnConflict, onConflicts, type Reject } from '../../src/imports/model.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { openTestImports, person, type TestImports, textOf } from '../helpers/imports.ts';
import { inlineThreads, tablesOf } from '../helpers/merging.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { pick, type Random, randomOf, randomRecords } from '../helpers/random-records.ts';
import { openStoreOn, type TestStore } from '../helpers/store.ts';

let database: TestDatabase;
let store: TestStore;

beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStoreOn(database.connection);
});
afterAll(async () => {
  await store.dispose();
  await database.drop();
});

interface Cuts {
  readonly chunkBytes: number;
  readonly lanes: number;
  /** Requests end somewhere, and the next continues from the committed offset. */
  readonly isDivided: boolean;
  /** More than one: parts are sent at the same time, each ahead of its turn. */
  readonly cores: number;
}

const atOnce: Cuts = { chunkBytes: 1_048_576, lanes: 1, isDivided: false, cores: 1 };
const overlong = `{"userMetadata":{"x":"${'x'.repeat(1_048_576)}"}}`;

interface FileOptions {
  readonly hasOverlong: boolean;
  /** The fewer, the more often records meet. */
  readonly names: number;
}

/** Lines of every sort: records, blank ones, broken ones. Mostly each ends by a newline. */
function randomFile(random: Random, tenantId: string, { hasOverlong, names }: FileOptions): Buffer {
  const lines: string[] = randomRecords(random, tenantId, 25, names).map((record) => JSON.stringify(record));
  const odd = ['', '  ', '{', '{"loginMethods":[]}', '"\u{fffd}"', JSON.stringify(person(1))];
  for (let n = 0; n < 12; n++) lines.splice(random(lines.length), 0, pick(random, odd));
  if (hasOverlong) lines.splice(random(lines.length), 0, overlong);
  const end = pick(random, ['\n', '\r\n']);
  const text = lines.join(end) + pick(random, ['', end, `${end}${end}`]);
  const bytes = Buffer.from(pick(random, ['', '\ufeff']) + text);
  return random(2) ? bytes : Buffer.concat([Buffer.from([0xff, 10]), bytes]);
}

interface Sending {
  readonly imports: TestImports;
  readonly tenant: Tenant;
  readonly file: Buffer;
  /** Divides it; undefined for one request. */
  readonly random: Random | undefined;
}

async function upload({ imports, tenant, file, random }: Sending, job: Partial<NewJob> = {}) {
  const options = {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    uploadLength: file.length,
    ...job,
  } as const;
  let current: Job = await imports.create(tenant, options);
  while (current.state === 'receiving') {
    const from = current.bytes;
    // Longer than any line, or the request may contain none.
    const length = random ? 2000 + random(4000) + (random(3) ? 0 : 1_100_000) : file.length;
    const request = await imports.openUpload(tenant, current.id, { offset: from });
    const body = file.subarray(from, from + length);
    for (let at = 0; at < body.length;) {
      const piece = random ? 1 + random(random(3) ? 3000 : 200_000) : 65_536;
      if (!request.write(body.subarray(at, at + piece))) await request.ready();
      at += piece;
    }
    const isLeft = (error: unknown): Job => {
      // A line that goes beyond the request: the next one has another length.
      expect(error).toMatchObject({ code: 'UPLOAD_WITHOUT_LINE' });
      return current;
    };
    current = await request.end().catch(isLeft);
  }
  return current;
}

/** Bytes of the file from one line end to a later one. */
interface Part {
  readonly offset: number;
  readonly bytes: Buffer;
}

function partsOf(file: Buffer, random: Random): Part[] {
  const parts: Part[] = [];
  for (let offset = 0; offset < file.length;) {
    const end = file.indexOf(10, offset + random(1500)) + 1 || file.length;
    parts.push({ offset, bytes: file.subarray(offset, end) });
    offset = end;
  }
  return parts;
}

/** Each core takes the next part as soon as its last one is committed. */
async function uploadAhead(
  cores: readonly TestImports[],
  { tenant, file }: Pick<Sending, 'tenant' | 'file'>,
  random: Random,
  job: Partial<NewJob> = {},
): Promise<Job> {
  const [first] = cores;
  if (first === undefined) throw new Error('there is no core');
  const form = { name: '', onConflict: 'update', dryRun: false, secondFactor: 'flag' } as const;
  const { id } = await first.create(tenant, { ...form, uploadLength: file.length, ...job });
  const parts = partsOf(file, random);
  const work = async (core: TestImports): Promise<void> => {
    for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
      const upload = await core.openUpload(tenant, id, { offset: part.offset, isAhead: true });
      if (!upload.write(part.bytes)) await upload.ready();
      await upload.end();
    }
  };
  await Promise.all(cores.map(work));
  const ended = await first.find(tenant, id);
  if (ended === undefined) throw new Error('the job is gone');
  return ended;
}

/** The outcome of a file in an app with existing users. */
async function outcomeOf(
  seed: number,
  { chunkBytes, lanes, isDivided, cores }: Cuts,
  job: Partial<NewJob> = {},
) {
  const options = { threads: inlineThreads, chunkBytes, lanes };
  const imports = openTestImports(database.connection, options);
  const others = Array.from({ length: cores - 1 }, () => openTestImports(database.connection, options));
  const tenant = await store.newApp();
  const { tenantId } = await store.newTenant(tenant);
  const random = randomOf(seed);
  const names = pick(random, [6, 12, 25, 50]);
  const before: NativeUser[] = randomRecords(random, tenantId, 12, names);
  await imports.run(tenant, before);
  const file = randomFile(random, tenantId, { hasOverlong: seed % 3 === 0, names });
  const onConflict = pick<OnConflict>(random, ['update', ...onConflicts]);
  const dividing = isDivided ? randomOf(seed + 1000) : undefined;
  const ended =
    cores === 1
      ? await upload({ imports, tenant, file, random: dividing }, { onConflict, ...job })
      : await uploadAhead([imports, ...others], { tenant, file }, randomOf(seed + 2000), {
          onConflict,
          ...job,
        });
  const rejects = (await imports.allRejects(tenant, ended.id)).map(withoutReason);
  const { created, updated, unchanged, skipped, rejected, byKind, state, bytes, physicalLines } = ended;
  const counts = { created, updated, unchanged, skipped, rejected, byKind, state, bytes, physicalLines };
  await Promise.all([imports, ...others].map((each) => each.dispose()));
  return { counts, rejects, tables: await tablesOf(store.sql, tenant), physicalLines: linesOf(file) };
}

/** Of several used keys, the one in the same chunk is named. Users of two apps have other ids. */
function withoutReason({ line, code, externalUserId, field, message }: Reject): Partial<Reject> {
  const reject = { line, code, externalUserId };
  return code === 'DUPLICATE_IN_JOB' ? reject : { ...reject, field, message };
}

function linesOf(file: Buffer): number {
  return file.toString('latin1').split('\n').length - (file.at(-1) === 10 ? 1 : 0);
}

const seeds = [1, 2, 3, 4];

it.each(seeds)('requests at random, with chunks of any size, equal one request (seed %i)', async (seed) => {
  const whole = await outcomeOf(seed, atOnce);
  const { counts, rejects } = whole;
  expect(counts.physicalLines).toBe(whole.physicalLines);
  expect(rejects.length).toBe(counts.rejected);
  expect(rejects.length).toBeGreaterThan(0);
  for (const [chunkBytes, lanes] of [
    [200, 1],
    [700, 2],
    [3000, 3],
    [1_048_576, 3],
  ] as const)
    expect(await outcomeOf(seed, { ...atOnce, chunkBytes, lanes, isDivided: true })).toEqual(whole);
});

it.each(seeds)('parts through three cores at the same time equal one request (seed %i)', async (seed) => {
  const whole = await outcomeOf(seed, atOnce);
  for (const chunkBytes of [200, 700, 3000])
    expect(await outcomeOf(seed, { ...atOnce, chunkBytes, lanes: 2, cores: 3 })).toEqual(whole);
});

/** A line's changes of a user are not visible to another chunk of a dry run: so here no line changes one. */
it.each(seeds)('a dry run finds what the import then does, and writes nothing (seed %i)', async (seed) => {
  const imports = openTestImports(database.connection, { threads: inlineThreads, chunkBytes: 3000 });
  const tenant = await store.newApp();
  const { tenantId } = await store.newTenant(tenant);
  const random = randomOf(seed);
  await imports.run(tenant, randomRecords(random, tenantId, 12));
  const file = randomFile(random, tenantId, { hasOverlong: false, names: 25 });
  const onConflict = pick<OnConflict>(random, ['skip', 'reject']);
  const before = await tablesOf(store.sql, tenant);
  const outcomes = [];
  for (const dryRun of [true, false]) {
    const job = await upload({ imports, tenant, file, random: randomOf(seed) }, { onConflict, dryRun });
    const { created, updated, unchanged, skipped, rejected, byKind, bytes, physicalLines } = job;
    const counts = { created, updated, unchanged, skipped, rejected, byKind, bytes, physicalLines };
    outcomes.push({ counts, rejects: await imports.allRejects(tenant, job.id) });
    if (dryRun) expect(await tablesOf(store.sql, tenant)).toEqual(before);
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
  await imports.dispose();
});

it('a dry run of several requests finds who would be created, changed and refused', async () => {
  const imports = openTestImports(database.connection, { threads: inlineThreads, chunkBytes: 700 });
  const tenant = await store.newApp();
  const people = (from: number, count: number) => Array.from({ length: count }, (_, n) => person(from + n));
  await imports.run(tenant, people(0, 20));
  const changed = people(0, 10).map(({ externalUserId = '' }, n) => ({
    externalUserId,
    loginMethods: [{ recipeId: 'passwordless', email: `person-${n}@example.com` }] as const,
  }));
  const file = Buffer.from(textOf([...changed, '', '{', ...people(10, 20), ...people(15, 3)]));
  const outcomes = [];
  for (const dryRun of [true, false]) {
    const job = await upload({ imports, tenant, file, random: randomOf(1) }, { dryRun });
    const { created, updated, unchanged, rejected, byKind, physicalLines } = job;
    const counts = { created, updated, unchanged, rejected, byKind, physicalLines };
    outcomes.push({ counts, rejects: await imports.allRejects(tenant, job.id) });
    if (dryRun) expect(await store.users.countUsers(tenant, [], false)).toBe(20);
  }
  expect(outcomes[0]).toEqual(outcomes[1]);
  expect(outcomes[0]?.counts).toMatchObject({ created: 10, updated: 10, unchanged: 10, rejected: 4 });
  await imports.dispose();
});
