import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import { afterAll, beforeAll, describe } from 'vitest';
import { type SdkCore, startCoreWithSdk } from '../helpers/sdk.ts';
import { itMakesTheMainJourneys } from './journeys.ts';

let core: SdkCore;

beforeAll(async () => {
  core = await startCoreWithSdk();
  await Multitenancy.createOrUpdateTenant('customers');
});
afterAll(() => core.stop());

describe.each(['public', 'customers'])('an application in the tenant %s', (tenantId) => {
  itMakesTheMainJourneys(() => core, tenantId);
});
