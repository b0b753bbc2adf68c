/** A user who was met by a recognised line, and again by another key, is met twice: wherever the two lines are. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import type { ChunkStore } from '../../src/imports/ports.ts';
import { countsOf, person, type TestImports } from '../helpers/imports.ts';
import { codesOf, type Engines, openEngines } from '../helpers/semantics.ts';

let engines: Engines;
/** About 18 lines. */
const chunkBytes = 5000;
const people = 70;
const here = (n: number): string => `here-${n}@example.com`;

beforeAll(async () => {
  engines = await openEngines();
});
afterAll(() => engines.dispose());

const line = (n: number): string => JSON.stringify(person(n));
/** Another id, and the email that a user has here. */
const newcomer = (n: number): string =>
  line(n)
    .replace(`legacy-${n}`, `new-${n}`)
    .replace(/"email":"[^"]+"/, `"email":"${here(n)}"`);

/** @param first imports the existing users */
async function imported(
  imports: TestImports,
  lines: readonly string[],
  first: TestImports = imports,
): Promise<unknown> {
  const tenant = await engines.store.newApp();
  const text = (all: readonly string[]): string => all.map((each) => `${each}\n`).join('');
  await first.run(tenant, text(Array.from({ length: people }, (_, n) => line(n))));
  for (const n of [0, 40]) await changeEmail(tenant, n);
  const job = await imports.run(tenant, text(lines));
  const rows = await engines.store.sql('select from import_met where app_no = $1', [tenant.appNo]);
  expect(rows).toEqual([]);
  return { counts: countsOf(job), rejects: await codesOf(imports, tenant, job) };
}

async function changeEmail({ appNo }: Tenant, n: number): Promise<void> {
  const [user] = await engines.store.sql<{ user_id: string }>(
    'select user_id from users where app_no = $1 and external_id = $2',
    [appNo, `legacy-${n}`],
  );
  await engines.store.users.changeUser({ appNo, userId: user?.user_id ?? '', email: here(n) });
}

const all = Array.from({ length: people }, (_, n) => line(n));
/** Of a form that no sketch recognises: enough that their chunk is parsed as a whole. */
const strangers = Array.from({ length: 40 }, (_, n) => line(100 + n).replace('{', '{ '));
const files: readonly [string, readonly string[]][] = [
  ['the next line', [line(0), newcomer(0), ...all.slice(1)]],
  ['the line before', [newcomer(0), ...all]],
  ['another chunk', all.toSpliced(20, 0, newcomer(0))],
  // While rows are split for the first, the chunk with the second person is under way.
  ['another chunk, twice', all.toSpliced(20, 0, newcomer(0)).toSpliced(59, 0, newcomer(40))],
  ['a chunk of another form', [...all.toSpliced(60, 0, newcomer(0)), newcomer(40), ...strangers]],
];

describe.each([1, 3])('with %i chunks at once', (lanes) => {
  it.each(files)('is met again in %s', async (_, lines) => {
    const parsing = engines.importsOf({ chunkBytes, lanes, allowPlainText: true });
    const expected = await imported(parsing, lines);
    expect(expected).toMatchObject({ rejects: expect.arrayContaining([expect.anything()]) as unknown });
    expect(await imported(engines.importsOf({ chunkBytes, lanes }), lines)).toEqual(expected);
  });
});

/**
 * The first chunk is committed only after the second has looked its users up: it is the one that looks, whichever of the two has
 * its transaction first.
 */
function secondLooksFirst(chunks: ChunkStore): ChunkStore {
  const looked = Promise.withResolvers<undefined>();
  let begun = 0;
  return {
    transaction: (work) =>
      chunks.transaction((chunk) => {
        const place = ++begun;
        return work({
          ...chunk,
          async find(...args) {
            const holders = await chunk.find(...args);
            looked.resolve(undefined);
            return holders;
          },
          async progress(...args) {
            if (place === 1) await looked.promise;
            return chunk.progress(...args);
          },
        });
      }),
  };
}

it.each([false, true])(
  'is met again while the first time is not committed (parsed: %s)',
  async (allowPlainText) => {
    const lines = all.toSpliced(20, 0, newcomer(0));
    const racing = engines.importsOf({ chunkBytes, lanes: 2, allowPlainText, wrap: secondLooksFirst });
    expect(await imported(racing, lines, engines.imports)).toMatchObject({
      rejects: [[21, 'DUPLICATE_IN_JOB', 'loginMethods.0.email']],
    });
  },
);
