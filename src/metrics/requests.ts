/**
 * Counting requests without looking labels up. prom-client sorts and joins the labels at every observation, also on a
 * bound child; here a request adds to plain numbers, and labels are joined when somebody scrapes.
 */
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

export interface RequestObserver {
  /** @param seconds from the request's first byte to the reply */
  done(status: number, seconds: number): void;
}

type CountLabel = 'route' | 'method' | 'status';
type LatencyLabel = 'route' | 'method';

interface Child {
  readonly labels: Readonly<Record<LatencyLabel, string>>;
  /** One place for each bound and a last one for what is above them all. */
  readonly buckets: Float64Array;
  sum: number;
}

interface Sample {
  readonly metricName: string;
  readonly labels: { readonly le?: number | string };
  readonly sharedLabels: Child['labels'];
  readonly value: number;
}

const NAME = 'carryover_request_duration_seconds';
const HELP = 'From a request to its reply';

/** Requests by route, method and status. */
export class RequestCounter {
  readonly #routes: {
    readonly labels: Record<LatencyLabel, string>;
    readonly byStatus: Map<number, number>;
  }[] = [];

  constructor(registry: Registry) {
    const counter: Counter<CountLabel> = new Counter<CountLabel>({
      name: 'carryover_requests_total',
      help: 'Requests answered',
      labelNames: ['route', 'method', 'status'],
      registers: [registry],
      collect: () => {
        this.#copyTo(counter);
      },
    });
  }

  /** @returns the function that counts one answered request of this route and method. */
  child(route: string, method: string): (status: number) => void {
    const byStatus = new Map<number, number>();
    this.#routes.push({ labels: { route, method }, byStatus });
    return (status) => void byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  }

  #copyTo(counter: Counter<CountLabel>): void {
    counter.reset();
    for (const { labels, byStatus } of this.#routes)
      for (const [status, count] of byStatus) counter.inc({ ...labels, status }, count);
  }
}

/** Latency by route and method, in seconds. */
export class RequestLatency extends Histogram<LatencyLabel> {
  readonly #bounds: readonly number[];
  readonly #children: Child[] = [];

  constructor(registry: Registry, bounds: readonly number[]) {
    super({
      name: NAME,
      help: HELP,
      labelNames: ['route', 'method'],
      buckets: [...bounds],
      registers: [registry],
    });
    this.#bounds = bounds;
  }

  /** @returns the function that records one request's seconds. */
  child(route: string, method: string): (seconds: number) => void {
    const bounds = this.#bounds;
    const child: Child = { labels: { route, method }, buckets: new Float64Array(bounds.length + 1), sum: 0 };
    this.#children.push(child);
    return (seconds) => {
      let place = 0;
      while (place < bounds.length && seconds > (bounds[place] ?? Infinity)) place += 1;
      child.buckets[place] = (child.buckets[place] ?? 0) + 1;
      child.sum += seconds;
    };
  }

  /**
   * The registry's text and the base class's `get()` both ask here (the method is not in the library's types):
   * what they get is the counts kept above, in the form that the base class gives its own.
   */
  getForPromString(): Promise<unknown> {
    const values = this.#children.flatMap((child) => this.#valuesOf(child));
    return Promise.resolve({ name: NAME, help: HELP, type: 'histogram', aggregator: 'sum', values });
  }

  #valuesOf({ labels: sharedLabels, buckets, sum }: Child): Sample[] {
    let total = 0;
    const samples = Array.from(buckets, (count, place): Sample => {
      total += count;
      return {
        metricName: `${NAME}_bucket`,
        labels: { le: this.#bounds[place] ?? '+Inf' },
        sharedLabels,
        value: total,
      };
    });
    return [
      ...samples,
      { metricName: `${NAME}_sum`, labels: {}, sharedLabels, value: sum },
      { metricName: `${NAME}_count`, labels: {}, sharedLabels, value: total },
    ];
  }
}
