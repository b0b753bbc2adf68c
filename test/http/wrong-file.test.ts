/** A file that is not an export stops early, and takes almost no space. */
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { newApp } from '../helpers/people.ts';

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({ settings: { IMPORT_CHUNK_BYTES: '65536' } });
});
afterAll(() => core.stop());

const junk = (lines: number): string => 'x\n'.repeat(lines);
const user = (n: number, key = `u${n}`): string =>
  `${JSON.stringify({ externalUserId: key, loginMethods: [{ recipeId: 'passwordless', email: `u${n}@b.test` }] })}\n`;

interface Job {
  readonly id: string;
  readonly state: string;
  readonly rejected: number;
  readonly cancelReason?: { readonly code: string; readonly message: string };
}

const headers = { 'api-key': testApiKey };
const ndjson = { ...headers, 'content-type': 'application/x-ndjson' };

async function jobOf(app: string): Promise<Job> {
  const { body } = await core.get(`${app}/bulk-import/jobs`);
  const [job] = body.jobs as Job[];
  if (!job) throw new Error('no job');
  return job;
}

async function importWhole(app: string, body: string | Buffer, query = '', more = {}): Promise<Response> {
  const path = `${core.url}${app}/bulk-import/jobs${query}`;
  return fetch(path, {
    method: 'POST',
    headers: { ...ndjson, ...more },
    body: new Uint8Array(Buffer.from(body)),
  });
}

async function rowsOfRejects(id: string): Promise<number> {
  const [row] = await withSql(
    core.database.connection,
    (sql) => sql<{ count: number }[]>`
      select count(*)::int as count from carryover.import_rejects where job_id = ${id}`,
  );
  return row?.count ?? 0;
}

const stopped = {
  state: 'cancelled',
  cancelReason: {
    code: 'ALL_REJECTED',
    message: expect.stringContaining('is this the right file') as string,
  },
};
const refusal = { status: 'JOB_STOPPED', message: expect.stringContaining('--from') as string };

describe.each([
  ['plain', (text: string) => Buffer.from(text), {}],
  ['in gzip', (text: string) => gzipSync(text), { 'content-encoding': 'gzip' }],
] as const)('a body of nothing but rejects, %s', (_, pack, more) => {
  test('stops its job, which says why, and is answered with that', async () => {
    const app = await newApp(core);
    const response = await importWhole(app, pack(junk(70_000)), '', more);
    expect([response.status, await response.json()]).toEqual([410, refusal]);
    const job = await jobOf(app);
    expect(job).toMatchObject(stopped);
    expect(job.rejected).toBeGreaterThanOrEqual(10_000);
    expect(job.rejected).toBeLessThan(70_000);
  });
});

test('each of its rejects is counted and listed, and kept once', async () => {
  const app = await newApp(core);
  await importWhole(app, `${junk(2500)}{}\n${junk(10_000)}`);
  const { id, rejected } = await jobOf(app);
  expect(rejected).toBe(12_501);
  const { text } = await core.get(`${app}/bulk-import/jobs/${id}/rejects`);
  const listed = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { line: number; code: string });
  expect(listed.map(({ line }) => line)).toEqual(Array.from({ length: 12_501 }, (_, place) => place + 1));
  expect(listed.flatMap(({ line, code }) => (code === 'INVALID_JSON' ? [] : [line]))).toEqual([2501]);
  expect(await rowsOfRejects(id)).toBe(3);
});

test('an upload in pieces is refused from then on, with the reason', async () => {
  const app = await newApp(core);
  const path = `${app}/bulk-import/jobs`;
  const create = { method: 'POST', headers: { ...headers, 'upload-length': '1000000' } };
  const location = (await fetch(core.url + path, create)).headers.get('location') ?? '';
  const append = (offset: number) =>
    fetch(core.url + location, {
      method: 'PATCH',
      headers: {
        ...headers,
        'tus-resumable': '1.0.0',
        'upload-offset': String(offset),
        'content-type': 'application/offset+octet-stream',
      },
      body: junk(10_000),
    });
  expect(await (await append(0)).json()).toEqual(refusal);
  expect(await (await append(20_000)).json()).toEqual(refusal);
});

test.each([
  ['has one valid record', () => user(0) + junk(12_000)],
  ['has fewer rejects', () => junk(9999)],
])('a file that %s goes on to its end', async (_, text) => {
  const app = await newApp(core);
  expect((await importWhole(app, text())).status).toBe(200);
  expect(await jobOf(app)).toMatchObject({ state: 'done' });
});

test('records that only meet others are no wrong file', async () => {
  const app = await newApp(core);
  const users = (key?: string) =>
    Array.from({ length: 10_001 }, (_, n) => user(n, key && `${key}${n}`)).join('');
  expect((await importWhole(app, users())).status).toBe(200);
  expect((await importWhole(app, users('v'), '?onConflict=reject')).status).toBe(200);
  expect(await jobOf(app)).toMatchObject({ state: 'done', rejected: 10_001 });
});
