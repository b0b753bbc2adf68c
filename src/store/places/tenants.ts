import type { TenantRecord, TenantStore } from '../../operations/ports/ports.ts';
import { Refusal } from '../../domain/errors.ts';
import { firstPlaceName } from '../../domain/app-place.ts';
import type { Query } from '../../database/database.ts';
import type { Tenant } from '../../domain/model.ts';
import { HeldApp, type TenantsOfPlace } from '../tenants/tenants.ts';
import { type Homes, unknownPlace } from './homes.ts';

/** The name is drawn here once, so an app has the same number in every place. */
const nameApp = `
  insert into apps (app_id, home) values ($1, $2) on conflict do nothing returning app_no`;

const findMove = 'select from app_moves join apps using (app_no) where app_id = $1';

const forgetName = 'delete from apps where app_id = $1 and home is not null returning 1';

/** Tenants where there is one place only. */
export function tenantsOfOnePlace(store: TenantsOfPlace): TenantStore {
  return {
    ...store,
    putApp: (appId, change, factors, place = firstPlaceName) => {
      if (place !== firstPlaceName) throw unknownPlace([firstPlaceName]);
      return store.putApp(appId, change, factors);
    },
  };
}

/**
 * For how long a core uses a tenant without reading it again. A move waits for so long until no core reads the old place any more, so
 * it is less than with one place.
 */
export const placedTtlMs = 500;

async function foundIn(
  store: TenantsOfPlace,
  appId: string,
  tenantId: string,
): Promise<{ readonly tenant?: Tenant | undefined; readonly held?: HeldApp }> {
  try {
    return { tenant: await store.find(appId, tenantId) };
  } catch (error) {
    if (error instanceof HeldApp) return { held: error };
    throw error;
  }
}

interface PlacedTenantParts {
  /** Of the first place. */
  readonly write: Query;
  readonly homes: Homes;
  /** Of the places, in their order. */
  readonly names: readonly string[];
  readonly stores: readonly TenantsOfPlace[];
}

function finding(homes: Homes, storeAt: (place: number) => TenantsOfPlace): TenantStore['find'] {
  /** A tenant that is missing or held at the known home may have moved with its app. */
  async function findAgain(appId: string, tenantId: string): Promise<Tenant | undefined> {
    const home = await homes.of(appId);
    if (home === undefined) return undefined;
    const found = await foundIn(storeAt(home.place), appId, tenantId);
    if (found.tenant !== undefined) return found.tenant;
    const now = await homes.again(appId);
    if (now !== undefined && now.place !== home.place) return storeAt(now.place).find(appId, tenantId);
    if (found.held !== undefined) throw found.held;
    return undefined;
  }

  return (appId, tenantId) => {
    const home = homes.of(appId);
    const found =
      home === undefined || home instanceof Promise ? undefined : storeAt(home.place).find(appId, tenantId);
    if (found !== undefined && !(found instanceof Promise)) return found;
    if (found !== undefined) found.catch(() => undefined); // findAgain waits for the same
    return findAgain(appId, tenantId);
  };
}

/**
 * Tenants in several places: an app's name and number are in the first one, its tenants and everything of theirs in its home. A crash
 * between the two leaves a name without tenants, which is treated as absent; the next `putApp` completes it, and the next
 * `removeApp` removes it.
 */
export function placedTenants({ write, homes, names, stores }: PlacedTenantParts): TenantStore {
  const storeAt = (place: number): TenantsOfPlace => {
    const store = stores[place];
    if (store === undefined) throw new Error('a home is not in the list of places');
    return store;
  };
  const homeOf = async (appId: string): Promise<TenantsOfPlace | undefined> => {
    const home = await homes.again(appId);
    return home && storeAt(home.place);
  };

  return {
    find: finding(homes, storeAt),
    putApp: async (appId, change, factors, placeName) => {
      const wanted = placeName === undefined ? 0 : homes.indexOf(placeName);
      const present = await homes.again(appId);
      if (present === undefined && wanted > 0) await write(nameApp, [appId, names[wanted] ?? null]);
      const home = present ?? (await homes.again(appId));
      // The first place makes the name of its own apps in the transaction that makes their tenants.
      if (home === undefined || home.place === 0) return storeAt(0).putApp(appId, change, factors);
      return storeAt(home.place).putApp(appId, change, factors, home.appNo);
    },
    putTenant: async (appId, tenantId, change, factors) =>
      (await homeOf(appId))?.putTenant(appId, tenantId, change, factors) ?? { created: false },
    get: async (appId, tenantId) => (await homeOf(appId))?.get(appId, tenantId),
    listTenants: async (appId) => (await homeOf(appId))?.listTenants(appId) ?? [],
    listApps: async () => {
      const [apps, lists] = await Promise.all([
        homes.all(),
        Promise.all(stores.map((store) => store.listApps())),
      ]);
      const tenants = lists.map((list) => new Map(list.map((app) => [app.appId, app.tenants])));
      return apps.flatMap(({ appId, place }) => {
        const found: TenantRecord[] | undefined = tenants[place]?.get(appId);
        return found === undefined ? [] : [{ appId, tenants: found, place: names[place] ?? '' }];
      });
    },
    removeTenant: async (appId, tenantId) => (await homeOf(appId))?.removeTenant(appId, tenantId) ?? false,
    removeApp: async (appId) => {
      if ((await write(findMove, [appId])).length > 0) throw new Refusal('APP_IS_MOVING');
      const wasThere = (await (await homeOf(appId))?.removeApp(appId)) ?? false;
      const wasNamed = (await write(forgetName, [appId])).length > 0;
      return wasThere || wasNamed;
    },
  };
}
