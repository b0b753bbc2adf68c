import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../../statistics.ts';
import type { ServerProcess } from '../processes.ts';

/** What a process held at some time. */
export interface Held {
  readonly seconds: number;
  readonly memoryMb: number;
}

/** Looks until `ending` is settled. */
export async function watchHeld(
  server: ServerProcess,
  ending: Promise<unknown>,
  everyMs: number,
): Promise<Held[]> {
  const startedAt = performance.now();
  const seen: Held[] = [];
  const ended = ending.then(
    () => 'ended' as const,
    () => 'ended' as const,
  );
  while ((await Promise.race([delay(everyMs, 'not yet'), ended])) !== 'ended') {
    const seconds = (performance.now() - startedAt) / 1000;
    seen.push({ seconds, memoryMb: server.memoryMb() });
  }
  return seen;
}

/** Its open file descriptors once the connections of a load that has ended are closed: as soon as they get no fewer. */
export async function fileDescriptorsAtRest(server: ServerProcess): Promise<number> {
  let [before, now] = [Infinity, server.fileDescriptors()];
  while (now < before) {
    await delay(restMs);
    [before, now] = [now, server.fileDescriptors()];
  }
  return now;
}

const restMs = 500;

export interface Growth {
  /** MB */
  readonly early: number;
  readonly late: number;
  readonly perHour: number;
}

/** Long enough for several collections, so that no single one decides. */
const part = 1 / 3;

/** The medians of the first and of the last third, and what the difference makes in an hour. */
export function growthOf(seen: readonly Held[]): Growth {
  const length = Math.ceil(seen.length * part);
  const [first, last] = [seen.slice(0, length), seen.slice(-length)];
  const middle = (held: readonly Held[], of: keyof Held): number => median(held.map((each) => each[of]));
  const [early, late] = [middle(first, 'memoryMb'), middle(last, 'memoryMb')];
  const hours = (middle(last, 'seconds') - middle(first, 'seconds')) / 3600;
  return { early, late, perHour: (late - early) / hours };
}
