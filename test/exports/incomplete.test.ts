/** The findings at the end of incomplete inputs. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { missingFromSource } from '../../src/exports/convert/convert.ts';
import { missingAtEnds } from '../../src/exports/readers/large-ends.ts';
import type { Incomplete } from '../../src/exports/readers/ending.ts';
import { useExportFiles, textOf } from '../helpers/export-files.ts';
import { dumps, mysqldump } from '../helpers/users-dumps.ts';

const { fileOf, sourceOf, converted } = useExportFiles();

type Content = string | Uint8Array;

/** For files that are read as one, by reading alone and by converting: both must find the same. */
async function missing(contents: readonly Content[], from?: string): Promise<readonly Incomplete[]> {
  const [file = '', ...more] = contents.map((content) => fileOf(content));
  const source = { ...(await sourceOf(file, { from })), more, isPartial: true };
  const batches = await converted(source);
  const found = batches.at(-1)?.incomplete ?? [];
  expect(await missingFromSource(source, new AbortController().signal)).toEqual(found);
  if (found.length > 0)
    await expect(converted({ ...source, isPartial: false })).rejects.toThrow(found[0]?.message ?? '');
  return found;
}

async function records(content: Content, from?: string): Promise<string[]> {
  const source = { ...(await sourceOf(fileOf(content), { from })), isPartial: true };
  return textOf(await converted(source))
    .split('\n')
    .filter((line) => line !== '');
}

const user = (place: number): string =>
  `{"user_id":"auth0|${place}","email":"u${place}@example.com","identities":[{"provider":"auth0","user_id":"${place}","connection":"db"}]}`;
const nativeUser = (place: number): string =>
  `{"externalUserId":"u${place}","loginMethods":[{"recipeId":"passwordless","email":"u${place}@example.com"}]}`;
const csv =
  'id,name,email,password,created_at,updated_at\n1,Ada,ada@example.com,,,\n2,Bo,bo@example.com,,,\n';

describe('an input that ends early', () => {
  it.each<[string, Content, string, RegExp, number]>([
    ['a JSON array', `[${user(1)},${user(2)}`, 'auth0', /byte \d+: the document ends early/, 2],
    ['a JSON array inside a record', `[${user(1)},${user(2).slice(0, -9)}`, 'auth0', /ends early/, 1],
    [
      'lines',
      `${nativeUser(1)}\n${nativeUser(2).slice(0, -4)}`,
      'native',
      /ends inside line 2, whose JSON/,
      1,
    ],
    ['CSV inside a row', csv.slice(0, -4), 'laravel', /inside record 2, which has 3 of 6 cells/, 1],
    ['CSV inside a quote', `${csv}3,"Cy`, 'laravel', /near line 4: a quote is opened and not closed/, 2],
    ['TSV inside a row', csv.replaceAll(',', '\t').slice(0, -4), 'laravel', /record 2, which has 3 of 6/, 1],
    ['gzip of CSV', gzipSync(csv.repeat(1)).subarray(0, -9), 'laravel', /compressed file ends early/, 1],
    [
      'gzip of lines',
      gzipSync(`${nativeUser(1)}\n`).subarray(0, -9),
      'native',
      /compressed file ends early/,
      1,
    ],
  ])('as %s is found, and what is whole in it is converted', async (_, content, from, message, whole) => {
    expect(await missing([content], from)).toMatchObject([
      { code: 'ENDS_EARLY', message: expect.stringMatching(message) as string },
    ]);
    expect((await records(content, from)).length).toBeLessThanOrEqual(whole);
    if (typeof content === 'string') expect(await records(content, from)).toHaveLength(whole);
  });

  it('as a dump is found in each of the forms, and its whole rows are converted', async () => {
    for (const [name, dump] of Object.entries(dumps)) {
      const cut = dump.slice(0, dump.lastIndexOf('o@example.com') + 5);
      const found = await missing([cut]);
      expect(found, name).toMatchObject([
        { code: 'ENDS_EARLY', message: expect.stringContaining('ends inside the statement') as string },
      ]);
      expect(await records(cut), name).toHaveLength((await records(dump)).length - 1);
    }
  });

  it('is not taken for one that is wrong, or ends without a newline', async () => {
    for (const content of [csv, csv.trimEnd(), `${csv}4,too,few\n`])
      expect(await missing([content], 'laravel')).toEqual([]);
    for (const content of [nativeUser(1), `${nativeUser(1)}\nnonsense`, `${nativeUser(1)}\n{"a":\n`])
      expect(await missing([content], 'native')).toEqual([]);
  });
});

