import { Refusal } from '../../domain/errors.ts';
import type { Query } from '../../database/database.ts';

/** A home is read again after this time, in the background: as settings of tenants, another core's change is seen within a second. */
const refreshAfterMs = 500;

interface Home {
  readonly appNo: number;
  /** Index of the place. */
  readonly place: number;
  readonly readAt: number;
}

interface HomeRow {
  readonly app_no: number;
  readonly home: string | null;
}

/** @param names of the places that there are */
export function unknownPlace(names: readonly string[]): Refusal {
  const cure =
    names.length === 1
      ? "this core has one database: list further ones in the setting 'places'"
      : `must be one of the places ${names.join(', ')} (setting 'places')`;
  return new Refusal('INVALID_FIELD', `Field name 'place' is invalid in JSON input: ${cure}`);
}

/**
 * Which place has the rows of an app, as the first place's names state it. Homes that were read once stay known while the first
 * place is away, so the apps of other places are served meanwhile.
 */
export class Homes {
  readonly #read: Query;
  readonly #names: readonly string[];
  readonly #byName = new Map<string, Home>();
  /** A request may hold the number of an app that was removed meanwhile, so numbers are kept. */
  readonly #byNumber = new Map<number, number>();
  readonly #reading = new Map<string, Promise<Home | undefined>>();

  /**
   * @param read of the first place
   * @param names of all places, in their order
   */
  constructor(read: Query, names: readonly string[]) {
    this.#read = read;
    this.#names = names;
  }

  /** @param appNo of a tenant that was found @returns index of the app's place */
  placeOf(appNo: number): number {
    const place = this.#byNumber.get(appNo);
    if (place === undefined) throw new Error(`the home of app ${appNo} was not looked up`);
    return place;
  }

  /**
   * @returns index of the place and the app's number; undefined for an unknown app; a promise only if it has to be read
   * @throws Refusal DATABASE_UNAVAILABLE if it was never read and the first place is away
   */
  of(appId: string): Home | undefined | Promise<Home | undefined> {
    const known = this.#byName.get(appId);
    if (known === undefined) return this.again(appId);
    if (performance.now() - known.readAt > refreshAfterMs) this.again(appId).catch(() => undefined);
    return known;
  }

  /** Reads the home, as `of` otherwise. */
  again(appId: string): Promise<Home | undefined> {
    const underWay = this.#reading.get(appId);
    if (underWay !== undefined) return underWay;
    const reading = this.#find(appId).finally(() => this.#reading.delete(appId));
    this.#reading.set(appId, reading);
    return reading;
  }

  /** Index of a place. @throws Refusal INVALID_FIELD for an unknown name */
  indexOf(name: string): number {
    const index = this.#names.indexOf(name);
    if (index >= 0) return index;
    throw unknownPlace(this.#names);
  }

  /** Names of all apps, with their homes, in the order of their numbers. */
  async all(): Promise<readonly { readonly appId: string; readonly place: number }[]> {
    const rows = await this.#read<HomeRow & { readonly app_id: string }>(
      'select app_no, app_id, home from apps order by app_no',
    );
    return rows.map((row) => ({ appId: row.app_id, place: this.#learn(row.app_id, row).place }));
  }

  async #find(appId: string): Promise<Home | undefined> {
    const [row] = await this.#read<HomeRow>('select app_no, home from apps where app_id = $1', [appId]);
    if (row !== undefined) return this.#learn(appId, row);
    this.#byName.delete(appId);
    return undefined;
  }

  #learn(appId: string, { app_no: appNo, home }: HomeRow): Home {
    const place = home === null ? 0 : this.#names.indexOf(home);
    if (place < 0)
      throw new Refusal(
        'DATABASE_UNAVAILABLE',
        `The app is in the place '${home ?? ''}', which the setting 'places' of this core lacks: add it`,
      );
    const learnt = { appNo, place, readAt: performance.now() };
    this.#byName.set(appId, learnt);
    this.#byNumber.set(appNo, place);
    return learnt;
  }
}
