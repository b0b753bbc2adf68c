import { hash } from 'node:crypto';
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { convert, recogniseFile } from '../../src/exports/convert/convert.ts';
import type { ConvertedBatch, ConvertSource } from '../../src/exports/convert/convert.ts';
import { finished } from '../../src/exports/convert/ports.ts';
import { inOrder } from '../../src/exports/convert/in-order.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { findProvider, providers, requireProvider } from '../../src/exports/providers/index.ts';
import { ExportFault } from '../../src/exports/providers/provider.ts';
import type { ConvertedRecords, ConvertRecordsTask, ConvertResult } from '../../src/exports/tasks.ts';
import { createConvertPool } from '../../src/threads/convert-pool.ts';
import { textOf, useExportFiles } from '../helpers/export-files.ts';
import { isRight, samplePassword } from '../helpers/framework-exports.ts';

const exportsFolder = fileURLToPath(new URL('files/', import.meta.url));
const { folder, pool, fileOf } = useExportFiles(2);
/** Firebase's sample project. */
const signerKey = Buffer.from(
  'r/YwiLpd6LKRmuHcsbhosD/cCckwR8JQRv06DLlmXf5atwiODKFiM3A/QBhm447mjJm5matNu0cc3fctj+PVjQ==',
  'base64',
);
const secrets = { signerKey, pepper: Buffer.from('demo-pepper') };

function sourceOf(name: string, file: string, rest: Partial<ConvertSource> = {}): ConvertSource {
  return { file, provider: requireProvider(name), related: {}, options: {}, tenant: undefined, ...rest };
}

async function batchesOf(source: ConvertSource, threads = pool): Promise<readonly ConvertedBatch[]> {
  const batches: ConvertedBatch[] = [];
  for await (const batch of convert(source, threads)) batches.push(batch);
  return batches;
}

function linesOf(batches: readonly ConvertedBatch[]): readonly string[] {
  const text = textOf(batches);
  return text === '' ? [] : text.slice(0, -1).split('\n');
}

/** Batches with a digest instead of their text. */
function shapesOf(batches: readonly ConvertedBatch[]): readonly unknown[] {
  return batches.map(({ text, ...batch }) => ({ ...batch, text: hash('sha256', text) }));
}

function leftovers(): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('carryover-'));
}

const samples: readonly [file: string, provider: string, related?: Readonly<Record<string, string>>][] = [
  ['aspnet-identity.csv', 'aspnet-identity'],
  ['auth0-import.json', 'auth0'],
  ['auth0-users.ndjson', 'auth0', { hashes: 'auth0-hashes.ndjson' }],
  ['authjs.json', 'authjs'],
  ['better-auth.json', 'better-auth'],
  ['clerk.csv', 'clerk'],
  ['cognito.json', 'cognito'],
  ['devise.csv', 'devise'],
  ['django.json', 'django'],
  ['firebase.csv', 'firebase'],
  ['firebase.json', 'firebase'],
  ['fusionauth.json', 'fusionauth'],
  ['keycloak-users-0.json', 'keycloak'],
  ['kratos.json', 'kratos'],
  ['laravel.csv', 'laravel'],
  ['logto.json', 'logto'],
  ['okta.json', 'okta'],
  ['spring.csv', 'spring'],
  ['supabase-users.csv', 'supabase', { identities: 'supabase-identities.csv' }],
  ['supertokens.json', 'supertokens'],
  ['wordpress.csv', 'wordpress'],
  ['workos.csv', 'workos'],
];
/** Their users have no password. */
const withoutHashes = ['authjs', 'cognito'];

