import type { Config } from '../config/load.ts';
import type { Database } from '../database/database.ts';
import type { Outgoing } from '../http/outgoing/exchange.ts';
import type { Route } from '../http/routing/route.ts';
import type { Imports } from '../imports/imports.ts';
import type { OperationsContext } from '../operations/context.ts';
import type { Operations as HeartOperations } from '../operations/operations.ts';
import type { Logger } from '../process/log.ts';
import type { Metrics } from '../process/metrics/metrics.ts';
import type { Schemas } from '../schema/forms.ts';
import type { OpenStores } from '../store/store.ts';

/** What a feature is built with. */
export interface FeatureParts {
  readonly context: OperationsContext;
  /** Opens the feature's statements in each place: see Store. */
  readonly openStores: OpenStores;
  /** Of each place, for sweeps. */
  readonly databases: readonly Database[];
  /** Sends requests to other systems. */
  readonly outgoing: Outgoing;
  readonly imports: Pick<Imports, 'importRecords'>;
  readonly config: Config;
  readonly metrics: Metrics;
  readonly log: Logger;
  /**
   * The interface that another feature offers: import that one's definition from its feature.ts.
   * @throws Error where it is not listed before this one
   */
  readonly offered: <Offer>(by: Feature<Offer>) => Offer;
}

/** A part of the product that is not the heart of it: in one folder, and registered in features/index.ts alone. */
export interface FeatureDefinition<Operations, Offer> {
  readonly name: string;
  /** Bodies of its requests, by names that no other request has. */
  readonly bodies?: Schemas;
  /** Query parameters of its requests, likewise. */
  readonly queries?: Schemas;
  /** Called once for each core, before the database is reached. */
  readonly open: (parts: FeatureParts) => Operations;
  /** @param heart may be called once requests are answered */
  readonly routes: (operations: Operations, heart: HeartOperations) => readonly Route[];
  /** What the heart's operations use of it. */
  readonly extend?: (operations: Operations) => Extension;
  /** What other features may use of it. */
  readonly offer?: (operations: Operations) => Offer;
  /** Removes what has expired, at the start and once an hour. @returns how many rows it removed */
  readonly sweep?: (operations: Operations) => Promise<number>;
  /** Completes what has to be in place before all that is sealed is sealed with another key. */
  readonly beforeReseal?: (operations: Operations) => Promise<unknown>;
}

/** What the heart does without where no feature gives it. */
export type Extension = Pick<OperationsContext, 'oldSystems'>;

/** A feature of a core that runs. */
export interface OpenFeature<Offer = unknown> {
  readonly routes: (heart: HeartOperations) => readonly Route[];
  readonly extension: Extension;
  readonly offer: Offer;
  readonly sweep: () => Promise<number>;
  readonly beforeReseal: () => Promise<unknown>;
}

export interface Feature<Offer = unknown> {
  readonly name: string;
  readonly bodies: Schemas;
  readonly queries: Schemas;
  open(parts: FeatureParts): OpenFeature<Offer>;
  /** Its routes for documents and tests: their handlers must not be called. */
  describe(operations?: object, heart?: object): readonly Route[];
}

/** Hides what the feature's operations are from all that treat features alike. */
export function defineFeature<Operations extends object, Offer = undefined>({
  name,
  bodies = {},
  queries = {},
  open,
  routes,
  extend,
  offer,
  sweep,
  beforeReseal,
}: FeatureDefinition<Operations, Offer>): Feature<Offer> {
  return {
    name,
    bodies,
    queries,
    open(parts) {
      const operations = open(parts);
      return {
        routes: (heart) => routes(operations, heart),
        extension: extend?.(operations) ?? {},
        // Without an offer, Offer is undefined.
        offer: offer?.(operations) as Offer,
        sweep: () => sweep?.(operations) ?? Promise.resolve(0),
        beforeReseal: () => beforeReseal?.(operations) ?? Promise.resolve(),
      };
    },
    describe: (operations = {}, heart = {}) => routes(operations as Operations, heart as HeartOperations),
  };
}
