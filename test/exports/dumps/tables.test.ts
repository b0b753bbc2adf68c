/** Dumps of databases: the same users as in the CSV of the same table, whoever wrote the dump and however it is cut. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { convert, recogniseFile } from '../../../src/exports/convert/convert.ts';
import { requireProvider } from '../../../src/exports/providers/index.ts';
import type { ConversionReject } from '../../../src/exports/providers/provider.ts';
import type { Reading } from '../../../src/exports/readers/reading.ts';
import { DumpScanner } from '../../../src/exports/readers/sql/scanner.ts';
import { sqlDialectOf } from '../../../src/exports/readers/sql/sql-dialect.ts';
import { createConvertPool } from '../../../src/threads/convert-pool.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carryover-test-'));
const pool = createConvertPool({ threads: 1 });

afterAll(async () => {
  await pool.close();
  rmSync(folder, { recursive: true });
});

let made = 0;
function fileOf(content: string | Uint8Array): string {
  made += 1;
  const file = path.join(folder, `dump-${made}`);
  writeFileSync(file, content);
  return file;
}

interface Converted {
  readonly lines: string;
  readonly rejects: readonly ConversionReject[];
}

async function convertedOf(
  content: string | Uint8Array,
  said: Reading = {},
  from?: string,
): Promise<Converted> {
  const file = fileOf(content);
  const found = from === undefined ? await recogniseFile(file, said) : undefined;
  const provider = found?.provider ?? requireProvider(from ?? 'nobody');
  const reading = { ...said, table: found?.table ?? said.table };
  const parts: Uint8Array[] = [];
  const rejected: ConversionReject[] = [];
  const source = { file, provider, related: {}, options: {}, tenant: undefined, reading };
  for await (const { text, rejects } of convert(source, pool)) {
    parts.push(text);
    rejected.push(...rejects);
  }
  return { lines: Buffer.concat(parts).toString(), rejects: rejected };
}

async function linesOf(content: string | Uint8Array, reading?: Reading, from?: string): Promise<string> {
  const { lines, rejects } = await convertedOf(content, reading, from);
  expect(rejects).toEqual([]);
  return lines;
}

const hash = '$2y$12$8WSyYIowkxZmjm4xd2./0OmC0vdtmvMJ2JddlGjG4LQjF8UNrdnVy';
const columns = 'id,name,email,email_verified_at,password,remember_token,created_at,updated_at'.split(',');
const moment = '2024-01-01 00:05:00';
type Row = readonly (string | undefined)[];
/** With all that needs an escape somewhere. */
const rows: readonly Row[] = [
  [
    '42',
    `Ada, "the first"; O'Hara (x) -- /* y */`,
    'ada@example.com',
    moment,
    hash,
    undefined,
    moment,
    moment,
  ],
  ['43', 'José\nMüller\tæ\\ \\n %_', 'jose@example.com', undefined, hash, 'x', moment, moment],
  ['44', `Œuvre €5 \\' '' $$;`, 'o@example.com', undefined, undefined, '', moment, moment],
];

const csv = [columns, ...rows]
  .map((row) => row.map((cell) => (cell === undefined ? '' : `"${cell.replaceAll('"', '""')}"`)).join(','))
  .join('\n');

const mysqlEscapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\t': '\t',
  '\\': '\\\\',
  "'": "\\'",
  '"': '\\"',
};
const ofMysql = (text: string): string =>
  `'${text.replaceAll(/[\n\t\\'"]/g, (each) => mysqlEscapes[each] ?? each)}'`;
const ofSql = (text: string): string => `'${text.replaceAll("'", "''")}'`;
const ofCopy = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\t', '\\t').replaceAll('\n', '\\n');

function tuple(row: Row, quoted: (text: string) => string): string {
  const [id = '', ...others] = row;
  return `(${[id, ...others.map((cell) => (cell === undefined ? 'NULL' : quoted(cell)))].join(',')})`;
}

const mysqlColumns = columns
  .map((name) => `  \`${name}\` varchar(255) DEFAULT 'a;)' COMMENT 'it''s (one',\n`)
  .join('');
