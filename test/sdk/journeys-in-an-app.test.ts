import { getUserCount } from 'supertokens-node';
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SdkCore, signUp, startCoreWithSdk } from '../helpers/sdk.ts';
import { itMakesTheMainJourneys } from './journeys.ts';

let core: SdkCore;

beforeAll(async () => {
  core = await startCoreWithSdk({ appId: 'shop' });
  await Multitenancy.createOrUpdateTenant('customers');
});
afterAll(() => core.stop());

describe.each(['public', 'customers'])(
  'an application of an app of its own, in its tenant %s',
  (tenantId) => {
    itMakesTheMainJourneys(() => core, tenantId);
  },
);

it('stays inside its app: the public one has neither its users nor its tenants', async () => {
  const count = await getUserCount();
  await signUp('customers', 'inside@journey.test');
  expect(await getUserCount()).toBe(count + 1);
  const users = await core.get('/users/count', { includeAllTenants: 'true' });
  expect(users.body).toEqual({ status: 'OK', count: 0 });
  const tenants = await core.get('/recipe/multitenancy/tenant/list/v2');
  expect(tenants.body).toMatchObject({ tenants: [{ tenantId: 'public' }] });
  expect((await Multitenancy.listAllTenants()).tenants.map(({ tenantId }) => tenantId)).toEqual([
    'public',
    'customers',
  ]);
});
