/** An upload that is interrupted at any step: committed lines count, and another core continues from there. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Job } from '../../src/imports/model.ts';
import type { ChunkStore } from '../../src/imports/ports.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { openTestImports, person, type TestImports, textOf } from '../helpers/imports.ts';
import { inlineThreads, tablesOf } from '../helpers/merging.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { openStoreOn, type TestStore } from '../helpers/store.ts';

let database: TestDatabase;
let store: TestStore;
/** The result of an uninterrupted upload. */
let whole: object;

beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStoreOn(database.connection);
  whole = await imported(undefined);
});
afterAll(async () => {
  await store.dispose();
  await database.drop();
});

const people = (from: number, count: number) => Array.from({ length: count }, (_, n) => person(from + n));
const file = Buffer.from(textOf([...people(20, 20), ...people(0, 60), ...people(10, 2)]));

/** Sends everything that is missing. */
async function resume(imports: TestImports, tenant: Tenant, job: Job): Promise<Job> {
  const upload = await imports.openUpload(tenant, job.id, { offset: job.bytes });
  for (let at = job.bytes; at < file.length; at += 1000)
    if (!upload.write(file.subarray(at, at + 1000))) await upload.ready().catch(() => undefined);
  return upload.end();
}

/** Interrupts after the step with that number, counted over all chunks. */
function breaking(step: number): (chunks: ChunkStore) => ChunkStore {
  let steps = 0;
  const counted =
    <Input extends unknown[], Result>(work: (...input: Input) => Promise<Result>) =>
    async (...input: Input): Promise<Result> => {
      const result = await work(...input);
      if (++steps === step) throw new Error('broken off');
      return result;
    };
  return (chunks) => ({
    transaction: (work) =>
      chunks.transaction((chunk) =>
        work({
          ...chunk,
          create: counted((created) => chunk.create(created)),
          place: counted((placed) => chunk.place(placed)),
          find: counted((at, keys) => chunk.find(at, keys)),
          change: counted((at, changes) => chunk.change(at, changes)),
          progress: counted((progress) => chunk.progress(progress)),
        }),
      ),
  });
}

/** @param step undefined for an uninterrupted upload */
async function imported(step: number | undefined): Promise<object> {
  const tenant = await store.newApp();
  const options = { threads: inlineThreads, chunkBytes: 2000, lanes: 2 };
  const imports = openTestImports(database.connection, options);
  await imports.run(tenant, people(30, 30));
  const asked = {
    name: '',
    onConflict: 'update',
    dryRun: false,
    secondFactor: 'flag',
    uploadLength: file.length,
  } as const;
  let job = await imports.create(tenant, asked);
  if (step !== undefined) {
    const broken = openTestImports(database.connection, { ...options, wrap: breaking(step) });
    await expect(resume(broken, tenant, job)).rejects.toThrow('broken off');
    await broken.dispose();
    job = (await imports.find(tenant, job.id)) ?? job;
    expect(job.state).toBe('receiving');
    expect(job.bytes === 0 || file[job.bytes - 1] === 10).toBe(true);
  }
  const { created, updated, unchanged, rejected, state, bytes, physicalLines } = await resume(
    imports,
    tenant,
    job,
  );
  const rejects = await imports.allRejects(tenant, job.id);
  await imports.dispose();
  const counts = { created, updated, unchanged, rejected, state, bytes, physicalLines };
  return { counts, rejects, tables: await tablesOf(store.sql, tenant) };
}

it.each([1, 2, 3, 5, 8, 11, 14, 17, 20, 23])(
  'comes to the same when it breaks off at step %i',
  async (step) => {
    expect(whole).toMatchObject({ counts: { state: 'done', created: 30, unchanged: 30, rejected: 22 } });
    expect(await imported(step)).toEqual(whole);
  },
);
