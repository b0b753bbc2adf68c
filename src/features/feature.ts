import type { Config } from '../config/load.ts';
import type { Database } from '../database/database.ts';
import type { Outgoing } from '../http/outgoing/exchange.ts';
import type { Door } from '../http/ports.ts';
import type { Route } from '../http/routing/route.ts';
import type { Imports } from '../imports/imports.ts';
import type { ImportThreads } from '../imports/ports.ts';
import type { OperationsContext } from '../operations/context.ts';
import type { HashingBehalf } from '../operations/ports/ports.ts';
import type { Operations as HeartOperations } from '../operations/operations.ts';
import type { AuditTrail } from '../process/audit/trail.ts';
import type { KeyRing } from '../process/keys/key-ring.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics/metrics.ts';
import type { Schemas } from '../schema/forms.ts';
import type { CoreReport, ListedCore, ReportedDay } from '../store/cores.ts';
import type { OpenStores } from '../store/store.ts';

/** The cores that use the database. */
export interface Cores {
  list(): Promise<readonly (ListedCore & { readonly isThis: boolean })[]>;
  /** The last days of the cores, also of those that have ended. */
  days(): Promise<readonly ReportedDay[]>;
  /** It is in the row of this core, which it renews every five seconds in any case. */
  report(report: () => Promise<CoreReport>): void;
}

/** The parts that a feature is built with. */
export interface FeatureParts {
  readonly context: OperationsContext;
  /** Opens the feature's statements in each place: see Store. */
  readonly openStores: OpenStores;
  /** One for each place, for sweeps. */
  readonly databases: readonly Database[];
  /** Sends requests to other systems. */
  readonly outgoing: Outgoing;
  readonly imports: Pick<Imports, 'importRecords' | 'find' | 'cancel'>;
  readonly importThreads: ImportThreads;
  readonly config: Config;
  readonly keys: Pick<KeyRing, 'holderOf' | 'holderOfDigest' | 'grant'>;
  /** The URL at which processes on this machine reach the core; undefined until it listens. */
  readonly address: () => string | undefined;
  readonly cores: Cores;
  /** Of the core. */
  readonly version: string;
  /** For acts of the core itself: those of requests are logged by their routes. */
  readonly audit: Pick<AuditTrail, 'keep'>;
  readonly metrics: Metrics;
  readonly log: Logger;
  /**
   * The interface that another feature offers: import its definition from its feature.ts.
   * @throws Error if it is not listed before this one
   */
  readonly offered: <Offer>(by: Feature<Offer>) => Offer;
}

/** Triggers for single apps, which come and go with rows of the app: neither a backup nor replication carries them. */
export interface AppTriggers {
  /**
   * Makes the triggers that the rows ask for, and removes others.
   * @param appNo left out: of all apps @returns false if a table was locked all the time
   */
  settle(database: Pick<Database, 'read' | 'transaction'>, appNo?: number): Promise<boolean>;
  /** Whether exactly those are there that the rows of the app ask for. */
  areSettled(database: Pick<Database, 'read'>, appNo: number): Promise<boolean>;
  /** Removes those of an app, whose rows are about to be removed. @returns false as `settle` */
  remove(database: Pick<Database, 'read' | 'transaction'>, appNo: number): Promise<boolean>;
}

/** A part of the product outside its heart: in one folder, and registered only in features/index.ts. */
export interface FeatureDefinition<Operations, Offer> {
  readonly name: string;
  /** Bodies of its requests, by names that no other request has. */
  readonly bodies?: Schemas;
  /** Query parameters of its requests, with unique names too. */
  readonly queries?: Schemas;
  /** Whether the settings want it; left out: always. Of one that is off nothing is opened, and it has no routes. */
  readonly isOn?: (config: Config) => boolean;
  /** Called once for each core, before the database is reached. */
  readonly open: (parts: FeatureParts) => Operations;
  /** @param heart may be called once requests are answered */
  readonly routes: (operations: Operations, heart: HeartOperations) => readonly Route[];
  /** Its parts for the heart's operations. */
  readonly extend?: (operations: Operations) => Extension;
  /** Its interface for other features. */
  readonly offer?: (operations: Operations) => Offer;
  /** Authorises requests of its pages. */
  readonly door?: (operations: Operations) => Door | undefined;
  /** Ends what it runs, before requests are refused. */
  readonly close?: (operations: Operations) => Promise<void>;
  /** Removes expired rows, at the start and once an hour. @returns their number */
  readonly sweep?: (operations: Operations) => Promise<number>;
  /** Runs before all sealed values are sealed with another key. */
  readonly beforeReseal?: (operations: Operations) => Promise<unknown>;
  readonly appTriggers?: AppTriggers;
}

/** A new password of a user. */
export interface NewHash {
  readonly appNo: number;
  readonly password: string;
  /** Its hash by the policy, which is being made. */
  readonly hash: Promise<string>;
  readonly behalf: HashingBehalf;
}

/** Parts that the heart can do without if no feature adds them. */
export interface Extension extends Pick<OperationsContext, 'oldSystems' | 'onPassword' | 'mayUpgrade'> {
  /** Called with each password that a request sets, and awaited before it is stored. */
  readonly onNewHash?: (made: NewHash) => Promise<void>;
}

/** A feature of a running core. */
export interface OpenFeature<Offer = unknown> {
  readonly routes: (heart: HeartOperations) => readonly Route[];
  readonly extension: Extension;
  readonly offer: Offer;
  readonly door: Door | undefined;
  readonly close: () => Promise<void>;
  readonly sweep: () => Promise<number>;
  readonly beforeReseal: () => Promise<unknown>;
}

export interface Feature<Offer = unknown> {
  readonly name: string;
  readonly bodies: Schemas;
  readonly queries: Schemas;
  readonly appTriggers: AppTriggers | undefined;
  isOn(config: Config): boolean;
  open(parts: FeatureParts): OpenFeature<Offer>;
  /** Its routes for documents and tests: their handlers must not be called. */
  describe(operations?: object, heart?: object): readonly Route[];
}

/** Hides the type of the feature's operations from code that treats features alike. */
export function defineFeature<Operations extends object, Offer = undefined>({
  name,
  bodies = {},
  queries = {},
  isOn = () => true,
  open,
  routes,
  extend,
  offer,
  door,
  close,
  sweep,
  beforeReseal,
  appTriggers,
}: FeatureDefinition<Operations, Offer>): Feature<Offer> {
  return {
    name,
    bodies,
    queries,
    appTriggers,
    isOn,
    open(parts) {
      const operations = open(parts);
      return {
        routes: (heart) => routes(operations, heart),
        extension: extend?.(operations) ?? {},
        // Without an offer, Offer is undefined.
        offer: offer?.(operations) as Offer,
        door: door?.(operations),
        close: () => close?.(operations) ?? Promise.resolve(),
        sweep: () => sweep?.(operations) ?? Promise.resolve(0),
        beforeReseal: () => beforeReseal?.(operations) ?? Promise.resolve(),
      };
    },
    describe: (operations = {}, heart = {}) => routes(operations as Operations, heart as HeartOperations),
  };
}