const mysqldump = `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
--
-- Host: localhost    Database: shop; it's one
/*!40101 SET @OLD_CHARACTER_SET_CLIENT=@@CHARACTER_SET_CLIENT */;
DROP TABLE IF EXISTS \`logs\`;
CREATE TABLE \`logs\` (
  \`id\` bigint unsigned NOT NULL AUTO_INCREMENT,
  \`line\` text
) ENGINE=InnoDB;
INSERT INTO \`logs\` VALUES (1,'INSERT INTO \`users\` VALUES (1,\\'x\\');'),(2,';\\\\');
CREATE TABLE \`users\` (
${mysqlColumns}  PRIMARY KEY (\`id\`),
  UNIQUE KEY \`users_email_unique\` (\`email\`)
) ENGINE=InnoDB AUTO_INCREMENT=45 DEFAULT CHARSET=utf8mb4;
LOCK TABLES \`users\` WRITE;
/*!40000 ALTER TABLE \`users\` DISABLE KEYS */;
INSERT INTO \`users\` VALUES ${rows.map((row) => tuple(row, ofMysql)).join(',')};
/*!40000 ALTER TABLE \`users\` ENABLE KEYS */;
UNLOCK TABLES;
DELIMITER ;;
/*!50003 CREATE*/ /*!50003 TRIGGER \`t\` AFTER INSERT ON \`users\` FOR EACH ROW BEGIN
  INSERT INTO \`users\` VALUES (NEW.id); -- don't
END */;;
DELIMITER ;
-- Dump completed on 2024-07-01 12:00:00
`;

const pgColumns = columns
  .map((name) => `    ${name} character varying(255) DEFAULT 'a;)'::character varying,\n`)
  .join('');
const pgBeginning = `--
-- PostgreSQL database dump
--

\\restrict aGVsbG8

SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);

CREATE FUNCTION public.f() RETURNS trigger LANGUAGE plpgsql AS $body$
BEGIN
  INSERT INTO users VALUES ('it''s; $$ (');
  RETURN NEW;
END;
$body$;

CREATE TABLE public.logs (
    id bigint NOT NULL,
    line text
);

CREATE TABLE public.users (
${pgColumns}    CONSTRAINT users_check CHECK ((length(email) > 0))
);

COPY public.logs (id, line) FROM stdin;
1	it's; COPY public.users (id) FROM stdin;
2	\\\\.
\\.

`;
const pgEnd = '\n--\n-- PostgreSQL database dump complete\n--\n\n\\unrestrict aGVsbG8\n';
const copyOf = (each: readonly Row[]): string =>
  each
    .map((row) => `${row.map((cell) => (cell === undefined ? '\\N' : ofCopy(cell))).join('\t')}\n`)
    .join('');

