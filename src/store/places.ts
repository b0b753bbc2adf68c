import { placeSecretOf, type PlaceSecret } from '../domain/place.ts';
import { StartupError } from '../process/startup-error.ts';
import type { Database, Query } from '../database/database.ts';

/** A database that holds apps, by its connections. */
export interface Place {
  readonly live: Database;
  /** For statements that create users; see BatchedStatement.access. */
  readonly imports: Pick<Database, 'write'>;
}

/** Where apps are kept. Names and settings of all apps and tenants are in the first. */
export interface Places {
  readonly all: readonly [Place, ...Place[]];
  /** @returns the place in `all`, from 0 */
  placeOf(appNo: number): number;
}

/** All apps in one database. */
export function onePlace(place: Place): Places {
  return { all: [place], placeOf: () => 0 };
}

/** The same for all cores on this database, made with its tables. */
export async function readPlaceSecret(read: Query): Promise<PlaceSecret> {
  const [row] = await read<{ secret: string }>('select secret from decoy_secret limit 1');
  if (!row) throw new StartupError("The database's table 'decoy_secret' is empty: restore it from a backup");
  return placeSecretOf(row.secret);
}

/** What names an app: its number, or what belongs to it. */
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
 * One family of methods that asks the app's own place.
 * @param families of each place, in the order of `all`
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
