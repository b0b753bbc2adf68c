import { Refusal } from '../domain/errors.ts';
import type { PlaceSecret } from '../domain/place.ts';
import type { Logger } from '../process/log.ts';
import type { Sealer } from '../process/sealer.ts';
import type { ConnectionTarget, Database } from '../database/database.ts';
import { readPlaceSecret, requireFirstPlace, requireHomes } from '../store/places/joining.ts';
import { type NotReached, reach } from './reach.ts';

/**
 * Whether the database was reached with this core's tables; stays true, as later losses are reported per request. And whether a
 * stop was announced.
 */
export class Readiness {
  readonly #sealer: Sealer;
  readonly #otherPlaces: readonly string[];
  #placeSecret: PlaceSecret | undefined;
  #isStopping = false;
  #notReached: NotReached = 'DATABASE_UNREACHABLE';
  readonly #stopped = new AbortController();

  /**
   * @param sealer must open the database's sealed data
   * @param otherPlaces the names of places in which apps may be
   */
  constructor(sealer: Sealer, otherPlaces: readonly string[] = []) {
    this.#sealer = sealer;
    this.#otherPlaces = otherPlaces;
  }

  /** Makes the readiness answer "stopping"; ends nothing. */
  announceStop(): void {
    this.#isStopping = true;
  }

  get isStopping(): boolean {
    return this.#isStopping;
  }

  get reached(): boolean {
    return this.#placeSecret !== undefined;
  }

  /** Undefined once the database was reached. */
  get notReached(): NotReached | undefined {
    return this.reached ? undefined : this.#notReached;
  }

  /** @throws Refusal while the database has not been reached */
  get placeSecret(): PlaceSecret {
    if (this.#placeSecret === undefined) throw new Refusal('DATABASE_UNAVAILABLE');
    return this.#placeSecret;
  }

  stop(): void {
    this.#stopped.abort();
  }

  /** Aborted by `stop`. */
  get stopped(): AbortSignal {
    return this.#stopped.signal;
  }

  /**
   * Tries until the database answers or `stop`.
   * @param target of the database
   * @returns whether it answered @throws errors that no retry can fix
   */
  reach(database: Database, target: ConnectionTarget, log: Logger): Promise<boolean> {
    return reach({
      database,
      target,
      log,
      sealer: this.#sealer,
      stopped: this.stopped,
      onStep: (step) => {
        this.#notReached = step;
      },
      finish: async () => {
        await requireFirstPlace(database.read);
        await requireHomes(database.read, this.#otherPlaces);
        this.#placeSecret = await readPlaceSecret(database.read);
      },
    });
  }
}
