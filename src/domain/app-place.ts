/** A database that holds whole apps. */
export interface PlaceAddress {
  readonly name: string;
  /** As `postgresql_connection_uri`: contains a password. */
  readonly uri: string;
}

/** The database of `postgresql_connection_uri`, which also has the names of all apps. */
export const firstPlaceName = 'first';

const placeName = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Whether it may name a place other than the first one. */
export function isPlaceName(name: string): boolean {
  return name !== firstPlaceName && placeName.test(name);
}