describe('every sample export', () => {
  it.each(samples)('%s is recognised as that of %s, alone', async (file, name) => {
    const found = await recogniseFile(path.join(exportsFolder, file));
    expect(found?.provider.name).toBe(name);
    expect(found?.alternatives.map((each) => each.name)).toEqual([]);
  });

  it.each(samples)('%s converts to users who can sign in as before', async (file, name, related = {}) => {
    const paths = Object.entries(related).map(([table, each]) => [table, path.join(exportsFolder, each)]);
    const source = sourceOf(name, path.join(exportsFolder, file), {
      related: Object.fromEntries(paths) as Record<string, string>,
      options: name === 'devise' ? { pepper: 'demo-pepper' } : {},
    });
    const batches = await batchesOf(source);
    expect(batches.flatMap(({ rejects }) => rejects)).toEqual([]);
    const users = linesOf(batches).map((line) => JSON.parse(line) as NativeUser);
    expect(users.length).toBeGreaterThan(0);
    for (const user of users) {
      const hasHash = user.loginMethods.some((each) => 'passwordHash' in each);
      expect(hasHash).toBe(!withoutHashes.includes(name));
      if (!hasHash) continue;
      expect(isRight({ ok: true, user }, samplePassword, secrets)).toBe(true);
    }
  });

  it('of a compressed file too', async () => {
    const users = JSON.stringify({ users: [{ localId: 'u1', email: 'a@example.com' }] });
    const file = fileOf(gzipSync(users));
    expect((await recogniseFile(file))?.provider.name).toBe('firebase');
    expect(linesOf(await batchesOf(sourceOf('firebase', file)))).toHaveLength(1);
  });

  it('has a provider that is found by its name', () => {
    expect(providers.map(({ name }) => name)).toEqual(providers.map(({ name }) => name).toSorted());
    for (const provider of providers) expect(findProvider(provider.name.toUpperCase())).toBe(provider);
    expect(findProvider('toString')).toBeUndefined();
  });

  it('without users is recognised as belonging to no system', async () => {
    expect(await recogniseFile(fileOf('a,b\n1,2\n'))).toBeUndefined();
    expect(await recogniseFile(fileOf(''))).toBeUndefined();
    expect(await recogniseFile(fileOf('{"x":1}'))).toBeUndefined();
  });
});

const native = (place: number) =>
  JSON.stringify({
    externalUserId: `u${place}`,
    userMetadata: { filler: 'x'.repeat(100) },
    loginMethods: [{ recipeId: 'passwordless', email: `u${place}@example.com` }],
  });

/** A thread's result for records without dates. */
function made(answer: ConvertResult<ConvertRecordsTask>): ConvertedRecords {
  const found = finished(answer);
  if ('undecided' in found) throw new Error('it has ambiguous dates');
  return found;
}

