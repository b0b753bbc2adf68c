import type { Config } from '../config/load.ts';
import { Refusal } from '../domain/errors.ts';
import type { Logger } from '../process/log.ts';
import { sealStoredConfigs } from '../store/tenants/sealed-config.ts';
import type { Sealer } from '../process/sealer.ts';
import type { Store } from '../store/store.ts';
import type { OpenFeature } from '../features/feature.ts';
import { removeFullBuckets } from '../store/sign-in/guesses.ts';
import { removeExpiredTokens } from '../store/tokens/expired-tokens.ts';
import { removeSpentClaims } from '../store/imports/claims.ts';
import { purgeOld } from '../store/imports/purge.ts';
import type { Database } from '../database/database.ts';

export interface SweeperOptions {
  /** Run one after the other. @returns the number of removed things */
  readonly sweeps: readonly (() => Promise<number>)[];
  readonly log: Pick<Logger, 'info' | 'error'>;
  readonly intervalMs: number;
}

/**
 * Sweeps at the start and then regularly, one sweep at a time: `idle` until start, `running`, then `stopped`. A failed sweep is
 * logged and repeated at the next interval, and the others run all the same; an unreachable database is not logged.
 */
export class Sweeper {
  readonly #options: SweeperOptions;
  #mode: 'idle' | 'running' | 'stopped' = 'idle';
  #timer: NodeJS.Timeout | undefined;
  #current: Promise<void> = Promise.resolve();

  constructor(options: SweeperOptions) {
    this.#options = options;
  }

  start(): void {
    if (this.#mode !== 'idle') return;
    this.#mode = 'running';
    this.#begin();
  }

  async stop(): Promise<void> {
    this.#mode = 'stopped';
    clearTimeout(this.#timer);
    await this.#current;
  }

  #begin(): void {
    this.#current = this.#sweep().then(() => {
      if (this.#mode !== 'running') return;
      this.#timer = setTimeout(() => {
        this.#begin();
      }, this.#options.intervalMs);
      this.#timer.unref();
    });
  }

  async #sweep(): Promise<void> {
    const { sweeps, log } = this.#options;
    let removed = 0;
    for (const sweep of sweeps) removed += await this.#removedBy(sweep);
    if (removed > 0) log.info({ removed }, 'expired data was removed');
  }

  async #removedBy(sweep: () => Promise<number>): Promise<number> {
    try {
      return await sweep();
    } catch (error) {
      if (!(error instanceof Refusal))
        this.#options.log.error({ err: error }, 'expired data could not be removed');
      return 0;
    }
  }
}

/** Expired tokens only take space. */
const sweepIntervalMs = 3_600_000;

interface SweeperParts {
  readonly config: Pick<Config, 'jobRetentionMs'>;
  readonly store: Pick<Store, 'databases' | 'learnHomes'>;
  readonly features: readonly Pick<OpenFeature, 'sweep'>[];
  readonly sealer: Sealer;
  readonly log: Logger;
  /** ms since the epoch */
  readonly now: () => number;
}

/** Removes nothing. */
async function sealSettings(database: Database, sealer: Sealer, log: Pick<Logger, 'warn'>): Promise<0> {
  const left = await sealStoredConfigs(database, sealer);
  if (left === 0) return 0;
  const message =
    "secrets in the coreConfig of apps are in the database in clear: set 'encryption_keys' and start again, and they are sealed";
  log.warn({ settings: left }, message);
  return 0;
}

export function newSweeper({ config, store, features, sealer, log, now }: SweeperParts): Sweeper {
  const { jobRetentionMs: retentionMs } = config;
  const { databases } = store;
  return new Sweeper({
    sweeps: [
      () => store.learnHomes().then(() => 0),
      ...databases.flatMap((database) => [
        () => purgeOld(database, retentionMs && now() - retentionMs, now()),
        () => removeExpiredTokens(database, now()),
        () => removeSpentClaims(database),
        () => removeFullBuckets(database, now()),
        () => sealSettings(database, sealer, log),
      ]),
      ...features.map((feature) => () => feature.sweep()),
    ],
    log,
    intervalMs: sweepIntervalMs,
  });
}
