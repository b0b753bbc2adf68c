/** The users' table of users-table.ts in dumps of databases. */
import { columns, escaped, type Row, rows } from './users-table.ts';

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

function tuple(row: Row, quoted: (text: string) => string): string {
  const [id = '', ...others] = row;
  return `(${[id, ...others.map((cell) => (cell === undefined ? 'NULL' : quoted(cell)))].join(',')})`;
}

const mysqlColumns = columns
  .map((name) => `  \`${name}\` varchar(255) DEFAULT 'a;)' COMMENT 'it''s (one',\n`)
  .join('');
/** Two tables, with texts that look like statements. */
export const mysqldump = `-- MySQL dump 10.13  Distrib 8.0.36, for Linux (x86_64)
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
    .map((row) => `${row.map((cell) => (cell === undefined ? '\\N' : escaped(cell))).join('\t')}\n`)
    .join('');

/** By the program that writes this form. */
export const dumps: Readonly<Record<string, string>> = {
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
    .join('')}-- Dump completed on 2024-07-01 12:00:00\n`,
  'mysqldump without CREATE TABLE, of the table that Laravel makes itself': `-- MySQL dump 10.13\nINSERT IGNORE INTO \`users\` VALUES ${rows.map((row) => tuple(row, ofMysql)).join(',')};\n-- Dump completed\n`,
  phpMyAdmin: `-- phpMyAdmin SQL Dump\nSET time_zone = "+00:00";\nINSERT INTO \`users\` (${columns.map((name) => `\`${name}\``).join(', ')}) VALUES\n${rows.map((row) => tuple(row, ofMysql)).join(',\n')};\nCOMMIT;\n`,
  pg_dump: `${pgBeginning}COPY public.users (${columns.join(', ')}) FROM stdin;\n${copyOf(rows)}\\.\n${pgEnd}`,
  'pg_dump --inserts': `${pgBeginning}${rows.map((row) => `INSERT INTO public.users VALUES ${tuple(row, ofSql)};\n`).join('')}${pgEnd}`,
  'pg_dump --column-inserts --rows-per-insert, with casts': `${pgBeginning}INSERT INTO public.users (${columns.join(', ')}) OVERRIDING SYSTEM VALUE VALUES\n${rows.map((row) => `\t${tuple(row, (text) => `${ofSql(text)}::character varying(255)`)}`).join(',\n')}\nON CONFLICT DO NOTHING;\n${pgEnd}`,
  "PostgreSQL's E'' strings": `${pgBeginning}${rows.map((row) => `INSERT INTO public.users VALUES ${tuple(row, (text) => `E${ofMysql(text).replaceAll('\\"', '"').replaceAll('é', '\\u00e9').replaceAll('ü', '\\xc3\\274')}`)};\n`).join('')}${pgEnd}`,
  "SQLite's .dump": `PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nCREATE TABLE IF NOT EXISTS "users" (${columns.map((name) => `"${name}" varchar -- it's; one (\n`).join(',')}, primary key("id"));\n${rows.map((row) => `INSERT INTO users VALUES${tuple(row, ofSql)};\n`).join('')}COMMIT;\n`,
};
