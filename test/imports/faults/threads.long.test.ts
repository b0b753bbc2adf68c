/** Worker threads that die in the middle of an import. */
import { setEnvironmentData } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Refusal } from '../../../src/domain/errors.ts';
import { createRowsPool } from '../../../src/threads/import-pool.ts';
import type { RowsTask } from '../../../src/imports/tasks.ts';
import { openStage, type Stage } from '../../helpers/bulk-stage.ts';
import { faultsOf } from '../../helpers/bulk-tables.ts';
import { openTestImports } from '../../helpers/imports.ts';
import { fateName } from '../../helpers/mortal-rows-worker.ts';

const workerFile = new URL('../../helpers/mortal-rows-worker.ts', import.meta.url);
let stage: Stage;
let whole: object;
beforeAll(async () => {
  stage = await openStage({ lines: 1500 });
  whole = await stage.undisturbed();
});
afterAll(() => stage.dispose());

test.each<[RowsTask['type'], number]>([
  ['parse', 4],
  ['keys', 3],
  ['decide', 3],
])(
  'one that dies of %s: the upload fails, nothing of the chunk is written, the next one works',
  async (type, tasks) => {
    const cells = new SharedArrayBuffer(4);
    new Int32Array(cells)[0] = tasks;
    setEnvironmentData(fateName, { type, cells });
    const threads = createRowsPool({ threads: 2, workerFile });
    const imports = openTestImports(stage.database.connection, { threads, chunkBytes: 65_536 });
    const { tenant, file } = await stage.newPlace();
    const { id } = await imports.create(tenant, {
      name: '',
      onConflict: 'update',
      dryRun: false,
      secondFactor: 'flag',
      uploadLength: file.length,
    });
    const send = async (offset: number) => {
      const upload = await imports.openUpload(tenant, id, { offset });
      if (!upload.write(file.subarray(offset))) await upload.ready().catch(() => undefined);
      return upload.end();
    };
    const failure: unknown = await send(0).catch((error: unknown) => error);
    // Not a refusal: an answer of 500 with an id, and the cause in the log.
    expect(failure).toBeInstanceOf(Error);
    expect(failure).not.toBeInstanceOf(Refusal);
    const left = await imports.find(tenant, id);
    expect(left).toMatchObject({ state: 'receiving' });
    expect(left?.bytes).toBeLessThan(file.length);
    expect(await send(left?.bytes ?? 0)).toMatchObject({ state: 'done' });
    expect(await stage.outcomeOf({ tenant, file, app: '' }, id)).toEqual(whole);
    expect(await faultsOf(stage.database.connection)).toEqual([]);
    await imports.dispose();
    await threads.close();
  },
);
