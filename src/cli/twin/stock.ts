/** Makes the hashes of a twin: of each kind and cost as many as time allows. */

import { freemem } from 'node:os';
import { inOrder } from '../../exports/convert/in-order.ts';
import type { OriginalTable } from '../../exports/twin/originals.ts';
import type { HashClass, MadeClass, TwinRules } from '../../exports/twin/tasks.ts';
import type { TwinPool } from '../../threads/twin-pool.ts';

/** Different passwords: as many as a file of known passwords may have. */
export const passwordsLimit = 10_000;

/** ms that a task of a thread takes about. */
const taskMs = 250;
const mostAtOnce = 500;

export interface MakingStock {
  readonly classes: Readonly<Record<string, HashClass>>;
  readonly rules: TwinRules;
  readonly originals: OriginalTable;
  /** For all classes together. */
  readonly seconds: number;
  readonly pool: TwinPool;
  readonly signal: AbortSignal;
}

export interface MadeStock {
  /** In memory that threads share. */
  readonly hashes: Uint8Array;
  readonly classes: Readonly<Record<string, MadeClass>>;
}

/**
 * The cheapest classes first: what they leave of their time is for the others. Each gets one hash at least.
 * @throws the reason of `signal`
 */
export async function makeStock(making: MakingStock): Promise<MadeStock> {
  const ordered = Object.entries(making.classes).sort(([, a], [, b]) => a.work - b.work);
  const end = performance.now() + making.seconds * 1000;
  const made = new Map<string, readonly string[]>();
  for (const [place, [key, hashClass]] of ordered.entries()) {
    const left = Math.max(0, end - performance.now());
    made.set(key, await hashesOf(hashClass, left / (ordered.length - place), making));
  }
  return packed(made);
}

async function hashesOf(hashClass: HashClass, ms: number, making: MakingStock): Promise<readonly string[]> {
  const { pool, rules, originals } = making;
  const wanted = Math.min(passwordsLimit, hashClass.users);
  const atOnce = Math.max(1, Math.min(mostAtOnce, Math.floor(taskMs / hashClass.work)));
  const tasks = portions(wanted, atOnce, performance.now() + ms, making.signal);
  const made = inOrder(
    tasks,
    ({ from, count }) => pool.run({ type: 'make', rules, originals, hashClass, from, count }),
    concurrencyOf(hashClass, pool.threads),
  );
  const hashes: string[] = [];
  for await (const { hashes: portion } of made) {
    hashes.push(...portion);
    if (portion.length === 0) break;
  }
  // A class has one spelling, and so one length.
  const isWhole = hashes.every(({ length }) => length === hashes[0]?.length);
  return isWhole ? hashes : [];
}

/** Argon2 may take much memory: half of what is free. */
function concurrencyOf({ bytes }: HashClass, threads: number): number {
  return Math.max(1, Math.min(threads, Math.floor(freemem() / 2 / Math.max(bytes, 1))));
}

interface Portion {
  readonly from: number;
  readonly count: number;
}

/** Until all are made or the time is up; the first is made in any case. */
async function* portions(
  wanted: number,
  atOnce: number,
  until: number,
  signal: AbortSignal,
): AsyncGenerator<Portion> {
  for (let from = 0; from < wanted; from += atOnce) {
    signal.throwIfAborted();
    if (from > 0 && performance.now() > until) return;
    yield await Promise.resolve({ from, count: Math.min(atOnce, wanted - from) });
  }
}

function packed(made: ReadonlyMap<string, readonly string[]>): MadeStock {
  const bytes = [...made.values()].flat().reduce((sum, { length }) => sum + length, 0);
  const hashes = new Uint8Array(new SharedArrayBuffer(Math.max(1, bytes)));
  const classes: Record<string, MadeClass> = {};
  let at = 0;
  for (const [key, texts] of made) {
    classes[key] = { at, count: texts.length, width: texts[0]?.length ?? 0 };
    for (const text of texts) {
      hashes.set(Buffer.from(text, 'latin1'), at);
      at += text.length;
    }
  }
  return { hashes, classes };
}
