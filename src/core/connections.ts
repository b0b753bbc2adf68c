import { yieldingToSignIns } from '../imports/chunks/yield-to-sign-ins.ts';
import type { Config } from '../config/load.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { DiskSpace } from '../database/disk-space.ts';
import { type Watcher, watchers } from '../database/gate.ts';
import { coreStore } from '../store/cores.ts';
import { CoreRegister } from './core-register.ts';
import { FailoverWatch } from './failover-watch.ts';
import type { CoreOptions } from './options.ts';
import { Probe } from './probe.ts';

interface ConnectionOptions extends Pick<CoreOptions, 'target' | 'config' | 'log' | 'version'> {
  readonly someoneSignsIn: () => boolean;
  readonly outages: Watcher;
  /** Whether the database was ever reached. */
  readonly isReached: () => boolean;
  readonly statementTimeoutMs: number | undefined;
}

interface Connections extends Record<'lanes' | 'imports' | 'database', Database> {
  readonly probe: Probe;
  readonly register: CoreRegister;
  /** Undefined with the core's own PostgreSQL, which has no standby. */
  readonly failoverWatch: FailoverWatch | undefined;
  /** Begins what is renewed while the core serves. Never rejects. */
  readonly watchDatabase: () => Promise<void>;
  readonly closeConnections: (timeoutMs: number) => Promise<void>;
}

/** Shorter than for other work: the health check was answered long before. */
const probeStatementTimeoutMs = 10_000;

/** A request's statement has been answered by then, unless it waits for a lock. */
const mostSuspiciousMs = 5000;

/** Writes of imports yield to sign-ins, and the probe has its own connection. */
export function openConnections(options: ConnectionOptions): Connections {
  const { target, config, someoneSignsIn, outages, isReached, statementTimeoutMs, log, version } = options;
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
  const register = new CoreRegister(coreStore(database), version);
  const failoverWatch = 'servers' in target ? new FailoverWatch(health.read, log) : undefined;
  return {
    register,
    failoverWatch,
    watchDatabase: async () => {
      await Promise.all([register.start(), failoverWatch?.read()]);
    },
    lanes,
    imports,
    database,
    probe: new Probe({ database: health, live: database, diskSpace, isReached }),
    closeConnections: async (timeoutMs) => {
      register.stop();
      await Promise.all([lanes, imports, database, health].map((each) => each.close(timeoutMs)));
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