const dumps: Readonly<Record<string, string>> = {
  mysqldump: mysqldump,
  'mysqldump with CRLF and a warning in front':
    `mysqldump: [Warning] Using a password on the command line interface can be insecure.\n${mysqldump}`.replaceAll(
      '\n',
      '\r\n',
    ),
  'mysqldump --skip-extended-insert --complete-insert, columns in another order': `${mysqldump.slice(0, mysqldump.indexOf('INSERT INTO `users` VALUES (42'))}${rows
    .map((row) => {
      const named = columns.map((name) => `\`${name}\``).toReversed();
      const values = row.map((cell) => (cell === undefined ? 'NULL' : ofMysql(cell))).toReversed();
      return `INSERT INTO \`users\` (${named.join(', ')}) VALUES (${values.join(',')});\n`;
    })
    .join('')}`,
  'mysqldump without CREATE TABLE, of the table that Laravel makes itself': `-- MySQL dump 10.13\nINSERT IGNORE INTO \`users\` VALUES ${rows.map((row) => tuple(row, ofMysql)).join(',')};\n`,
  phpMyAdmin: `-- phpMyAdmin SQL Dump\nSET time_zone = "+00:00";\nINSERT INTO \`users\` (${columns.map((name) => `\`${name}\``).join(', ')}) VALUES\n${rows.map((row) => tuple(row, ofMysql)).join(',\n')};\nCOMMIT;\n`,
  pg_dump: `${pgBeginning}COPY public.users (${columns.join(', ')}) FROM stdin;\n${copyOf(rows)}\\.\n${pgEnd}`,
  'pg_dump --inserts': `${pgBeginning}${rows.map((row) => `INSERT INTO public.users VALUES ${tuple(row, ofSql)};\n`).join('')}${pgEnd}`,
  'pg_dump --column-inserts --rows-per-insert, with casts': `${pgBeginning}INSERT INTO public.users (${columns.join(', ')}) OVERRIDING SYSTEM VALUE VALUES\n${rows.map((row) => `\t${tuple(row, (text) => `${ofSql(text)}::character varying(255)`)}`).join(',\n')}\nON CONFLICT DO NOTHING;\n${pgEnd}`,
  "PostgreSQL's E'' strings": `${pgBeginning}${rows.map((row) => `INSERT INTO public.users VALUES ${tuple(row, (text) => `E${ofMysql(text).replaceAll('\\"', '"').replaceAll('é', '\\u00e9').replaceAll('ü', '\\xc3\\274')}`)};\n`).join('')}${pgEnd}`,
  "SQLite's .dump": `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE IF NOT EXISTS "users" (${columns.map((name) => `"${name}" varchar -- it's; one (\n`).join(',')}, primary key("id"));\n${rows.map((row) => `INSERT INTO users VALUES${tuple(row, ofSql)};\n`).join('')}COMMIT;\n`,
};

describe('the users of a dump', () => {
  it.each(Object.entries(dumps))('of %s are those of the CSV', async (_, dump) => {
    const expected = await linesOf(csv);
    expect(expected.split('\n')).toHaveLength(4);
    expect(await linesOf(dump)).toBe(expected);
  });
});

/** Everything that is found, whatever is wanted of it. */
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
    expect(lines.slice(1)).toBe(await linesOf(csv));
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
    expect(lines.slice(1)).toBe(await linesOf(csv));
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
    `INSERT INTO ${table} (${names}) VALUES (${id},'u${id}@example.com','${hash}',NULL);\n`;
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
    expect((await recogniseFile(fileOf(dump)))?.otherTables).toEqual(['admins']);
  });

  it('is asked for where two are alike or none is known', async () => {
    const alike = `-- MySQL dump\n${insert('`admins`', 1)}${insert('`members`', 2)}`;
    await expect(linesOf(alike)).rejects.toThrow('say which with --table, one of admins, members');
    await expect(linesOf(alike, { table: 'users' })).rejects.toThrow(
      '--table users: the dump has rows of admins, members only',
    );
    const unknown = `-- MySQL dump\n${insert('`people`', 1, '`id`,`mail`,`pwd`,`x`')}${insert('`people2`', 1, '`id`,`mail`,`pwd`,`x`')}`;
    await expect(linesOf(unknown)).rejects.toThrow(
      'no table of users is recognised: say its format with --from',
    );
    const names = { externalUserId: 'id', email: 'mail', passwordHash: 'pwd' };
    expect(idsOf(await linesOf(unknown, { names, table: 'people' }))).toEqual(['1']);
  });

  it('is told apart by database and schema', async () => {
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
    await expect(linesOf(csv, { table: 'users' }, 'laravel')).rejects.toThrow(
      '--table is for those, leave it out',
    );
    await expect(linesOf('PGDMP\u0001\u000e')).rejects.toThrow('with pg_restore -f dump.sql');
    await expect(linesOf(mysqldump, { columns: ['id'] })).rejects.toThrow('leave --columns out');
  });

  it('has the columns of --columns where the dump names none', async () => {
    const dump = `INSERT INTO users VALUES ('${hash}','u1@example.com',1);`;
    await expect(linesOf(dump, {}, 'laravel')).rejects.toThrow('name them with --columns');
    expect(idsOf(await linesOf(dump, { columns: ['password', 'email', 'id'] }, 'laravel'))).toEqual(['1']);
  });
});
