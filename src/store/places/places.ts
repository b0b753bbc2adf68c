import { firstPlaceName } from '../../domain/app-place.ts';
import type { Database } from '../../database/database.ts';
import { Homes } from './homes.ts';

/** Connections to a database of apps. */
export interface Place {
  readonly name: string;
  readonly live: Database;
  /** For statements that create users; see BatchedStatement.access. */
  readonly imports: Pick<Database, 'write'>;
}

/** Databases of apps. The first one also has names and settings of all apps and tenants. */
export interface Places {
  readonly all: readonly [Place, ...Place[]];
  /** @returns index in `all` */
  placeOf(appNo: number): number;
  /** Absent with one place only. */
  readonly homes?: Homes;
}

/** All apps in one database. */
export function onePlace(place: Omit<Place, 'name'>): Places {
  return { all: [{ ...place, name: firstPlaceName }], placeOf: () => 0 };
}

/** @param all the first one is that of the names */
export function severalPlaces(all: readonly [Place, ...Place[]]): Places {
  const [first] = all;
  const homes = new Homes(
    first.live.read,
    all.map(({ name }) => name),
  );
  return { all, placeOf: (appNo) => homes.placeOf(appNo), homes };
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

/** @param each one for each place, in the order of `all` @returns the one of an app's place */
export function ofApp<Each>(
  { placeOf }: Pick<Places, 'placeOf'>,
  each: readonly Each[],
): (appNo: number) => Each {
  return (appNo) => {
    const found = each[placeOf(appNo)];
    if (found === undefined) throw new Error('an app is in a place that is not in the list');
    return found;
  };
}

/**
 * A family of methods that use the app's place.
 * @param families one for each place, in the order of `all`
 */
export function byApp<Family extends AsksByApp<Family>>(
  places: Pick<Places, 'placeOf'>,
  families: readonly Family[],
): Family {
  const [first] = families;
  const names = Object.keys(first ?? {}) as (keyof Family)[];
  const routed = names.map((name) => {
    const methodOf = ofApp(
      places,
      families.map((family) => family[name] as (first: OfApp, ...rest: unknown[]) => unknown),
    );
    const ask = (asked: OfApp, ...rest: unknown[]): unknown => methodOf(appOf(asked))(asked, ...rest);
    return [name, ask];
  });
  // TypeScript cannot see that each name has a method of its own type.
  return Object.fromEntries(routed) as Family;
}

function appOf(asked: OfApp): number {
  if (typeof asked === 'number') return asked;
  return 'tenant' in asked ? asked.tenant.appNo : asked.appNo;
}
