/** `DELETE /bulk-import/jobs/{id}?purge=true`: no personal data of an ended job remains. */
import { expect, test } from 'vitest';
import { type TestCore, testApiKey } from '../helpers/core.ts';
import { newApp, refusalOf } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;

useCoreAndApps((used) => {
  ({ core, app } = used);
});

const person = (rest: object = {}) =>
  JSON.stringify({
    externalUserId: 'ada',
    loginMethods: [{ recipeId: 'passwordless', email: 'a@a.test' }],
    ...rest,
  });

const send = (method: string, path: string, headers: Record<string, string>, body?: string) =>
  fetch(`${core.url}${app}/bulk-import/jobs${path}`, {
    method,
    headers: { 'api-key': testApiKey, ...headers },
    ...(body !== undefined && { body }),
  });
const purge = (id: string, query = '?purge=true') =>
  send('DELETE', `/${id}${query}`, { 'Tus-Resumable': '1.0.0' });

async function importLines(...lines: readonly string[]): Promise<string> {
  const response = await send('POST', '', { 'content-type': 'application/x-ndjson' }, lines.join('\n'));
  return ((await response.json()) as { job: { id: string } }).job.id;
}

const rejectsOf = async (id: string) => (await core.get(`${app}/bulk-import/jobs/${id}/rejects`)).text;

test('removes rejects and what was replaced, and leaves the counts', async () => {
  await importLines(person());
  const id = await importLines(person({ userMetadata: { changed: true } }), person({ loginMethods: [] }));
  expect(await rejectsOf(id)).toContain('"ada"');
  expect((await purge(id)).status).toBe(204);
  expect(await rejectsOf(id)).toBe('');
  const { body } = await core.get(`${app}/bulk-import/jobs/${id}`);
  expect(body.job).toMatchObject({ state: 'done', updated: 1, rejected: 1 });
  expect((body.job as { purgedAt: number }).purgedAt).toBeGreaterThan(0);
  const undone = await core.post(`${app}/bulk-import/jobs/${id}/undo`, { force: true });
  expect(refusalOf(undone).slice(0, 2)).toEqual([410, 'JOB_PURGED']);
  expect((await purge(id)).status).toBe(204);
});

test('is refused while the job receives, and stops nothing', async () => {
  const headers = { 'Tus-Resumable': '1.0.0', 'Upload-Length': '10' };
  const begun = await send('POST', '', headers);
  const id = begun.headers.get('location')?.split('/').at(-1) ?? '';
  const refused = await purge(id);
  expect([refused.status, await refused.json()]).toMatchObject([409, { status: 'JOB_STILL_RECEIVING' }]);
  expect((await core.get(`${app}/bulk-import/jobs/${id}`)).body.job).toMatchObject({ state: 'receiving' });
});

test('is asked for by its word only, and of a job of this app', async () => {
  const id = await importLines(person({ loginMethods: [] }));
  expect((await purge(id, '?purge=all')).status).toBe(400);
  expect((await purge(id, '?purge=false')).status).toBe(204);
  expect(await rejectsOf(id)).toContain('"ada"');
  app = await newApp(core);
  expect((await purge(id)).status).toBe(404);
});
