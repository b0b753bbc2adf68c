/** Apps in two places: each with all of its rows in one, and only its name in the first. */
import { describe, expect, it } from 'vitest';
import { testApiKey, type TestCore } from '../helpers/core.ts';
import { importUser, knownHash, knownPassword, newEmail, refusalOf, signIn } from '../helpers/people.ts';
import { inDatabase, newAppIn, type TwoPlaces, useTwoPlaces, usersIn } from '../helpers/places.ts';

let used: TwoPlaces;
let core: TestCore;
useTwoPlaces((places) => {
  used = places;
  ({ core } = places);
});

const headers = { 'api-key': testApiKey };
const line = (email: string): string =>
  JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: knownHash }] });

async function importFile(app: string, emails: readonly string[]): Promise<Record<string, unknown>> {
  const answer = await fetch(`${core.url}${app}/bulk-import/jobs`, {
    method: 'PUT',
    headers,
    body: emails.map((email) => `${line(email)}\n`).join(''),
  });
  return ((await answer.json()) as { job: Record<string, unknown> }).job;
}

const tablesWith = async (appId: string): Promise<readonly string[]> =>
  inDatabase(used.first, async (sql) => {
    const tables = await sql<{ name: string }[]>`
      select table_name as name from information_schema.columns
      where table_schema = 'carryover' and column_name = 'app_no' order by 1`;
    const [app] = await sql<{ app_no: number }[]>`select app_no from apps where app_id = ${appId}`;
    const found = await Promise.all(
      tables.map(async ({ name }) => {
        const rows = await sql`select from ${sql(name)} where app_no = ${app?.app_no ?? -1} limit 1`;
        return rows.length > 0 ? name : undefined;
      }),
    );
    return found.filter((name) => name !== undefined);
  });

describe('an app in the second place', () => {
  it('has its users there, however they come, and only its name in the first', async () => {
    const { app, appId, answer } = await newAppIn(core, 'second');
    expect(answer.body).toEqual({ status: 'OK', createdNew: true });
    const [signedUp, single, queued, ...many] = Array.from({ length: 5 }, newEmail);
    await core.post(`${app}/recipe/signup`, { email: signedUp, password: knownPassword });
    await importUser(core, single ?? '', app);
    await core.post(`${app}/bulk-import/users`, {
      users: [JSON.parse(line(queued ?? '')) as object],
    });
    expect(await importFile(app, many)).toMatchObject({ state: 'done', created: 2 });
    for (const email of [signedUp, single, queued, ...many])
      await expect.poll(() => signIn(core, email ?? '', knownPassword, app)).toBe('OK');
    expect(await tablesWith(appId)).toEqual(['apps']);
    expect((await usersIn(used.second))[appId]).toBe(5);
  });

  it('has tenants, roles, sessions and an undo there, too', async () => {
    const { app, appId } = await newAppIn(core, 'second');
    await core.put(`${app}/recipe/multitenancy/tenant/v2`, {
      tenantId: 'customer',
      firstFactors: ['emailpassword'],
    });
    const email = newEmail();
    const user = await importUser(core, email, app);
    await core.put(`${app}/recipe/role`, { role: 'admin', permissions: ['all'] });
    await core.put(`${app}/recipe/user/role`, { userId: user.id, role: 'admin' });
    const session = await core.post(`${app}/recipe/session`, {
      userId: user.id,
      userDataInJWT: {},
      userDataInDatabase: {},
      enableAntiCsrf: false,
    });
    expect(session.body.status).toBe('OK');
    const job = await importFile(app, [newEmail()]);
    const undo = await fetch(`${core.url}${app}/bulk-import/jobs/${String(job.id)}/undo`, {
      method: 'POST',
      headers,
    });
    expect(await undo.json()).toMatchObject({ status: 'OK', removed: 1 });
    expect(await tablesWith(appId)).toEqual(['apps']);
  });

  it('is listed with its place, by any core, and removed from both', async () => {
    const other = await used.another();
    const { app, appId } = await newAppIn(core, 'second');
    await importUser(core, newEmail(), app);
    const { body } = await other.get('/recipe/multitenancy/app/list/v2');
    expect(body.apps).toContainEqual(expect.objectContaining({ appId, place: 'second' }));
    expect(body.apps).toContainEqual(expect.objectContaining({ appId: 'public', place: 'first' }));
    expect((await other.get(`${app}/users/count`)).body).toMatchObject({ count: 1 });
    await other.stop();
    expect((await core.post('/recipe/multitenancy/app/remove', { appId })).body).toEqual({
      status: 'OK',
      didExist: true,
    });
    expect(await tablesWith(appId)).toEqual([]);
    expect((await usersIn(used.second))[appId]).toBeUndefined();
    expect(refusalOf(await core.get(`${app}/users/count`))[1]).toBe('APP_OR_TENANT_NOT_FOUND');
  });

  it('stays there when it is put again', async () => {
    const { appId } = await newAppIn(core, 'second');
    const again = await core.put('/recipe/multitenancy/app/v2', {
      appId,
      coreConfig: { bcrypt_max_cost: 9 },
      place: 'first',
    });
    expect(again.body).toEqual({ status: 'OK', createdNew: false });
    const { body } = await core.get('/recipe/multitenancy/app/list/v2');
    expect(body.apps).toContainEqual(expect.objectContaining({ appId, place: 'second' }));
  });
});

