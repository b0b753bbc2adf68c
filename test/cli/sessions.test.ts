/** `carryover sessions import` against a whole core, and against one that is away for a moment. */
import { createHash, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import { runHere } from '../helpers/command.ts';
import { testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { startOldSystem } from '../helpers/old-system.ts';
import { soon } from '../helpers/old-tokens.ts';
import { importUser, newApp, newEmail, newTenant } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
useCoreAndPlace((used) => {
  ({ core, place } = used);
});

let app: string;
let appFlags: string[];
let userId: string;
beforeEach(async () => {
  app = await newApp(core, { session_sources: [{ name: 'store', speaks: 'opaque', until: soon() }] });
  appFlags = ['--app', app.replace('/appid-', ''), '--url', core.url];
  const { id } = await importUser(core, newEmail(), app);
  userId = `old|${randomUUID()}`;
  await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: userId });
});

const sha256 = (token: string) => createHash('sha256').update(token).digest('hex');
const expiresAt = Date.now() + 3_600_000;
const ndjson = (records: readonly object[]) =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const tokens = (count: number, who = userId) =>
  Array.from({ length: count }, (_, n) => ({ userId: who, tokenSha256: sha256(`${who} ${n}`), expiresAt }));
const run = (...args: string[]) =>
  place.run(['sessions', 'import', '--yes', ...args, '--source', 'store', ...appFlags], withTestKey);
const carry = async (token: string, at = app) =>
  (await core.post(`${at}/recipe/session/carry`, { source: 'store', token })).body;

async function kept(): Promise<number> {
  let count = 0;
  await withSql(core.database.connection, async (sql) => {
    const [row] =
      await sql`select count(*)::int as count from carryover.opaque_tokens where user_id = ${userId}`;
    count = Number(row?.count);
  });
  return count;
}

describe('tokens of a file', () => {
  it('are brought, more of them than one request takes, and each is exchanged', async () => {
    await place.write('sessions.ndjson.gz', gzipSync(ndjson(tokens(12_001))));
    expect(await run('sessions.ndjson.gz')).toMatchObject({
      code: 0,
      stdout: '12,001 tokens of store may be exchanged for sessions\n',
    });
    expect(await kept()).toBe(12_001);
    expect(await carry(`${userId} 12000`)).toMatchObject({ status: 'OK', carried: { userId } });
    // No line is repeated.
    expect(await run('sessions.ndjson.gz', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('"imported":12001,"rejected":0') as string,
    });
    expect(await kept()).toBe(12_001);
  });

  it('may stand there in clear, with dates, and in the tenant that is named', async () => {
    const tenant = await newTenant(core, app);
    await core.post(`${tenant}/recipe/multitenancy/tenant/user`, { recipeUserId: userId });
    const date = new Date(expiresAt).toISOString();
    await place.write(
      'clear.ndjson',
      `\ufeff${ndjson([{ kind: 'session', userId, token: 'in clear', expiresAt: date }])}`,
    );
    const id = tenant.split('/').at(-1) ?? '';
    expect(await run('clear.ndjson', '--tenant', id)).toMatchObject({ code: 0 });
    expect(await carry('in clear')).toMatchObject({ reason: 'INVALID_TOKEN' });
    expect(await carry('in clear', tenant)).toMatchObject({ status: 'OK' });
  });

  it('that no core would take are listed with their lines, and the others are brought', async () => {
    const [good] = tokens(1);
    const wrong: readonly (readonly [string, string, string])[] = [
      ['no json', 'INVALID_JSON', ''],
      ['[]', 'INVALID_JSON', ''],
      [JSON.stringify({ ...good, userId: undefined }), 'MISSING_FIELD', 'userId'],
      [JSON.stringify({ ...good, userId: 'x'.repeat(129) }), 'INVALID_FIELD', 'userId'],
      [JSON.stringify({ ...good, userId: 'a\0b' }), 'INVALID_FIELD', 'userId'],
      [JSON.stringify({ ...good, tokenSha256: 'abc' }), 'INVALID_FIELD', 'tokenSha256'],
      [JSON.stringify({ ...good, token: 'a' }), 'INVALID_FIELD', 'token'],
      [JSON.stringify({ ...good, expiresAt: '2030-01-31' }), 'INVALID_FIELD', 'expiresAt'],
      [JSON.stringify({ ...good, expiresAt: undefined }), 'MISSING_FIELD', 'expiresAt'],
      [JSON.stringify({ ...good, issued_at: 1 }), 'INVALID_FIELD', 'issued_at'],
      [JSON.stringify({ ...good, kind: 'user' }), 'INVALID_FIELD', 'kind'],
      [JSON.stringify({ ...good, pad: 'x'.repeat(1_048_576) }), 'LINE_TOO_LONG', ''],
    ];
    const lines = [...wrong.map(([line]) => line), '', JSON.stringify(good)];
    await place.write('mixed.ndjson', lines.join('\n'));
    const { code, stdout } = await run('mixed.ndjson', '--rejects', 'rejects.ndjson');
    expect([code, stdout]).toEqual([1, expect.stringContaining('12 rejected, see rejects.ndjson')]);
    const rejects = (await place.read('rejects.ndjson')).trim().split('\n');
    expect(rejects.map((line) => JSON.parse(line) as object)).toEqual(
      wrong.map(([, rejectCode, field], n): unknown =>
        expect.objectContaining({ line: n + 1, code: rejectCode, field }),
      ),
    );
    expect(await kept()).toBe(1);
  });
});

