/** Uploads into a job: where they stop and continue, and that cuts do not matter. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job, NewJob } from '../../src/imports/model.ts';
import type { ParsedChunk } from '../../src/imports/parse/types.ts';
import type { ChunkStore, ChunkTransaction, Upload, UploadStart } from '../../src/imports/ports.ts';
import type { Refusal } from '../../src/domain/errors.ts';
import type { RowsResult, RowsTask } from '../../src/imports/tasks.ts';
import type { Tenant } from '../../src/domain/model.ts';
import {
  openTestImports,
  person,
  type TestImports,
  type TestImportsOptions,
  textOf,
} from '../helpers/imports.ts';
import { inlineThreads } from '../helpers/merging.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { openStoreOn, type TestStore } from '../helpers/store.ts';

let database: TestDatabase;
let store: TestStore;
let tenant: Tenant;
const opened: TestImports[] = [];

beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStoreOn(database.connection);
});
beforeEach(async () => {
  tenant = await store.newApp();
});
afterAll(async () => {
  await Promise.all(opened.map((imports) => imports.dispose()));
  await store.dispose();
  await database.drop();
});

function importsOf(options: TestImportsOptions = {}): TestImports {
  const imports = openTestImports(database.connection, { threads: inlineThreads, ...options });
  opened.push(imports);
  return imports;
}

const asked: NewJob = {
  name: '',
  onConflict: 'update',
  dryRun: false,
  secondFactor: 'flag',
  uploadLength: undefined,
};
const create = (imports: TestImports, job: Partial<NewJob> = {}) =>
  imports.create(tenant, { ...asked, ...job });

async function send(upload: Upload, bytes: Uint8Array, pieceBytes = 1000): Promise<Job> {
  for (let from = 0; from < bytes.length; from += pieceBytes)
    if (!upload.write(bytes.subarray(from, from + pieceBytes))) await upload.ready();
  return upload.end();
}

/** One request. @returns the job after it */
async function patch(
  imports: TestImports,
  job: Job,
  text: string | Uint8Array,
  start: Partial<UploadStart> = {},
) {
  const upload = await imports.openUpload(tenant, job.id, { offset: job.bytes, ...start });
  return send(upload, Buffer.from(text));
}

const refused = (code: string) => expect.objectContaining({ code }) as unknown;
const stateOf = async (imports: TestImports, { id }: Job) => imports.find(tenant, id);
const lines = (from: number, count: number): string =>
  textOf(Array.from({ length: count }, (_, n) => person(from + n)));

const buffersOf = ({ rows }: ParsedChunk): ArrayBufferLike[] =>
  'identities' in rows ? [rows.users.buffer, rows.identities.buffer] : [];

/** A store whose chunks wait at `stop` until it is released. */
function heldStore(stop: keyof ChunkTransaction) {
  const gate = Promise.withResolvers<undefined>();
  const reached = Promise.withResolvers<undefined>();
  const wrap = (chunks: ChunkStore): ChunkStore => ({
    transaction: (work) =>
      chunks.transaction((chunk) =>
        work({
          ...chunk,
          [stop]: async (...input: never[]) => {
            reached.resolve(undefined);
            await gate.promise;
            return (chunk[stop] as (...input: never[]) => Promise<unknown>)(...input);
          },
        }),
      ),
  });
  return {
    wrap,
    reached: reached.promise,
    release: () => {
      gate.resolve(undefined);
    },
  };
}

