/** The settings of tenants as the dashboard shows them. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { tenantProperties } from '../../src/config/schema-tenant.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { newApp, newTenant } from '../helpers/people.ts';

const pepper = 'a pepper that is never shown';
let core: TestCore;
let app: string;
let tenant: string;
beforeAll(async () => {
  core = await startTestCore({ settings: { BCRYPT_PEPPER: pepper, TOTP_MAX_ATTEMPTS: '7' } });
});
afterAll(() => core.stop());
beforeEach(async () => {
  app = await newApp(core, { totp_max_attempts: 8, passwordless_code_lifetime: 1000 });
  tenant = await newTenant(core, app, { totp_max_attempts: 9 });
});

type Shown = Readonly<Record<string, unknown>> & { readonly key: string };

async function configOf(prefix: string): Promise<Map<string, Shown>> {
  const { body } = await core.get(`${prefix}/recipe/dashboard/tenant/core-config`);
  expect(body.status).toBe('OK');
  return new Map((body.config as Shown[]).map((each) => [each.key, each]));
}

const valuesOf = async (prefix: string, key: string) => {
  const found = (await configOf(prefix)).get(key);
  return [found?.value, found?.defaultValue];
};

it('lists every setting, with all that the dashboard asks of it', async () => {
  const config = await configOf(tenant);
  expect([...config.keys()]).toEqual(Object.keys(tenantProperties));
  const common = { isPluginProperty: false, isPluginPropertyEditable: false, possibleValues: null };
  expect(config.get('totp_max_attempts')).toEqual({
    ...common,
    key: 'totp_max_attempts',
    valueType: 'number',
    value: 9,
    defaultValue: 7,
    isNullable: false,
    isDifferentAcrossTenants: true,
    description: tenantProperties.totp_max_attempts.description,
  });
  expect(config.get('access_token_validity')).toMatchObject({
    valueType: 'number',
    value: 3600,
    isDifferentAcrossTenants: false,
    description: expect.stringMatching(/ \(s\)$/) as string,
  });
  expect(config.get('end_sessions_on_password_change')).toMatchObject({ valueType: 'boolean', value: false });
  expect(config.get('provider_password_hashing_signer_key')).toMatchObject({
    valueType: 'string',
    value: null,
    isNullable: true,
    defaultValue: null,
  });
});

it("shows a tenant's own value, else its app's, else the core's", async () => {
  expect(await valuesOf(tenant, 'totp_max_attempts')).toEqual([9, 7]);
  expect(await valuesOf(app, 'totp_max_attempts')).toEqual([8, 7]);
  expect(await valuesOf('', 'totp_max_attempts')).toEqual([7, 7]);
  expect(await valuesOf(tenant, 'passwordless_code_lifetime')).toEqual([1000, 900_000]);
  const tenantId = tenant.split('/').at(-1);
  await core.put(`${app}/recipe/multitenancy/tenant/v2`, {
    tenantId,
    coreConfig: { totp_max_attempts: null },
  });
  expect(await valuesOf(tenant, 'totp_max_attempts')).toEqual([8, 7]);
});

it('shows of secrets only that they are set', async () => {
  expect(await valuesOf(tenant, 'bcrypt_pepper')).toEqual(['***', '***']);
  const { text } = await core.get(`${tenant}/recipe/dashboard/tenant/core-config`);
  expect(text).not.toContain(pepper);
});

it('shows values that are accepted when they come back', async () => {
  const tenantId = tenant.split('/').at(-1);
  for (const { key, value } of (await configOf(tenant)).values()) {
    if (value === '***') continue;
    const put = await core.put(`${app}/recipe/multitenancy/tenant/v2`, {
      tenantId,
      coreConfig: { [key]: value },
    });
    expect(put.body, key).toEqual({ status: 'OK', createdNew: false });
  }
});