describe('a dump without its trailer', () => {
  const programs = ['mysqldump', 'pg_dump', 'pg_dump --inserts'];

  it.each(programs)('of %s is found, though no statement is cut', async (program) => {
    const dump = dumps[program] ?? '';
    const at = dump.search(/^-- (?:Dump completed|PostgreSQL database dump complete)/m);
    const statements = dump.slice(0, at).replace(/--\n$/, '');
    expect(await missing([statements])).toMatchObject([
      { code: 'NO_TRAILER', message: expect.stringMatching(/lacks the line "-- .* comp/) as string },
    ]);
    expect(await records(statements)).toHaveLength((await records(dump)).length);
  });

  it('of a program that writes none is whole, and so is a part without the head', async () => {
    const part = mysqldump.slice(mysqldump.indexOf('DROP TABLE'), mysqldump.indexOf('DELIMITER'));
    expect(await missing([part])).toEqual([]);
  });

  it('of phpMyAdmin and SQLite is found by the settings that they restore', async () => {
    const [, insert = ''] = /^(INSERT INTO `users`[^]*?;)$/m.exec(dumps.phpMyAdmin ?? '') ?? [];
    const php = `-- phpMyAdmin SQL Dump\n/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;\n${insert}\n`;
    expect(await missing([php])).toMatchObject([{ code: 'NO_TRAILER' }]);
    const end = 'COMMIT;\n\n/*!40101 SET CHARACTER_SET_CLIENT=@OLD_CHARACTER_SET_CLIENT */;\n';
    expect(await missing([`${php}${end}`])).toEqual([]);
    const lite = `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE users (id, name, email, password, created_at, updated_at);\nINSERT INTO users VALUES(1,'Ada','ada@example.com',NULL,NULL,NULL);\n`;
    expect(await missing([lite], 'laravel')).toMatchObject([{ code: 'NO_TRAILER' }]);
    expect(await missing([`${lite}ROLLBACK; -- due to errors\n`], 'laravel')).toMatchObject([
      { code: 'NO_TRAILER' },
    ]);
    expect(await missing([`${lite}COMMIT;\n`], 'laravel')).toEqual([]);
  });
});

describe('a page of a list', () => {
  const firebase = (place: number, rest = ''): string =>
    `{"kind":"x","users":[{"localId":"f${place}","email":"f${place}@example.com"}]${rest}}`;

  it.each([
    '"nextPageToken":"CgkK"',
    '"pageToken":"AFD"',
    '"next_page":2',
    '"has_more":true',
    '"hasMore":"true"',
    '"next":"https://example.com/users?page=2"',
    '"links":{"self":"a","next":"b"}',
    '"_links":{"next":{"href":"b"}}',
    '"pageInfo":{"hasNextPage":true,"endCursor":"x"}',
    '"list_metadata":{"before":null,"after":"user_1"}',
    '"@odata.nextLink":"https://graph.example.com/users?$skiptoken=x"',
    '"PaginationToken":"CAIS"',
    '"meta":{"pagination":{"next_cursor":"x"}}',
  ])('with %s says that another follows, after the records and before them', async (field) => {
    const name = /"([^"]+)":[^{]*$/.exec(field.replace(/,.*/, ''))?.[1] ?? '';
    const before = `{${field},${firebase(1).slice(1)}`;
    for (const content of [firebase(1, `,${field}`), before]) {
      const found = await missing([content], 'firebase');
      expect(found).toMatchObject([{ code: 'MORE_PAGES' }]);
      expect(name).not.toBe('');
    }
  });

  it.each([
    '"nextPageToken":""',
    '"pageToken":null',
    '"next_page":0',
    '"has_more":false',
    '"links":{"self":"a","next":null}',
    '"_links":{}',
    '"pageInfo":{"hasNextPage":false,"endCursor":"x"}',
    '"list_metadata":{"before":"user_0","after":null}',
    '"settings":{"next":"x","total":9}',
    '"total":1',
    '"count":"1"',
  ])('with %s is the last one', async (field) => {
    expect(await missing([firebase(1, `,${field}`)], 'firebase')).toEqual([]);
  });

  it('is not taken from what a user has', async () => {
    const own = '{"localId":"f1","email":"f1@example.com","nextPageToken":"x","total":9,"has_more":true}';
    expect(await missing([`{"users":[${own}]}`], 'firebase')).toEqual([]);
    expect(await missing([`[${own}]`], 'firebase')).toEqual([]);
  });

  it.each(['total', 'totalCount', 'total_count', 'totalResults', 'total_rows'])(
    'states with %s how many are missing',
    async (field) => {
      expect(await missing([firebase(1, `,"${field}":137`)], 'firebase')).toMatchObject([
        {
          code: 'FEWER_THAN_STATED',
          message: expect.stringMatching(
            `"${field}" states a total of 137 records, and it holds 1: 136 are missing`,
          ) as string,
        },
      ]);
    },
  );

  it('is complete with all others, by the last of them or by their total', async () => {
    const token = ',"nextPageToken":"t"';
    expect(await missing([firebase(1, token), firebase(2, token), firebase(3)], 'firebase')).toEqual([]);
    const [open] = await missing([firebase(1, token), firebase(2, token)], 'firebase');
    expect(open).toMatchObject({ code: 'MORE_PAGES', file: expect.stringMatching(/\d$/) as string });
    const three = [1, 2, 3].map((place) => firebase(place, ',"total":3,"hasMore":true'));
    expect(await missing(three, 'firebase')).toEqual([]);
    expect(await missing(three.slice(1), 'firebase')).toMatchObject([
      { message: expect.stringContaining('these 2 files hold 2: 1 are missing') as string },
    ]);
  });
});

