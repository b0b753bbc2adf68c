/** The same users in every spelling in which tools write a table: as many native lines, byte for byte those of the plain file. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { convert, recogniseFile } from '../../src/exports/convert/convert.ts';
import { requireProvider } from '../../src/exports/providers/index.ts';
import type { ConvertOptions } from '../../src/exports/providers/provider.ts';
import type { Reading } from '../../src/exports/readers/reading.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { createConvertPool } from '../../src/threads/convert-pool.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carryover-test-'));
const pool = createConvertPool({ threads: 1 });

afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

let made = 0;
function fileOf(content: string | Uint8Array): string {
  made += 1;
  const file = path.join(folder, `export-${made}`);
  writeFileSync(file, content);
  return file;
}

const hash = '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';
const columns = [
  'id',
  'name',
  'email',
  'email_verified_at',
  'password',
  'remember_token',
  'created_at',
  'updated_at',
];
const moment = '2024-01-01 00:05:00';
/** With what needs quotes or escapes, and characters that only some encodings have. */
const rows: readonly (readonly (string | undefined)[])[] = [
  ['42', 'Ada, Lovelace; "the first"', 'ada@example.com', moment, hash, undefined, moment, moment],
  ['43', 'José\nMüller\tæ\\', 'jose@example.com', undefined, hash, 'x', moment, moment],
  ['44', 'Œuvre €5', 'o@example.com', undefined, undefined, '', moment, moment],
];

interface Writing {
  readonly delimiter: string;
  readonly absent: string;
  readonly cell: (text: string) => string;
  readonly end?: string;
  readonly isHeaderless?: boolean;
}

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
/** As `mysql --batch` and COPY do; INTO OUTFILE leaves the tab and the line end themselves behind the backslash. */
const escaped = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');
const escapedByOutfile = (text: string): string => text.replaceAll(/[\\\t\n]/g, '\\$&');

function tableIn({ delimiter, absent, cell, end = '\n', isHeaderless = false }: Writing): string {
  const lines = rows.map((row) => row.map((text) => (text === undefined ? absent : cell(text))));
  const all = isHeaderless ? lines : [columns, ...lines];
  return all.map((cells) => cells.join(delimiter) + end).join('');
}

const plainText = tableIn({ delimiter: ',', absent: '', cell: quoted });

async function linesOf(
  file: string,
  reading?: Reading,
  from?: string,
  options: ConvertOptions = {},
): Promise<string> {
  const found = from ?? (await recogniseFile(file, reading))?.provider.name ?? 'nobody';
  const provider = requireProvider(found);
  const parts: Uint8Array[] = [];
  const source = { file, provider, related: {}, options, tenant: undefined, reading };
  for await (const { text, rejects } of convert(source, pool)) {
    expect(rejects).toEqual([]);
    parts.push(text);
  }
  return Buffer.concat(parts).toString();
}

const spellings: Readonly<Record<string, Writing>> = {
  'commas, quotes and NULL': { delimiter: ',', absent: 'NULL', cell: quoted },
  'semicolons, CRLF': { delimiter: ';', absent: '', cell: quoted, end: '\r\n' },
  'semicolons and \\N': { delimiter: ';', absent: '\\N', cell: quoted },
  'vertical bars': { delimiter: '|', absent: '', cell: quoted },
  'tabs and quotes': { delimiter: '\t', absent: '', cell: quoted },
  'tabs of mysql --batch': { delimiter: '\t', absent: 'NULL', cell: escaped },
  'tabs of COPY': { delimiter: '\t', absent: '\\N', cell: escaped },
  'tabs of INTO OUTFILE': { delimiter: '\t', absent: '\\N', cell: escapedByOutfile },
};

