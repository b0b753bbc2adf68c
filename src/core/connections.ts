import { yieldingToSignIns } from '../imports/chunks/yield-to-sign-ins.ts';
import type { Config } from '../config/load.ts';
import { Refusal } from '../domain/errors.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../database/database.ts';
import { DiskSpace } from '../database/disk-space.ts';
import { type Watcher, watchers } from '../database/gate.ts';
import type { Logger } from '../process/log.ts';
import { FailoverWatch } from './failover-watch.ts';
import { Probe } from './probe.ts';

export interface ConnectionOptions {
  readonly name: string;
  readonly target: ConnectionTarget;
  readonly config: Config;
  readonly log: Logger;
  readonly someoneSignsIn: () => boolean;
  readonly outages: Watcher;
  /** Whether the database was ever reached. */
  readonly isReached: () => boolean;
  readonly statementTimeoutMs: number | undefined;
}

/** The connections to a database. */
export interface Connections extends Record<'lanes' | 'imports' | 'live', Database> {
  readonly name: string;
  readonly probe: Probe;
  /** Undefined with the core's own PostgreSQL, which has no standby. */
  readonly failoverWatch: FailoverWatch | undefined;
  readonly close: (timeoutMs: number) => Promise<void>;
}

/** Shorter than for other work: the health check was answered long before. */
const probeStatementTimeoutMs = 10_000;

/** A request's statement has been answered by then, unless it waits for a lock. */
const mostSuspiciousMs = 5000;

/** Writes of imports yield to sign-ins, and the probe has its own connection. */
export function openConnections(options: ConnectionOptions): Connections {
  const { name, target, config, someoneSignsIn, outages, isReached, statementTimeoutMs, log } = options;
  const { waitLimitMs } = config;
  const shares = connectionShares(config);
  const diskSpace = new DiskSpace();
  const watcher = watchers(outages, diskSpace);
  const common = { target, watcher, ...(statementTimeoutMs !== undefined && { statementTimeoutMs }) };
  const newPause = () => yieldingToSignIns(someoneSignsIn);
  const lanes = openDatabase({ ...common, poolSize: shares.lanes, planned: 'once', newPause });
  const suspiciousAfterMs = Math.min(waitLimitMs, mostSuspiciousMs);
  const waiting = { waitLimitMs, suspiciousAfterMs };
  const imports = openDatabase({ ...common, poolSize: shares.imports, planned: 'once', ...waiting });
  const live = openDatabase({ ...common, poolSize: shares.live, ...waiting });
  const health = openDatabase({
    ...common,
    poolSize: 1,
    suspiciousAfterMs,
    statementTimeoutMs: statementTimeoutMs ?? probeStatementTimeoutMs,
  });
  return {
    name,
    lanes,
    imports,
    live,
    failoverWatch: 'servers' in target ? new FailoverWatch(health.read, log) : undefined,
    probe: new Probe({ database: health, live, diskSpace, isReached }),
    close: async (timeoutMs) => {
      await Promise.all([lanes, imports, live, health].map((each) => each.close(timeoutMs)));
    },
  };
}

/**
 * Divides the connections: bulk imports, statements that create single users, and everything else, at least one. So imports never
 * starve sign-ins.
 */
export function connectionShares({ importLanes, connectionPoolSize }: Config) {
  const others = connectionPoolSize - importLanes;
  const imports = Math.min(importLanes, Math.floor(others / 2));
  return { lanes: importLanes, imports, live: others - imports };
}

/** The database, whose statements are refused until it `isReached` with its tables. */
export function onceReached(database: Database, isReached: () => boolean): Database {
  const requireReached = (): void => {
    if (!isReached()) throw new Refusal('DATABASE_UNAVAILABLE');
  };
  return {
    ...database,
    read: async (text, parameters, planned) => {
      requireReached();
      return database.read(text, parameters, planned);
    },
    write: async (text, parameters, planned) => {
      requireReached();
      return database.write(text, parameters, planned);
    },
    transaction: async (work, options) => {
      requireReached();
      return database.transaction(work, options);
    },
  };
}