describe('a conversion', () => {
  it('hands the memory of its records over to a thread, and gets that of the lines', async () => {
    const bytes = new Uint8Array(Buffer.from(native(1)));
    const records = { bytes, ends: Uint32Array.of(bytes.length), oversized: [] };
    const rules = { provider: 'native', options: {}, tenant: undefined };
    const form = { columns: undefined };
    const { text } = made(await pool.run({ type: 'convert', rules, form, records }));
    expect(Buffer.from(text).toString()).toBe(`${native(1)}\n`);
    expect(bytes.buffer.byteLength).toBe(0);
    expect(text.buffer.byteLength).toBe(text.length);
  });

  it('takes threads with a small young heap', async () => {
    const worker = path.join(folder, 'limits.mjs');
    writeFileSync(
      worker,
      "import { resourceLimits } from 'node:worker_threads';\nexport default () => ({ text: JSON.stringify(resourceLimits) });",
    );
    const one = createConvertPool({ threads: 1, workerFile: pathToFileURL(worker) });
    const form = { columns: undefined };
    const records = { bytes: new Uint8Array(), ends: new Uint32Array(), oversized: [] };
    const rules = { provider: 'native', options: {}, tenant: undefined };
    const { text } = made(await one.run({ type: 'convert', rules, form, records }));
    expect(JSON.parse(String(text))).toMatchObject({ maxYoungGenerationSizeMb: 12 });
    await one.close();
  });

  it('has one line for each record in order, whatever the number of threads', async () => {
    const records = Array.from({ length: 20_000 }, (_, place) => native(place));
    const source = sourceOf('native', fileOf(records.join('\n')));
    const one = createConvertPool({ threads: 1 });
    const [first, second] = [await batchesOf(source, one), await batchesOf(source)];
    await one.close();
    expect(linesOf(first).join('\n')).toBe(records.join('\n'));
    expect(shapesOf(second)).toEqual(shapesOf(first));
    expect(first.length).toBeGreaterThan(3);
    let next = 1;
    for (const { firstRecord, records: count, bytesRead } of first) {
      expect(firstRecord).toBe(next);
      expect(bytesRead).toBeGreaterThan(0);
      next += count;
    }
  });

  it('leaves an empty line for what is rejected, with a reason by its number', async () => {
    const tooLong = JSON.stringify({ ...(JSON.parse(native(9)) as object), x: 'x'.repeat(1024 * 1024) });
    const lines = [
      native(1),
      '',
      '{"loginMethods":',
      '[]',
      '7',
      '{"externalUserId":"e"}',
      tooLong,
      native(2),
    ];
    const batches = await batchesOf(sourceOf('native', fileOf(lines.join('\n'))));
    expect(linesOf(batches)).toEqual([native(1), '', '', '', '', '', '', native(2)]);
    expect(batches[0]?.skipped).toBe(1);
    expect(batches[0]?.rejects).toMatchObject([
      { record: 3, code: 'INVALID_JSON', field: '' },
      { record: 4, code: 'INVALID_JSON' },
      { record: 5, code: 'INVALID_JSON' },
      { record: 6, code: 'MISSING_FIELD', field: 'loginMethods', externalUserId: 'e' },
      { record: 7, code: 'LINE_TOO_LONG', externalUserId: 'u9' },
    ]);
  });

  it('rejects a line that is no UTF-8 and a row with a comma too many, and nothing else', async () => {
    const bytes = Buffer.concat([
      Buffer.from(`${native(1)}\n{"a":"`),
      Buffer.from([0xe9]),
      Buffer.from('"}\n'),
    ]);
    const [batch] = await batchesOf(sourceOf('native', fileOf(bytes)));
    expect(batch?.rejects).toMatchObject([{ record: 2, code: 'INVALID_JSON' }]);
    const header = 'email,email_verified,external_id,password_hash_type\n';
    const csv = `${header}a@example.com,true,1,\nb,c@example.com,true,2,\nd@example.com\n`;
    const [rows] = await batchesOf(sourceOf('workos', fileOf(csv)));
    expect(rows).toMatchObject({
      records: 3,
      rejects: [{ record: 2 }, { record: 3, code: 'INVALID_FIELD' }],
    });
  });

  it('puts users and roles into a tenant where they name none', async () => {
    const user = { userRoles: [{ role: 'r' }], loginMethods: [{ recipeId: 'passwordless', email: 'a@b.c' }] };
    const own = { loginMethods: [{ recipeId: 'passwordless', email: 'a@b.c', tenantIds: ['t2'] }] };
    const file = fileOf(`${JSON.stringify(user)}\n${JSON.stringify(own)}\n`);
    const lines = linesOf(await batchesOf(sourceOf('native', file, { tenant: 't1' })));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { userRoles: [{ role: 'r', tenantIds: ['t1'] }], loginMethods: [{ tenantIds: ['t1'] }] },
      { loginMethods: [{ tenantIds: ['t2'] }] },
    ]);
  });

  it('keeps the digits of ids that JavaScript would round', async () => {
    const user = { user_id: 'auth0|1', email: 'a@example.com', identities: 'I' };
    const identities = '[{"provider":"google-oauth2","user_id":109876543210987654321}]';
    const file = fileOf(JSON.stringify(user).replace('"I"', identities));
    expect(linesOf(await batchesOf(sourceOf('auth0', file)))[0]).toContain('"109876543210987654321"');
  });

  it('stops at a document that ends early, after the records that were complete', async () => {
    const users = Array.from({ length: 9000 }, (_, place) => native(place)).join(',');
    const source = sourceOf('native', fileOf(`[${users}`));
    const seen: number[] = [];
    const run = async () => {
      for await (const { records } of convert(source, pool)) seen.push(records);
    };
    await expect(run()).rejects.toThrow(ExportFault);
    await expect(run()).rejects.toThrow(
      /export-\d+: not readable as JSON at byte \d+: the document ends early/,
    );
    expect(seen.reduce((sum, records) => sum + records, 0)).toBe(2 * 9000);
  });

  it('stops where every user would be locked out, and for wrong options', async () => {
    const users = [{ localId: 'a', email: 'a@example.com', passwordHash: 'UkVEQUNURUQ=', salt: 'YWJj' }];
    const file = fileOf(JSON.stringify({ users }));
    await expect(batchesOf(sourceOf('firebase', file))).rejects.toThrow(ExportFault);
    await expect(batchesOf(sourceOf('firebase', file))).rejects.toThrow('REDACTED');
    const options = { 'without-password': 'perhaps' };
    await expect(batchesOf(sourceOf('firebase', file, { options }))).rejects.toThrow('--without-password');
    const related = { hashes: file };
    await expect(batchesOf(sourceOf('firebase', file, { related }))).rejects.toThrow('has no table hashes');
  });

  it('ends when it is aborted or its reader stops', async () => {
    const records = Array.from({ length: 20_000 }, (_, place) => native(place));
    const source = sourceOf('native', fileOf(records.join('\n')));
    const abort = new AbortController();
    const reason = new Error('enough');
    const run = async () => {
      for await (const batch of convert(source, pool, abort.signal))
        if (batch.firstRecord > 0) abort.abort(reason);
    };
    await expect(run()).rejects.toBe(reason);
    await expect(run()).rejects.toBe(reason);
    for await (const batch of convert(source, pool)) {
      expect(batch.firstRecord).toBe(1);
      break;
    }
  });
});

