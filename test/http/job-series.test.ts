/** Jobs of a series: one entry of the list, with the sums of all of them. */
import { expect, test } from 'vitest';
import { type TestCore, testApiKey } from '../helpers/core.ts';
import { newApp } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;

useCoreAndApps((used) => {
  ({ core, app } = used);
});

const person = (name: string, rest: object = {}) =>
  JSON.stringify({
    externalUserId: name,
    loginMethods: [{ recipeId: 'passwordless', email: `${name}@a.test` }],
    ...rest,
  });
const unusable = JSON.stringify({ externalUserId: 'nothing', loginMethods: [] });

const post = (query: string, lines: readonly string[], prefix = app) =>
  fetch(`${core.url}${prefix}/bulk-import/jobs?${query}`, {
    method: 'POST',
    headers: { 'api-key': testApiKey, 'content-type': 'application/x-ndjson' },
    body: lines.join('\n'),
  });

interface View {
  readonly id: string;
  readonly startedAt: number;
  readonly series?: object;
}

async function importLines(query: string, lines: readonly string[], prefix = app): Promise<View> {
  const response = await post(query, lines, prefix);
  expect(response.status).toBe(200);
  return ((await response.json()) as { job: View }).job;
}

async function list(query = '', prefix = app) {
  const { body } = await core.get(`${prefix}/bulk-import/jobs?${query}`);
  return body as { jobs: View[]; nextPaginationToken?: string };
}

test('a series is listed once, by its newest job, with the sums of all', async () => {
  const alone = await importLines('name=file', [person('ada')]);
  const first = await importLines('series=follow-1&whole=true', [person('bob'), unusable]);
  const between = await importLines('name=other', [person('cid')]);
  await importLines('series=follow-1', [person('bob', { userMetadata: { a: 1 } }), unusable]);
  const newest = await importLines('series=follow-1&name=look', [person('dan')]);
  const { jobs } = await list();
  expect(jobs.map(({ id }) => id)).toEqual([newest.id, between.id, alone.id]);
  expect(jobs[0]).toMatchObject({
    name: 'look',
    created: 1,
    series: {
      name: 'follow-1',
      whole: false,
      jobs: 3,
      since: first.startedAt,
      created: 2,
      updated: 1,
      unchanged: 0,
      skipped: 0,
      rejected: 2,
      lastWhole: { id: first.id, startedAt: first.startedAt, rejected: 1 },
    },
  });
  expect(jobs[1]).not.toHaveProperty('series');
});

test('its jobs are listed by its name, page by page, as entries of their own', async () => {
  const made: View[] = [];
  for (const name of ['ada', 'bob', 'cid'])
    made.unshift(await importLines('series=follow-1', [person(name)]));
  await importLines('series=follow-2', [person('dan')]);
  await importLines('', [person('eve')]);
  const ids = made.map(({ id }) => id);
  const first = await list('series=follow-1&limit=2');
  const second = await list(`series=follow-1&limit=2&paginationToken=${first.nextPaginationToken ?? ''}`);
  expect([first, second].map(({ jobs }) => jobs.map(({ id }) => id))).toEqual([
    ids.slice(0, 2),
    ids.slice(2),
  ]);
  expect(second).not.toHaveProperty('nextPaginationToken');
  expect(first.jobs[0]?.series).toEqual({ name: 'follow-1', whole: false });
  const one = await core.get(`${app}/bulk-import/jobs/${ids[0] ?? ''}`);
  expect(one.body.job).toMatchObject({ series: { name: 'follow-1', whole: false } });
  expect((await list('series=unknown')).jobs).toEqual([]);
});

test('pages of the list show each entry once, and so do they when a series gets a job in between', async () => {
  const entries = [
    await importLines('series=s1', [person('ada')]),
    await importLines('', [person('bob')]),
    await importLines('series=s2', [person('cid')]),
    await importLines('', [person('dan')]),
  ]
    .map(({ id }) => id)
    .reverse();
  const seen: string[] = [];
  for (let token = ''; ;) {
    const page = await list(`limit=1${token}`);
    seen.push(...page.jobs.map(({ id }) => id));
    if (page.nextPaginationToken === undefined) break;
    token = `&paginationToken=${page.nextPaginationToken}`;
    if (seen.length === 2) await importLines('series=s2', [person('eve')]);
  }
  expect(seen).toEqual(entries);
});

test('two apps have series of the same name, each with its own jobs', async () => {
  const other = await newApp(core);
  const mine = await importLines('series=follow-1', [person('ada')]);
  const theirs = await importLines('series=follow-1', [person('ada'), person('bob')], other);
  for (const [prefix, { id }, created] of [
    [app, mine, 1],
    [other, theirs, 2],
  ] as const)
    for (const query of ['', 'series=follow-1']) {
      const { jobs } = await list(query, prefix);
      expect(jobs).toMatchObject([{ id, created }]);
    }
  expect((await list('', other)).jobs).toMatchObject([{ series: { jobs: 1, created: 2 } }]);
});

test('an undo leaves the sums, as it leaves the counts of its job, and the reading before is the last', async () => {
  const before = await importLines('series=follow-1&whole=true', [unusable]);
  const { id } = await importLines('series=follow-1&whole=true', [person('ada')]);
  await core.post(`${app}/bulk-import/jobs/${id}/undo`);
  const lastWhole = { id: before.id, rejected: 1 };
  expect((await list()).jobs).toMatchObject([
    { id, state: 'undone', created: 1, series: { created: 1, rejected: 1, lastWhole } },
  ]);
});

test('an upload in parts counts each part once', async () => {
  const file = Buffer.from(`${person('ada')}\n${person('bob')}\n`);
  const headers = { 'api-key': testApiKey, 'tus-resumable': '1.0.0' };
  const begun = await fetch(`${core.url}${app}/bulk-import/jobs?series=follow-1`, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(file.length) },
  });
  const at = file.indexOf('\n') + 1;
  for (const [from, to] of [
    [0, at],
    [at, file.length],
  ]) {
    const sent = await fetch(`${core.url}${begun.headers.get('location') ?? ''}`, {
      method: 'PATCH',
      headers: {
        ...headers,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(from),
      },
      body: file.subarray(from, to),
    });
    expect(sent.status).toBe(204);
    expect((await list()).jobs).toMatchObject([{ series: { jobs: 1, created: from === 0 ? 1 : 2 } }]);
  }
});

test.each([
  ['series=follow-1&dryRun=true', "'series' cannot be combined with 'dryRun' or 'compare'"],
  ['series=follow-1&compare=true', "'series' cannot be combined with 'dryRun' or 'compare'"],
  ['whole=true', "'whole' needs 'series'"],
  ['series=a%20b', 'must be 1 to 64 letters, digits and any of _ . -'],
  ['series=', 'must be 1 to 64 letters, digits and any of _ . -'],
])('refuses %s', async (query, message) => {
  const response = await post(query, [person('ada')]);
  expect([response.status, await response.json()]).toEqual([
    400,
    { status: 'INVALID_QUERY_PARAMETER', message: expect.stringContaining(message) as string },
  ]);
  expect((await list()).jobs).toEqual([]);
});
