/** Import jobs: one, many, their rejects and events; undoing one; and their description. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { uploadRoutes } from '../../src/http/routes/uploads/routes.ts';
import { jobRoutes } from '../../src/http/routes/jobs.ts';
import {
  type BulkStand,
  createJob,
  documentOf,
  headOf,
  jobsPath,
  patch,
  refusal,
  startBulkStand,
} from '../helpers/bulk-stand.ts';
import { FakeImports } from '../helpers/fake-imports.ts';

let stand: BulkStand;
beforeEach(async () => {
  stand = await startBulkStand();
});
afterEach(() => stand.stop());

const nobody = `${jobsPath}/019aa000-0000-7000-8000-000000000000`;
const idOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
const body = async (path: string) =>
  (await (await stand.request('GET', path)).json()) as Record<string, unknown>;

function theJob(path: string) {
  const job = stand.imports.jobs.get(idOf(path));
  if (job === undefined) throw new Error(`no job ${path}`);
  return job;
}

describe('one job', () => {
  test('shows exactly the fields of the contract', async () => {
    const path = await createJob(stand, undefined, '?name=night&onConflict=skip&dryRun=true');
    Object.assign(theJob(path), {
      startedAt: 1000,
      created: 5,
      updated: 4,
      unchanged: 3,
      skipped: 2,
      rejected: 1,
    });
    expect(await body(path)).toEqual({
      status: 'OK',
      job: {
        id: idOf(path),
        name: 'night',
        state: 'receiving',
        dryRun: true,
        onConflict: 'skip',
        secondFactor: 'refuse',
        sameIds: false,
        restoreRemoved: false,
        receipt: false,
        bytes: 0,
        lines: 15,
        created: 5,
        updated: 4,
        unchanged: 3,
        skipped: 2,
        rejected: 1,
        removedHere: 0,
        canSignInBy: {},
        rejectedByConversion: 0,
        conflicts: 0,
        undone: 0,
        byKind: {},
        byFactor: {},
        byState: {},
        oddDates: 0,
        startedAt: 1000,
        usersPerSecond: 0,
      },
    });
    Object.assign(theJob(path), {
      state: 'done',
      lastCommitAt: 8000,
      pausedMs: 5000,
      finishedAt: 8001,
      byKind: { bcrypt: 9 },
    });
    const { job } = await body(path);
    expect(job).toMatchObject({
      state: 'done',
      finishedAt: 8001,
      usersPerSecond: 7.5,
      byKind: { bcrypt: 9 },
    });
  });

  test.each(['', '/rejects', '/events'])('that is unknown, or of another app: 404 (%s)', async (end) => {
    expect(await refusal(await stand.request('GET', nobody + end))).toEqual([404, 'NOT_FOUND', 'Not found']);
    const path = await createJob(stand, 5);
    expect((await stand.request('GET', `/appid-app1${path}${end}`)).status).toBe(404);
  });
});

describe('many jobs', () => {
  test('are listed newest first, each once, page by page', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 5; i++) ids.unshift(idOf(await createJob(stand, 5)));
    const seen: unknown[] = [];
    let query = '?limit=2';
    for (let page = 0; page < 3; page++) {
      const { jobs, nextPaginationToken } = (await body(jobsPath + query)) as {
        jobs: { id: string }[];
        nextPaginationToken?: string;
      };
      seen.push(...jobs.map(({ id }) => id));
      expect(typeof nextPaginationToken).toBe(page < 2 ? 'string' : 'undefined');
      query = `?limit=2&paginationToken=${nextPaginationToken ?? ''}`;
    }
    expect(seen).toEqual(ids);
    expect(((await body(jobsPath)).jobs as unknown[]).length).toBe(5);
    expect(await body(`/appid-app1${jobsPath}`)).toEqual({ status: 'OK', jobs: [] });
  });

  test.each(['limit=0', 'limit=501', 'limit=x', 'paginationToken=1', 'paginationToken='])(
    'refuses %s',
    async (query) => {
      expect((await refusal(await stand.request('GET', `${jobsPath}?${query}`))).slice(0, 2)).toEqual([
        400,
        'INVALID_QUERY_PARAMETER',
      ]);
    },
  );
});

test('rejects come as one line each, with nothing but what is theirs', async () => {
  const path = await createJob(stand, 5);
  for (let line = 1; line <= 250; line++) {
    const more = { passwordHash: 'never shown' };
    stand.imports.rejected.push({ line, code: 'INVALID_FIELD', field: 'a.b', message: 'no\nline', ...more });
  }
  const first = stand.imports.rejected[0];
  if (first) stand.imports.rejected[0] = { ...first, externalUserId: 'theirs' };
  const response = await stand.request('GET', `${path}/rejects`);
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/x-ndjson']);
  const text = await response.text();
  const lines = text.split('\n').filter((each) => each !== '');
  expect(lines.length).toBe(250);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    line: 1,
    externalUserId: 'theirs',
    code: 'INVALID_FIELD',
    field: 'a.b',
    message: 'no\nline',
  });
  expect(Object.keys(JSON.parse(lines[249] ?? '') as object)).toEqual(['line', 'code', 'field', 'message']);
  expect(text.endsWith('\n')).toBe(true);
});

describe('events', () => {
  const eventsIn = (text: string) =>
    [...text.matchAll(/^data: (.*)\n\n/gm)].map(
      ([, json]) => JSON.parse(json ?? '') as Record<string, unknown>,
    );

  test('return the job at once, as it advances, and at its end, then end themselves', async () => {
    const path = await createJob(stand, 16);
    const wire = await stand.wire();
    wire.send(headOf('GET', `${path}/events`, { Accept: 'text/event-stream' }));
    expect(await wire.gets('"bytes":0')).toBe(true);
    expect(await wire.gets(': nothing new\n\n')).toBe(true);
    await patch(stand, path, 0, '{"a":1}\n');
    expect(await wire.gets('"bytes":8')).toBe(true);
    await patch(stand, path, 8, '{"b":1}\n');
    const answer = await wire.answer();
    expect(answer?.headers.get('content-type')).toBe('text/event-stream');
    expect(answer?.headers.get('cache-control')).toBe('no-store');
    const events = eventsIn(answer?.body ?? '');
    expect(events.map(({ bytes, state }) => [bytes, state])).toEqual([
      [0, 'receiving'],
      [8, 'receiving'],
      [16, 'done'],
    ]);
    expect(events.at(-1)).toEqual((await body(path)).job);
  });

  test('of a job that is over are one', async () => {
    const path = await createJob(stand, 16);
    await stand.request('DELETE', path);
    const text = await (await stand.request('GET', `${path}/events`)).text();
    expect(eventsIn(text)).toMatchObject([{ state: 'cancelled' }]);
  });

  test('end with a hang-up, and when the core stops', async () => {
    const path = await createJob(stand, 16);
    const [gone, live] = [await stand.wire(), await stand.wire()];
    for (const wire of [gone, live]) {
      wire.send(headOf('GET', `${path}/events`, {}));
      expect(await wire.gets('data: ')).toBe(true);
    }
    const ended = stand.nextObserved();
    gone.hangUp();
    expect(await ended).toBe('GET /bulk-import/jobs/{id}/events 499');
    const closing = stand.server.close();
    expect((await live.answer())?.body).toMatch(/^data: /);
    await closing;
    expect(stand.logged).toEqual([]);
  });
});

describe('undo', () => {
  test.each([
    ['no body', undefined, false],
    ['an empty object', '{}', false],
    ['force', '{"force":true}', true],
  ])('with %s answers what was removed, restored and left', async (_what, sent, force) => {
    const path = await createJob(stand, 8);
    await patch(stand, path, 0, '{"a":1}\n');
    const response = await stand.request('POST', `${path}/undo`, sent === undefined ? {} : { body: sent });
    expect(await response.json()).toEqual({
      status: 'OK',
      removed: 1,
      restored: 0,
      held: 0,
      left: [{ userId: 'u', reason: 'SIGNED_IN' }],
    });
    expect(stand.imports.undone).toEqual([{ id: idOf(path), force }]);
  });

  test.each([
    ['', { SIGNED_IN: 1, CHANGED_SINCE: 0, IDENTITY_TAKEN: 0 }],
    ['?force=true', { SIGNED_IN: 0, CHANGED_SINCE: 0, IDENTITY_TAKEN: 0 }],
  ])('is foreseen by GET%s, which does nothing', async (asked, left) => {
    const path = await createJob(stand, 8);
    await patch(stand, path, 0, '{"a":1}\n');
    const response = await stand.request('GET', `${path}/undo${asked}`);
    expect(await response.json()).toEqual({ status: 'OK', removed: 1, restored: 0, left });
    expect(stand.imports.undone).toEqual([]);
    expect((await refusal(await stand.request('GET', `${nobody}/undo`)))[0]).toBe(404);
  });

  test('is refused while the job receives, for no job, and for what is no boolean', async () => {
    const path = await createJob(stand, 8);
    const undo = async (at: string, sent = '{}') =>
      (await refusal(await stand.request('POST', `${at}/undo`, { body: sent }))).slice(0, 2);
    expect(await undo(path)).toEqual([409, 'JOB_STILL_RECEIVING']);
    expect(await undo(nobody)).toEqual([404, 'NOT_FOUND']);
    expect(await undo(path, '{"force":"yes"}')).toEqual([400, 'INVALID_FIELD']);
    expect(await undo(path, 'x')).toEqual([400, 'INVALID_JSON_INPUT']);
  });
});

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: object };
  readonly responses: Readonly<Record<string, { readonly $ref?: string }>>;
}

describe('the OpenAPI document', () => {
  const document = documentOf(new FakeImports()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
    readonly components: { readonly responses: object };
  };
  const routes = [...uploadRoutes(new FakeImports()), ...jobRoutes(new FakeImports())];

  test.each(routes)('describes $method $path', ({ method, path }) => {
    const operation = document.paths[path]?.[method.toLowerCase()];
    if (operation === undefined) throw new Error('not described');
    for (const [status, { $ref }] of Object.entries(operation.responses))
      if ($ref !== undefined) expect(document.components.responses, $ref).toHaveProperty(status);
    const names = operation.parameters?.map(({ name }) => name) ?? [];
    expect(names.includes('id')).toBe(path.includes('{id}'));
  });

  test('describes the headers and answers of uploads', () => {
    const { patch: goingOn } = document.paths[`${jobsPath}/{id}`] ?? {};
    expect(goingOn?.parameters?.map(({ name }) => name)).toEqual([
      'id',
      'Tus-Resumable',
      'Upload-Offset',
      'Upload-Ahead',
      'Upload-Length',
    ]);
    expect(Object.keys(goingOn?.responses ?? {})).toEqual(
      expect.arrayContaining(['204', '409', '415', '423']),
    );
    const { post } = document.paths[jobsPath] ?? {};
    expect(post?.parameters?.map(({ name }) => name)).toContain('onConflict');
    expect(Object.keys(post?.requestBody?.content ?? {})).toContain('application/x-ndjson');
  });
});
