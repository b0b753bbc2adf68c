import { setTimeout as delay } from 'node:timers/promises';
import { Refusal } from '../domain/errors.ts';
import { type Logger, reasonOf } from '../process/log.ts';
import { adviceOnStart, unusable } from '../database/connection/advice.ts';
import { refuseSharedConnections } from '../database/connection/pooler.ts';
import type { ConnectionTarget, Database } from '../database/database.ts';
import { migrate } from '../database/migrate.ts';
import { isRefusedConnection } from '../database/sqlstate.ts';
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

export interface Reaching {
  readonly database: Database;
  readonly target: ConnectionTarget;
  readonly log: Logger;
  /** Must open the database's sealed data. */
  readonly sealer: Sealer;
  /** Called with the migrated database. */
  readonly finish: () => Promise<void>;
  /** Ends the attempts. */
  readonly stopped: AbortSignal;
  readonly onStep?: (step: NotReached) => void;
  /** Called after each attempt that found the database away. */
  readonly onAway?: () => void;
}

/**
 * Tries until the database answers, checks and migrates it.
 * @returns whether it answered before `stopped` @throws errors that no retry can fix
 */
export async function reach(reaching: Reaching): Promise<boolean> {
  const { log, stopped, onAway } = reaching;
  for (let waitMs = firstRetryMs; !stopped.aborted; waitMs = Math.min(waitMs * 2, maxRetryMs)) {
    try {
      await attempt(reaching);
      return true;
    } catch (error) {
      if (!isOutOfReach(error)) throw unusable(error);
      if (wasStopped(stopped)) return false;
      if (isRefusedConnection(error.cause)) throw unusable(error.cause);
      log.warn(
        { reason: reasonOf(error.cause ?? error), advice: adviceOnStart(error.cause), retryInMs: waitMs },
        'the database cannot be reached yet',
      );
      onAway?.();
      await delay(waitMs, undefined, { signal: stopped }).catch(() => undefined);
    }
  }
  return false;
}

async function attempt({ database, target, log, sealer, finish, onStep }: Reaching): Promise<void> {
  onStep?.('servers' in target ? 'DATABASE_UNREACHABLE' : 'STARTING_POSTGRESQL');
  const forgetting = await checkServer(database);
  if (forgetting.length > 0) log.warn({ off: forgetting }, mayForget);
  // There is no pooler between a core and its own PostgreSQL.
  if ('servers' in target) {
    await refuseSharedConnections(target);
    if (target.servers.length > 1)
      refuseDifferentClusters(await lookAtEach(target, { connectTimeoutS: othersConnectTimeoutS }));
    await checkClock(database);
  }
  onStep?.('MIGRATING');
  const applied = await migrate(database);
  if (applied.length > 0) log.info({ versions: applied }, 'the database was migrated to this version');
  await checkSealedRows((text) => database.read(text), sealer);
  await checkKeysAreOurs(database.write, sealer);
  await finish();
}

/** TypeScript takes the signal for unchanged since the loop began. */
function wasStopped(signal: AbortSignal): boolean {
  return signal.aborted;
}

function isOutOfReach(error: unknown): error is Refusal {
  return (
    error instanceof Refusal && (error.code === 'DATABASE_UNAVAILABLE' || error.code === 'OUTCOME_UNKNOWN')
  );
}
