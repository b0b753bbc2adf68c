import { setTimeout as delay } from 'node:timers/promises';
import { CoreRefusal, refusalOf } from '../../client/core-client.ts';
import { addressText, ConnectionBroken, HttpClient, type Server, textOf } from '../../client/http.ts';
import { largestOf, type Scrape, scrapeOf, valueOf } from './exposition.ts';

/** What one core did between two moments. */
export interface CoreUse {
  /** The same for all who ask: the core's own name for itself, another at each start; of an older one its address. */
  readonly id: string;
  readonly name: string;
  readonly threads: number;
  /** Share of the threads that computed passwords, on average over the scrapes. */
  readonly threadsBusy: number;
  /** The largest such share of a scrape: a stretch that is cut short has few. */
  readonly threadsMost: number;
  /** The most passwords that waited. */
  readonly waiting: number;
  /** Memory of passwords under way at most, and what the core plans for it. */
  readonly hashingMb: number;
  readonly hashingBudgetMb: number | undefined;
  /** Of all batches, from the flush to the commit: the mean, ms, and the most items that waited. */
  readonly batchMs: number;
  readonly backlog: number;
  /** How late the main thread was: the highest p99 of a scrape, ms. */
  readonly lagMs: number;
  /** CPU seconds a second of the core's process, without its database. */
  readonly cpu: number;
  readonly memoryMb: number;
  /** Sign-ins refused for overload. */
  readonly refused: number;
}

/** Reads the cores' metrics while a load runs. */
export interface CoreWatch {
  /** Why there are no metrics; undefined if there are. */
  readonly missing: string | undefined;
  /** @returns a function that ends the stretch */
  begin(): () => Promise<readonly CoreUse[]>;
}

/** Nothing is known of the cores. */
export function noWatch(missing: string): CoreWatch {
  return { missing, begin: () => () => Promise.resolve([]) };
}

const betweenMs = 1000;
const answerMs = 5000;

/**
 * @param servers each core, or the balancer before them: then every round asks often enough to meet each of them
 * @returns without metrics if the key may not read them
 */
export async function watchCores(servers: readonly Server[], signal: AbortSignal): Promise<CoreWatch> {
  try {
    const asked = await Promise.all(servers.map((server) => scrape(server, signal)));
    const [budgets, count] = [
      await Promise.all(servers.map((server) => budgetOf(server, signal))),
      coresIn(asked),
    ];
    const rounds = servers.length === 1 ? repeated(servers, count) : servers;
    return { missing: undefined, begin: () => begin(rounds, budgets[0], signal) };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CoreRefusal) return noWatch(`the key may not read /metrics: ${error.message}`);
    if (error instanceof ConnectionBroken) return noWatch(`/metrics gave no answer: ${error.reason}`);
    throw error;
  }
}

/** A balancer that takes turns leads to each core at least once. */
function repeated(servers: readonly Server[], cores: number): Server[] {
  return cores > 1 ? Array.from({ length: 2 * cores }, () => servers).flat() : [...servers];
}

function coresIn(scrapes: readonly Scrape[]): number {
  return Math.max(1, ...scrapes.map((each) => valueOf(each, 'carryover_cores') ?? 1));
}

/** A new connection each time, so that a balancer may lead to another core. */
async function scrape(server: Server, signal: AbortSignal): Promise<Scrape> {
  const http = new HttpClient({ ...server, app: undefined });
  const response = await http.send({ method: 'GET', path: '/metrics', idleTimeoutMs: answerMs, signal });
  if (response.statusCode !== 200) throw await refusalOf(response);
  return scrapeOf(await textOf(response));
}

async function budgetOf(server: Server, signal: AbortSignal): Promise<number | undefined> {
  const http = new HttpClient({ ...server, app: undefined });
  const response = await http.send({ method: 'GET', path: '/health', idleTimeoutMs: answerMs, signal });
  return Number(/"hashingMb":(\d+)/.exec(await textOf(response))?.[1] ?? NaN) || undefined;
}

