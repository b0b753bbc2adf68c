/** The database that wrote a dump: its spelling of strings, names and comments. */

import { ExportFault } from '../../providers/provider.ts';

export interface SqlDialect {
  readonly system: 'mysql' | 'postgresql' | 'sqlite';
  /** In plain strings a backslash begins an escape. */
  readonly hasEscapes: boolean;
  /** Strings of the table may be bytes without a mark, as in dumps of MariaDB. */
  readonly hasBytes?: boolean | undefined;
}

/** Bytes at the beginning of a dump by which it is recognised. */
const lookedAtBytes = 64 * 1024;

/** A comment, a directive of psql or of SQLite's shell, or the first word of a statement that dumps begin with. */
const dumpBeginning =
  /^(?:--|\/\*|#|\\restrict|(?:mysqldump|mariadb-dump|pg_dump): |(?:SET|USE|BEGIN|START|LOCK|CREATE|DROP|ALTER|PRAGMA|DELIMITER)\s|(?:INSERT\s+(?:IGNORE\s+|OR\s+\w+\s+)?INTO|REPLACE\s+INTO|COPY)\s+["`[\w])/i;
const statement =
  /^\s*(?:\/\*M?!|(?:SET|USE|BEGIN|START|LOCK|CREATE|DROP|ALTER|PRAGMA|DELIMITER|INSERT|REPLACE|COPY)\s)/im;

/** Whether a text that begins with `start` is a dump: a comment alone may precede CSV, too. */
export function isDump(start: Buffer): boolean {
  const text = beginningOf(start);
  return dumpBeginning.test(text) && statement.test(text);
}

/** @throws ExportFault for the formats of pg_dump that only pg_restore reads */
export function refuseArchive(start: Buffer): void {
  if (start.subarray(0, 5).toString('latin1') === 'PGDMP')
    throw new ExportFault(
      "it is pg_dump's custom format: make a plain dump of it with pg_restore -f dump.sql and this file",
    );
}

/** pg_dump's and the SQLite shell's texts are certain; SQLite's statements may contain backquotes, too. */
export function sqlDialectOf(start: Buffer): SqlDialect {
  const text = beginningOf(start);
  if (/^PRAGMA\s/im.test(text)) return { system: 'sqlite', hasEscapes: false };
  if (/^-- PostgreSQL database dump|\bstandard_conforming_strings\b|\bpg_catalog\b/m.test(text))
    return { system: 'postgresql', hasEscapes: /standard_conforming_strings\s*=\s*'?off/i.test(text) };
  const isMysql = /^-- (?:MySQL|MariaDB) dump|^-- phpMyAdmin|\/\*M?!|`/m.test(text);
  return isMysql ? { system: 'mysql', hasEscapes: true } : { system: 'postgresql', hasEscapes: false };
}

function beginningOf(start: Buffer): string {
  return start.subarray(0, lookedAtBytes).toString('latin1').trimStart();
}
