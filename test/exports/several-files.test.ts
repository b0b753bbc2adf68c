/** A table of users in several files is converted like one file. */
import { readdirSync, statSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ConvertedBatch, ConvertSource } from '../../src/exports/convert/convert.ts';
import { requireProvider } from '../../src/exports/providers/index.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { textOf, useExportFiles } from '../helpers/export-files.ts';

const { folder, fileOf, converted } = useExportFiles(2);

function sourceOf(name: string, [file = '', ...more]: readonly string[], related = {}): ConvertSource {
  return { file, more, provider: requireProvider(name), related, options: {}, tenant: undefined };
}

function linesOf(batches: readonly ConvertedBatch[]): readonly string[] {
  return textOf(batches).split('\n').slice(0, -1);
}

const emailsOf = (batches: readonly ConvertedBatch[]): readonly unknown[] =>
  linesOf(batches).map((line) =>
    line === '' ? undefined : (JSON.parse(line) as NativeUser).loginMethods[0]?.email,
  );
const startsOf = (batches: readonly ConvertedBatch[]): unknown => batches.flatMap(({ starts }) => starts);

describe('several files without other tables', () => {
  const user = (n: number): object => ({
    localId: `u${n}`,
    email: `u${n}@example.com`,
    providerUserInfo: [],
  });

  it('give the lines of one, share batches, and say where each begins', async () => {
    const files = [[1, 2], [], [3], [4, 5, 6]].map((users) =>
      fileOf(JSON.stringify({ users: users.map(user) })),
    );
    files[2] = fileOf(gzipSync(JSON.stringify({ users: [user(3)] })));
    const several = await converted(sourceOf('firebase', files));
    const one = fileOf(JSON.stringify({ users: [1, 2, 3, 4, 5, 6].map(user) }));
    expect(linesOf(several)).toEqual(linesOf(await converted(sourceOf('firebase', [one]))));
    expect(several).toHaveLength(1);
    expect(startsOf(several)).toEqual([
      { file: 0, firstRecord: 1 },
      { file: 2, firstRecord: 3 },
      { file: 3, firstRecord: 4 },
    ]);
  });

  it('are read alike where one is large, has a mark or is of UTF-16', async () => {
    const documentOf = (from: number, to: number): string =>
      JSON.stringify({ users: Array.from({ length: to - from }, (_, n) => user(from + n)) });
    const files = [
      fileOf(documentOf(0, 2)),
      fileOf(`\ufeff${documentOf(2, 4)}`),
      fileOf(documentOf(4, 10_000)),
      fileOf(Buffer.from(`\ufeff${documentOf(10_000, 10_002)}`, 'utf16le')),
      fileOf(documentOf(10_002, 10_004)),
    ];
    expect(statSync(files[2] ?? '').size).toBeGreaterThan(512 * 1024);
    const several = await converted(sourceOf('firebase', files));
    expect(linesOf(several)).toEqual(
      linesOf(await converted(sourceOf('firebase', [fileOf(documentOf(0, 10_004))]))),
    );
  });

  it('may have other forms and other columns than the first', async () => {
    const head = 'id,name,email,password,created_at,updated_at';
    const files = [
      fileOf(`${head}\n1,A,a@example.com,,,\n`),
      fileOf('email;id;name;created_at;updated_at;password\nb@example.com;2;B;;;\n'),
    ];
    expect(emailsOf(await converted(sourceOf('laravel', files)))).toEqual(['a@example.com', 'b@example.com']);
    const lines = fileOf(`${JSON.stringify(user(7))}\n\n${JSON.stringify(user(8))}\n`);
    const array = fileOf(JSON.stringify([user(9)]));
    const document = fileOf(JSON.stringify({ users: [user(6)] }));
    expect(emailsOf(await converted(sourceOf('firebase', [document, lines, array])))).toEqual([
      'u6@example.com',
      'u7@example.com',
      undefined,
      'u8@example.com',
      'u9@example.com',
    ]);
  });

  it('stop at a file that is cut off, by its name', async () => {
    const files = [fileOf(JSON.stringify({ users: [user(1)] })), fileOf('{"users":[{"localId":"u2"')];
    await expect(converted(sourceOf('firebase', files))).rejects.toThrow(
      new RegExp(`${files[1] ?? ''}.*ends early`),
    );
  });
});

describe('several files with other tables', () => {
  const auth0 = (n: number): string =>
    `${JSON.stringify({ user_id: `auth0|${n}`, email: `u${n}@example.com`, identities: [{ provider: 'auth0', user_id: String(n) }] })}\n`;
  const hash = (n: number): string =>
    `${JSON.stringify({ _id: { $oid: String(n) }, email: `u${n}@example.com`, passwordHash: `$2b$04$${'a'.repeat(52)}${n}` })}\n`;

  it('are joined with the one file of hashes', async () => {
    const files = [fileOf(auth0(1) + auth0(2)), fileOf(auth0(3))];
    const hashes = fileOf(hash(3) + hash(1) + hash(2));
    const batches = await converted(sourceOf('auth0', files, { hashes }));
    const methods = linesOf(batches).map((line) => (JSON.parse(line) as NativeUser).loginMethods[0]);
    expect(methods.map((method) => method && 'passwordHash' in method && method.passwordHash.at(-1))).toEqual(
      ['1', '2', '3'],
    );
    expect(startsOf(batches)).toEqual([
      { file: 0, firstRecord: 1 },
      { file: 1, firstRecord: 3 },
    ]);
    expect(readdirSync(folder).filter((name) => name.startsWith('carryover-'))).toEqual([]);
  });

  it('are joined where each file has all tables, across files', async () => {
    const account = (n: number): object => ({
      id: `a${n}`,
      userId: `u${n}`,
      accountId: `g${n}`,
      providerId: 'google',
    });
    const user = (n: number): object => ({
      id: `u${n}`,
      name: 'A',
      email: `u${n}@example.com`,
      emailVerified: true,
      image: null,
      createdAt: '2024-01-01',
      updatedAt: '2024-01-01',
    });
    const files = [
      fileOf(JSON.stringify({ user: [user(1)], account: [account(2)] })),
      fileOf(JSON.stringify({ user: [user(2)], account: [account(1)] })),
    ];
    const lines = linesOf(await converted(sourceOf('better-auth', files)));
    expect(lines.map((line) => (JSON.parse(line) as NativeUser).loginMethods)).toMatchObject([
      [{ recipeId: 'thirdparty', thirdPartyUserId: 'g1' }],
      [{ recipeId: 'thirdparty', thirdPartyUserId: 'g2' }],
    ]);
  });

  it('are refused where their columns differ', async () => {
    const files = ['user_id,email\n1,a@example.com\n', 'email,user_id\nb@example.com,2\n'].map((text) =>
      fileOf(text),
    );
    const hashes = fileOf(hash(1));
    await expect(converted(sourceOf('auth0', files, { hashes }))).rejects.toThrow(
      'the files of users have different columns: user_id, email; and email, user_id: export them alike',
    );
  });
});
