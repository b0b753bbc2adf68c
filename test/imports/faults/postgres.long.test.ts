/** Imports whose PostgreSQL, or whose connections to it, are lost on the way. */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createLogger } from '../../../src/process/log.ts';
import { type Embedded, startEmbedded } from '../../../src/embedded/embedded.ts';
import { drained, refusedWith, type UploadClient, uploadClient } from '../../helpers/bulk-client.ts';
import { openStage, type Place, type Stage } from '../../helpers/bulk-stage.ts';
import { faultsOf } from '../../helpers/bulk-tables.ts';
import { startTestCore, type TestCore } from '../../helpers/core.ts';
import { type DatabaseDoor, openDoor } from '../../helpers/database-door.ts';
import { person, textOf } from '../../helpers/imports.ts';
import { type HeldAt, holdAt, type Holder } from '../../helpers/held-imports.ts';
import type { Wire } from '../../helpers/wire.ts';

const lines = 2000;
const places: HeldAt[] = ['users', 'commit'];

let folder: string;
let cluster: Embedded;
let stage: Stage;
let whole: object;
let door: DatabaseDoor;
let core: TestCore;
let client: UploadClient;
let holder: Holder | undefined;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-faults-'));
  await chmod(folder, 0o755);
  cluster = await startEmbedded({ dataDir: folder, log: createLogger({ level: 'silent' }) });
  const database = { connection: cluster.connection, drop: () => Promise.resolve() };
  stage = await openStage({ lines, database });
  whole = await stage.undisturbed();
});
beforeEach(async () => {
  door = await openDoor(cluster.connection);
  core = await startTestCore({
    database: { ...stage.database, connection: door.connection },
    settings: { IMPORT_CHUNK_BYTES: '65536' },
  });
  client = uploadClient(core.port, core.apiKey);
});
afterEach(async () => {
  await holder?.release();
  await core.stop();
  await door.remove();
});
afterAll(async () => {
  await stage.dispose();
  await cluster.stop();
  await rm(folder, { recursive: true, force: true });
});

interface Running {
  readonly place: Place;
  readonly path: string;
  /** The connection on which everything after the committed offset was sent. */
  readonly wire: Wire;
  /** Committed, and nothing more. */
  readonly offset: number;
  /** Of the held backends. */
  readonly pids: readonly number[];
}

/** An import of which a part is committed, and whose next chunk is held there. */
async function heldAt(at: HeldAt, given?: Place): Promise<Running> {
  const place = given ?? (await stage.newPlace());
  const path = await client.create(place.app, place.file.length);
  const first = await client.patch(path, 0, 200_000);
  expect((await first.send(place.file.subarray(0, 200_000)).answer())?.status).toBe(204);
  first.hangUp();
  const offset = await client.offset(path);
  holder = await holdAt(cluster.connection, at);
  const wire = await client.patch(path, offset, place.file.length - offset);
  await drained(wire.send(place.file.subarray(offset)));
  return { place, path, wire, offset, pids: await holder.held(1) };
}

async function expectWhole({ place, path }: Running): Promise<void> {
  await expect.poll(async () => (await core.get('/health')).http).toBe(200);
  await expect.poll(() => stage.store.database.answers()).toBe(true);
  await client.resume(path, place.file);
  // The server may have answered once more before it noticed that a backend was killed, and recovers only then.
  const outcome = (): Promise<unknown> => stage.outcomeOf(place, path).catch((error: unknown) => error);
  await expect.poll(outcome).toEqual(whole);
  expect(await faultsOf(cluster.connection)).toEqual([]);
}

const lost = [503, 'OUTCOME_UNKNOWN'];

describe('an import whose database is killed', () => {
  test.each(places)('one backend, at its %s: nothing of the chunk is written, and it resumes', async (at) => {
    const running = await heldAt(at);
    process.kill(running.pids[0] ?? Number.NaN, 'SIGKILL');
    expect(refusedWith(await running.wire.answer())).toEqual(lost);
    await expectWhole(running);
  });

  test.each(places)('the whole server, at its %s: it comes back, and the import resumes', async (at) => {
    const running = await heldAt(at);
    process.kill(cluster.pid, 'SIGKILL');
    expect(refusedWith(await running.wire.answer())).toEqual(lost);
    await expectWhole(running);
  });
});

describe('an import whose connection is cut', () => {
  test('in the middle of a chunk: nothing of it is written, and it resumes', async () => {
    const running = await heldAt('users');
    await door.shut();
    expect(refusedWith(await running.wire.answer())).toEqual(lost);
    await door.open();
    await holder?.release();
    expect(await client.offset(running.path)).toBe(running.offset);
    await expectWhole(running);
  });

  test('in the middle of a COMMIT that the server carries out: the offset shows it, and nothing comes twice', async () => {
    const running = await heldAt('commit');
    await door.shut();
    expect(refusedWith(await running.wire.answer())).toEqual(lost);
    await door.open();
    expect(await client.offset(running.path)).toBe(running.offset);
    await holder?.release();
    await expect.poll(() => client.offset(running.path)).toBeGreaterThan(running.offset);
    await expectWhole(running);
  });

  test('and a resume before that COMMIT is through is answered that the upload has moved', async () => {
    const running = await heldAt('commit');
    await door.shut();
    expect(refusedWith(await running.wire.answer())).toEqual(lost);
    await door.open();
    const { path, offset, place } = running;
    const again = await client.patch(path, offset, place.file.length - offset);
    await drained(again.send(place.file.subarray(offset)));
    // Its first chunk waits for the users of the transaction whose outcome is unknown.
    await waitingForTransaction();
    await holder?.release();
    expect(refusedWith(await again.answer())).toEqual([409, 'UPLOAD_OFFSET_CONFLICT']);
    await expectWhole(running);
  });
});

test('a chunk whose connection is lost while it waits for its turn: the core lives, and the import resumes', async () => {
  // Chunks that share no key, so that the second is written while the first is held.
  const strangers = Array.from({ length: 2000 }, (_, n) => person(1_000_000 + n));
  const place = { ...(await stage.newPlace()), file: Buffer.from(textOf(strangers)) };
  const running = await heldAt('commit', place);
  const idle = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and state = 'idle in transaction'`;
  while ((await stage.store.sql(idle)).length === 0);
  await holder?.release();
  expect(refusedWith(await running.wire.answer())).toEqual(lost);
  await client.resume(running.path, place.file);
  expect(await stage.outcomeOf(place, running.path)).toMatchObject({ job: { state: 'done', created: 2000 } });
  expect(await faultsOf(cluster.connection)).toEqual([]);
});

async function waitingForTransaction(): Promise<void> {
  const text = `
    select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'transactionid'`;
  while ((await stage.store.sql(text)).length === 0);
}
