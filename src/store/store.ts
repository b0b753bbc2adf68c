import type { Stores, UserStore } from '../operations/ports/ports.ts';
import { auditStore } from './audit/audit.ts';
import { Batches, type BatchSettings } from './batch/batches.ts';
import { activeUserStore } from './sign-in/active-users.ts';
import { changeUser } from './users/change-user.ts';
import { findCredential } from './sign-in/credentials.ts';
import { dashboardSessionStore } from './sign-in/dashboard/sessions.ts';
import { dashboardUserStore } from './sign-in/dashboard/users.ts';
import type { Database } from '../database/database.ts';
import { exportStore } from './users/export-users.ts';
import { findHeads } from './users/find-users.ts';
import { searchHeads } from './users/search-users.ts';
import { hashReportStore } from './users/hash-report.ts';
import { linkingStore } from './users/linking/store.ts';
import { tenantUserStore } from './users/linking/tenants.ts';
import { countHeads, listHeads } from './users/list-users.ts';
import { loadUser, recipeNames } from './users/load-users.ts';
import { mappingStore } from './users/mappings.ts';
import { passwordlessStore } from './sign-in/passwordless/store.ts';
import { type AsksByApp, byApp, type Place, type Places } from './places.ts';
import { putPasswordUser } from './users/password-users.ts';
import { removeUser } from './removal/remove-user.ts';
import { resetStore } from './tokens/resets.ts';
import { passwordReset } from './users/reset-password.ts';
import { restrictionStore } from './users/restrictions.ts';
import { metadataStore } from './roles/metadata.ts';
import { roleStore } from './roles/roles.ts';
import { sealedStore, totalOf } from './sessions/sealed-rows.ts';
import { userRoleStore } from './roles/user-roles.ts';
import { carryStore } from './sessions/carry.ts';
import { sessionStore } from './sessions/sessions.ts';
import { signingKeyStore } from './sessions/signing-keys.ts';
import { countMarked, type MarkedUsers } from './sign-in/legacy-marks.ts';
import { signInStore } from './sign-in/sign-ins.ts';
import { providerStore } from './tenants/providers.ts';
import type { TenantRules } from './tenants/rules.ts';
import { tenantStore } from './tenants/tenants.ts';
import { type UnsealedUser, unsealedUsers } from './sign-in/totp/imported.ts';
import { totpStore } from './sign-in/totp/totp.ts';
import { putThirdPartyUser } from './users/third-party-users.ts';
import { upgradeHash } from './sign-in/upgrade-hash.ts';
import { verificationStore } from './tokens/verification.ts';

interface Backlog {
  readonly name: string;
  readonly backlog: number;
}

export interface Store extends Stores {
  /** Of all apps. */
  markedUsers(): Promise<readonly MarkedUsers[]>;
  /** Users of all apps whose imported second factors are not rows yet. */
  unsealedUsers(): AsyncIterable<UnsealedUser>;
  /** Items that wait to be written or read, by the statement's name. */
  backlogs(): Backlog[];
  /** Refuses new items in batches and resolves when every accepted one has its outcome. */
  drain(): Promise<void>;
}

