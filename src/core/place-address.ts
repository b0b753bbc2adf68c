import type { Config } from '../config/load.ts';
import { firstPlaceName, type PlaceAddress } from '../domain/app-place.ts';
import { StartupError } from '../process/startup-error.ts';

/** The database that a command works on. */
export interface OfPlace {
  /** Left out: the first place, which is the only one without the setting `places`. */
  readonly place?: string | undefined;
}

type Placed = Pick<Config, 'postgresqlConnectionUri' | 'places'>;

/** The places of the settings, in their order; empty where the core starts its own PostgreSQL. */
export function addressesOf({ postgresqlConnectionUri: uri, places }: Placed): readonly PlaceAddress[] {
  return uri === undefined ? [] : [{ name: firstPlaceName, uri }, ...places];
}

/**
 * @returns the address of a place; undefined for the PostgreSQL that the core starts
 * @throws StartupError for a place that the settings lack
 */
export function addressOf(config: Placed, { place = firstPlaceName }: OfPlace): string | undefined {
  const found = addressesOf(config).find(({ name }) => name === place);
  if (found === undefined && place !== firstPlaceName)
    throw new StartupError(`The setting 'places' lacks the place '${place}': add it`);
  return found?.uri;
}
