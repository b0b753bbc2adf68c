/** Dumps of databases: read the same however they are cut, and refused ones. */
import { describe, expect, it } from 'vitest';
import { recogniseFile } from '../../../src/exports/convert/convert.ts';
import type { ConversionReject } from '../../../src/exports/providers/provider.ts';
import type { Reading } from '../../../src/exports/readers/reading.ts';
import { DumpScanner } from '../../../src/exports/readers/sql/scanner.ts';
import { sqlDialectOf } from '../../../src/exports/readers/sql/sql-dialect.ts';
import { textOf, useExportFiles } from '../../helpers/export-files.ts';
import { dumps, mysqldump } from '../../helpers/users-dumps.ts';
import { passwordHash, plainText, rows } from '../../helpers/users-table.ts';

const files = useExportFiles();

interface Converted {
  readonly lines: string;
  readonly rejects: readonly ConversionReject[];
}

async function convertedOf(content: string | Uint8Array): Promise<Converted> {
  const batches = await files.converted(await files.sourceOf(files.fileOf(content)));
  return { lines: textOf(batches), rejects: batches.flatMap(({ rejects }) => rejects) };
}

const linesOf = (content: string, reading?: Reading, from?: string): Promise<string> =>
  files.linesOf(files.fileOf(content), { reading, from });

/** Everything that is found, whether wanted or not. */
function foundIn(dump: Buffer, cutBytes: number): readonly unknown[] {
  const found: unknown[] = [];
  const keep = (each: unknown) => found.push(each) > 0;
  const scanner = new DumpScanner(sqlDialectOf(dump), {
    create: (table, names) => void keep({ table, names }),
    begin: ({ table, columns: names }) => keep({ table, names }),
    row: (row) => keep(row),
    end: (offset, bytes) => void keep({ offset, bytes }),
  });
  for (let at = 0; at < dump.length; at += cutBytes) scanner.push(dump.subarray(at, at + cutBytes));
  scanner.end();
  return found;
}

describe('a dump in pieces', () => {
  it.each(Object.entries(dumps))('of %s says the same wherever it is cut', (_, text) => {
    const dump = Buffer.from(text);
    const whole = foundIn(dump, dump.length);
    expect(whole.filter((each) => Array.isArray(each)).length).toBeGreaterThanOrEqual(rows.length);
    for (const cutBytes of [1, 2, 3, 5, 64, 71, 500]) expect(foundIn(dump, cutBytes)).toEqual(whole);
  });

  it.each(Object.entries(dumps))('of %s is refused where it ends inside a statement', async (name, text) => {
    const rowAt = text.lastIndexOf('o@example.com');
    await expect(linesOf(text.slice(0, rowAt + 5)), name).rejects.toThrow(
      /the dump ends inside the statement near byte \d+: make it again/,
    );
  });
});

describe('a row that cannot be read', () => {
  const withRow = (values: string): string => mysqldump.replace('VALUES (42', `VALUES (41,${values}),(42`);
  const others = "NULL,'x',NULL,NULL,NULL";

  it.each([
    ['computed', `now(),'b@example.com',${others}`, 'a value is computed by SQL, as now() is'],
    ['of fewer values', "'Bob','b@example.com'", 'the row has 3 values for 8 columns'],
    [
      'in odd hexadecimal digits',
      `X'abc','b@example.com',${others}`,
      'a value in hexadecimal digits has others',
    ],
  ])('because it is %s is one reject', async (_, values, message) => {
    const { lines, rejects } = await convertedOf(withRow(values));
    expect(rejects).toEqual([
      expect.objectContaining({ record: 1, message: expect.stringContaining(message) as string }),
    ]);
    expect(lines.slice(1)).toBe(await linesOf(plainText));
  });

  it('because it is not UTF-8 is one reject that says what may be meant', async () => {
    const [before = '', after = ''] = withRow(`'B#b','b@example.com',${others}`).split('#');
    const dump = Buffer.concat([Buffer.from(before), Buffer.of(0xf6), Buffer.from(after)]);
    const { rejects } = await convertedOf(dump);
    expect(rejects.map(({ message }) => message)).toEqual([
      expect.stringMatching(/--encoding .* --hex-blob/),
    ]);
  });

  it('because it is larger than 4 MiB is one reject, and the others are read', async () => {
    const long = "x\\'".repeat(2_000_000);
    const { lines, rejects } = await convertedOf(withRow(`'${long}','b@example.com',${others}`));
    expect(rejects).toMatchObject([{ record: 1, message: 'the row is larger than 4 MiB' }]);
    expect(lines.slice(1)).toBe(await linesOf(plainText));
    const copied = dumps.pg_dump?.replace('\n42\t', `\n41\t${'y'.repeat(5_000_000)}\n42\t`) ?? '';
    expect((await convertedOf(copied)).rejects).toMatchObject([{ message: 'the row is larger than 4 MiB' }]);
  });
});