describe('an app without a place', () => {
  it('is in the first one', async () => {
    const { app, appId } = await newAppIn(core, undefined);
    await importUser(core, newEmail(), app);
    expect((await usersIn(used.first))[appId]).toBe(1);
  });

  it('has a number that none in the second place has', async () => {
    const apps = await Promise.all(
      Array.from({ length: 12 }, (_, n) => newAppIn(core, n % 2 === 0 ? 'second' : undefined)),
    );
    const numbers = await inDatabase(used.first, (sql) => {
      return sql<{ app_no: number }[]>`
        select app_no from apps where app_id = any(${apps.map(({ appId }) => appId)})`;
    });
    expect(new Set(numbers.map((row) => row.app_no)).size).toBe(12);
  });
});

describe('a crash between name and tenants', () => {
  const nameAlone = (appId: string): Promise<unknown> =>
    inDatabase(used.first, (sql) => sql`insert into apps (app_id, home) values (${appId}, 'second')`);

  it('leaves no app, and the next request completes it', async () => {
    await nameAlone('half');
    expect(refusalOf(await core.get('/appid-half/users/count'))[1]).toBe('APP_OR_TENANT_NOT_FOUND');
    const { body } = await core.get('/recipe/multitenancy/app/list/v2');
    expect(JSON.stringify(body)).not.toContain('half');
    expect((await core.put('/recipe/multitenancy/app/v2', { appId: 'half' })).body).toEqual({
      status: 'OK',
      createdNew: true,
    });
    expect((await core.get('/appid-half/users/count')).body).toMatchObject({ count: 0 });
  });

  it('or removes it', async () => {
    await nameAlone('rest');
    expect((await core.post('/recipe/multitenancy/app/remove', { appId: 'rest' })).body).toEqual({
      status: 'OK',
      didExist: true,
    });
    expect(await tablesWith('rest')).toEqual([]);
  });
});

describe('work over all apps', () => {
  it('seals second factors of apps that this core was never asked for', async () => {
    const { app } = await newAppIn(core, 'second');
    const email = newEmail();
    const factors = { totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP' }] };
    const record = { ...(JSON.parse(line(email)) as object), ...factors };
    await fetch(`${core.url}${app}/bulk-import/jobs`, {
      method: 'PUT',
      headers,
      body: `${JSON.stringify(record)}\n`,
    });
    const staged = (): Promise<number> =>
      inDatabase(
        used.second,
        async (sql) =>
          (await sql`select from user_details where jsonb_typeof(totp_devices) = 'array'`).length,
      );
    expect(await staged()).toBe(1);
    const other = await used.another();
    await expect.poll(staged).toBe(0);
    await other.stop();
    expect(other.log.join('')).not.toMatch(/"level":"error"/);
  });
});

describe('a place that there is not', () => {
  it('is refused, with those that there are', async () => {
    const { answer } = await newAppIn(core, 'third');
    expect(refusalOf(answer)).toEqual([
      400,
      'INVALID_FIELD',
      "Field name 'place' is invalid in JSON input: must be one of the places first, second (setting 'places')",
    ]);
  });
});