describe('a table of users', () => {
  it.each(Object.entries(spellings))('in %s is recognised, with a header row and without', async (_, how) => {
    const expected = await linesOf(fileOf(plainText));
    expect(expected.split('\n')).toHaveLength(4);
    expect(expected).toContain('"ada@example.com"');
    expect(await linesOf(fileOf(tableIn(how)))).toBe(expected);
    expect(await linesOf(fileOf(tableIn({ ...how, isHeaderless: true })))).toBe(expected);
  });

  it('in the JSON of phpMyAdmin is recognised, of one table', async () => {
    const cells = (row: (typeof rows)[number]): Readonly<Record<string, string | null>> =>
      Object.fromEntries(row.map((text, place) => [columns[place] ?? '', text ?? null] as const));
    const table = (name: string) => ({ type: 'table', name, database: 'shop', data: rows.map(cells) });
    const envelope = [
      { type: 'header', version: '5.2.1', comment: 'Export to JSON plugin for PHPMyAdmin' },
      { type: 'database', name: 'shop', extra: [{ data: [1] }, { data: { data: [2] } }] },
    ];
    const file = fileOf(JSON.stringify([...envelope, table('users')], undefined, 1));
    expect(await linesOf(file)).toBe(await linesOf(fileOf(plainText)));
    const several = fileOf(JSON.stringify([...envelope, table('users'), table('roles')]));
    await expect(linesOf(several)).rejects.toThrow('the file holds several tables: export each');
  });

  it.each([
    ['utf16le', undefined, '\ufeff'],
    ['utf16le', 'utf-16', ''],
    ['utf8', undefined, '\ufeff'],
  ] as const)('in %s is read by its mark, or as --encoding %s', async (written, encoding, mark) => {
    const file = fileOf(Buffer.from(mark + plainText, written));
    expect(await linesOf(file, { encoding })).toBe(await linesOf(fileOf(plainText)));
    const swapped = Buffer.from(mark + plainText, 'utf16le').swap16();
    expect(await linesOf(fileOf(swapped), { encoding: mark === '' ? 'utf-16be' : undefined })).toBe(
      await linesOf(fileOf(plainText)),
    );
  });

  it('in Latin-1 is refused with the flag, and read with it', async () => {
    const codes: Readonly<Record<string, number>> = { '€': 0x80, Œ: 0x8c };
    const bytes = Array.from(plainText, (letter) => codes[letter] ?? letter.charCodeAt(0));
    const file = fileOf(Uint8Array.from(bytes));
    await expect(linesOf(file)).rejects.toThrow('--encoding latin1');
    for (const encoding of ['latin1', 'windows-1252'] as const)
      expect(await linesOf(file, { encoding })).toBe(await linesOf(fileOf(plainText)));
  });

  it('in another encoding than was said is refused', async () => {
    const loneSurrogate = fileOf(Uint8Array.of(0x69, 0, 0x64, 0, 0x00, 0xd8, 0x0a, 0));
    await expect(linesOf(loneSurrogate, { encoding: 'utf-16' }, 'laravel')).rejects.toThrow(
      'is not UTF-16: give another --encoding',
    );
  });

  it('keeps its rows where chunks are cut', async () => {
    const many = tableIn({ delimiter: '\t', absent: '\\N', cell: escapedByOutfile, isHeaderless: true });
    const lines = await linesOf(fileOf(many.repeat(20_000)));
    expect(new Set(lines.trimEnd().split('\n'))).toEqual(
      new Set((await linesOf(fileOf(plainText))).trimEnd().split('\n')),
    );
    expect(lines.split('\n')).toHaveLength(60_001);
  });
});

describe('columns of a file without a header row', () => {
  const headerless = tableIn({ delimiter: ';', absent: '', cell: quoted, isHeaderless: true });

  it('are those that are given, in their order', async () => {
    const shortened = rows.map(([id, , email, , password = '']) => `${password};${email};${id}\n`).join('');
    const file = fileOf(shortened);
    await expect(linesOf(file, undefined, 'laravel')).rejects.toThrow('name its 3 columns with --columns');
    const lines = await linesOf(file, { columns: ['password', 'email', 'id'] }, 'laravel');
    expect(JSON.parse(lines.split('\n')[0] ?? '')).toMatchObject({
      externalUserId: '42',
      loginMethods: [{ email: 'ada@example.com', passwordHash: hash }],
    });
  });

  it('are refused where they do not fit: too few, a header row, JSON', async () => {
    await expect(linesOf(fileOf(headerless), { columns: ['id', 'email'] }, 'laravel')).rejects.toThrow(
      '--columns names 2 columns, and the first row of',
    );
    await expect(linesOf(fileOf(plainText), { columns }, 'laravel')).rejects.toThrow('leave --columns out');
    const json = fileOf('[{"id":1,"email":"a@example.com"}]');
    await expect(linesOf(json, { columns }, 'laravel')).rejects.toThrow('--columns is for CSV');
  });
});

