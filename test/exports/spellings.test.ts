/** The same users in every spelling in which tools write a table: the same native lines, byte for byte, as from the plain file. */
import { describe, expect, it } from 'vitest';
import type { Encoding } from '../../src/exports/readers/bytes/encodings.ts';
import { useExportFiles } from '../helpers/export-files.ts';
import { dumps } from '../helpers/users-dumps.ts';
import {
  escaped,
  escapedByOutfile,
  phpMyAdminJson,
  plainText,
  quoted,
  quotedByBackslash,
  tableIn,
  type Writing,
} from '../helpers/users-table.ts';

const { fileOf, linesOf } = useExportFiles();

const quotes = { delimiter: ',', absent: 'NULL', cell: quoted };
const tabs = { delimiter: '\t', absent: '\\N', cell: escaped };

const withDelimiters: Readonly<Record<string, Writing>> = {
  'commas, quotes and NULL': quotes,
  'commas, CRLF': { ...quotes, end: '\r\n' },
  'commas and \\N': { ...quotes, absent: '\\N' },
  'commas, quotes behind backslashes': { ...quotes, cell: quotedByBackslash },
  'semicolons, CRLF, as for Excel': { ...quotes, delimiter: ';', absent: '', end: '\r\n' },
  'semicolons and \\N': { ...quotes, delimiter: ';', absent: '\\N' },
  'vertical bars': { ...quotes, delimiter: '|', absent: '' },
  'tabs and quotes': { ...quotes, delimiter: '\t', absent: '' },
  'tabs of mysql --batch': { ...tabs, absent: 'NULL' },
  'tabs of COPY': tabs,
  'tabs of INTO OUTFILE': { ...tabs, cell: escapedByOutfile },
};

const marked = `\ufeff${plainText}`;
const windowsCodes: Readonly<Record<string, number>> = { '€': 0x80, Œ: 0x8c };
const windows1252 = Uint8Array.from(plainText, (letter) => windowsCodes[letter] ?? letter.charCodeAt(0));

interface Spelling {
  readonly of: string;
  readonly content: string | Uint8Array;
  readonly encoding?: Encoding;
}

const spellings: readonly Spelling[] = [
  ...Object.entries(withDelimiters).flatMap(([of, how]) => [
    { of, content: tableIn(how) },
    { of: `${of}, without a header row`, content: tableIn({ ...how, isHeaderless: true }) },
  ]),
  { of: 'UTF-8 with a mark', content: marked },
  { of: 'UTF-16 with a mark', content: Buffer.from(marked, 'utf16le') },
  { of: 'UTF-16 with a mark, the other byte first', content: Buffer.from(marked, 'utf16le').swap16() },
  { of: 'UTF-16 as it is said', content: Buffer.from(plainText, 'utf16le'), encoding: 'utf-16' },
  { of: 'UTF-16BE as it is said', content: Buffer.from(plainText, 'utf16le').swap16(), encoding: 'utf-16be' },
  { of: 'Latin-1 as it is said', content: windows1252, encoding: 'latin1' },
  {
    of: 'Latin-1 as it is said, after the mark of UTF-8',
    content: Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), windows1252]),
    encoding: 'latin1',
  },
  {
    of: 'UTF-16BE by its mark, where UTF-16 is said',
    content: Buffer.from(`\ufeff${plainText}`, 'utf16le').swap16(),
    encoding: 'utf-16',
  },
  { of: 'Windows-1252 as it is said', content: windows1252, encoding: 'windows-1252' },
  { of: 'the JSON of phpMyAdmin', content: phpMyAdminJson('users') },
  ...Object.entries(dumps).map(([of, content]) => ({ of, content })),
];

describe('a table of users', () => {
  it.each(spellings)(
    'in $of is that of the plain file, with --from and without',
    async ({ content, encoding }) => {
      const expected = await linesOf(fileOf(plainText), { from: 'laravel' });
      expect(expected.split('\n')).toHaveLength(4);
      expect(expected).toContain('"ada@example.com"');
      const file = fileOf(content);
      for (const from of [undefined, 'laravel'])
        expect(await linesOf(file, { reading: { encoding }, from })).toBe(expected);
    },
  );

  it('with doubled quotes, but for those behind a backslash, is no other spelling: Firebase writes it', async () => {
    const text = String.raw`1,"{""role"":""a\"b""}",a@example.com,,,`;
    const file = fileOf(`id,name,email,password,created_at,updated_at\n${text}\n`);
    expect(JSON.parse(await linesOf(file, { from: 'laravel' }))).toMatchObject({
      userMetadata: { name: String.raw`"{"role":"a\"b""}"` },
    });
  });

  it('in the JSON of phpMyAdmin is refused next to another', async () => {
    const several = fileOf(phpMyAdminJson('users', 'roles'));
    await expect(linesOf(several)).rejects.toThrow('the file holds several tables: export each');
  });

  it('in an encoding that was not stated, or another than was stated, is refused with the flag', async () => {
    await expect(linesOf(fileOf(windows1252))).rejects.toThrow('--encoding latin1');
    const loneSurrogate = fileOf(Uint8Array.of(0x69, 0, 0x64, 0, 0x00, 0xd8, 0x0a, 0));
    const asked = { reading: { encoding: 'utf-16' }, from: 'laravel' } as const;
    await expect(linesOf(loneSurrogate, asked)).rejects.toThrow('is not UTF-16: give another --encoding');
  });

  it('keeps its rows where chunks are cut', async () => {
    const many = tableIn({ ...tabs, cell: escapedByOutfile, isHeaderless: true });
    const lines = await linesOf(fileOf(many.repeat(20_000)));
    expect(new Set(lines.trimEnd().split('\n'))).toEqual(
      new Set((await linesOf(fileOf(plainText))).trimEnd().split('\n')),
    );
    expect(lines.split('\n')).toHaveLength(60_001);
  });
});