/** What is kept of a scrape: an hour of whole ones would fill the memory. */
interface Reading {
  readonly atMs: number;
  readonly threads: number;
  readonly running: number;
  readonly waiting: number;
  readonly hashingBytes: number;
  readonly batches: number;
  readonly batchSeconds: number;
  readonly backlog: number;
  readonly lagMs: number;
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly refused: number;
}

function readingOf(scrape: Scrape): Reading {
  const value = (name: string, label = ''): number => valueOf(scrape, name, label) ?? 0;
  return {
    atMs: performance.now(),
    threads: value('carryover_hashing_pool_threads'),
    running: value('carryover_hashing_pool_running'),
    waiting: value('carryover_hashing_pool_waiting'),
    hashingBytes: value('carryover_hashing_pool_bytes'),
    batches: value('carryover_batch_duration_seconds_count'),
    batchSeconds: value('carryover_batch_duration_seconds_sum'),
    backlog: largestOf(scrape, 'carryover_batch_backlog'),
    lagMs: 1000 * value('nodejs_eventloop_lag_p99_seconds'),
    cpuSeconds: value('process_cpu_seconds_total'),
    memoryBytes: value('process_resident_memory_bytes'),
    refused: value('carryover_sign_ins_total', 'outcome="refused"'),
  };
}

/** By core, oldest first. */
type Seen = Map<string, Reading[]>;

function begin(
  servers: readonly Server[],
  budgetMb: number | undefined,
  signal: AbortSignal,
): () => Promise<readonly CoreUse[]> {
  const seen: Seen = new Map();
  const end = new AbortController();
  const stop = AbortSignal.any([signal, end.signal]);
  const round = async (): Promise<void> => {
    const found = await Promise.allSettled(servers.map((server) => scrape(server, signal)));
    for (const [n, each] of found.entries())
      if (each.status === 'fulfilled') note(seen, servers[n], each.value);
  };
  const running = (async () => {
    do await round();
    while (await delay(betweenMs, true, { signal: stop }).catch(() => false));
  })();
  return async () => {
    end.abort();
    await running;
    await round();
    return Array.from(seen, ([id, readings], n) => ({
      id,
      name: `core ${n + 1}`,
      ...useOf(readings, budgetMb),
    }));
  };
}

/** Two addresses may lead to one core, and one to several: the core itself says which it is. */
function note(seen: Seen, server: Server | undefined, found: Scrape): void {
  const { labels = '' } = found.find(({ name }) => name === 'carryover_core_info') ?? {};
  const key = /core="([^"]+)"/.exec(labels)?.[1] ?? (server === undefined ? '' : addressText(server.url));
  const before = seen.get(key) ?? [];
  seen.set(key, before);
  before.push(readingOf(found));
}

function useOf(
  readings: readonly Reading[],
  hashingBudgetMb: number | undefined,
): Omit<CoreUse, 'id' | 'name'> {
  const [first, last] = [readings[0], readings.at(-1)];
  const grown = (field: keyof Reading): number => (last?.[field] ?? 0) - (first?.[field] ?? 0);
  const most = (field: keyof Reading, from = 0): number =>
    Math.max(0, ...readings.slice(from).map((each) => each[field]));
  const threads = most('threads');
  const running = readings.reduce((sum, each) => sum + each.running, 0) / readings.length;
  const [seconds, batches] = [grown('atMs') / 1000, grown('batches')];
  return {
    threads,
    threadsBusy: threads === 0 ? 0 : running / threads,
    threadsMost: threads === 0 ? 0 : most('running') / threads,
    waiting: most('waiting'),
    hashingMb: most('hashingBytes') / bytesPerMiB,
    hashingBudgetMb,
    batchMs: batches === 0 ? 0 : (grown('batchSeconds') * 1000) / batches,
    backlog: most('backlog'),
    // The first is of the time since the scrape before, which was not part of the load.
    lagMs: most('lagMs', 1),
    cpu: seconds === 0 ? 0 : grown('cpuSeconds') / seconds,
    memoryMb: most('memoryBytes') / bytesPerMiB,
    refused: grown('refused'),
  };
}

const bytesPerMiB = 1_048_576;