const userOf = (id: number) => ({
  user_id: `auth0|${id}`,
  email: `u${id}@example.com`,
  nickname: 'x'.repeat(2000),
});
const hashOf = (id: number) => ({
  _id: { $oid: String(id) },
  passwordHash: `$2b$10$${String(id).padStart(22, 'a').slice(0, 21)}O${'b'.repeat(31)}`,
});
const ndjson = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');

describe('a join', () => {
  it('of more than a partition keeps the order of the users and finds each row', async () => {
    const ids = Array.from({ length: 6000 }, (_, place) => place);
    const file = fileOf(ndjson(ids.map(userOf)));
    const hashes = fileOf(
      ndjson(
        ids
          .filter((id) => id % 2 === 0)
          .map(hashOf)
          .toReversed(),
      ),
    );
    const source = sourceOf('auth0', file, { related: { hashes } });
    const batches = await batchesOf(source);
    const users = linesOf(batches).map((line) => JSON.parse(line) as NativeUser);
    expect(users.map(({ externalUserId }) => externalUserId)).toEqual(ids.map((id) => `auth0|${id}`));
    for (const [id, { loginMethods }] of users.entries())
      expect(loginMethods).toMatchObject(
        id % 2 === 0
          ? [{ recipeId: 'emailpassword', passwordHash: hashOf(id).passwordHash }]
          : [{ recipeId: 'passwordless' }],
      );
    expect(batches.reduce((sum, { records }) => sum + records, 0)).toBe(6000);
    const one = createConvertPool({ threads: 1 });
    expect(shapesOf(await batchesOf(source, one))).toEqual(shapesOf(batches));
    await one.close();
    expect(leftovers()).toEqual([]);
  });

  it('counts rows without a user, and rejects and skips by number as without a join', async () => {
    const users = [JSON.stringify(userOf(1)), '', '{', JSON.stringify({ email: 'no-id@example.com' })];
    const hashes = fileOf(ndjson([hashOf(1), hashOf(2), hashOf(2), {}, { passwordHash: 'x' }]));
    const batches = await batchesOf(sourceOf('auth0', fileOf(users.join('\n')), { related: { hashes } }));
    expect(batches).toHaveLength(1);
    expect(batches[0]).toMatchObject({ firstRecord: 1, records: 4, skipped: 1, unmatched: { hashes: 4 } });
    expect(batches[0]?.rejects).toMatchObject([{ record: 3, code: 'INVALID_JSON' }]);
    expect(linesOf(batches).map((line) => line.length > 0)).toEqual([true, false, false, true]);
  });

  it('of no users at all says so without failing', async () => {
    const hashes = fileOf(ndjson([hashOf(1)]));
    const batches = await batchesOf(sourceOf('auth0', fileOf('[]'), { related: { hashes } }));
    expect(batches).toMatchObject([{ records: 0, unmatched: { hashes: 1 } }]);
  });

  it('takes tables of one document, and rows that are distinguished within one array', async () => {
    const both = {
      users: [{ id: 'a', name: 'A', email: 'a@example.com', emailVerified: null, image: null }],
      padding: ['x'.repeat(100)],
      accounts: [{ userId: 'a', type: 'oauth', provider: 'github', providerAccountId: '7' }],
    };
    const lines = linesOf(await batchesOf(sourceOf('authjs', fileOf(JSON.stringify(both)))));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"thirdPartyUserId":"7"');
    const rows = [
      { model: 'contenttypes.contenttype', pk: 1, fields: {} },
      {
        model: 'account.emailaddress',
        pk: 1,
        fields: { user: 5, email: 'a@example.com', verified: true, primary: true },
      },
      {
        model: 'auth.user',
        pk: 5,
        fields: { username: 'a', email: 'a@example.com', password: '!', last_login: null, is_active: true },
      },
    ];
    const [batch] = await batchesOf(sourceOf('django', fileOf(JSON.stringify(rows))));
    expect(batch?.rejects).toEqual([]);
    expect(linesOf(batch ? [batch] : [])).toMatchObject([
      '',
      '',
      expect.stringContaining('"isVerified":true'),
    ]);
    expect(batch).toMatchObject({ records: 3, skipped: 2 });
  });

  it('leaves no file behind when it is aborted, fails, or its reader stops', async () => {
    const ids = Array.from({ length: 5000 }, (_, place) => place);
    const file = fileOf(ndjson(ids.map(userOf)));
    const related = { hashes: fileOf(ndjson(ids.map(hashOf))) };
    const source = sourceOf('auth0', file, { related });
    for await (const batch of convert(source, pool)) {
      expect(batch.firstRecord).toBe(1);
      expect(leftovers()).toHaveLength(1);
      break;
    }
    expect(leftovers()).toEqual([]);
    const abort = new AbortController();
    const run = async () => {
      for await (const batch of convert(source, pool, abort.signal))
        abort.abort(new Error(String(batch.records)));
    };
    await expect(run()).rejects.toThrow();
    expect(leftovers()).toEqual([]);
    const broken = { hashes: fileOf(`[${JSON.stringify(hashOf(1))}`) };
    await expect(batchesOf({ ...source, related: broken })).rejects.toThrow('ends early');
    expect(leftovers()).toEqual([]);
  });

  it('reads what a file says before its records', async () => {
    const users = [
      {
        user_id: 'user-live-7c0d9a52-3b61-4f0e-9a57-1f2f8e6b4c11',
        emails: [{ email: 'ada@example.com', verified: true }],
      },
    ];
    const related = { hashes: path.join(exportsFolder, 'stytch-hashes.csv') };
    const file = fileOf(JSON.stringify({ results: users }));
    const [line = ''] = linesOf(await batchesOf(sourceOf('stytch', file, { related })));
    expect(isRight({ ok: true, user: JSON.parse(line) as NativeUser }, samplePassword)).toBe(true);
  });
});

