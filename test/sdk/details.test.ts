/** Roles and metadata from a bulk import, read by the SDK. */
import Multitenancy from 'supertokens-node/recipe/multitenancy/index.js';
import UserMetadata from 'supertokens-node/recipe/usermetadata/index.js';
import UserRoles from 'supertokens-node/recipe/userroles/index.js';
import { createUserIdMapping } from 'supertokens-node';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { withAdmin } from '../helpers/postgres.ts';
import { type SdkCore, signUp, signUpSocially, startCoreWithSdk } from '../helpers/sdk.ts';

const metadata = { name: 'Ada', nested: { list: [1, null, 'ü'] } };

let core: SdkCore;
let userId: string;
let users = 0;

beforeAll(async () => {
  core = await startCoreWithSdk();
  await Multitenancy.createOrUpdateTenant('t1');
});
beforeEach(async () => {
  users++;
  userId = await signUp('public', `user-${users}@details.test`);
});
afterAll(() => core.stop());

/** As an import leaves it. */
async function keep(metadata: object): Promise<void> {
  await withAdmin(core.database.connection, async (sql) => {
    await sql`
      insert into carryover.user_details (app_no, user_id, metadata)
      values (0, ${userId}, ${JSON.stringify(metadata)}::text::jsonb)`;
  });
}

it('gives the roles of the tenant, by either id', async () => {
  for (const role of ['reader', 'admin']) await UserRoles.createNewRoleOrAddPermissions(role, []);
  await UserRoles.addRoleToUser('public', userId, 'reader');
  await UserRoles.addRoleToUser('t1', userId, 'admin');
  const externalUserId = `auth0|${users} ü+/&?`;
  await createUserIdMapping({ superTokensUserId: userId, externalUserId, force: true });
  for (const id of [userId, externalUserId]) {
    expect(await UserRoles.getRolesForUser('public', id)).toEqual({ status: 'OK', roles: ['reader'] });
    expect(await UserRoles.getRolesForUser('t1', id)).toEqual({ status: 'OK', roles: ['admin'] });
  }
});

it('gives each login method of a user the metadata of its own', async () => {
  const member = await signUpSocially('public', `member-${users}`, `member-${users}@details.test`);
  await withAdmin(core.database.connection, async (sql) => {
    await sql`update carryover.users set primary_user_id = ${userId} where user_id in ${sql([userId, member])}`;
  });
  await keep(metadata);
  await UserMetadata.updateUserMetadata(member, { of: 'member' });
  expect(await UserMetadata.getUserMetadata(userId)).toEqual({ status: 'OK', metadata });
  expect(await UserMetadata.getUserMetadata(member)).toEqual({ status: 'OK', metadata: { of: 'member' } });
});

it('returns neither for a user without them', async () => {
  for (const id of [userId, 'nobody']) {
    expect(await UserRoles.getRolesForUser('public', id)).toEqual({ status: 'OK', roles: [] });
    expect(await UserMetadata.getUserMetadata(id)).toEqual({ status: 'OK', metadata: {} });
  }
});
