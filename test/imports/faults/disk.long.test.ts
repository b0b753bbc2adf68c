/** A disk that is full for a while. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { refusedWith, type UploadClient, uploadClient } from '../../helpers/bulk-client.ts';
import { openStage, type Stage } from '../../helpers/bulk-stage.ts';
import { faultsOf } from '../../helpers/bulk-tables.ts';
import { startTestCore, type TestCore } from '../../helpers/core.ts';
import { withSql } from '../../helpers/database-door.ts';
import { knownHash, newEmail } from '../../helpers/people.ts';

let stage: Stage;
let whole: object;
let core: TestCore;
let client: UploadClient;
beforeAll(async () => {
  stage = await openStage({ lines: 1500 });
  whole = await stage.undisturbed();
});
beforeEach(async () => {
  core = await startTestCore({ database: stage.database, settings: { IMPORT_CHUNK_BYTES: '65536' } });
  client = uploadClient(core.port, core.apiKey);
});
afterEach(() => core.stop());
afterAll(() => stage.dispose());

/** PostgreSQL's error when a table's file cannot grow. */
const fill = (table: string) => `
  create or replace function carryover.no_room() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/1/2": No space left on device' using errcode = '53100';
  end $$;
  create trigger no_room before insert or update on carryover.${table} for each row execute function carryover.no_room()`;
const makeRoom = (table: string) => `drop trigger no_room on carryover.${table}`;
const run = (text: string) => withSql(stage.database.connection, (sql) => sql.unsafe(text));

const full = [503, 'DATABASE_UNAVAILABLE'];

test.each(['users', 'import_claims', 'import_rejects', 'import_jobs'])(
  'an import that finds no room for %s is refused by that name, writes nothing, and resumes',
  async (table) => {
    const place = await stage.newPlace();
    const path = await client.create(place.app, place.file.length);
    const first = await client.patch(path, 0, 150_000);
    expect((await first.send(place.file.subarray(0, 150_000)).answer())?.status).toBe(204);
    first.hangUp();
    const offset = await client.offset(path);
    const before = await stage.outcomeOf(place, path);

    await run(fill(table));
    const wire = await client.patch(path, offset, place.file.length - offset);
    const answer = await wire.send(place.file.subarray(offset)).answer();
    expect(refusedWith(answer)).toEqual(full);
    expect(answer?.body).toContain('disk is full');
    expect(answer?.headers.get('retry-after')).toBe('1');
    wire.hangUp();
    expect(await client.offset(path)).toBe(offset);
    expect(await stage.outcomeOf(place, path)).toEqual(before);

    await run(makeRoom(table));
    await client.resume(path, place.file);
    expect(await stage.outcomeOf(place, path)).toEqual(whole);
    expect(await faultsOf(stage.database.connection)).toEqual([]);
  },
);

test('a single import gets the same answer', async () => {
  await run(fill('users'));
  const { http, body } = await core.post('/recipe/user/passwordhash/import', {
    email: newEmail(),
    passwordHash: knownHash,
  });
  await run(makeRoom('users'));
  expect([http, body.status]).toEqual(full);
  expect(core.log.join('')).not.toContain('failed unexpectedly');
});
