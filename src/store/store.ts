import type { Stores, TenantStore, UserStore } from '../operations/ports/ports.ts';
import { auditStore } from './audit/audit.ts';
import { Batches, type BatchSettings } from './batch/batches.ts';
import { activeUserStore } from './sign-in/active-users.ts';
import { changeUser } from './users/change-user.ts';
import { findCredential } from './sign-in/credentials.ts';
import type { Database } from '../database/database.ts';
import { passingOverHeld } from './expired-rows.ts';
import { exportStore } from './users/export-users.ts';
import { findHeads } from './users/find-users.ts';
import { searchHeads } from './users/search-users.ts';
import { guessStore } from './sign-in/guesses.ts';
import { hashReportStore } from './users/hash-report.ts';
import { linkingStore } from './users/linking/store.ts';
import { tenantUserStore } from './users/linking/tenants.ts';
import { countHeads, listHeads } from './users/list-users.ts';
import { loadUser, recipeNames } from './users/load-users.ts';
import { mappingStore } from './users/mappings.ts';
import { type AsksByApp, byApp, type Places } from './places/places.ts';
import { placedTenants, placedTtlMs, tenantsOfOnePlace } from './places/tenants.ts';
import { putPasswordUser } from './users/password-users.ts';
import { removeUser } from './removal/remove-user.ts';
import { resetStore } from './tokens/resets.ts';
import { passwordReset } from './users/reset-password.ts';
import { restrictionStore } from './users/restrictions.ts';
import { detailsStore } from './users/details.ts';
import { sealedStore, totalOf } from './sealed/sealed-rows.ts';
import { signInStore } from './sign-in/sign-ins.ts';
import { providerStore } from './tenants/providers.ts';
import type { TenantRules } from './tenants/rules.ts';
import { tenantStore } from './tenants/tenants.ts';
import { putThirdPartyUser } from './users/third-party-users.ts';
import { upgradeHash } from './sign-in/upgrade-hash.ts';
import { verificationStore } from './tokens/verification.ts';

/** A place in which statements can be opened. */
export interface OpenPlace {
  readonly batches: Batches;
  readonly live: Database;
}

/** @returns a family of methods whose first argument names the app; each uses the app's place */
export type OpenStores = <Family extends AsksByApp<Family>>(openIn: (place: OpenPlace) => Family) => Family;

interface Backlog {
  readonly name: string;
  readonly backlog: number;
}

export interface Store extends Stores {
  /** Opens the statements of a feature. */
  readonly open: OpenStores;
  /** One for each place, in order: for work over all apps. */
  readonly databases: readonly Database[];
  /** Reads the homes of all apps: for work that finds apps in the databases, and not by a request. */
  learnHomes(): Promise<void>;
  /** Numbers of waiting items, by statement. */
  backlogs(): Backlog[];
  /** Refuses new items in batches and resolves when all accepted ones have outcomes. */
  drain(): Promise<void>;
}

/** All stored data. Each place has its own batches and connections for its apps. */
export function createStore(
  places: Places,
  tenantRules: TenantRules,
  settings: Omit<BatchSettings, 'live' | 'imports'>,
): Store {
  const [firstPlace, ...otherPlaces] = places.all.map(({ live, imports }) => ({
    live,
    batches: new Batches({ ...settings, live, imports }),
  })) as [OpenPlace, ...OpenPlace[]];
  const opened = [firstPlace, ...otherPlaces];
  const open: OpenStores = (openIn) => byApp(places, opened.map(openIn));
  const first = firstPlace.live;
  return {
    users: open(({ batches, live }) => userStore(batches, live)),
    verification: open(({ batches, live }) => verificationStore(batches, live)),
    resets: open(({ live }) => ({ ...resetStore(live), resetPassword: passwordReset(live) })),
    mappings: open(({ batches, live }) => mappingStore(batches, live)),
    signIns: open(({ batches }) => signInStore(batches)),
    guesses: open(({ batches }) => guessStore(batches)),
    activeUsers: open(({ batches, live }) => activeUserStore(batches, live)),
    restrictions: open(({ live }) => restrictionStore(live)),
    exports: open(({ live }) => exportStore(live)),
    hashReports: open(({ live }) => hashReportStore(live)),
    linking: open(({ live }) => linkingStore(live)),
    tenantUsers: open(({ live }) => tenantUserStore(live)),
    details: open(({ batches }) => detailsStore(batches)),
    sealed: {
      reseal: async (by) =>
        totalOf(await Promise.all(opened.map(({ live }) => sealedStore(live).reseal(by)))),
    },
    audit: auditStore(firstPlace.batches, first),
    tenants: tenantsIn(places, tenantRules),
    providers: open(({ live }) => providerStore(live)),
    open,
    databases: opened.map(({ live }) => (opened.length === 1 ? live : passingOverHeld(live))),
    learnHomes: async () => {
      await places.homes?.all();
    },
    backlogs: () => sumOf(opened.flatMap(({ batches }) => batches.backlogs())),
    drain: async () => {
      await Promise.all(opened.map(({ batches }) => batches.drain()));
    },
  };
}

function tenantsIn({ all, homes }: Places, rules: TenantRules): TenantStore {
  const [{ live: first }] = all;
  if (homes === undefined) return tenantsOfOnePlace(tenantStore(first, rules));
  return placedTenants({
    write: first.write,
    homes,
    names: all.map(({ name }) => name),
    stores: all.map(({ live }) => tenantStore(live, rules, placedTtlMs)),
  });
}

/** Adds up the backlogs of a statement in all places. */
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
    findCredential: (tenant, email, guesses) => credential({ tenant, email, guesses }),
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
