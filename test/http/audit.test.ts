/** The audit log: entries of requests, with their key, before they are answered, and never with a secret. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { importUser, knownHash, newApp, newEmail } from '../helpers/people.ts';

const migration = 'the-key-of-the-migration-team';
const named = [
  { name: 'migration', scopes: ['import', 'export', 'admin', 'read'], key: migration },
  { name: 'prometheus', scopes: ['metrics'], key: 'the-key-that-prometheus-has' },
];

interface Entry {
  readonly id: string;
  readonly who: string;
  readonly what: string;
  readonly address?: string;
  readonly outcome?: string;
  readonly count?: number;
  readonly begunAt: number;
  readonly endedAt?: number;
  readonly details: Readonly<Record<string, unknown>>;
}

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({ settings: { NAMED_KEYS: JSON.stringify(named), ALLOW_HASH_EXPORT: 'true' } });
});
afterAll(() => core.stop());

async function entries(app: string, query: Record<string, string> = {}): Promise<Entry[]> {
  const { http, body } = await core.get(`${app}/config/audit`, query);
  expect(http).toBe(200);
  return body.entries as Entry[];
}

async function send(method: string, path: string, body?: unknown, key = migration): Promise<Response> {
  const isText = typeof body === 'string';
  const response = await fetch(core.url + path, {
    method,
    headers: { 'api-key': key, ...(isText && { 'content-type': 'application/x-ndjson' }) },
    ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
  });
  await response.clone().text();
  return response;
}

const line = (email: string) =>
  `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: knownHash }] })}\n`;

describe('an act', () => {
  test('is kept with key, address, outcome and count before it is answered', async () => {
    const app = await newApp(core);
    const { body } = await importUser(core, newEmail(), app).then(async ({ id }) => {
      const response = await send('POST', `${app}/user/remove`, { userId: id });
      return { body: await response.json(), id };
    });
    expect(body).toMatchObject({ status: 'OK' });
    const [entry] = await entries(app);
    expect(entry).toMatchObject({
      who: 'migration',
      what: 'user.remove',
      address: '127.0.0.1',
      outcome: 'OK',
    });
    expect(entry?.details).toHaveProperty('userId');
    expect(entry?.endedAt).toBeGreaterThanOrEqual(entry?.begunAt ?? Infinity);
    const said = core.log.map((each) => JSON.parse(each) as Record<string, unknown>);
    expect(said.filter(({ audit }) => audit === 'user.remove').at(-1)).toMatchObject({
      level: 'info',
      msg: 'audit',
      who: 'migration',
      address: '127.0.0.1',
      outcome: 'OK',
    });
  });

  test('that is refused is kept with why', async () => {
    const app = await newApp(core);
    await send('PUT', `${app}/recipe/user/role`, { userId: 'u', role: 'none' });
    await send('POST', `${app}/recipe/multitenancy/app/remove`, { appId: 'public' });
    expect((await entries(app)).map(({ what, outcome, details }) => [what, outcome, details])).toEqual([
      ['app.remove', 'PUBLIC_APP_ONLY', { appId: 'public' }],
      ['user.role.give', 'UNKNOWN_ROLE_ERROR', { userId: 'u', role: 'none' }],
    ]);
  });

  test('that cannot be kept is not done', async () => {
    const app = await newApp(core);
    const { id } = await importUser(core, newEmail(), app);
    await withSql(core.database.connection, async (sql) => {
      await sql`alter table carryover.audit rename to audit_away`;
      try {
        expect((await send('POST', `${app}/user/remove`, { userId: id })).status).toBe(500);
      } finally {
        await sql`alter table carryover.audit_away rename to audit`;
      }
    });
    expect((await core.get(`${app}/user/id`, { userId: id })).body).toMatchObject({ status: 'OK' });
  });

  test('by a key of api_keys, and by an app’s own, says so', async () => {
    const app = await newApp(core);
    await core.put(`${app}/recipe/role`, { role: 'first' });
    const own = 'a-key-that-is-of-this-app-alone';
    const appId = app.replace('/appid-', '');
    await core.put('/recipe/multitenancy/app/v2', { appId, coreConfig: { api_keys: own } });
    await send('PUT', `${app}/recipe/role`, { role: 'second' }, own);
    const { entries: found } = (await (await send('GET', `${app}/config/audit`, undefined, own)).json()) as {
      entries: Entry[];
    };
    expect(found.map(({ who, details }) => [who, details.role])).toEqual([
      [`app:${appId}`, 'second'],
      ['api_keys', 'first'],
    ]);
    const [put] = await entries('', { what: 'app.put' });
    expect(put).toMatchObject({ who: 'api_keys', details: { appId, coreConfig: ['api_keys'] } });
  });
});

describe('imports and exports', () => {
  test('an import, its undo and an export are kept with how many', async () => {
    const app = await newApp(core);
    const lines = [newEmail(), newEmail(), newEmail()].map(line).join('');
    const { job } = (await (
      await send('PUT', `${app}/bulk-import/jobs?name=people.ndjson`, lines)
    ).json()) as {
      job: { id: string };
    };
    const exported = await (await send('GET', `${app}/bulk-export/users`)).text();
    expect(exported.trimEnd().split('\n')).toHaveLength(3);
    await expect.poll(async () => (await entries(app, { what: 'export' }))[0]?.outcome).toBe('OK');
    await send('POST', `${app}/bulk-import/jobs/${job.id}/undo`);
    const found = await entries(app);
    expect(found.map(({ what, outcome, count, who }) => [what, outcome, count, who])).toEqual([
      ['import.undo', 'OK', 3, 'migration'],
      ['export', 'OK', 3, 'migration'],
      ['import.begin', 'OK', 3, 'migration'],
    ]);
    expect(found[2]?.details).toMatchObject({
      job: job.id,
      name: 'people.ndjson',
      created: 3,
      dryRun: false,
    });
  });

  test('an import in parts is kept when it begins and when it is done', async () => {
    const app = await newApp(core);
    const bytes = line(newEmail());
    const tus = { 'api-key': migration, 'tus-resumable': '1.0.0' };
    const begun = await fetch(`${core.url}${app}/bulk-import/jobs`, {
      method: 'POST',
      headers: { ...tus, 'upload-length': String(bytes.length) },
    });
    const upload = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    const location = `${core.url}${begun.headers.get('location') ?? ''}`;
    expect((await fetch(location, { method: 'PATCH', headers: upload, body: bytes })).status).toBe(204);
    expect((await entries(app)).map(({ what, count }) => [what, count])).toEqual([
      ['import.done', 1],
      ['import.begin', undefined],
    ]);
  });
});

describe('what is done by the thousand', () => {
  test('is counted, by key and address, and kept when the core closes', async () => {
    const other = await startTestCore({ settings: { NAMED_KEYS: JSON.stringify(named) } });
    for (let n = 0; n < 3; n++) await importUser(other, newEmail());
    const ask = (key: string) => fetch(`${other.url}/users`, { headers: { 'api-key': key } });
    for (let n = 0; n < 2; n++) expect((await ask('hunter2-hunter2-hunter2')).status).toBe(401);
    expect((await ask('the-key-that-prometheus-has')).status).toBe(403);
    await other.close();
    const kept = await withSql(
      other.database.connection,
      (sql) =>
        sql`select who, what, outcome, count::int, address from carryover.audit order by what, outcome`,
    );
    await other.stop();
    expect(kept.map((row) => ({ ...row }))).toEqual([
      { who: 'core', what: 'core.start', outcome: 'OK', count: null, address: null },
      { who: 'api_keys', what: 'import.user', outcome: 'OK', count: 3, address: '127.0.0.1' },
      { who: 'unknown', what: 'key.refused', outcome: 'INVALID_API_KEY', count: 2, address: '127.0.0.1' },
      {
        who: 'prometheus',
        what: 'key.refused',
        outcome: 'KEY_SCOPE_MISSING',
        count: 1,
        address: '127.0.0.1',
      },
    ]);
    expect(other.log.join('')).not.toMatch(/hunter2|the-key-that/);
  });
});

describe('the list', () => {
  test('is of the app; the public app has all; filters and pages', async () => {
    const app = await newApp(core);
    const stranger = await newApp(core);
    for (const role of ['one', 'two', 'three']) await send('PUT', `${app}/recipe/role`, { role });
    await core.put(`${stranger}/recipe/role`, { role: 'theirs' });
    const roles = (found: readonly Entry[]) => found.map(({ details }) => details.role);
    expect(roles(await entries(app))).toEqual(['three', 'two', 'one']);
    expect(roles(await entries('', { what: 'role.put', limit: '2' }))).toEqual(['theirs', 'three']);
    expect(roles(await entries(app, { who: 'migration', what: 'role' }))).toEqual(['three', 'two', 'one']);
    expect(await entries(app, { who: 'somebody' })).toEqual([]);
    expect(await entries(app, { what: 'rol' })).toEqual([]);
    const { body } = await core.get(`${app}/config/audit`, { limit: '2' });
    const token = String(body.nextPaginationToken);
    expect(roles(await entries(app, { limit: '2', paginationToken: token }))).toEqual(['one']);
    const [latest] = await entries(app);
    expect(roles(await entries(app, { since: String((latest?.begunAt ?? 0) + 1) }))).toEqual([]);
    expect(roles(await entries(app, { since: String(latest?.begunAt) }))).toContain('three');
  });

  test('needs the scope admin', async () => {
    expect((await send('GET', '/config/audit', undefined, 'the-key-that-prometheus-has')).status).toBe(403);
  });

  test('no sign-in is in it, and no secret', async () => {
    const app = await newApp(core);
    const email = newEmail();
    await importUser(core, email, app);
    await core.post(`${app}/recipe/signin`, { email, password: 'abc' });
    await core.post(`${app}/recipe/dashboard/user`, { email, password: 'hunter2hunter2' });
    expect((await entries(app)).map(({ what }) => what)).toEqual(['dashboard-user.add']);
    const kept = JSON.stringify(await entries('', { limit: '500' }));
    for (const secret of ['hunter2', knownHash, migration, testApiKey]) expect(kept).not.toContain(secret);
  });
});
