import { yieldingToSignIns } from '../imports/chunks/yield-to-sign-ins.ts';
import type { Config } from '../config/load.ts';
import { type ConnectionTarget, type Database, openDatabase } from '../database/database.ts';
import { DiskSpace } from '../database/disk-space.ts';
import { type Watcher, watchers } from '../database/gate.ts';
import { Probe } from './probe.ts';

interface ConnectionOptions {
  readonly target: ConnectionTarget;
  readonly config: Config;
  readonly someoneSignsIn: () => boolean;
  readonly outages: Watcher;
  /** Whether the database was reached at all. */
  readonly isReached: () => boolean;
  readonly statementTimeoutMs: number | undefined;
}

interface Connections extends Record<'lanes' | 'imports' | 'database', Database> {
  readonly probe: Probe;
  readonly closeConnections: (timeoutMs: number) => Promise<void>;
}

/** Shorter than for work: the health check has long been answered. */
const probeStatementTimeoutMs = 10_000;

/** A statement of a request has been answered by then, but for one that waits for a lock. */
const mostSuspiciousMs = 5000;

/** What a bulk import writes gives way to sign-ins, and the probe has a connection of its own. */
export function openConnections(options: ConnectionOptions): Connections {
  const { target, config, someoneSignsIn, outages, isReached, statementTimeoutMs } = options;
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
  const database = openDatabase({ ...common, poolSize: shares.live, ...waiting });
  const health = openDatabase({
    ...common,
    poolSize: 1,
    suspiciousAfterMs,
    statementTimeoutMs: statementTimeoutMs ?? probeStatementTimeoutMs,
  });
  return {
    lanes,
    imports,
    database,
    probe: new Probe({ database: health, live: database, diskSpace, isReached }),
    closeConnections: async (timeoutMs) => {
      await Promise.all([lanes, imports, database, health].map((each) => each.close(timeoutMs)));
    },
  };
}

/**
 * The shares of connections: the lanes of bulk imports, statements that create single users, and everything else,
 * which has at least one. So an import never starves sign-ins.
 */
export function connectionShares({ importLanes, connectionPoolSize }: Config) {
  const others = connectionPoolSize - importLanes;
  const imports = Math.min(importLanes, Math.floor(others / 2));
  return { lanes: importLanes, imports, live: others - imports };
}
