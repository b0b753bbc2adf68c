/** Files of other types: named, with a command that makes a supported file. */
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { recogniseFile } from '../../../src/exports/convert/convert.ts';
import { useExportFiles } from '../../helpers/export-files.ts';
import { zipOf } from '../../helpers/zip.ts';

const { folder, fileOf, linesOf } = useExportFiles();

const ssha = '{SSHA}MyDDt33SAiIZ0Z7ZI/Jax1A3tO1aVHLX88RcmA==';
const sha512 =
  '$6$nuCpr6/MlcVcCAwC$GQyDyxoA9YHagf8PG0kcRnrv6wRVRwSyP0y4zH0kwqV5S7vTDs90M5OW.cUMEI13LPV/CN7WaG5iF7cM7Lt5n1';
const bcrypt = '$2y$10$6odo.ERyYnXjyd4MxwQ/He7PY.kSA9VUM8fEtTToCYB/LHE5TvA02';
const tar = Buffer.concat([Buffer.alloc(257), Buffer.from('ustar\u000000'), Buffer.alloc(248)]);

const others: readonly [what: string, content: string | Uint8Array, says: string | RegExp][] = [
  ['SQLite', 'SQLite format 3\0\u0010\0', /it is a SQLite database.*sqlite3 \S+ \.dump > dump\.sql/],
  ['an old Excel', Buffer.from('d0cf11e0a1b11ae10000', 'hex'), /old Excel .*CSV UTF-8/],
  [
    'an Excel workbook',
    zipOf(['[Content_Types].xml', '_rels/.rels', 'xl/workbook.xml']),
    /is an Excel workbook: open it, save/,
  ],
  ['OpenDocument', zipOf(['mimetype', 'content.xml']), /is an OpenDocument file: open it, save/],
  ['PDF', '%PDF-1.7\n%âãÏÓ\n', /it is a PDF/],
  ['a web page', '\n<!DOCTYPE html>\n<html>', /a web page \(HTML\)/],
  ['XML', '<?xml version="1.0"?><users/>', /it is XML/],
  ['Parquet', 'PAR1\u0015\0', /duckdb -c "COPY \(SELECT \* FROM read_parquet\('/],
  ['BSON', '\u0016\0\0\0\u0007_id\0abcdefghijkl\0', /BSON of mongodump.*bsondump/],
  ['an archive of mongodump', Buffer.from('6de2998100', 'hex'), /mongoexport --collection users/],
  ['Microsoft Access', '\0\u0001\0\0Standard ACE DB\0', /Microsoft Access.*mdb-export/],
  ['tar', tar, /a tar archive: unpack it \(tar -xf /],
];

describe('a file of another type', () => {
  it.each(others)('%s is named, also where a format is given', async (_what, content, says) => {
    const file = fileOf(content);
    await expect(recogniseFile(file)).rejects.toThrow(says);
    await expect(linesOf(file, { from: 'native' })).rejects.toThrow(says);
  });

  it('is one file in a zip still, whatever its name', async () => {
    const file = fileOf(zipOf(['users.csv'], 'externalUserId,email\n1,ada@example.com\n'));
    expect((await recogniseFile(file))?.provider.name).toBe('native');
  });
});

/** Runs the command that the refusal of `file` prints, and reads the result. */
async function convertedBy(file: string, form: RegExp): Promise<unknown[]> {
  const message = await recogniseFile(file).then(
    () => '',
    (error: unknown) => (error as Error).message,
  );
  const command = form.exec(message)?.[1] ?? '';
  execFileSync('bash', ['-c', command], { cwd: folder });
  const lines = await linesOf(path.join(folder, /> (\S+)$/.exec(command)?.[1] ?? ''));
  return lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

const user = (externalUserId: string, email: string, passwordHash: string) =>
  expect.objectContaining({
    externalUserId,
    loginMethods: [expect.objectContaining({ email, passwordHash })],
  }) as unknown;

describe('the command that is printed', () => {
  it('makes CSV of LDIF: folded lines, base64, several addresses, line ends of Windows', async () => {
    const base64 = Buffer.from(sha512).toString('base64');
    const ldif = `version: 1

dn: uid=xandi,ou=people,dc=example,dc=com
objectClass: inetOrgPerson
uid: xandi
mail: xandi@exam
 ple.com
mail: other@example.com
userPassword:: ${Buffer.from(ssha).toString('base64')}

dn: ou=people,dc=example,dc=com
objectClass: organizationalUnit

dn: uid=ylvi,ou=people,dc=example,dc=com
uid: ylvi
mail: ylvi@example.com
userPassword:: ${base64.slice(0, 40)}
 ${base64.slice(40)}
`;
    const expected = [user('xandi', 'xandi@example.com', ssha), user('ylvi', 'ylvi@example.com', sha512)];
    for (const text of [ldif, ldif.replaceAll('\n', '\r\n')])
      expect(await convertedBy(fileOf(text, '.ldif'), /make CSV of it with (.*), and give/)).toEqual(
        expected,
      );
  });

  it.each([
    [
      'a shadow file',
      `root:!:19000:0:99999:7:::\nada:${sha512}:19000:0:99999:7:::\n`,
      'ada',
      'ada@example.com',
    ],
    [
      'a passwd file',
      `daemon:x:1:1::/:/bin/sh\nada:${sha512}:1000:1000:Ada:/home/ada:/bin/sh\n`,
      'ada',
      'ada@example.com',
    ],
  ])('makes CSV of %s', async (what, text, id, email) => {
    const file = fileOf(text);
    await expect(recogniseFile(file)).rejects.toThrow(`it is ${what}`);
    expect(await convertedBy(file, /\((awk .*)\), and give/)).toEqual([user(id, email, sha512)]);
  });

  it('makes CSV of htpasswd and of the file of Dovecot', async () => {
    const web = fileOf(`ada:${bcrypt}\nbo:{SHA}0DPiKuNIrrVmD8IUCuw1hQxNqZc=\n`);
    await expect(recogniseFile(web)).rejects.toThrow('a password file (htpasswd, Dovecot)');
    expect(await convertedBy(web, /\((awk .*)\), and give/)).toEqual([
      user('ada', 'ada@example.com', bcrypt),
      user('bo', 'bo@example.com', '{SHA}0DPiKuNIrrVmD8IUCuw1hQxNqZc='),
    ]);
    const mail = fileOf(`ada@shop.test:${ssha}:1000:1000::/home/ada::\n`);
    expect(await convertedBy(mail, /\((awk .*)\), and give/)).toEqual([
      user('ada@shop.test', 'ada@shop.test', ssha),
    ]);
  });

  it('makes a dump of a SQLite database that is read', async () => {
    const file = path.join(folder, "shop's users.db");
    writeFileSync(file, Buffer.alloc(0));
    execFileSync('sqlite3', [
      file,
      `CREATE TABLE auth_user (id integer, password text, last_login text, is_superuser bool, username text, email text, is_staff bool, is_active bool, date_joined text); INSERT INTO auth_user VALUES (1, 'bcrypt$${bcrypt}', NULL, 0, 'ada', 'ada@example.com', 0, 1, '2024-01-01');`,
    ]);
    expect(await convertedBy(file, /\((sqlite3 .*)\), and give/)).toEqual([
      user('1', 'ada@example.com', bcrypt),
    ]);
  });
});
