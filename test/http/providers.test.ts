/** The providers by which users of a tenant sign in. */
import { beforeEach, describe, expect, test } from 'vitest';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { newTenant, refusalOf } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
let tenant: string;
useCoreAndApps((used) => {
  ({ core, app } = used);
});
beforeEach(async () => {
  tenant = await newTenant(core, app);
});

const path = '/recipe/multitenancy/config/thirdparty';
const put = (config: object, more: object = {}, prefix = tenant) =>
  core.put(`${prefix}${path}`, { config, ...more });
const remove = async (thirdPartyId: string) =>
  (await core.post(`${tenant}${path}/remove`, { thirdPartyId })).body;
const providers = async (prefix = tenant) => {
  const { body } = await core.get(`${prefix}/recipe/multitenancy/tenant/v2`);
  return (body.thirdParty as { providers: Record<string, unknown>[] }).providers;
};
const noMap = { fromIdTokenPayload: {}, fromUserInfoAPI: {} };

describe('a provider of a tenant', () => {
  test('is read back as it was given, without what was null, and in its place when replaced', async () => {
    const config = {
      thirdPartyId: ' google ',
      name: 'Google',
      clients: [
        {
          clientId: 'ours',
          clientSecret: 'secret',
          scope: ['email'],
          forcePKCE: false,
          clientType: null,
          additionalConfig: { deep: { kept: null } },
        },
      ],
      authorizationEndpointQueryParams: { prompt: null, hd: 'ours' },
      tokenEndpoint: null,
      requireEmail: true,
      userInfoMap: { fromIdTokenPayload: { userId: 'sub', email: null } },
    };
    expect((await put(config)).body).toEqual({ status: 'OK', createdNew: true });
    expect((await put({ thirdPartyId: 'custom' })).body).toEqual({ status: 'OK', createdNew: true });
    const google = {
      thirdPartyId: 'google',
      name: 'Google',
      requireEmail: true,
      clients: [
        {
          clientId: 'ours',
          clientSecret: 'secret',
          scope: ['email'],
          forcePKCE: false,
          additionalConfig: { deep: { kept: null } },
        },
      ],
      authorizationEndpointQueryParams: { prompt: null, hd: 'ours' },
      userInfoMap: { fromIdTokenPayload: { userId: 'sub' }, fromUserInfoAPI: {} },
    };
    const custom = { thirdPartyId: 'custom', clients: [], userInfoMap: noMap };
    expect(await providers()).toEqual([google, custom]);
    const replaced = { thirdPartyId: 'google', clients: [{ clientId: 'another' }] };
    expect((await put(replaced)).body).toEqual({ status: 'OK', createdNew: false });
    expect(await providers()).toEqual([{ ...replaced, userInfoMap: noMap }, custom]);
    expect(await providers(app)).toEqual([]);
    const listed = (await core.get(`${app}/recipe/multitenancy/tenant/list/v2`)).body.tenants;
    expect(listed).toMatchObject([
      { thirdParty: { providers: [] } },
      { thirdParty: { providers: [{}, {}] } },
    ]);
  });

  test('is removed once', async () => {
    await put({ thirdPartyId: 'google' });
    expect(await remove(' google')).toEqual({ status: 'OK', didConfigExist: true });
    expect(await remove('google')).toEqual({ status: 'OK', didConfigExist: false });
    expect(await providers()).toEqual([]);
  });

  test('is all there after requests at the same time', async () => {
    const ids = Array.from({ length: 20 }, (_, n) => `custom-${n}`);
    await Promise.all(ids.map((thirdPartyId) => put({ thirdPartyId })));
    expect((await providers()).map(({ thirdPartyId }) => thirdPartyId).sort()).toEqual(ids.sort());
  });

  test('is sealed in the database, with the secrets of its clients', async () => {
    const secret = 'a secret of a client';
    await put({ thirdPartyId: 'google', clients: [{ clientId: 'ours', clientSecret: secret }] });
    const rows = await withSql(
      core.database.connection,
      (sql) => sql<{ providers: { sealed: string }[] }[]>`
        select providers from carryover.tenants where tenant_id = ${tenant.split('/').at(-1) ?? ''}`,
    );
    const sealed = Buffer.from(rows[0]?.providers[0]?.sealed ?? '', 'base64');
    expect(sealed.length).toBeGreaterThan(secret.length);
    expect(JSON.stringify(rows)).not.toContain(secret);
    expect(sealed.includes(secret)).toBe(false);
    expect(core.log.join('')).not.toContain(secret);
  });

  const apple = { keyId: 'k', teamId: 't' };
  test.each([
    [{ thirdPartyId: '' }, 'thirdPartyId cannot be null or empty'],
    [{ thirdPartyId: null }, 'thirdPartyId cannot be null or empty'],
    [
      { thirdPartyId: 'x', clients: [{ clientId: 'a' }, { clientId: 'b' }] },
      'Duplicate clientType was specified in the clients list.',
    ],
    [{ thirdPartyId: 'x', clients: [{ clientSecret: 's' }] }, 'clientId cannot be null'],
    [{ thirdPartyId: 'x', clients: [{ clientId: 'a', scope: [null] }] }, 'scope array cannot contain a null'],
    [
      { thirdPartyId: 'apple-web', clients: [{ clientId: 'a', additionalConfig: apple }] },
      'a non empty string value must be specified for keyId, teamId and privateKey in the additionalConfig for Apple provider',
    ],
    [
      { thirdPartyId: 'google-workspaces', clients: [{ clientId: 'a', additionalConfig: { hd: '' } }] },
      'hd in additionalConfig must be a non empty string value',
    ],
    [
      { thirdPartyId: 'boxy-saml', clients: [{ clientId: 'a', additionalConfig: { boxyURL: 1 } }] },
      'a non empty string value must be specified for boxyURL in the additionalConfig for Boxy SAML provider',
    ],
  ])('is refused: %j', async (config, what) => {
    expect(refusalOf(await put(config))).toEqual([
      400,
      'INVALID_FIELD',
      `Invalid third party config: ${what}`,
    ]);
    const unchecked = await put(config, { skipValidation: true });
    expect(unchecked.http).toBe(config.thirdPartyId ? 200 : 400);
  });
});

test.each([
  ['emailPasswordEnabled', 'emailPasswordEnabled'],
  ['thirdPartyEnabled', 'thirdParty'],
  ['passwordlessEnabled', 'passwordless'],
])('%s of before factors is refused', async (field, named) => {
  for (const [prefix, what, ids] of [
    ['', 'app', { appId: 'x' }],
    [app, 'tenant', { tenantId: 'x' }],
  ] as const) {
    const answer = await core.put(`${prefix}/recipe/multitenancy/${what}/v2`, { ...ids, [field]: true });
    expect(refusalOf(answer)).toEqual([400, 'INVALID_FIELD', `${named} is not a valid input for this API`]);
  }
});