describe('values of bytes', () => {
  it.each([
    ["_binary 'text'", 'text'],
    ["_utf8mb4 'text'", 'text'],
    ["N'text'", 'text'],
    ["X'74657874'", 'text'],
    ['0x74657874', 'text'],
    ['0x00ff', '0x00ff'],
    ["_binary '\\0\\''", '0x0027'],
    ["b'1'", "b'1'"],
    ['-12.5e3', '-12.5e3'],
    ['TRUE', 'true'],
    ['""', ''],
    ['null', null],
  ])('%s is read as %s', (written, read) => {
    const dump = `-- MySQL dump\nINSERT INTO t VALUES (${written}, ${written} );`;
    expect(foundIn(Buffer.from(dump), dump.length)).toContainEqual([read, read]);
  });

  it('in COPY are the bytes of their numbers, and a backslash of JSON stays one', () => {
    const dump =
      '-- PostgreSQL database dump\nCOPY t (a, b, c) FROM stdin;\n\\303\\251\\x41\t{"a":"\\\\u0041\\\\n"}\t\\N\n\\.\n';
    expect(foundIn(Buffer.from(dump), dump.length)).toContainEqual(['éA', '{"a":"\\u0041\\n"}', null]);
  });
});

describe('which table of a dump holds the users', () => {
  const insert = (table: string, id: number, names = 'id,email,password,remember_token'): string =>
    `INSERT INTO ${table} (${names}) VALUES (${id},'u${id}@example.com','${passwordHash}',NULL);\n`;
  const idsOf = (lines: string): readonly unknown[] =>
    lines
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { externalUserId: unknown }).externalUserId);

  it('is the one that is called so, and another only by its name', async () => {
    const dump = `-- MySQL dump\n${insert('`admins`', 1)}${insert('`users`', 2)}`;
    expect(idsOf(await linesOf(dump))).toEqual(['2']);
    expect(idsOf(await linesOf(dump, { table: 'admins' }))).toEqual(['1']);
    expect(idsOf(await linesOf(dump, {}, 'laravel'))).toEqual(['2']);
    expect((await recogniseFile(files.fileOf(dump)))?.otherTables).toEqual(['admins']);
  });

  it('is asked for where two are alike or none is known', async () => {
    const alike = `-- MySQL dump\n${insert('`admins`', 1)}${insert('`members`', 2)}`;
    await expect(linesOf(alike)).rejects.toThrow('say which with --table, one of admins, members');
    await expect(linesOf(alike, { table: 'users' })).rejects.toThrow(
      '--table users: the dump has rows of admins, members only',
    );
    const unknown = `-- MySQL dump\n${insert('`people`', 1, '`id`,`mail`,`pwd`,`x`')}${insert('`people2`', 1, '`id`,`mail`,`pwd`,`x`')}`;
    await expect(linesOf(unknown)).rejects.toThrow(
      'no table of users is recognised: give it with --table, one of people, people2',
    );
    expect(await recogniseFile(files.fileOf(unknown), { table: 'people' })).toBeUndefined();
    const names = { externalUserId: 'id', email: 'mail', passwordHash: 'pwd' };
    expect(idsOf(await linesOf(unknown, { names, table: 'people' }))).toEqual(['1']);
  });

  it('is distinguished by database and schema', async () => {
    const databases = `-- MySQL dump\nUSE \`shop\`;\n${insert('`users`', 1)}USE \`forum\`;\n${insert('`users`', 2)}`;
    await expect(linesOf(databases)).rejects.toThrow('--table, one of shop.users, forum.users');
    await expect(linesOf(databases, { table: 'users' })).rejects.toThrow(
      'several of this name: give one of shop.users',
    );
    expect(idsOf(await linesOf(databases, { table: 'forum.users' }))).toEqual(['2']);
  });

  it('is refused for what has no rows, and for files that are no dump', async () => {
    await expect(linesOf('-- MySQL dump\nCREATE TABLE `users` (`id` int);')).rejects.toThrow(
      'the dump has tables and no rows, such as users: make it with data',
    );
    await expect(linesOf('-- MySQL dump\nSET NAMES utf8;')).rejects.toThrow('it is SQL without any rows');
    await expect(linesOf(plainText, { table: 'users' }, 'laravel')).rejects.toThrow(
      '--table is for those, leave it out',
    );
    await expect(linesOf('PGDMP\u0001\u000e')).rejects.toThrow('with pg_restore -f dump.sql');
    await expect(linesOf(mysqldump, { columns: ['id'] })).rejects.toThrow('leave --columns out');
  });

  it('has the columns of --columns where the dump names none', async () => {
    const dump = `INSERT INTO users VALUES ('${passwordHash}','u1@example.com',1);`;
    await expect(linesOf(dump, {}, 'laravel')).rejects.toThrow('name them with --columns');
    expect(idsOf(await linesOf(dump, { columns: ['password', 'email', 'id'] }, 'laravel'))).toEqual(['1']);
  });
});
