import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { areApart } from '../helpers/apart.ts';
import type { TestCore } from '../helpers/core.ts';
import {
  importUser,
  knownPassword,
  newApp,
  newEmail,
  newTenant,
  refusalOf,
  signIn,
  signInUp,
  verificationToken,
} from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});

const nameOf = (prefix: string) => prefix.split('/').at(-1)?.replace('appid-', '') ?? '';
const shown = (tenantId: string, coreConfig = {}) => ({
  tenantId,
  ...(tenantId !== 'public' && { firstFactors: [] }),
  thirdParty: { providers: [] },
  coreConfig,
});

describe('a tenant', () => {
  test('is made once, and changed by the same request', async () => {
    const put = (coreConfig: object) =>
      core.put(`${app}/recipe/multitenancy/tenant/v2`, { tenantId: ' Customer-1 ', coreConfig });
    expect((await put({})).body).toEqual({ status: 'OK', createdNew: true });
    expect((await put({ bcrypt_max_cost: 9 })).body).toEqual({ status: 'OK', createdNew: false });
    const { body } = await core.get(`${app}/customer-1/recipe/multitenancy/tenant/v2`);
    expect(body).toEqual({ status: 'OK', ...shown('customer-1', { bcrypt_max_cost: 9 }) });
  });

  test('is in its app’s list with the public one', async () => {
    const tenant = await newTenant(core, app);
    const { body } = await core.get(`${app}/recipe/multitenancy/tenant/list/v2`);
    expect(body).toEqual({ status: 'OK', tenants: [shown('public'), shown(nameOf(tenant))] });
    const unknown = await core.get(`${app}/nobody/recipe/multitenancy/tenant/v2`);
    expect([unknown.http, unknown.body]).toEqual([200, { status: 'TENANT_NOT_FOUND_ERROR' }]);
  });

  test.each(['recipe', 'users', 'Health', 'appid-x', 'a b', 'a_b', 'ä', '', 'x'.repeat(65)])(
    'may not be called %j',
    async (tenantId) => {
      const refusal = refusalOf(await core.put(`${app}/recipe/multitenancy/tenant/v2`, { tenantId }));
      expect(refusal).toEqual([
        400,
        'INVALID_FIELD',
        "Field name 'tenantId' is invalid in JSON input: must be 1 to 64 letters, digits and hyphens, and no word that begins an endpoint",
      ]);
    },
  );

  test.each([
    ['tenant', 'acme'],
    ['app', 'public'],
  ])(
    'keeps the factors that are set, in order, until they are removed: by the request for a %s',
    async (what, name) => {
      const ids = what === 'tenant' ? { tenantId: name } : { appId: nameOf(app) };
      const put = async (factors: object) =>
        (
          await core.put(`${what === 'tenant' ? app : ''}/recipe/multitenancy/${what}/v2`, {
            ...ids,
            ...factors,
          })
        ).http;
      const got = async () => {
        const { body } = await core.get(`${app}/${name}/recipe/multitenancy/tenant/v2`);
        const { status, tenantId, thirdParty, coreConfig, ...factors } = body;
        expect({ status, tenantId, thirdParty, coreConfig }).toMatchObject({ status: 'OK', tenantId: name });
        return factors;
      };
      await put({});
      expect(await got()).toEqual(what === 'tenant' ? { firstFactors: [] } : {});
      const both = { firstFactors: ['emailpassword', 'my-own.one'], requiredSecondaryFactors: ['totp'] };
      expect([await put(both), await got()]).toEqual([200, both]);
      expect([await put({ coreConfig: {} }), await got()]).toEqual([200, both]);
      expect([await put({ firstFactors: [] }), await got()]).toEqual([200, { ...both, firstFactors: [] }]);
      expect([await put({ requiredSecondaryFactors: [] }), await got()]).toEqual([200, { firstFactors: [] }]);
      expect([await put({ firstFactors: null }), await got()]).toEqual([200, {}]);
      await put(both);
      expect([await put({ requiredSecondaryFactors: null }), await got()]).toEqual([
        200,
        { firstFactors: both.firstFactors },
      ]);
      const { body } = await core.get(`${app}/recipe/multitenancy/tenant/list/v2`);
      expect(body.tenants).toContainEqual(
        expect.objectContaining({ tenantId: name, firstFactors: both.firstFactors }),
      );
    },
  );

  test.each([
    [{ firstFactors: ['totp', 'totp'] }, 'firstFactors input should not contain duplicate values'],
    [
      { requiredSecondaryFactors: ['a b'] },
      'requiredSecondaryFactors should contain only 0-9,a-z,A-Z,_,.,- characters',
    ],
    [{ firstFactors: 'totp' }, "Field name 'firstFactors' is invalid in JSON input"],
    [{ firstFactors: [1] }, "Field name 'firstFactors' is invalid in JSON input"],
  ])('refuses %j, and changes nothing', async (factors, message) => {
    const put = await core.put(`${app}/recipe/multitenancy/tenant/v2`, { tenantId: 'acme', ...factors });
    expect(refusalOf(put)).toEqual([400, 'INVALID_FIELD', message]);
    const { body } = await core.get(`${app}/acme/recipe/multitenancy/tenant/v2`);
    expect(body.status).toBe('TENANT_NOT_FOUND_ERROR');
  });

  test('is removed with its users; the id may be made again, and is empty', async () => {
    const tenant = await newTenant(core, app);
    const email = newEmail();
    const pair = { userId: (await importUser(core, email, tenant)).id, email };
    const token = await verificationToken(core, pair, tenant);
    const staying = await importUser(core, email, app);
    const remove = () => core.post(`${app}/recipe/multitenancy/tenant/remove`, { tenantId: nameOf(tenant) });

    expect((await remove()).body).toEqual({ status: 'OK', didExist: true });
    expect((await remove()).body).toEqual({ status: 'OK', didExist: false });
    expect((await core.get(`${tenant}/users/count`)).http).toBe(400);
    expect((await core.get(`${app}/user/id`, { userId: pair.userId })).body.status).toBe(
      'UNKNOWN_USER_ID_ERROR',
    );

    await core.put(`${app}/recipe/multitenancy/tenant/v2`, { tenantId: nameOf(tenant) });
    expect((await core.get(`${tenant}/users/count`)).body).toEqual({ status: 'OK', count: 0 });
    expect(await signIn(core, email, knownPassword, tenant)).toBe('WRONG_CREDENTIALS_ERROR');
    const late = await core.post(`${tenant}/recipe/user/email/verify`, { method: 'token', token });
    expect(late.body.status).toBe('EMAIL_VERIFICATION_INVALID_TOKEN_ERROR');
    expect((await core.get(`${app}/user/id`, { userId: staying.id })).body.user).toEqual(staying);
  });
});

