/** Two systems number their users alike: an id alone turns no user into another person. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { newApp } from '../helpers/people.ts';

let core: TestCore;
let app: string;
beforeAll(async () => {
  core = await startTestCore({ settings: { IMPORT_CHUNK_BYTES: '65536' } });
});
beforeEach(async () => {
  app = await newApp(core);
});
afterAll(() => core.stop());

interface Job {
  readonly id: string;
  readonly state: string;
  readonly created: number;
  readonly updated: number;
  readonly rejected: number;
  readonly cancelReason?: { readonly code: string; readonly message: string };
}

const person = (id: number | string, email: string, rest: object = {}) => ({
  externalUserId: String(id),
  loginMethods: [{ recipeId: 'passwordless', email, ...rest }],
});
const people = (domain: string, count: number, from = 0) =>
  Array.from({ length: count }, (_, n) => person(from + n, `u${from + n}@${domain}.test`));

async function send(records: readonly object[], query = ''): Promise<Response> {
  return fetch(`${core.url}${app}/bulk-import/jobs${query}`, {
    method: 'POST',
    headers: { 'api-key': testApiKey, 'content-type': 'application/x-ndjson' },
    body: records.map((record) => `${JSON.stringify(record)}\n`).join(''),
  });
}

async function run(records: readonly object[], query = ''): Promise<Job> {
  const response = await send(records, query);
  expect(response.status).toBe(200);
  return ((await response.json()) as { job: Job }).job;
}

async function emailsOf(id: string): Promise<unknown> {
  const { body } = await core.get(`${app}/user/id?userId=${encodeURIComponent(id)}`);
  return (body.user as { emails: unknown } | undefined)?.emails;
}

async function rejectsOf({ id }: Job): Promise<{ code: string; field: string; message: string }[]> {
  const { text } = await core.get(`${app}/bulk-import/jobs/${id}/rejects`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { code: string; field: string; message: string });
}

describe('the ids of a second system', () => {
  test('leave the users of the first as they are', async () => {
    await run(people('shop', 3));
    const job = await run([...people('forum', 2), person(7, 'u7@forum.test')]);
    expect(job).toMatchObject({ created: 1, updated: 0, rejected: 2 });
    expect(await rejectsOf(job)).toMatchObject([
      {
        code: 'DIFFERENT_PERSON',
        field: 'externalUserId',
        message: expect.stringContaining('--id-prefix') as string,
      },
      { code: 'DIFFERENT_PERSON' },
    ]);
    expect(await emailsOf('0')).toEqual(['u0@shop.test']);
  });

  test('link no users across tenants', async () => {
    await core.put(`${app}/recipe/multitenancy/tenant/v2`, { tenantId: 'acme' });
    await run([
      {
        externalUserId: '4',
        loginMethods: [
          {
            recipeId: 'thirdparty',
            thirdPartyId: 'google',
            thirdPartyUserId: 'g',
            email: 'a@a.test',
            tenantIds: ['acme'],
          },
        ],
      },
    ]);
    expect(await rejectsOf(await run([person(4, 'b@b.test')]))).toMatchObject([{ code: 'DIFFERENT_PERSON' }]);
    expect(await emailsOf('4')).toEqual(['a@a.test']);
  });

  test('become those of users of their own by a prefix, and are found so again', async () => {
    await run(people('shop', 3));
    expect(await run(people('forum', 3), '?idPrefix=forum:')).toMatchObject({
      created: 3,
      idPrefix: 'forum:',
    });
    expect(await run(people('forum', 3), '?idPrefix=forum:')).toMatchObject({ unchanged: 3 });
    expect(await emailsOf('forum:1')).toEqual(['u1@forum.test']);
    expect(await emailsOf('1')).toEqual(['u1@shop.test']);
    // The same bytes without it mean others.
    expect(await run(people('forum', 3))).toMatchObject({ rejected: 3 });
  });

  test('become too long by a prefix, which is said', async () => {
    const job = await run(
      [person('x'.repeat(128), 'a@a.test'), person('x'.repeat(127), 'b@b.test')],
      '?idPrefix=f',
    );
    expect(job).toMatchObject({ created: 1, rejected: 1 });
    expect(await rejectsOf(job)).toMatchObject([
      {
        code: 'INVALID_FIELD',
        field: 'externalUserId',
        message: expect.stringMatching(/prefix.*129 characters.*shorter/) as string,
      },
    ]);
  });

  test.each(['%20', 'a%00', 'x'.repeat(65), ''])('are not put behind the prefix %j', async (prefix) => {
    const response = await send(people('forum', 1), `?idPrefix=${prefix}`);
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { status: 'INVALID_QUERY_PARAMETER', message: expect.stringContaining('idPrefix') as string },
    ]);
  });

  test('are those of the same people if the import says so', async () => {
    await run(people('shop', 2));
    expect(await run(people('forum', 2), '?sameIds=true')).toMatchObject({ updated: 2, sameIds: true });
    expect(await emailsOf('1')).toEqual(['u1@forum.test']);
  });
});

describe('an import that is mostly about other people', () => {
  test('stops, and says what to do', async () => {
    await run(people('shop', 3000));
    const response = await send([...people('new', 2000, 5000), ...people('forum', 3000)]);
    const message = expect.stringMatching(/--id-prefix.*--same-ids/) as string;
    expect([response.status, await response.json()]).toMatchObject([410, { status: 'JOB_STOPPED', message }]);
    const { body } = await core.get(`${app}/bulk-import/jobs`);
    const [job] = body.jobs as Job[];
    expect(job).toMatchObject({
      state: 'cancelled',
      created: 2000,
      cancelReason: { code: 'DIFFERENT_PEOPLE', message },
    });
    expect(job?.rejected).toBeGreaterThanOrEqual(1000);
    expect(job?.rejected).toBeLessThan(3000);
  });

  test.each([
    [
      'half of its updates are of the same people',
      () =>
        people('forum', 1000).flatMap((each, n) => [
          { ...person(n + 2000, `u${n + 2000}@shop.test`), userMetadata: { n } },
          each,
        ]),
    ],
    ['there are fewer updates', () => people('forum', 999)],
  ])('goes on while %s', async (_, records) => {
    await run(people('shop', 3000));
    expect(await run(records())).toMatchObject({ state: 'done' });
  });
});

describe('a single import and the queue', () => {
  const other = () => person(1, 'u1@forum.test');

  test('refuse other people, too', async () => {
    await run(people('shop', 2));
    const refused = await core.post(`${app}/bulk-import/import`, other());
    expect([refused.http, refused.body]).toMatchObject([
      400,
      { status: 'DIFFERENT_PERSON', field: 'externalUserId' },
    ]);
    expect((await core.post(`${app}/bulk-import/import`, { ...other(), sameIds: true })).http).toBe(200);
    expect(await emailsOf('1')).toEqual(['u1@forum.test']);
  });

  test.each([
    ['small', ''],
    ['large', 'x'.repeat(100_000)],
  ])('take a word for a whole request: a %s one', async (_, padding) => {
    await run(people('shop', 2));
    const users = [{ ...other(), userMetadata: { padding } }];
    await core.post(`${app}/bulk-import/users`, { users });
    await expect
      .poll(() => failed())
      .toMatchObject([{ errorMessage: expect.stringContaining('DIFFERENT_PERSON') as string }]);
    await core.post(`${app}/bulk-import/users`, { users, sameIds: true });
    await expect.poll(() => emailsOf('1')).toEqual(['u1@forum.test']);
  });

  test('bring back who was removed here where a request asks for it', async () => {
    await run(people('shop', 2));
    await core.post(`${app}/user/remove`, { userId: '1' });
    const [, gone] = people('shop', 2);
    const refused = await core.post(`${app}/bulk-import/import`, gone);
    expect([refused.http, refused.body]).toMatchObject([400, { status: 'REMOVED_HERE' }]);
    await core.post(`${app}/bulk-import/users`, { users: [gone], restoreRemoved: true });
    await expect.poll(() => emailsOf('1')).toEqual(['u1@shop.test']);
    await core.post(`${app}/user/remove`, { userId: '1' });
    expect(await run(people('shop', 2), '?restoreRemoved=true')).toMatchObject({
      created: 1,
      restoreRemoved: true,
    });
    await core.post(`${app}/user/remove`, { userId: '1' });
    expect((await core.post(`${app}/bulk-import/import`, { ...gone, restoreRemoved: true })).http).toBe(200);
  });

  async function failed(): Promise<unknown> {
    return (await core.get(`${app}/bulk-import/users?status=FAILED`)).body.users;
  }
});