describe('an upload', () => {
  it('is at the end of a complete line after each request, and goes on from there', async () => {
    const imports = importsOf();
    const text = lines(0, 5);
    const firstTwo = lines(0, 2).length;
    let job = await create(imports, { uploadLength: text.length });
    job = await patch(imports, job, text.slice(0, firstTwo + 10));
    expect(job).toMatchObject({ state: 'receiving', bytes: firstTwo, physicalLines: 2, created: 2 });
    await expect(patch(imports, { ...job, bytes: firstTwo + 10 }, 'x')).rejects.toEqual(
      refused('UPLOAD_OFFSET_CONFLICT'),
    );
    job = await patch(imports, job, text.slice(firstTwo, -1));
    expect(job).toMatchObject({ state: 'receiving', physicalLines: 4, created: 4 });
    job = await patch(imports, job, text.slice(job.bytes));
    expect(job).toMatchObject({ state: 'done', bytes: text.length, created: 5 });
    expect(job.finishedAt).toBeTypeOf('number');
  });

  it('that goes on later leaves out of the job the time in which no client sent', async () => {
    const start = Date.now();
    let now = start;
    const imports = importsOf({ now: () => now });
    const chunks = [lines(0, 2), lines(2, 2), lines(4, 2)] as const;
    let job = await create(imports, { uploadLength: chunks.join('').length });
    now += 100;
    const first = await imports.openUpload(tenant, job.id, { offset: 0 });
    now += 1000;
    job = await send(first, Buffer.from(chunks[0]));
    expect(job).toMatchObject({ lastCommitAt: start + 1100, pausedMs: 100 });
    now += 3_600_000;
    const second = await imports.openUpload(tenant, job.id, { offset: job.bytes });
    now += 20;
    job = await send(second, Buffer.from(chunks[1]));
    // A clock that was set back adds nothing.
    now -= 9000;
    job = await patch(imports, job, chunks[2]);
    expect(job).toMatchObject({ state: 'done', created: 6, pausedMs: 3_600_100 });
  });

  it('takes a last line without a newline at the end of the upload, and only there', async () => {
    const imports = importsOf();
    const text = lines(0, 3).trimEnd();
    const open = await create(imports);
    expect(await patch(imports, open, text)).toMatchObject({ created: 2, state: 'receiving' });
    const other = await store.newApp();
    const { id } = await imports.create(other, { ...asked, uploadLength: text.length });
    const upload = await imports.openUpload(other, id, { offset: 0 });
    expect(await send(upload, Buffer.from(text))).toMatchObject({
      created: 3,
      state: 'done',
      bytes: text.length,
    });
  });

  it('that holds no complete line says so, and nothing is changed', async () => {
    const imports = importsOf();
    const job = await create(imports);
    await expect(patch(imports, job, lines(0, 1).trimEnd())).rejects.toEqual(refused('UPLOAD_WITHOUT_LINE'));
    expect(await stateOf(imports, job)).toEqual(job);
    expect(await patch(imports, job, '')).toEqual(job);
    expect(await patch(imports, job, '\n\n')).toMatchObject({ bytes: 2, physicalLines: 2 });
  });

  it('that is longer than was said stops, and what came before stays', async () => {
    const imports = importsOf({ chunkBytes: 200 });
    const text = lines(0, 5);
    const job = await create(imports, { uploadLength: text.length });
    const upload = await imports.openUpload(tenant, job.id, { offset: 0 });
    const early = upload.write(Buffer.from(lines(0, 4)));
    if (!early) await upload.ready();
    upload.write(Buffer.from(lines(4, 2)));
    await expect(upload.ready()).rejects.toEqual(refused('UPLOAD_TOO_LONG'));
    await expect(upload.end()).rejects.toEqual(refused('UPLOAD_TOO_LONG'));
    const kept = await stateOf(imports, job);
    expect(kept).toMatchObject({ state: 'receiving' });
    expect(await patch(imports, kept ?? job, text.slice(kept?.bytes))).toMatchObject({
      state: 'done',
      created: 5,
    });
  });

  it('whose length is stated late is done at that length, and no other one is taken', async () => {
    const imports = importsOf();
    const [text, half] = [lines(0, 4), lines(0, 2)];
    let job = await patch(imports, await create(imports), half);
    await expect(patch(imports, job, '', { uploadLength: half.length - 1 })).rejects.toEqual(
      refused('UPLOAD_LENGTH_CONFLICT'),
    );
    job = await patch(imports, job, '', { uploadLength: text.length });
    expect(job).toMatchObject({ state: 'receiving', uploadLength: text.length });
    await expect(patch(imports, job, '', { uploadLength: 1 })).rejects.toEqual(
      refused('UPLOAD_LENGTH_CONFLICT'),
    );
    expect(await patch(imports, job, text.slice(half.length))).toMatchObject({ state: 'done', created: 4 });
  });

  it('whose length turns out to be what is there is done', async () => {
    const imports = importsOf();
    const job = await patch(imports, await create(imports), lines(0, 2));
    const done = await patch(imports, job, '', { uploadLength: job.bytes });
    expect(done).toMatchObject({ state: 'done', created: 2, bytes: job.bytes });
    expect(await patch(imports, done, '')).toEqual(done);
  });

  it('may have a byte order mark before its first line, and nowhere else', async () => {
    const imports = importsOf();
    const [mark, text] = ['\ufeff', lines(0, 1)];
    let job = await patch(imports, await create(imports), mark + text);
    expect(job).toMatchObject({ created: 1, rejected: 0, bytes: Buffer.byteLength(mark + text) });
    job = await patch(imports, job, mark + lines(1, 1) + lines(2, 1));
    expect(job).toMatchObject({ created: 2, rejected: 1 });
    expect(await imports.allRejects(tenant, job.id)).toMatchObject([{ line: 2, code: 'INVALID_JSON' }]);
  });

  it('of nothing is done at once', async () => {
    const imports = importsOf();
    expect(await create(imports, { uploadLength: 0 })).toMatchObject({ state: 'done', bytes: 0 });
    const whole = await patch(imports, await create(imports), '', { isWhole: true });
    expect(whole).toMatchObject({ state: 'done', uploadLength: 0, created: 0 });
  });

  it('is done with the transaction of its last chunk', async () => {
    const text = lines(0, 2);
    const states: unknown[] = [];
    const imports = importsOf({
      wrap: (chunks) => ({
        async transaction(work) {
          const result = await chunks.transaction(work);
          states.push(
            ...(await store.sql(
              'select state, finished_at is null as open, bytes from import_jobs where app_no = $1',
              [tenant.appNo],
            )),
          );
          return result;
        },
      }),
    });
    await patch(imports, await create(imports, { uploadLength: text.length }), text);
    expect(states).toEqual([{ state: 2, open: false, bytes: text.length }]);
  });

  it.each([
    ['one chunk while its length is not known', false, 1],
    ['several chunks if it is small, so that several lanes have some', true, 3],
  ])('is cut into %s', async (_, isLengthKnown, chunks) => {
    let transactions = 0;
    const imports = importsOf({
      chunkBytes: 1_048_576,
      wrap: (chunks) => ({
        transaction(work) {
          transactions++;
          return chunks.transaction(work);
        },
      }),
    });
    const text = lines(0, 3000);
    expect(text.length).toBeGreaterThan(2 * 262_144);
    expect(text.length).toBeLessThan(3 * 262_144);
    const job = await create(imports, isLengthKnown ? { uploadLength: text.length } : {});
    expect(await patch(imports, job, text, { isWhole: true })).toMatchObject({ created: 3000 });
    expect(transactions).toBe(chunks);
  });

  it('asks for a pause while its chunks are under way, and has room when one is committed', async () => {
    const held = heldStore('progress');
    const imports = importsOf({ chunkBytes: 200, lanes: 1, wrap: held.wrap });
    const job = await create(imports);
    const upload = await imports.openUpload(tenant, job.id, { offset: 0, isWhole: true });
    const room = Array.from({ length: 6 }, (_, n) => upload.write(Buffer.from(lines(n, 1))));
    // Each line is a chunk: one has the lane, one more is ready, the third is one too many.
    expect(room).toEqual([true, true, false, false, false, false]);
    let isReady = false;
    const ready = upload.ready().then(() => (isReady = true));
    await held.reached;
    expect(isReady).toBe(false);
    held.release();
    await ready;
    expect(await upload.end()).toMatchObject({ created: 6, state: 'done' });
  });

  it('frees lines and rows as soon as they are committed', async () => {
    const buffers: ArrayBufferLike[] = [];
    const threads = {
      ...inlineThreads,
      run: async <Task extends RowsTask>(task: Task): Promise<RowsResult<Task>> => {
        const result = await inlineThreads.run(task);
        if (task.type === 'parse') buffers.push(task.bytes.buffer, ...buffersOf(result as ParsedChunk));
        return result;
      },
    };
    const imports = importsOf({ chunkBytes: 400, threads });
    const job = await patch(imports, await create(imports), lines(0, 20), { isWhole: true });
    expect(job).toMatchObject({ created: 20, state: 'done' });
    expect(buffers.length).toBeGreaterThan(6);
    expect(buffers.filter(({ byteLength }) => byteLength > 0)).toEqual([]);
  });

  it('locks its job until nothing of it runs any more', async () => {
    const held = heldStore('progress');
    const imports = importsOf({ chunkBytes: 200, lanes: 1, wrap: held.wrap });
    const job = await create(imports);
    const upload = await imports.openUpload(tenant, job.id, { offset: 0 });
    const again = () => imports.openUpload(tenant, job.id, { offset: 0 });
    await expect(again()).rejects.toEqual(refused('UPLOAD_LOCKED'));
    upload.write(Buffer.from(lines(0, 3).trimEnd()));
    await held.reached;
    const aborted = upload.abort();
    await expect(again()).rejects.toEqual(refused('UPLOAD_LOCKED'));
    held.release();
    await aborted;
    const kept = await stateOf(imports, job);
    // The first chunk had the lane; the second had not begun.
    expect(kept).toMatchObject({ state: 'receiving', created: 1, bytes: lines(0, 1).length });
    expect(await patch(imports, kept ?? job, lines(1, 2), { isWhole: true })).toMatchObject({
      created: 3,
      state: 'done',
    });
  });

  it.each([
    ['whose length is known', lines(2, 1).length],
    ['whose length is not known', undefined],
  ])('that is longer than it says does not fix the length: a body %s', async (_what, bodyBytes) => {
    const imports = importsOf();
    const job = await create(imports);
    const committed = await patch(imports, job, lines(0, 2));
    const start = { uploadLength: committed.bytes, bodyBytes };
    await expect(patch(imports, committed, lines(2, 1), start)).rejects.toEqual(refused('UPLOAD_TOO_LONG'));
    expect(await stateOf(imports, job)).toMatchObject({ state: 'receiving', uploadLength: undefined });
    const whole = { uploadLength: lines(0, 3).length, bodyBytes };
    expect(await patch(importsOf(), committed, lines(2, 1), whole)).toMatchObject({
      state: 'done',
      created: 3,
      uploadLength: lines(0, 3).length,
    });
  });

  it.each(['create', 'progress'] as const)('stops when its job is cancelled before %s', async (step) => {
    const held = heldStore(step);
    const imports = importsOf({ chunkBytes: 200, wrap: held.wrap });
    const job = await create(imports);
    const upload = await imports.openUpload(tenant, job.id, { offset: 0, isWhole: true });
    upload.write(Buffer.from(lines(0, 5)));
    await held.reached;
    expect(await imports.cancel(tenant, job.id)).toMatchObject({ state: 'cancelled' });
    held.release();
    await expect(upload.ready()).rejects.toEqual(refused('UPLOAD_GONE'));
    expect(upload.write(Buffer.from(lines(5, 5)))).toBe(false);
    await expect(upload.end()).rejects.toEqual(refused('UPLOAD_GONE'));
    expect(await stateOf(imports, job)).toMatchObject({ state: 'cancelled', created: 0, bytes: 0 });
    await expect(patch(imports, job, lines(0, 1))).rejects.toEqual(refused('UPLOAD_GONE'));
    expect(await store.users.countUsers(tenant, [], false)).toBe(0);
  });

  it('that another core has continued ends, and nothing is written twice', async () => {
    const held = heldStore('progress');
    const [imports, other] = [importsOf({ wrap: held.wrap }), importsOf()];
    const job = await create(imports);
    const both = [patch(imports, job, lines(0, 3))];
    await held.reached;
    both.push(patch(other, job, lines(10, 3)));
    held.release();
    // The first to commit wins.
    const outcomes = (await Promise.allSettled(both)).map((each) =>
      each.status === 'fulfilled' ? 'imported' : (each.reason as Refusal).code,
    );
    expect(outcomes.sort()).toEqual(['UPLOAD_OFFSET_CONFLICT', 'imported']);
    expect(await store.users.countUsers(tenant, [], false)).toBe(3);
    expect(await stateOf(imports, job)).toMatchObject({ created: 3, physicalLines: 3 });
  });
});
