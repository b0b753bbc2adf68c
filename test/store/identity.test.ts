import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asCoreId, identityKey, identityKind, thirdPartyKey } from '../../src/domain/identity.ts';
import { textArray } from '../../src/domain/pg-array.ts';
import { openTestStore } from '../helpers/store.ts';
import type { TestStore } from '../helpers/store.ts';

let store: TestStore;

beforeAll(async () => {
  store = await openTestStore();
});
afterAll(() => store.dispose());

/** A text of up to 40 code points from everywhere but the surrogates and U+0000; the same for the same seed. */
function textOf(seed: number): string {
  let state = seed * 2_654_435_761;
  const next = (below: number) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b_3c6d) + 0x9e37_79b9) >>> 0;
    return state % below;
  };
  const ranges = [0x7f, 0x7f, 0x800, 0xd800, 0x10_ffff];
  return Array.from({ length: next(41) }, () => {
    const code = 1 + next(ranges[next(ranges.length)] ?? 0x7f);
    return String.fromCodePoint(code >= 0xd800 && code <= 0xdfff ? 0xe000 : code);
  }).join('');
}

const texts = [
  '',
  'a@b.test',
  'A@B.test',
  '1:a',
  ':',
  'ß@ﬀ.test',
  'e\u0301',
  '\u00e9',
  '🙂',
  ...Array.from({ length: 1000 }, (_, i) => textOf(i + 1)),
];

const columns = 'recipe smallint, email text, third_party_id text, third_party_user_id text, phone text';

/** The SQL key of every one of `texts`; `cells` gives the method's columns from `t.a` (the text) and `t.b` (another). */
async function keysInSql(cells: string): Promise<string[]> {
  const rows = await store.sql<{ key: string }>(
    `select replace(identity_key(${cells})::text, '-', '') as key
     from unnest($1::text[], $2::text[]) with ordinality as t (a, b, n) order by n`,
    [textArray(texts, (text) => text), textArray(texts.toReversed(), (text) => text)],
  );
  return rows.map(({ key }) => key);
}

describe('the key of an identity is the same in SQL and here', () => {
  it.each([
    ['an email and password', '1::smallint, t.a, null, null, null'],
    ['a passwordless email', '3::smallint, t.a, null, null, null'],
    ['a passwordless email with a phone number', '3::smallint, t.a, null, null, t.b'],
    ['a phone number', '3::smallint, null, null, null, t.a'],
  ])('for %s', async (_, cells) => {
    expect(await keysInSql(cells)).toEqual(texts.map(identityKey));
  });

  it('for a provider identity', async () => {
    const here = texts.map((text, i) => thirdPartyKey(text, texts.at(-1 - i) ?? ''));
    expect(await keysInSql('2::smallint, null, t.a, t.b, null')).toEqual(here);
    expect(await keysInSql(`2::smallint, 'email@of.it', t.a, t.b, null`)).toEqual(here);
  });

  it('and keeps the same concatenation of two ids apart', () => {
    const pairs = [
      ['a', 'bc'],
      ['ab', 'c'],
      ['', 'abc'],
      ['1:a', 'bc'],
      ['1', ':abc'],
      ['é', 'a'],
    ] as const;
    expect(new Set(pairs.map(([id, userId]) => thirdPartyKey(id, userId)))).toHaveLength(pairs.length);
  });
});

it('the kind of an identity is the same in SQL and here', async () => {
  const rows = await store.sql(
    `select identity_kind(1::smallint, 'a') as email, identity_kind(2::smallint, 'a') as "thirdParty",
       identity_kind(3::smallint, 'a') as "passwordlessEmail", identity_kind(3::smallint, null) as "passwordlessPhone"`,
  );
  expect(rows).toEqual([identityKind]);
});

it('what has the form of a core id is the same in SQL and here', async () => {
  const id = '0190c3a4-7b2e-7cc1-8f00-0123456789ab';
  const candidates = [
    id,
    id.toUpperCase(),
    id.replaceAll('-', ''),
    `{${id}}`,
    ` ${id}`,
    `${id}\n`,
    `${id}0`,
    '',
    'auth0|1',
  ];
  const rows = await store.sql<{ id: string | null }>(
    'select as_core_id(t.a)::text as id from unnest($1::text[]) with ordinality as t (a, n) order by n',
    [textArray(candidates, (text) => text)],
  );
  expect(rows.map((row) => row.id ?? undefined)).toEqual(candidates.map(asCoreId));
  expect(candidates.map(asCoreId)).toEqual([id, ...Array<undefined>(8).fill(undefined)]);
});

it('the key has no columns that this test does not know', async () => {
  const [row] = await store.sql<{ columns: string }>(
    `select pg_get_function_arguments('identity_key'::regproc) as columns`,
  );
  expect(row?.columns).toBe(columns);
});

it.each([
  ['identity_key', 'u.recipe, u.email, u.third_party_id, u.third_party_user_id, u.phone'],
  ['hash_mark', 'u.password_hash'],
])('PostgreSQL writes %s into a statement, in place of a call', async (name, cells) => {
  const plan = await store.sql<Record<string, string>>(
    `explain (verbose) select ${name}(${cells}) as computed from users u`,
  );
  const text = plan.map((line) => line['QUERY PLAN']).join('\n');
  expect(text).toContain('sha256(');
  expect(text).not.toContain(`${name}(`);
});
