/** Files with users that are not supported: recognised by their beginning, each with a command that converts it. */

import { ExportFault } from '../../providers/provider.ts';
import { shellWord } from './shell-word.ts';

interface FileType {
  readonly is: (start: Buffer, text: string) => boolean;
  /** The type and its conversion. @param file for a POSIX shell */
  readonly says: (file: string) => string;
}

/** Bytes that are looked at. */
const lookedAtBytes = 4096;

/**
 * @param start the first bytes, uncompressed
 * @throws ExportFault with a command that makes a supported file
 */
export function refuseOtherTypes(file: string, start: Buffer): void {
  const looked = start.subarray(0, lookedAtBytes);
  const text = looked.toString('latin1').replace(/^ï»¿/, '').trimStart();
  const found = types.find(({ is }) => is(looked, text));
  if (found !== undefined) throw new ExportFault(`it is ${found.says(shellWord(file))}`);
}

function beginsWith(...marks: readonly (string | readonly number[])[]): FileType['is'] {
  const bytes = marks.map((mark) => Buffer.from(mark as string, 'latin1'));
  return (start) => bytes.some((mark) => mark.equals(start.subarray(0, mark.length)));
}

function matches(form: RegExp): FileType['is'] {
  return (_start, text) => form.test(text);
}

/** Lines of names and hashes: of the system, of Apache, of Dovecot. */
function linesOfAccounts(text: string, isAccount: RegExp): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line !== '' && !line.startsWith('#'));
  // The last one may be truncated.
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines;
  return whole.length > 0 && whole.every((line) => isAccount.test(line));
}

