import { setTimeout as sleep } from 'node:timers/promises';
import { addressText, ConnectionBroken, HttpClient, textOf } from './http.ts';
import { duration, printable } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';

export interface Waiting {
  /** Of cores that have one database. */
  readonly urls: readonly URL[];
  /** Seconds; 0 for no wait. */
  readonly patience: number;
  /** Whether to wait also for a core whose database accepts no writes. */
  readonly writes: boolean;
}

/** ms between checks: short at first, because a core that was just started needs seconds. */
const firstPauseMs = 250;
const longestPauseMs = 2000;
/** ms until a check without an answer counts as failed. */
const answerMs = 10_000;

/** Messages for the `reason` of `/readyz`. An unknown state is treated as an unavailable database. */
const reasons: Readonly<Record<string, string>> = {
  DATABASE_UNREACHABLE: 'it cannot reach its database',
  STARTING_POSTGRESQL: 'its PostgreSQL is starting',
  MIGRATING: 'it brings its database to its version',
  DATABASE_READ_ONLY: 'its database takes no writes',
  DISK_FULL: 'the disk of its database is full',
  STOPPING: 'it is about to stop',
};
const onlyForWrites: ReadonlySet<string> = new Set(['DATABASE_READ_ONLY', 'DISK_FULL']);

/**
 * Waits until one of the cores listens and is ready, and reports on the standard error that it waits and why. Returns as well
 * when the time is over: the request that follows reports the error.
 * @returns the address of that core, or else the first
 * @throws the abort's error
 */
export async function waitForCore(waiting: Waiting, surroundings: Surroundings): Promise<URL> {
  const { interrupt, now, stderr } = surroundings;
  const { urls, writes } = waiting;
  const [first] = urls;
  if (first === undefined) throw new Error('no address is given');
  const endMs = now() + waiting.patience * 1000;
  let said = '';
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const reasons = await Promise.all(urls.map((url) => hindrance(url, writes, interrupt)));
    interrupt.throwIfAborted();
    const ready = urls.find((_, place) => reasons[place] === undefined);
    if (ready !== undefined || now() >= endMs) return ready ?? first;
    const [reason = ''] = reasons;
    if (reason !== said) stderr.write(lineOf(waiting, reason, said === ''));
    said = reason;
    await sleep(Math.min(pauseMs, endMs - now()), undefined, { signal: interrupt });
  }
}

function lineOf({ urls, patience }: Waiting, reason: string, isFirst: boolean): string {
  const where = `the core at ${urls.map(addressText).join(' or ')}`;
  return isFirst
    ? `Waiting for ${where}: ${reason}. Up to ${duration(patience)}, or as --patience says; Ctrl-C ends it\n`
    : `Waiting for ${where}: ${reason}\n`;
}

/** @returns why the core cannot work now; undefined when it can, or gives another answer that waiting does not change */
async function hindrance(url: URL, writes: boolean, interrupt: AbortSignal): Promise<string | undefined> {
  const http = new HttpClient({ url, apiKey: undefined, app: undefined });
  const signal = AbortSignal.any([interrupt, AbortSignal.timeout(answerMs)]);
  try {
    const response = await http.send({ method: 'GET', path: '/readyz', idleTimeoutMs: answerMs, signal });
    const text = await textOf(response);
    const { statusCode = 0 } = response;
    return statusCode >= 502 && statusCode <= 504 ? reasonIn(text, statusCode, writes) : undefined;
  } catch (error) {
    if (error instanceof ConnectionBroken) return error.reason;
    interrupt.throwIfAborted();
    return signal.aborted ? 'no answer' : undefined;
  }
}

function reasonIn(text: string, http: number, writes: boolean): string | undefined {
  const said = /"reason":"([A-Z_]+)"/.exec(text)?.[1];
  if (said === undefined) return text.includes('"NOT_READY"') ? 'it is not ready' : `it answers ${http}`;
  if (onlyForWrites.has(said) && !writes) return undefined;
  return reasons[said] ?? `it is not ready (${printable(said)})`;
}