describe('the ends of a file that is too large to be read twice', () => {
  const list = `{"users":[${user(1)},${user(2)}]`;
  const statements = mysqldump.slice(0, mysqldump.indexOf('-- Dump completed'));

  it.each<[string, Content, string | undefined]>([
    ['a list', `${list}}`, undefined],
    ['a list without its last bracket', list, 'ENDS_EARLY'],
    ['a page', `${list},"nextPageToken":"x"}\n`, 'MORE_PAGES'],
    ['a wrapped page', `{"data":${list},"pageInfo":{"hasNextPage":true}}}`, 'MORE_PAGES'],
    ['a last page', `${list},"nextPageToken":""}`, undefined],
    ['lines', `${nativeUser(1)}\n${nativeUser(2)}`, undefined],
    ['lines that are cut', `${nativeUser(1)}\n${nativeUser(2).slice(0, -3)}`, 'ENDS_EARLY'],
    ['a dump', mysqldump, undefined],
    ['a dump without its trailer', statements, 'NO_TRAILER'],
    ['CSV, which shows nothing there', csv.slice(0, -5), undefined],
    ['gzip, which shows nothing there', gzipSync(list), undefined],
  ])('of %s', async (_, content, code) => {
    const found = await missingAtEnds([fileOf(content)]);
    expect(found.map((each) => each.code)).toEqual(code === undefined ? [] : [code]);
  });
});
