/** Wherever a file is cut, the result is the same. The other tests of this folder depend on it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage, type Stage } from '../../helpers/bulk-stage.ts';
import { faultsOf } from '../../helpers/bulk-tables.ts';
import { openTestImports } from '../../helpers/imports.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage({ lines: 2000, chunkBytes: 1_048_576 });
});
afterAll(() => stage.dispose());

it.each([
  [65_536, 3],
  [9_000, 1],
  [9_000, 4],
])('a file of every kind of record, in chunks of %i bytes on %i lanes', async (chunkBytes, lanes) => {
  const whole = await stage.undisturbed();
  const cut = openTestImports(stage.database.connection, { chunkBytes, lanes });
  const place = await stage.newPlace();
  const { id } = await cut.run(place.tenant, place.file.toString(), { uploadLength: place.file.length });
  expect(await stage.outcomeOf(place, id)).toEqual(whole);
  expect(whole).toMatchObject({ job: { state: 'done', rejected: expect.any(Number) as number } });
  await cut.dispose();
  expect(await faultsOf(stage.database.connection)).toEqual([]);
});

it('and what must never be in the tables would be found', async () => {
  const { tenant } = await stage.newPlace();
  await stage.store.sql('update users set email = $2 where app_no = $1 and external_id = $3', [
    tenant.appNo,
    'else@example.com',
    'legacy-1',
  ]);
  const faults = (await faultsOf(stage.database.connection)) as { fault: string }[];
  expect(faults.map(({ fault }) => fault).sort()).toEqual([
    'identity without its user',
    'login method without an identity',
  ]);
});
