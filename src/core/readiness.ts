import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../domain/errors.ts';
import type { PlaceSecret } from '../domain/place.ts';
import { type Logger, reasonOf } from '../process/log.ts';
import { adviceOnStart, unusable } from '../database/connection/advice.ts';
import { refuseSharedConnections } from '../database/connection/pooler.ts';
import type { ConnectionTarget, Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { isRefusedConnection } from '../database/sqlstate.ts';
import { readPlaceSecret } from '../store/places.ts';
import { checkKeysAreOurs } from '../store/sealed/key-check.ts';
import { checkSealedRows } from '../store/sealed/sealed-rows.ts';
import type { Sealer } from '../process/sealer.ts';
import { lookAtEach } from '../database/driver.ts';
import { checkClock, checkServer, refuseDifferentClusters } from '../database/server-check.ts';

const mayForget = 'a crash may lose what the database has committed: turn on these settings of it';
export type NotReached = 'DATABASE_UNREACHABLE' | 'STARTING_POSTGRESQL' | 'MIGRATING';

const firstRetryMs = 250;
const maxRetryMs = 5000;
/** The start does not wait longer for servers of the address that are away. */
const othersConnectTimeoutS = 1;

/**
 * Whether the database was reached with this core's tables; stays true, as later losses are reported per request. And whether a
 * stop was announced.
 */
export class Readiness {
  readonly #sealer: Sealer;
  #placeSecret: PlaceSecret | undefined;
  #isStopping = false;
  #notReached: NotReached = 'DATABASE_UNREACHABLE';
  readonly #stopped = new AbortController();

  /** @param sealer must open the database's sealed data */
  constructor(sealer: Sealer) {
    this.#sealer = sealer;
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

  #wasStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /**
   * Tries until the database answers or `stop`.
   * @param target of the database
   * @returns whether it answered @throws errors that no retry can fix
   */
  async reach(database: Database, target: ConnectionTarget, log: Logger): Promise<boolean> {
    for (
      let waitMs = firstRetryMs;
      !this.#stopped.signal.aborted;
      waitMs = Math.min(waitMs * 2, maxRetryMs)
    ) {
      this.#notReached = 'servers' in target ? 'DATABASE_UNREACHABLE' : 'STARTING_POSTGRESQL';
      try {
        const forgetting = await checkServer(database);
        if (forgetting.length > 0) log.warn({ off: forgetting }, mayForget);
        // There is no pooler between a core and its own PostgreSQL.
        if ('servers' in target) {
          await refuseSharedConnections(target);
          if (target.servers.length > 1)
            refuseDifferentClusters(await lookAtEach(target, { connectTimeoutS: othersConnectTimeoutS }));
          await checkClock(database);
        }
        this.#notReached = 'MIGRATING';
        const applied = await migrate(database);
        if (applied.length > 0) log.info({ versions: applied }, 'the database was migrated to this version');
        await checkSealedRows((text) => database.read(text), this.#sealer);
        await checkKeysAreOurs(database.write, this.#sealer);
        this.#placeSecret = await readPlaceSecret((text) => database.read(text));
        return true;
      } catch (error) {
        if (!isOutOfReach(error)) throw unusable(error);
        if (this.#wasStopped()) return false;
        if (isRefusedConnection(error.cause)) throw unusable(error.cause);
        log.warn(
          { reason: reasonOf(error.cause ?? error), advice: adviceOnStart(error.cause), retryInMs: waitMs },
          'the database cannot be reached yet',
        );
        await delay(waitMs, undefined, { signal: this.#stopped.signal }).catch(() => undefined);
      }
    }
    return false;
  }
}

function isOutOfReach(error: unknown): error is Refusal {
  return (
    error instanceof Refusal && (error.code === 'DATABASE_UNAVAILABLE' || error.code === 'OUTCOME_UNKNOWN')
  );
}
