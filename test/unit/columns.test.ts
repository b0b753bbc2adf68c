import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plainArray, textArray } from '../../src/domain/pg-array.ts';
import { openDatabase } from '../../src/database/database.ts';
import type { Database } from '../../src/database/database.ts';
import { createDatabase } from '../helpers/postgres.ts';
import type { TestDatabase } from '../helpers/postgres.ts';

let server: TestDatabase;
let database: Database;

beforeAll(async () => {
  server = await createDatabase();
  database = openDatabase({ target: server.connection, poolSize: 1 });
});

afterAll(async () => {
  await database.close(1000);
  await server.drop();
});

/** PostgreSQL's interpretation of a literal. */
async function readBack(literal: string, type: string): Promise<(string | null)[]> {
  const text = `select a.cell::text as cell from unnest($1::${type}[]) with ordinality as a (cell, n) order by n`;
  const rows = await database.read<{ cell: string | null }>(text, [literal]);
  return rows.map(({ cell }) => cell);
}

const nasty = [
  '',
  ' ',
  'plain',
  'NULL',
  'null',
  '"',
  '""',
  '\\',
  '\\\\',
  '\\"',
  '"\\',
  '{}',
  '{',
  '}',
  '{"a","b"}',
  ',',
  'a,b',
  "'",
  "'; drop table users; --",
  'line\nbreak',
  'carriage\r\nreturn',
  'tab\tand\u000bothers\u0001\u007f',
  '\\n is not a line break',
  '$1',
  '$2b$12$abcdefghijklmnopqrstuv',
  'zażółć gęślą jaźń',
  'e\u0301 is not \u00e9',
  '日本語',
  '🙂 \u{10ffff}',
  '\u2028\u2029\u00a0\ufeff',
  ' leading and trailing ',
];

describe('textArray', () => {
  it('brings any text to PostgreSQL as it is', async () => {
    expect(
      await readBack(
        textArray(nasty, (text) => text),
        'text',
      ),
    ).toEqual(nasty);
  });

  it.each(nasty)('brings %j alone, and twice', async (text) => {
    expect(
      await readBack(
        textArray([text], (cell) => cell),
        'text',
      ),
    ).toEqual([text]);
    expect(
      await readBack(
        textArray([text, text], (cell) => cell),
        'text',
      ),
    ).toEqual([text, text]);
  });

  it('keeps what is absent apart from the text NULL and from nothing', async () => {
    const cells = [undefined, 'NULL', '', undefined];
    expect(
      await readBack(
        textArray(cells, (cell) => cell),
        'text',
      ),
    ).toEqual([null, 'NULL', '', null]);
  });

  it('brings each single character of the first planes', async () => {
    const codes = Array.from({ length: 0x2_ffff }, (_, i) => i + 1).filter((c) => c < 0xd800 || c > 0xdfff);
    const all = codes.map((code) => String.fromCodePoint(code));
    expect(
      await readBack(
        textArray(all, (text) => text),
        'text',
      ),
    ).toEqual(all);
  });

  it('is an empty array without items', async () => {
    expect(
      await readBack(
        textArray([], () => 'never'),
        'text',
      ),
    ).toEqual([]);
  });
});

describe('plainArray', () => {
  it('brings numbers up to the largest time', async () => {
    const numbers = [0, 1, -1, 2_147_483_647, Date.now(), Number.MAX_SAFE_INTEGER];
    expect(
      await readBack(
        plainArray(numbers, (n) => n),
        'bigint',
      ),
    ).toEqual(numbers.map(String));
  });

  it('brings ids and digits, and NULL for what is absent', async () => {
    const id = '0190c3a4-7b2e-7cc1-8f00-0123456789ab';
    const cells = [id, undefined, id.replaceAll('-', '')];
    expect(
      await readBack(
        plainArray(cells, (cell) => cell),
        'uuid',
      ),
    ).toEqual([id, null, id]);
  });

  it('is an empty array without items', async () => {
    expect(
      await readBack(
        plainArray([], () => 1),
        'int',
      ),
    ).toEqual([]);
  });
});
