import { setTimeout as delay } from 'node:timers/promises';

export interface SeldomOptions {
  /** For so long a value is good for all scrapes. */
  readonly validMs: number;
  /** So long a scrape waits at most. Default 1000. */
  readonly waitMs?: number;
}

/**
 * Reads what costs a statement for scrapes: one at a time, and never for long. While the database is away or slow, the last
 * value stays: an outage must not take the other metrics along.
 * @returns a function that never rejects: undefined before the first value
 */
export function seldom<Value>(
  read: () => Promise<Value>,
  { validMs, waitMs = 1000 }: SeldomOptions,
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