describe('fields with other names', () => {
  const own = `key;mail;pwd\n7;ada@example.com;${hash}\n`;
  const names = { externalUserId: 'key', email: 'mail', passwordHash: 'pwd' };
  const ada = {
    externalUserId: '7',
    loginMethods: [{ recipeId: 'emailpassword', email: 'ada@example.com', passwordHash: hash }],
  };

  it('are those of the record in a table of your own, of CSV and of JSON', async () => {
    expect(JSON.parse(await linesOf(fileOf(own), { names }))).toMatchObject(ada);
    const json = JSON.stringify([{ key: 7, mail: 'ada@example.com', pwd: hash }]);
    expect(JSON.parse(await linesOf(fileOf(json), { names }, 'native'))).toMatchObject(ada);
  });

  it('are all that a record of one row may have', async () => {
    const file = fileOf(
      'id,email,isVerified,phoneNumber,timeJoinedInMSSinceEpoch,isDisabled,userMetadata,plainTextPassword,passwordHash\n' +
        `1,ada@example.com,t,+4915112345678,2024-01-01,0,"{""plan"":""pro""}",secret,\n`,
    );
    const timeJoinedInMSSinceEpoch = Date.UTC(2024, 0, 1);
    expect(JSON.parse(await linesOf(file))).toEqual({
      externalUserId: '1',
      userMetadata: { plan: 'pro' },
      isDisabled: false,
      loginMethods: [
        {
          ...{ recipeId: 'emailpassword', email: 'ada@example.com', plainTextPassword: 'secret' },
          ...{ isVerified: true, isPrimary: true, timeJoinedInMSSinceEpoch },
        },
        {
          ...{ recipeId: 'passwordless', phoneNumber: '+4915112345678' },
          ...{ isVerified: true, isPrimary: false, timeJoinedInMSSinceEpoch },
        },
      ],
    });
  });

  it('are those of a format, together with --columns', async () => {
    const headerless = own.slice(own.indexOf('\n') + 1);
    const reading = {
      columns: ['id', 'mail', 'pwd'],
      names: { email: 'mail', password: 'pwd' },
    };
    expect(JSON.parse(await linesOf(fileOf(headerless), reading, 'laravel'))).toMatchObject(ada);
  });

  it('are refused where the file has none of them, with those that it has', async () => {
    const mistyped = { ...names, email: 'e_mail' };
    await expect(linesOf(fileOf(own), { names: mistyped }, 'native')).rejects.toThrow(
      /--map email=e_mail: .* has no column e_mail; it has key, mail, pwd$/,
    );
  });
});

describe('hashes that do not show their kind', () => {
  const md5 = '5f4dcc3b5aa765d61d8327deb882cf99';
  const method = { email: 'ada@example.com', passwordHash: md5, hashingAlgorithm: 'md5' };
  const files = {
    laravel: `id,email,password\n1,ada@example.com,${md5}\n2,bob@example.com,${hash}\n`,
    native: `externalUserId,email,passwordHash\n1,ada@example.com,${md5}\n2,bob@example.com,${hash}\n`,
    supertokens: JSON.stringify({
      users: [
        { loginMethods: [{ recipeId: 'emailpassword', email: 'ada@example.com', passwordHash: md5 }] },
        { loginMethods: [{ recipeId: 'emailpassword', email: 'bob@example.com', passwordHash: hash }] },
      ],
    }),
  };

  it.each(Object.entries(files))('are of the kind that is said: in %s', async (from, content) => {
    const lines = await linesOf(fileOf(content), undefined, from, { 'hash-as': 'md5' });
    const [first, second] = lines
      .split('\n')
      .slice(0, 2)
      .map((line) => JSON.parse(line) as NativeUser);
    expect(first?.loginMethods).toMatchObject([method]);
    expect(second?.loginMethods[0]).toMatchObject({ passwordHash: hash });
    expect(second?.loginMethods[0]).not.toHaveProperty('hashingAlgorithm');
  });

  it('are rejected with the flag, and where they are of another kind', async () => {
    const rejectsOf = async (options: ConvertOptions) => {
      const source = { file: fileOf(files.laravel), provider: requireProvider('laravel'), related: {} };
      const found = [];
      for await (const { rejects } of convert({ ...source, options, tenant: undefined }, pool))
        found.push(...rejects);
      return found;
    };
    expect(await rejectsOf({})).toMatchObject([
      { record: 1, message: expect.stringContaining('--hash-as md5') as string },
    ]);
    expect(await rejectsOf({ 'hash-as': 'sha256' })).toMatchObject([
      { record: 1, code: 'INVALID_PASSWORD_HASH' },
    ]);
  });
});

describe('the realm file of Keycloak without its users', () => {
  const realm = { id: 'shop', realm: 'shop', enabled: true, clients: [{ clientId: 'app' }], groups: [] };

  it.each([undefined, 'keycloak'])('is refused with the files to take, read as %s', async (from) => {
    const file = fileOf(JSON.stringify(realm, undefined, 2));
    await expect(linesOf(file, undefined, from)).rejects.toThrow(
      'a Keycloak realm without its users: take the files beside it that are called <realm>-users-0.json',
    );
    const whole = fileOf(
      JSON.stringify({ ...realm, users: [{ id: '1', username: 'a', email: 'a@example.com' }] }),
    );
    expect(await linesOf(whole, undefined, from)).toContain('"externalUserId":"1"');
  });
});