describe('an app', () => {
  test('is in the one place that there is', async () => {
    const put = (place: string) => core.put('/recipe/multitenancy/app/v2', { appId: 'placed', place });
    if (!areApart)
      expect(refusalOf(await put('dublin'))).toEqual([
        400,
        'INVALID_FIELD',
        "Field name 'place' is invalid in JSON input: this core has one database: list further ones in the setting 'places'",
      ]);
    expect((await put('first')).body).toEqual({ status: 'OK', createdNew: true });
  });

  test('is made once with its public tenant, and listed', async () => {
    const appId = `app-${randomUUID()}`;
    const put = () => core.put('/recipe/multitenancy/app/v2', { appId: appId.toUpperCase() });
    expect((await put()).body).toEqual({ status: 'OK', createdNew: true });
    expect((await put()).body).toEqual({ status: 'OK', createdNew: false });
    const { body } = await core.get('/recipe/multitenancy/app/list/v2');
    expect(body.apps).toContainEqual({ appId, tenants: [shown('public')] });
    expect(body.apps).toContainEqual(expect.objectContaining({ appId: 'public' }));
  });

  test('keeps its users from those of other apps', async () => {
    const other = await newApp(core);
    const user = await importUser(core, newEmail(), app);
    expect((await core.get(`${other}/user/id`, { userId: user.id })).body).toEqual({
      status: 'UNKNOWN_USER_ID_ERROR',
    });
    expect((await core.get(`${other}/users`)).body).toEqual({ status: 'OK', users: [] });
    await core.post(`${other}/user/remove`, { userId: user.id });
    const mapped = await core.post(`${other}/recipe/userid/map`, {
      superTokensUserId: user.id,
      externalUserId: 'x',
    });
    expect(mapped.body).toEqual({ status: 'UNKNOWN_SUPERTOKENS_USER_ID_ERROR' });
    expect((await core.get(`${app}/user/id`, { userId: user.id })).body.user).toEqual(user);
  });

  test('is removed with its tenants and users; the id may be made again, and is empty', async () => {
    const tenant = await newTenant(core, app);
    const email = newEmail();
    await importUser(core, email, app);
    const { id } = await signInUp(core, 'g-1', { id: email, isVerified: true }, tenant);
    const remove = () => core.post('/recipe/multitenancy/app/remove', { appId: nameOf(app) });

    expect((await remove()).body).toEqual({ status: 'OK', didExist: true });
    expect((await remove()).body).toEqual({ status: 'OK', didExist: false });
    expect((await core.get(`${app}/users/count`)).http).toBe(400);

    await core.put('/recipe/multitenancy/app/v2', { appId: nameOf(app) });
    expect((await core.get(`${app}/users/count`, { includeAllTenants: 'true' })).body.count).toBe(0);
    expect((await core.get(`${tenant}/users/count`)).http).toBe(400);
    const pair = { userId: id, email };
    expect((await core.get(`${app}/recipe/user/email/verify`, pair)).body).toEqual({
      status: 'OK',
      isVerified: false,
    });
  });

  test('cannot make, list or remove apps unless it is the public one', async () => {
    const only = [403, 'PUBLIC_APP_ONLY', 'Only the public app can create, list or remove apps'];
    expect(refusalOf(await core.put(`${app}/recipe/multitenancy/app/v2`, { appId: 'x' }))).toEqual(only);
    expect(refusalOf(await core.get(`${app}/recipe/multitenancy/app/list/v2`))).toEqual(only);
    expect(refusalOf(await core.post(`${app}/recipe/multitenancy/app/remove`, { appId: 'x' }))).toEqual(only);
  });
});

test('what is public cannot be removed', async () => {
  const code = 'PUBLIC_CANNOT_BE_REMOVED';
  const never = [403, code, 'Cannot delete public tenant, use remove app API instead'];
  for (const prefix of ['', app]) {
    const path = `${prefix}/recipe/multitenancy/tenant/remove`;
    expect(refusalOf(await core.post(path, { tenantId: ' PUBLIC ' }))).toEqual(never);
  }
  expect(refusalOf(await core.post('/recipe/multitenancy/app/remove', { appId: 'Public' }))).toEqual([
    403,
    code,
    'The public app and the public tenants cannot be removed',
  ]);
});
