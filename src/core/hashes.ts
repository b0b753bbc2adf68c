import type { Config } from '../config/load.ts';
import type { Logger } from '../process/log.ts';
import type { HashReportContext } from '../operations/context.ts';
import { Upgrades } from '../operations/sign-in/upgrades.ts';
import type { RowsPool } from '../threads/import-pool.ts';
import type { Store } from '../store/store.ts';
import type { Metrics } from '../process/metrics/metrics.ts';
import { createPasswordPool, type PasswordPool } from '../threads/password-pool.ts';
import type { CoreOptions } from './options.ts';

export interface HashesOptions {
  readonly config: Config;
  readonly pool: PasswordPool;
  /** Counting yields to other tasks there. */
  readonly threads: Pick<RowsPool, 'run'>;
  readonly store: Pick<Store, 'users'>;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly now: () => number;
}

/** Upgrades stored hashes at sign-in, and counts them. */
export interface Hashes {
  /** Absent if upgrades are disabled. */
  readonly upgrades: Upgrades | undefined;
  readonly reports: HashReportContext;
  /** Ends reports, which may take long, before the server waits for their requests. */
  cancelReports(): void;
  /** Drops waiting upgrades, and awaits the running one. */
  close(): Promise<void>;
}

export function startHashes(options: HashesOptions): Hashes {
  const { config, threads } = options;
  const closing = new AbortController();
  const upgrades = config.upgradePasswordHashes ? startUpgrades(options) : undefined;
  const policy = config.hashPolicy;
  return {
    upgrades,
    reports: {
      policy,
      tally: (lines, limits) => threads.run({ type: 'tally', lines, limits, policy }),
      closing: closing.signal,
    },
    cancelReports: () => {
      closing.abort();
    },
    close: async () => {
      await upgrades?.close();
    },
  };
}

function startUpgrades({ config, pool, store, metrics, log, now }: HashesOptions): Upgrades {
  const upgrades = new Upgrades({
    users: store.users,
    hasher: pool,
    policy: config.hashPolicy,
    isIdle: () => pool.gauges.waiting === 0 && pool.gauges.running < pool.gauges.threads,
    now,
    onEnd: (outcome, error) => {
      metrics.hashUpgrade(outcome);
      if (error !== undefined)
        log.warn({ err: error }, 'a password hash could not be upgraded: it stays as it was');
    },
  });
  metrics.watchHashUpgrades(() => upgrades.waiting);
  return upgrades;
}

export function startPool({ config, log, overrides }: CoreOptions, metrics: Metrics): PasswordPool {
  return createPasswordPool({
    threads: config.hashingThreads,
    memoryBudgetBytes: config.hashingMemoryBudgetBytes,
    queueLimit: config.hashingQueueLimit,
    waitLimitMs: config.waitLimitMs,
    policy: config.hashPolicy,
    onTask: (kind, seconds) => {
      metrics.poolTask(kind, seconds);
    },
    onVerified: (kind) => {
      metrics.passwordVerified(kind);
    },
    onThreadError: (error) => {
      log.error({ err: error }, 'a worker thread died');
    },
    ...(overrides?.workerFile && { workerFile: overrides.workerFile }),
  });
}