describe('an import of tokens', () => {
  it('that was stopped says how to go on, and does', async () => {
    const all = ndjson(tokens(7000));
    const stop = new AbortController();
    async function* typed(): AsyncGenerator<Buffer> {
      yield Buffer.from(all.split('\n').slice(0, 6000).join('\n'));
      await expect.poll(kept).toBe(5000);
      stop.abort();
      await new Promise(() => undefined);
      yield Buffer.alloc(0);
    }
    const stopped = await runHere(['sessions', 'import', '--yes', '-', '--source', 'store', ...appFlags], {
      folder: place.folder,
      environment: { CARRYOVER_API_KEY: testApiKey },
      stdin: Readable.from(typed()),
      interrupt: stop.signal,
    });
    expect([stopped.code, stopped.stderr]).toEqual([130, expect.stringContaining('--from-line 5001')]);
    await place.write('all.ndjson', all);
    expect(await run('all.ndjson', '--from-line', '5001')).toMatchObject({
      code: 0,
      stdout: '2,000 tokens of store may be exchanged for sessions\n',
    });
    expect(await kept()).toBe(7000);
  });

  it('waits out a core that is busy, and sends no token in clear', async () => {
    const busy = await startOldSystem(() =>
      busy.asked.length === 2
        ? { status: 503, json: { status: 'OVERLOADED', message: 'busy' } }
        : { status: 200, json: { status: 'OK', imported: 1 } },
    );
    await place.write('one.ndjson', ndjson([{ userId: 'u', token: 'in clear', expiresAt }]));
    const args = ['sessions', 'import', '--yes', 'one.ndjson', '--source', 'store', '--url', busy.url];
    expect(await place.run(args)).toMatchObject({ code: 0 });
    // The first checks whether the core is ready.
    const [, first, again] = busy.asked.map(({ body }) => body);
    expect(again).toBe(first);
    expect(JSON.parse(first ?? '')).toEqual({
      source: 'store',
      sessions: [{ userId: 'u', tokenSha256: sha256('in clear'), expiresAt }],
    });
    await busy.close();
  });

  it('of a source that is not set up, or of no file, ends with the cure', async () => {
    await place.write('some.ndjson', ndjson(tokens(1)));
    const other = await place.run(
      ['sessions', 'import', '--yes', 'some.ndjson', '--source', 'other', ...appFlags],
      withTestKey,
    );
    expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining("'session_sources'") as string });
    expect(await run('nowhere.ndjson')).toMatchObject({
      code: 2,
      stderr: 'nowhere.ndjson: there is no such file\n',
    });
    await place.write('cut.gz', gzipSync(ndjson(tokens(100))).subarray(0, 200));
    expect(await run('cut.gz')).toMatchObject({ code: 2, stderr: expect.stringContaining('gzip') as string });
  });
});
