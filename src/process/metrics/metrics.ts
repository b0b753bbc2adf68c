import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { type BulkMetrics, bulkMetrics } from './imports.ts';
import { type JobMetrics, jobMetrics } from './jobs.ts';
import { type SignInMetrics, signInMetrics } from './sign-ins.ts';
import { RequestCounter, RequestLatency } from './requests.ts';
import type { RequestObserver } from './requests.ts';

export type { RequestObserver };

export interface HashingPoolState {
  readonly running: number;
  readonly waiting: number;
  /** Memory admitted for the running tasks. */
  readonly bytes: number;
  readonly threads: number;
}

export interface Metrics extends BulkMetrics, JobMetrics, SignInMetrics {
  /** Returns the same object for a route and method, so that a request looks up no labels. */
  request(route: string, method: string): RequestObserver;
  /** @param size items in the batch @param seconds from the flush to the commit */
  batch(operation: string, size: number, seconds: number): void;
  watchBacklog(operation: string, read: () => number): void;
  watchHashingPool(read: () => HashingPoolState): void;
  watchCores(read: () => number): void;
  /** @param kind of task, e.g. `verify` */
  poolTask(kind: string, seconds: number): void;
  imported(kind: string, outcome: 'new' | 'replaced', count?: number): void;
  /** Counts the outcome of a hash that was offered for an upgrade. */
  hashUpgrade(outcome: 'upgraded' | 'outdated' | 'dropped' | 'failed'): void;
  watchHashUpgrades(read: () => number): void;
  /** @param rule whether the account or the address exceeded its limit */
  guessRefused(rule: string): void;
  /** Features register their metrics here. */
  readonly registry: Registry;
  text(): Promise<string>;
  readonly contentType: string;
}

const latencySeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const batchSizes = [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000];

/** Builds the metrics and starts to watch the process (event loop, memory, file descriptors). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  return {
    ...requestMetrics(registry),
    ...batchMetrics(registry),
    ...poolMetrics(registry),
    ...importMetrics(registry),
    ...guessMetrics(registry),
    ...coreMetrics(registry),
    ...upgradeMetrics(registry),
    ...bulkMetrics(registry),
    ...jobMetrics(registry),
    ...signInMetrics(registry),
    registry,
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function requestMetrics(registry: Registry): Pick<Metrics, 'request'> {
  const counter = new RequestCounter(registry);
  const latency = new RequestLatency(registry, latencySeconds);
  const observers = new Map<string, Map<string, RequestObserver>>();
  const create = (route: string, method: string): RequestObserver => {
    const observe = latency.child(route, method);
    const count = counter.child(route, method);
    const observer: RequestObserver = {
      done: (status, seconds) => {
        count(status);
        observe(seconds);
      },
    };
    const ofRoute = observers.get(route) ?? new Map<string, RequestObserver>();
    observers.set(route, ofRoute.set(method, observer));
    return observer;
  };
  return {
    // Runs for every request: two look-ups, and no text is built.
    request: (route, method) => observers.get(route)?.get(method) ?? create(route, method),
  };
}

function batchMetrics(registry: Registry): Pick<Metrics, 'batch' | 'watchBacklog'> {
  const common = { labelNames: ['operation'] as const, registers: [registry] };
  const sizes = new Histogram({
    ...common,
    name: 'carryover_batch_size',
    help: 'Items written by one statement',
    buckets: batchSizes,
  });
  const durations = new Histogram({
    ...common,
    name: 'carryover_batch_duration_seconds',
    help: 'From the flush of a batch to its commit',
    buckets: latencySeconds,
  });
  const backlogs = new Map<string, () => number>();
  const backlog = new Gauge({
    ...common,
    name: 'carryover_batch_backlog',
    help: 'Items that wait for a batch',
    collect: () => {
      for (const [operation, read] of backlogs) backlog.set({ operation }, read());
    },
  });
  return {
    batch: (operation, size, seconds) => {
      sizes.observe({ operation }, size);
      durations.observe({ operation }, seconds);
    },
    watchBacklog: (operation, read) => void backlogs.set(operation, read),
  };
}

function poolMetrics(registry: Registry): Pick<Metrics, 'watchHashingPool' | 'poolTask'> {
  let read: (() => HashingPoolState) | undefined;
  const gauge = (field: keyof HashingPoolState, help: string): void => {
    const each: Gauge = new Gauge({
      name: `carryover_hashing_pool_${field}`,
      help,
      registers: [registry],
      collect: () => {
        if (read) each.set(read()[field]);
      },
    });
  };
  gauge('running', 'Passwords that are being computed');
  gauge('waiting', 'Passwords that wait for a thread or for memory');
  gauge('bytes', 'Memory admitted for the passwords that are being computed');
  gauge('threads', 'Threads that compute passwords');
  const durations = new Histogram({
    name: 'carryover_pool_task_duration_seconds',
    help: 'From a task being handed to a worker thread to its answer',
    labelNames: ['kind'],
    buckets: latencySeconds,
    registers: [registry],
  });
  return {
    watchHashingPool: (reader) => {
      read = reader;
    },
    poolTask: (kind, seconds) => {
      durations.observe({ kind }, seconds);
    },
  };
}

function coreMetrics(registry: Registry): Pick<Metrics, 'watchCores'> {
  return {
    watchCores: (read) => {
      const cores: Gauge = new Gauge({
        name: 'carryover_cores',
        help: 'Cores that use the database, this one included',
        registers: [registry],
        collect: () => {
          cores.set(read());
        },
      });
    },
  };
}

function importMetrics(registry: Registry): Pick<Metrics, 'imported'> {
  const imports = new Counter({
    name: 'carryover_imports_total',
    help: 'Users imported, by kind of credential',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  return {
    imported: (kind, outcome, count = 1) => {
      imports.inc({ kind, outcome }, count);
    },
  };
}

function upgradeMetrics(registry: Registry): Pick<Metrics, 'hashUpgrade' | 'watchHashUpgrades'> {
  const upgrades = new Counter({
    name: 'carryover_hash_upgrades_total',
    help: 'Password hashes offered for an upgrade after a sign-in, by outcome',
    labelNames: ['outcome'],
    registers: [registry],
  });
  let read: (() => number) | undefined;
  const waiting: Gauge = new Gauge({
    name: 'carryover_hash_upgrades_waiting',
    help: 'Password hashes that wait for an upgrade',
    registers: [registry],
    collect: () => {
      waiting.set(read?.() ?? 0);
    },
  });
  return {
    hashUpgrade: (outcome) => {
      upgrades.inc({ outcome });
    },
    watchHashUpgrades: (reader) => {
      read = reader;
    },
  };
}

function guessMetrics(registry: Registry): Pick<Metrics, 'guessRefused'> {
  const refused = new Counter({
    name: 'carryover_guesses_refused_total',
    help: 'Passwords that were not looked at, because too many wrong ones had come',
    labelNames: ['rule'],
    registers: [registry],
  });
  return {
    guessRefused: (rule) => {
      refused.inc({ rule });
    },
  };
}
