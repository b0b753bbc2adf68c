import type { Config } from '../config/load.ts';
import type { Database } from '../database/database.ts';
import type { Route } from '../http/routing/route.ts';
import type { OperationsContext } from '../operations/context.ts';
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
  readonly config: Config;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/** A part of the product that is not the heart of it: in one folder, and registered in features/index.ts alone. */
export interface FeatureDefinition<Operations> {
  readonly name: string;
  /** Bodies of its requests, by names that no other request has. */
  readonly bodies?: Schemas;
  /** Query parameters of its requests, likewise. */
  readonly queries?: Schemas;
  /** Called once for each core, before the database is reached. */
  readonly open: (parts: FeatureParts) => Operations;
  readonly routes: (operations: Operations) => readonly Route[];
  /** Removes what has expired, at the start and once an hour. @returns how many rows it removed */
  readonly sweep?: (operations: Operations) => Promise<number>;
  /** Completes what has to be in place before all that is sealed is sealed with another key. */
  readonly beforeReseal?: (operations: Operations) => Promise<unknown>;
}

/** A feature of a core that runs. */
export interface OpenFeature {
  readonly routes: readonly Route[];
  readonly sweep: () => Promise<number>;
  readonly beforeReseal: () => Promise<unknown>;
}

export interface Feature {
  readonly name: string;
  readonly bodies: Schemas;
  readonly queries: Schemas;
  open(parts: FeatureParts): OpenFeature;
  /** Its routes for documents and tests: their handlers must not be called. */
  describe(operations?: object): readonly Route[];
}

/** Hides what the feature's operations are from all that treat features alike. */
export function defineFeature<Operations extends object>({
  name,
  bodies = {},
  queries = {},
  open,
  routes,
  sweep,
  beforeReseal,
}: FeatureDefinition<Operations>): Feature {
  return {
    name,
    bodies,
    queries,
    open(parts) {
      const operations = open(parts);
      return {
        routes: routes(operations),
        sweep: () => sweep?.(operations) ?? Promise.resolve(0),
        beforeReseal: () => beforeReseal?.(operations) ?? Promise.resolve(),
      };
    },
    describe: (operations = {}) => routes(operations as Operations),
  };
}