describe('work in order', () => {
  // eslint-disable-next-line @typescript-eslint/require-await
  async function* items(count: number, failsAt = Infinity): AsyncGenerator<number> {
    for (let item = 0; item < count; item += 1) {
      if (item === failsAt) throw new Error('the source failed');
      yield item;
    }
  }

  it('is done for several items at once and no more than the limit', async () => {
    let [running, most] = [0, 0];
    const open: (() => void)[] = [];
    const work = async (item: number): Promise<number> => {
      running += 1;
      most = Math.max(most, running);
      if (running === 3) for (const go of open.splice(0)) go();
      else if (item < 9) await new Promise<void>((resolve) => open.push(resolve));
      running -= 1;
      return item;
    };
    const results: number[] = [];
    for await (const result of inOrder(items(9), work, 3)) {
      results.push(result);
      for (const go of open.splice(0)) go();
    }
    expect(results).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
    expect(most).toBe(3);
  });

  it.each([1, 4, 100])('hands out everything before a failure, with %i at once', async (limit) => {
    const results: number[] = [];
    const take = async (source: AsyncGenerator<number>) => {
      for await (const result of source) results.push(result);
    };
    await expect(take(inOrder(items(9, 5), (item) => Promise.resolve(item), limit))).rejects.toThrow(
      'source',
    );
    expect(results.splice(0)).toEqual([0, 1, 2, 3, 4]);
    const fails = (item: number) =>
      item === 3 ? Promise.reject(new Error('work failed')) : Promise.resolve(item);
    await expect(take(inOrder(items(9), fails, limit))).rejects.toThrow('work failed');
    expect(results).toEqual([0, 1, 2]);
  });
});