const passwd = /^[^:\s]+:[^:]*:\d+:\d+:[^:]*:[^:]*:[^:]*$/;
const shadow = /^[^:\s]+:[^:]*:\d*:\d*:\d*:\d*:\d*:\d*:[^:]*$/;
/** One colon with a hash after it; Dovecot adds further fields. */
const hashes = /^[^:\s",;]+:(?:\{[\w.-]+\}|\$\w+\$|\$2[abxy]\$)[^:\s]+(?::.*)?$/;

/** An email is the name, or the name at a domain that a person has to fill in. */
const awkOfAccounts =
  `awk -F: 'BEGIN { print "externalUserId,email,passwordHash" } ` +
  `$2 ~ /^[\${_]/ { mail = index($1, "@") ? $1 : $1 "@example.com"; printf "%s,%s,\\"%s\\"\\n", $1, mail, $2 }'`;

/** Lines of LDIF are folded, and its values in base64 if they are not plain. The first value of an attribute counts. */
const perlOfLdif =
  `perl -MMIME::Base64 -00 -ne 'BEGIN { print "externalUserId,email,passwordHash\\n" } s/\\n //g; my %v; ` +
  'while (/^([\\w-]+)(?:;[\\w-]+)?:(:?) *(.*)$/mg) { $v{lc $1} //= $2 ? decode_base64($3) : $3 } next unless $v{mail}; ' +
  'print join(",", map { my $t = $_ // ""; $t =~ s/"/""/g; qq("$t") } $v{entryuuid} // $v{uid}, $v{mail}, $v{userpassword}), "\\n"\'';

const types: readonly FileType[] = [
  {
    is: beginsWith('SQLite format 3\0'),
    says: (file) =>
      `a SQLite database: make a dump of it (sqlite3 ${file} .dump > dump.sql), and give dump.sql`,
  },
  {
    is: matches(/^(?:# extended LDIF|version: *1\r?\n|dn::? )/),
    says: (file) =>
      `LDIF, the export of a directory (LDAP): make CSV of it with tr -d '\\r' < ${file} | ${perlOfLdif} > users.csv, and give users.csv`,
  },
  {
    is: (_start, text) => linesOfAccounts(text, shadow),
    says: (file) =>
      `a shadow file, which has no email addresses: make CSV of it, with your domain in place of example.com (${awkOfAccounts} ${file} > users.csv), and give users.csv`,
  },
  {
    is: (_start, text) => linesOfAccounts(text, passwd),
    says: (file) =>
      `a passwd file, whose hashes are mostly in /etc/shadow: make CSV of the file that has them, with your domain in place of example.com (${awkOfAccounts} ${file} > users.csv), and give users.csv`,
  },
  {
    is: (_start, text) => linesOfAccounts(text, hashes),
    says: (file) =>
      `a password file (htpasswd, Dovecot): make CSV of it, with your domain in place of example.com (${awkOfAccounts} ${file} > users.csv), and give users.csv`,
  },
  {
    is: beginsWith([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]),
    says: () => `a workbook of an old Excel (.xls): ${saveAsCsv}`,
  },
  {
    is: beginsWith('%PDF-'),
    says: () => 'a PDF, which is for people: get the users as CSV or JSON from where it was made',
  },
  {
    is: matches(/^<!doctype html|^<html/i),
    says: () =>
      'a web page (HTML) and no export: perhaps the download ended at a sign-in or error page. Download it again, signed in, or take CSV or JSON',
  },
  {
    is: matches(/^<\?xml|^<\w+(?::\w+)?[\s>]/),
    says: () =>
      'XML, which is not read here: export the users as CSV or JSON, or make a dump of the database',
  },
  {
    is: matches(/^\+-+(?:\+-+)+\+\r?\n\|/),
    says: () =>
      'a table as mysql prints it for people: make a file of it with mysql --batch -e "SELECT * FROM users" DATABASE > users.tsv, and give users.tsv',
  },
  {
    is: matches(/^[^\n]*\|[^\n]*\n *-+(?:\+-+)+ *\r?\n/),
    says: () =>
      'a table as psql prints it for people: make a file of it with psql --csv -c "SELECT * FROM users" DATABASE > users.csv, and give users.csv',
  },
  {
    is: matches(/^[^\n]+\n-{2,}(?:[,;|\t ]+-{2,})+ *\r?\n/),
    says: () =>
      'a table as sqlcmd prints it for people, with a line of dashes below the header: remove that line, or save the result as CSV with its header, and give that file',
  },
  {
    is: matches(/^(?:---[^\n]*\n)?(?:#[^\n]*\n)*[\w-]+: *\r?\n {1,8}[\w"'.-]+:/),
    says: (file) =>
      `YAML, which is not read here: make JSON of it with yq -o=json . ${file} > users.json, and give users.json`,
  },
  {
    is: beginsWith('PAR1'),
    says: (file) =>
      `Parquet: make CSV of it (duckdb -c "COPY (SELECT * FROM read_parquet(${sqlText(file)})) TO 'users.csv' (HEADER)"), and give users.csv`,
  },
  {
    is: (start) => start.subarray(5, 9).toString('latin1') === '_id\0',
    says: (file) =>
      `BSON of mongodump: make JSON of it (bsondump --quiet ${file} > users.ndjson), and give users.ndjson`,
  },
  {
    is: beginsWith([0x6d, 0xe2, 0x99, 0x81]),
    says: () =>
      'an archive of mongodump: export the users with mongoexport --collection users --out users.ndjson, and give users.ndjson',
  },
  {
    is: beginsWith('\0\u0001\0\0Standard Jet DB', '\0\u0001\0\0Standard ACE DB'),
    says: (file) =>
      `a database of Microsoft Access: make CSV of its table (mdb-export ${file} Users > users.csv), and give users.csv`,
  },
  {
    is: (start) => start.subarray(257, 262).toString('latin1') === 'ustar',
    says: (file) =>
      `a tar archive: unpack it (tar -xf ${file}), and give the file of the users, or the folder`,
  },
];

/** For workbooks of any kind. */
export const saveAsCsv =
  'open it, save the sheet of the users as "CSV UTF-8 (Comma delimited)", and give that file';

function sqlText(file: string): string {
  return file.startsWith("'") ? file : `'${file}'`;
}