/** Everything that is kept. An app's is in the app's place: each place has batches and connections of its own. */
export function createStore(
  places: Places,
  tenantRules: TenantRules,
  settings: Omit<BatchSettings, 'live' | 'imports'>,
): Store {
  const [first, ...others] = [
    openPlace(places.all[0], settings),
    ...places.all.slice(1).map((place) => openPlace(place, settings)),
  ] as const;
  const held = [first, ...others];
  const of = <Family extends AsksByApp<Family>>(pick: (stores: OfApps) => Family): Family =>
    byApp(
      places,
      held.map(({ stores }) => pick(stores)),
    );
  return {
    users: of((stores) => stores.users),
    verification: of((stores) => stores.verification),
    resets: of((stores) => stores.resets),
    mappings: of((stores) => stores.mappings),
    signIns: of((stores) => stores.signIns),
    activeUsers: of((stores) => stores.activeUsers),
    restrictions: of((stores) => stores.restrictions),
    exports: of((stores) => stores.exports),
    hashReports: of((stores) => stores.hashReports),
    linking: of((stores) => stores.linking),
    tenantUsers: of((stores) => stores.tenantUsers),
    sessions: of((stores) => stores.sessions),
    carries: of((stores) => stores.carries),
    signingKeys: of((stores) => stores.signingKeys),
    roles: of((stores) => stores.roles),
    userRoles: of((stores) => stores.userRoles),
    metadata: of((stores) => stores.metadata),
    totp: of((stores) => stores.totp),
    sealed: {
      reseal: async (by) =>
        totalOf(await Promise.all(places.all.map(({ live }) => sealedStore(live).reseal(by)))),
    },
    passwordless: of((stores) => stores.passwordless),
    dashboardUsers: of((stores) => stores.dashboardUsers),
    dashboardSessions: of((stores) => stores.dashboardSessions),
    audit: auditStore(first.batches, places.all[0].live),
    tenants: tenantStore(places.all[0].live, tenantRules),
    providers: providerStore(places.all[0].live),
    markedUsers: () => countMarked(places.all.map(({ live }) => live)),
    unsealedUsers: async function* () {
      for (const { live } of places.all) yield* unsealedUsers(live);
    },
    backlogs: () => sumOf(held.flatMap(({ batches }) => batches.backlogs())),
    drain: async () => {
      await Promise.all(held.map(({ batches }) => batches.drain()));
    },
  };
}

/** What belongs to an app, and so is where the app is. */
type OfApps = Omit<Stores, 'tenants' | 'providers' | 'sealed' | 'audit'>;

function openPlace(
  { live, imports }: Place,
  settings: Omit<BatchSettings, 'live' | 'imports'>,
): { readonly batches: Batches; readonly stores: OfApps } {
  const batches = new Batches({ ...settings, live, imports });
  const stores = {
    users: userStore(batches, live),
    verification: verificationStore(batches, live),
    resets: { ...resetStore(live), resetPassword: passwordReset(live) },
    mappings: mappingStore(batches, live),
    signIns: signInStore(batches),
    activeUsers: activeUserStore(batches, live),
    restrictions: restrictionStore(live),
    exports: exportStore(live),
    hashReports: hashReportStore(live),
    linking: linkingStore(live),
    tenantUsers: tenantUserStore(live),
    sessions: sessionStore(batches, live),
    carries: carryStore(batches, live),
    signingKeys: signingKeyStore(live),
    roles: roleStore(batches, live),
    userRoles: userRoleStore(batches, live),
    metadata: metadataStore(batches, live),
    totp: totpStore(batches, live),
    passwordless: passwordlessStore(batches, live),
    dashboardUsers: dashboardUserStore(live),
    dashboardSessions: dashboardSessionStore(live),
  };
  return { batches, stores };
}

/** A statement has a backlog in each place. */
function sumOf(backlogs: readonly Backlog[]): Backlog[] {
  return [...Map.groupBy(backlogs, ({ name }) => name)].map(([name, each]) => ({
    name,
    backlog: each.reduce((sum, { backlog }) => sum + backlog, 0),
  }));
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
      const [row] = await read<{ user_id: string; shown_id: string; recipe: number }>(
        'select user_id, coalesce(external_id, user_id::text) as shown_id, recipe from user_of($1, $2)',
        [appNo, id],
      );
      const recipeId = row && recipeNames[row.recipe];
      return recipeId && { userId: row.user_id, shownId: row.shown_id, recipeId };
    },
    findUsersByAccountInfo: async (tenant, info, union) =>
      loadAll(tenant.appNo, await findHeads(read, tenant, info, union)),
    listUsers: async (page) => {
      const { heads, next } = await listHeads(read, page);
      return { users: await loadAll(page.tenant.appNo, heads), nextFrom: next };
    },
    searchUsers: async (search, signal) =>
      loadAll(search.tenant.appNo, await searchHeads(read, search, signal)),
    countUsers: (tenant, recipes, allTenants) => countHeads(read, tenant, recipes, allTenants),
    changeUser: (change) => changeUser(database, change),
    removeUser: (appNo, userId, all) => removeUser(database, appNo, userId, all),
  };
}
