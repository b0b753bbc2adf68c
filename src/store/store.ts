import type { TenantSettings } from '../model.ts';
import type { Stores, UserStore } from '../operations/ports.ts';
import { Batches, type BatchSettings } from './batches.ts';
import { changeUser } from './change-user.ts';
import { findCredential } from './credentials.ts';
import type { Database } from './database.ts';
import { exportStore } from './export-users.ts';
import { findHeads } from './find-users.ts';
import { hashReportStore } from './hash-report.ts';
import { countHeads, listHeads } from './list-users.ts';
import { loadUser, recipeNames } from './load-users.ts';
import { mappingStore } from './mappings.ts';
import { putPasswordUser } from './password-users.ts';
import { removeUser } from './remove-user.ts';
import { resetStore } from './resets.ts';
import { restrictionStore } from './restrictions.ts';
import { signInStore } from './sign-ins.ts';
import { tenantStore } from './tenants.ts';
import { putThirdPartyUser } from './third-party-users.ts';
import { upgradeHash } from './upgrade-hash.ts';
import { detailsStore } from './user-details.ts';
import { verificationStore } from './verification.ts';

export interface Store extends Stores {
  /** Items that wait to be written or read, by the statement's name. */
  backlogs(): { name: string; backlog: number }[];
  /** Refuses new items in batches and resolves when every accepted one has its outcome. */
  drain(): Promise<void>;
}

/** Everything that is kept, over one database. */
export function createStore(
  database: Database,
  defaults: TenantSettings,
  settings: Omit<BatchSettings, 'live'>,
): Store {
  const batches = new Batches({ ...settings, live: database });
  return {
    users: userStore(batches, database),
    verification: verificationStore(batches, database),
    resets: resetStore(database),
    mappings: mappingStore(batches, database),
    tenants: tenantStore(database, defaults),
    signIns: signInStore(batches),
    details: detailsStore(batches),
    restrictions: restrictionStore(database),
    exports: exportStore(database),
    hashReports: hashReportStore(database),
    backlogs: () => batches.backlogs(),
    drain: () => batches.drain(),
  };
}

function userStore(batches: Batches, database: Database): UserStore {
  const { read } = database;
  const load = batches.add(loadUser);
  const credential = batches.add(findCredential);
  const loadAll = async (appNo: number, ids: readonly string[]) =>
    (await Promise.all(ids.map((id) => load({ appNo, id })))).filter((user) => user !== null);
  return {
    putPasswordUser: batches.add(putPasswordUser),
    putThirdPartyUser: batches.add(putThirdPartyUser),
    upgradeHash: batches.add(upgradeHash),
    findCredential: (tenant, email) => credential({ tenant, email }),
    findUser: async (appNo, id) => (await load({ appNo, id })) ?? undefined,
    findLoginMethod: async (appNo, id) => {
      const [row] = await read<{ user_id: string; recipe: number }>(
        'select user_id, recipe from user_of($1, $2)',
        [appNo, id],
      );
      const recipeId = row && recipeNames[row.recipe];
      return recipeId && { userId: row.user_id, recipeId };
    },
    findUsersByAccountInfo: async (tenant, info, union) =>
      loadAll(tenant.appNo, await findHeads(read, tenant, info, union)),
    listUsers: async (page) => {
      const { heads, next } = await listHeads(read, page);
      return { users: await loadAll(page.tenant.appNo, heads), nextFrom: next };
    },
    countUsers: (tenant, recipes, allTenants) => countHeads(read, tenant, recipes, allTenants),
    changeUser: (change) => changeUser(database, change),
    removeUser: (appNo, userId, all) => removeUser(database, appNo, userId, all),
  };
}
