import { placeSecretOf, type PlaceSecret } from '../domain/place.ts';
import { StartupError } from '../process/startup-error.ts';
import type { Database, Query } from '../database/database.ts';

/** Connections to a database of apps. */
export interface Place {
  readonly live: Database;
  /** For statements that create users; see BatchedStatement.access. */
  readonly imports: Pick<Database, 'write'>;
}

/** Databases of apps. The first one also has names and settings of all apps and tenants. */
export interface Places {
  readonly all: readonly [Place, ...Place[]];
  /** @returns index in `all` */
  placeOf(appNo: number): number;
}

/** All apps in one database. */
export function onePlace(place: Place): Places {
  return { all: [place], placeOf: () => 0 };
}

/** Created with the tables, so all cores on the database have the same. */
export async function readPlaceSecret(read: Query): Promise<PlaceSecret> {
  const [row] = await read<{ secret: string }>('select secret from decoy_secret limit 1');
  if (!row) throw new StartupError("The database's table 'decoy_secret' is empty: restore it from a backup");
  return placeSecretOf(row.secret);
}

/** An app's number, or an object with it. */
type OfApp = number | { readonly appNo: number } | { readonly tenant: { readonly appNo: number } };

/** Methods whose first argument names the app. */
export type AsksByApp<Family> = {
  readonly [Name in keyof Family]: Family[Name] extends (first: infer First, ...rest: never[]) => unknown
    ? First extends OfApp
      ? Family[Name]
      : never
    : never;
};

/**
 * A family of methods that use the app's place.
 * @param families one for each place, in the order of `all`
 */
export function byApp<Family extends AsksByApp<Family>>(
  { placeOf }: Pick<Places, 'placeOf'>,
  families: readonly Family[],
): Family {
  const [first] = families;
  const names = Object.keys(first ?? {}) as (keyof Family)[];
  const routed = names.map((name) => {
    const methods = families.map((family) => family[name] as (first: OfApp, ...rest: unknown[]) => unknown);
    const ask = (asked: OfApp, ...rest: unknown[]): unknown => {
      const method = methods[placeOf(appOf(asked))];
      if (!method) throw new Error('an app is in a place that is not in the list');
      return method(asked, ...rest);
    };
    return [name, ask];
  });
  // TypeScript cannot see that each name has a method of its own type.
  return Object.fromEntries(routed) as Family;
}

function appOf(asked: OfApp): number {
  if (typeof asked === 'number') return asked;
  return 'tenant' in asked ? asked.tenant.appNo : asked.appNo;
}
