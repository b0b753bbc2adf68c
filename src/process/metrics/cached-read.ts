import { setTimeout as delay } from 'node:timers/promises';

export interface CachedReadOptions {
  readonly validMs: number;
  /** Maximum wait of a scrape. Default 1000. */
  readonly waitMs?: number;
}

/**
 * Caches a value that costs a statement: at most one read runs. If the database is slow or down, the last value is returned, so
 * that scrapes still report the other metrics.
 * @returns a function that never rejects; undefined before the first value
 */
export function cachedRead<Value>(
  read: () => Promise<Value>,
  { validMs, waitMs = 1000 }: CachedReadOptions,
): () => Promise<Value | undefined> {
  let value: Value | undefined;
  let validUntil = -Infinity;
  let reading: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    value = await read().catch(() => value);
    validUntil = performance.now() + validMs;
    reading = undefined;
  };
  return async () => {
    if (performance.now() >= validUntil) reading ??= begin();
    if (reading !== undefined) await inTime(reading, waitMs);
    return value;
  };
}

async function inTime(work: Promise<void>, waitMs: number): Promise<void> {
  const done = new AbortController();
  const late = delay(waitMs, undefined, done).catch(() => undefined);
  await Promise.race([work, late]);
  done.abort();
}
