/** Uploads that end before their file does: a disconnect, a DELETE, a stop of the core. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { drained, refusedWith, type UploadClient, uploadClient } from '../../helpers/bulk-client.ts';
import { openStage, type Place, type Stage } from '../../helpers/bulk-stage.ts';
import { faultsOf } from '../../helpers/bulk-tables.ts';
import { startTestCore, type TestCore } from '../../helpers/core.ts';
import { holdAt, type Holder } from '../../helpers/held-imports.ts';
import type { Wire } from '../../helpers/wire.ts';

let stage: Stage;
let whole: object;
let core: TestCore;
let client: UploadClient;
let place: Place;
let path: string;
let holder: Holder | undefined;
const newline = 10;

const start = () => startTestCore({ database: stage.database, settings: { IMPORT_CHUNK_BYTES: '65536' } });

beforeAll(async () => {
  stage = await openStage({ lines: 1500 });
  whole = await stage.undisturbed();
});
beforeEach(async () => {
  core = await start();
  client = uploadClient(core.port, core.apiKey);
  place = await stage.newPlace();
  path = await client.create(place.app, place.file.length);
});
afterEach(async () => {
  await holder?.release();
  await core.stop();
});
afterAll(() => stage.dispose());

/** A request that has sent half of the file, in mid-line, and whose first chunk is held in its COMMIT. */
async function inTheMiddle(): Promise<Wire> {
  holder = await holdAt(stage.database.connection, 'commit');
  const wire = await client.patch(path, 0, place.file.length);
  await drained(wire.send(place.file.subarray(0, place.file.length / 2)));
  await holder.held(1);
  return wire;
}

async function expectWhole(): Promise<void> {
  await client.resume(path, place.file);
  expect(await stage.outcomeOf(place, path)).toEqual(whole);
  expect(await faultsOf(stage.database.connection)).toEqual([]);
}

test('a hang-up: what was received may be committed, up to a line end, and the rest can follow', async () => {
  const wire = await inTheMiddle();
  wire.hangUp();
  await holder?.release();
  await expect.poll(() => client.offset(path)).toBeGreaterThan(0);
  const offset = await client.offset(path);
  expect(offset).toBeLessThanOrEqual(place.file.length / 2);
  expect(place.file[offset - 1]).toBe(newline);
  await expectWhole();
});

test('another PATCH while one runs is refused', async () => {
  const wire = await inTheMiddle();
  const other = await client.patch(path, 0, 10);
  expect(refusedWith(await other.send('0123456789').answer())).toEqual([423, 'UPLOAD_LOCKED']);
  other.hangUp();
  wire.hangUp();
  await holder?.release();
  await expectWhole();
});

test('a DELETE: the request ends with 410, what is committed stays, nothing follows', async () => {
  const wire = await inTheMiddle();
  const deleted = client.cancel(path);
  await holder?.release();
  expect(await deleted).toBe(204);
  // A sender that continues is refused before the end of the file.
  wire.send(place.file.subarray(place.file.length / 2, -1));
  expect(refusedWith(await wire.answer())).toEqual([410, 'UPLOAD_GONE']);
  expect(await client.offset(path)).toBeNaN();
  const after = (await stage.outcomeOf(place, path)) as {
    job: { state: string; bytes: number; created: number };
  };
  expect(after.job.state).toBe('cancelled');
  expect(place.file[after.job.bytes - 1]).toBe(newline);
  const again = await client.patch(path, after.job.bytes, 10);
  expect(refusedWith(await again.send('0123456789').answer())).toEqual([410, 'UPLOAD_GONE']);
  again.hangUp();
  expect(await stage.outcomeOf(place, path)).toEqual(after);
  expect(await faultsOf(stage.database.connection)).toEqual([]);
});

test('a stop of the core: the request is answered, and the import goes on with the next core', async () => {
  const wire = await inTheMiddle();
  const closed = core.close();
  await holder?.release();
  expect(refusedWith(await wire.answer())).toEqual([503, 'SHUTTING_DOWN']);
  await closed;
  core = await start();
  client = uploadClient(core.port, core.apiKey);
  const offset = await client.offset(path);
  expect(place.file[offset - 1]).toBe(newline);
  await expectWhole();
});
