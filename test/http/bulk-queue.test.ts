/** The routes of the import queue, over a stand-in queue. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BulkQueue, ListQuery } from '../../src/imports/queue/queue.ts';
import { Refusal } from '../../src/domain/errors.ts';
import { bulkQueueRoutes } from '../../src/http/routes/bulk-queue.ts';
import type { User } from '../../src/domain/model.ts';
import { assembleUser } from '../../src/domain/user.ts';
import { type BulkStand, startBulkStand } from '../helpers/bulk-stand.ts';

const user: User = assembleUser('ext', false, []);
const queries: ListQuery[] = [];
const reject = {
  line: 1,
  code: 'INVALID_FIELD',
  field: 'loginMethods.0.email',
  message: 'must be one',
} as const;

/** Accepts everything but users who are texts. */
const queue: BulkQueue = {
  add: (_, users) => {
    if (users.length > 3) return Promise.reject(new Refusal('OVERLOADED'));
    return Promise.resolve(
      users.flatMap((each, index) => (typeof each === 'string' ? [{ index, errors: ['no object'] }] : [])),
    );
  },
  addBody: () => Promise.resolve([]),
  list: (_, query) => {
    queries.push(query);
    const entry = { id: 'e', status: 'NEW', createdAt: 1, updatedAt: 2, externalUserId: 'ext' } as const;
    return Promise.resolve({ users: [entry], nextPaginationToken: 'next' });
  },
  count: (_, status) => Promise.resolve(status === 'FAILED' ? 1 : 7),
  remove: (_, ids) => Promise.resolve({ deletedIds: ids.slice(0, 1), invalidIds: ids.slice(1) }),
  importOne: (_, record) => Promise.resolve('externalUserId' in record ? { user } : { reject }),
};

let stand: BulkStand;
beforeAll(async () => {
  stand = await startBulkStand({ routes: bulkQueueRoutes(queue) });
});
afterAll(() => stand.stop());

async function answer(method: string, path: string, input?: unknown) {
  const init = input === undefined ? {} : { body: JSON.stringify(input) };
  const response = await stand.request(method, `/bulk-import/${path}`, init);
  return [response.status, (await response.json()) as Record<string, unknown>] as const;
}

test('users are added, more bytes of them than another request may have', async () => {
  expect(await answer('POST', 'users', { users: [{}, { more: 'x'.repeat(100_000) }] })).toEqual([
    200,
    { status: 'OK' },
  ]);
});

test('invalid users are reported by their place, in both spellings', async () => {
  const message = 'Data has missing or invalid fields. Please check the users field for more details.';
  expect(await answer('POST', 'users', { users: [{}, 'text'] })).toEqual([
    400,
    { status: 'INVALID_FIELD', message, error: message, users: [{ index: 1, errors: ['no object'] }] },
  ]);
});

test('a queue that is full is busy, and a body without users is refused', async () => {
  expect((await answer('POST', 'users', { users: [1, 2, 3, 4] }))[0]).toBe(503);
  for (const body of [{}, { users: 1 }, { users: {} }]) {
    expect(await answer('POST', 'users', body)).toMatchObject([
      400,
      { message: "Field name 'users' is invalid in JSON input" },
    ]);
  }
});

test('the list and the count take a status, and refuse any other', async () => {
  const [http, body] = await answer('GET', 'users?status=FAILED&limit=5&paginationToken=t');
  expect([http, body.status, body.nextPaginationToken]).toEqual([200, 'OK', 'next']);
  expect(body.users).toMatchObject([{ id: 'e', status: 'NEW', externalUserId: 'ext' }]);
  expect(queries).toEqual([{ status: 'FAILED', limit: 5, paginationToken: 't' }]);
  expect(await answer('GET', 'users/count')).toEqual([200, { status: 'OK', count: 7 }]);
  expect(await answer('GET', 'users/count?status=FAILED')).toEqual([200, { status: 'OK', count: 1 }]);
  for (const path of ['users?status=DONE', 'users/count?status=new', 'users?limit=501', 'users?limit=0']) {
    expect(await answer('GET', path)).toMatchObject([400, { status: 'INVALID_QUERY_PARAMETER' }]);
  }
});

test('entries are removed by their ids', async () => {
  expect(await answer('POST', 'users/remove', { ids: ['a', 'b'] })).toEqual([
    200,
    { status: 'OK', deletedIds: ['a'], invalidIds: ['b'] },
  ]);
  for (const body of [{}, { ids: 'a' }, { ids: [''] }, { ids: [1] }]) {
    expect((await answer('POST', 'users/remove', body))[0]).toBe(400);
  }
});

test('one user is imported at once, or refused with the reason', async () => {
  const loginMethods: object[] = [];
  expect(await answer('POST', 'import', { externalUserId: 'ext', loginMethods })).toEqual([
    200,
    { status: 'OK', user },
  ]);
  const { code: status, field, message } = reject;
  expect(await answer('POST', 'import', { loginMethods })).toEqual([
    400,
    { status, field, message, errors: [`${field}: ${message}`] },
  ]);
  expect((await answer('POST', 'import', {}))[0]).toBe(400);
});

test('all of it belongs to the app', () => {
  const paths = ['users', 'users/count', 'users/remove', 'import'];
  expect(bulkQueueRoutes(queue).map(({ path, scope }) => [path, scope])).toEqual(
    expect.arrayContaining(paths.map((path) => [`/bulk-import/${path}`, 'app'])),
  );
});
