import type { LookupFunction } from 'node:net';
import type { Config } from '../config/load.ts';
import type { Logger } from '../process/log.ts';
import type { ConnectionTarget } from '../database/database.ts';
import type { NamedTarget } from './places.ts';

export interface CoreOptions {
  readonly config: Config;
  /** Of the first place. */
  readonly target: ConnectionTarget;
  /** After the first one: see the setting `places`. Default: none. */
  readonly otherPlaces?: readonly NamedTarget[];
  readonly apiKeys: readonly string[];
  /** Keys that seal secrets in the database: see Sealer. */
  readonly encryptionKeys: readonly Uint8Array[];
  readonly version: string;
  readonly log: Logger;
  /** For tests and benchmarks. */
  readonly overrides?: {
    readonly workerFile?: URL;
    readonly now?: () => number;
    readonly maxBatch?: number;
    readonly statementTimeoutMs?: number;
    readonly lookup?: LookupFunction;
  };
}
