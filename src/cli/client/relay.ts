/**
 * Sends one upload through several cores of one database. Each takes the next part of the file as soon as its last one is
 * committed, and prepares it while the parts before are written: see Upload-Ahead. The parts are committed in their order, so
 * that the import ends as through one core.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import { once } from '../../exports/readers/input.ts';
import type { UploadSource } from '../input/source.ts';
import { CoreRefusal } from './core-client.ts';
import { ConnectionBroken } from './http.ts';
import { Patience, retry, type Retrying, troubleOf } from './retry.ts';
import type { TusClient } from './tus.ts';

/** One of the cores, with its address for people. */
export interface RelayCore {
  readonly name: string;
  readonly tus: TusClient;
}

export interface RelayRun extends Retrying {
  /** Reaches any core that answers. */
  readonly tus: TusClient;
  readonly cores: readonly RelayCore[];
  readonly id: string;
  readonly source: UploadSource;
  /** ms to wait for a core that is away, as long as another one makes progress. */
  readonly patienceMs: number;
  /** ms since the epoch */
  readonly now: () => number;
  readonly partBytes?: number;
}

/** About what a core prepares before its turn. */
const usualPartBytes = 8 * 1024 * 1024;

/** Whole lines of the upload. */
interface Part {
  readonly offset: number;
  readonly bytes: Uint8Array;
}

/**
 * Sends the rest of the source, from the committed offset on.
 * @throws as `retry`: CommandError once no core has made progress for too long; CoreRefusal
 */
export async function relay(run: RelayRun): Promise<void> {
  const { source, tus, id, signal, patience, partBytes = usualPartBytes } = run;
  const { offset } = await retry(() => tus.state(id, signal), run);
  patience.advance(offset);
  const ended = new AbortController();
  const parts = new Parts(cut(source.open(offset, signal), offset, partBytes));
  const during = { ...run, signal: AbortSignal.any([signal, ended.signal]) };
  const workers = run.cores.map((core) => work(core, parts, during));
  try {
    const failures = await Promise.all(workers);
    const failure = failures.find((each) => each !== undefined);
    if (!parts.areCommitted) throw failure ?? new Error('parts are left');
  } catch (error) {
    ended.abort();
    parts.stop();
    await Promise.allSettled(workers);
    throw error;
  }
  await retry(() => finish(run), run);
}

async function* cut(bytes: AsyncIterable<Uint8Array>, from: number, partBytes: number): AsyncGenerator<Part> {
  let offset = from;
  let pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    const rest = length < partBytes ? piece.length : piece.lastIndexOf(newline) + 1;
    if (length < partBytes || rest === 0) continue;
    const part = { offset, bytes: Buffer.concat([...pieces.slice(0, -1), piece.subarray(0, rest)]) };
    offset += part.bytes.length;
    pieces = [piece.subarray(rest)];
    length = piece.length - rest;
    yield part;
  }
  if (length > 0) yield { offset, bytes: Buffer.concat(pieces) };
}

const newline = 10;

/**
 * The parts of an upload: unread, ready to be taken, or out at a core.
 *
 * Invariants: the parts that are ready or out do not overlap, and all before them are committed. The first that is ready is taken
 * first. If a core gives a part back while all others have one, the last of these is recalled, which cannot be committed before.
 */
class Parts {
  readonly #unread: AsyncGenerator<Part>;
  readonly #out = new Map<Part, AbortController>();
  #ready: Part[] = [];
  #waiting = 0;
  #isReadToEnd = false;
  #isStopped = false;
  #changed = Promise.withResolvers<undefined>();

  constructor(unread: AsyncGenerator<Part>) {
    this.#unread = unread;
  }

  get areCommitted(): boolean {
    return this.#isReadToEnd && this.#out.size === 0 && this.#ready.length === 0;
  }

  /** @returns the first part that no core has, with the signal that recalls it; undefined when all are committed, or after `stop` */
  async take(): Promise<{ readonly part: Part; readonly recalled: AbortSignal } | undefined> {
    while (!this.#isStopped) {
      const part = this.#ready.shift();
      if (part !== undefined) return this.#give(part);
      if (this.#isReadToEnd && this.#out.size === 0) return undefined;
      this.#waiting += 1;
      await (this.#isReadToEnd ? this.#changed.promise : this.#read());
      this.#waiting -= 1;
    }
    return undefined;
  }

  /** An earlier part may be given back meanwhile. */
  async #read(): Promise<void> {
    const next = await this.#unread.next();
    if (next.done === true) this.#isReadToEnd = true;
    else this.#add(next.value);
  }

  #add(part: Part): void {
    this.#ready = [...this.#ready, part].sort((a, b) => a.offset - b.offset);
  }

  #give(part: Part): { readonly part: Part; readonly recalled: AbortSignal } {
    const recall = new AbortController();
    this.#out.set(part, recall);
    return { part, recalled: recall.signal };
  }

  /** The part is committed. */
  done(part: Part): void {
    this.#out.delete(part);
    this.#wake();
  }

  /** @param rest of the part that is not committed */
  giveBack(part: Part, rest: Part): void {
    const isRecalled = this.#out.get(part)?.signal.aborted === true;
    this.#out.delete(part);
    this.#add(rest);
    if (this.#waiting === 0 && !isRecalled) this.#recallLast(rest.offset);
    this.#wake();
  }

  #recallLast(before: number): void {
    const out = [...this.#out].filter(([part, recall]) => part.offset > before && !recall.signal.aborted);
    const last = out.sort(([a], [b]) => b.offset - a.offset)[0];
    last?.[1].abort();
  }

  #wake(): void {
    this.#changed.resolve(undefined);
    this.#changed = Promise.withResolvers();
  }

  /** Gives out no further part. */
  stop(): void {
    this.#isStopped = true;
    this.#wake();
  }
}

/** One core's work, until all parts are committed. @returns why the core has taken no part in the rest, if it is away for too long */
async function work(core: RelayCore, parts: Parts, run: RelayRun): Promise<Error | undefined> {
  for (let taken = await parts.take(); taken !== undefined; taken = await parts.take()) {
    const { part, recalled } = taken;
    try {
      const committed = await send(core, part, { ...run, signal: AbortSignal.any([run.signal, recalled]) });
      run.patience.advance(committed);
      parts.done(part);
    } catch (error) {
      const rest = await restOf(part, run);
      if (rest === undefined) parts.done(part);
      else parts.giveBack(part, rest);
      if (recalled.aborted) continue;
      const failure = await recovered(core, error, run);
      if (failure !== undefined) return failure;
    }
  }
  return undefined;
}

/** ms between attempts at a core that still ends the part which it had before. */
const lockedPauseMs = 100;
const lockedAttempts = 50;

async function send({ tus }: RelayCore, { offset, bytes }: Part, run: RelayRun): Promise<number> {
  const { id, signal } = run;
  for (let attempt = 1; ; attempt++) {
    const body = once(bytes);
    const append = { offset, bodyBytes: bytes.length, isAhead: true, body };
    try {
      const committed = await tus.append(id, append, signal);
      if (committed < offset + bytes.length) throw new ConnectionBroken('the core did not commit all of it');
      return committed;
    } catch (error) {
      const isLocked = error instanceof CoreRefusal && error.code === 'UPLOAD_LOCKED';
      if (!isLocked || attempt === lockedAttempts) throw error;
      await sleep(lockedPauseMs, undefined, { signal });
    }
  }
}

/** The core may have committed some or all of a part whose answer was lost. @returns undefined if it has committed all */
async function restOf({ offset, bytes }: Part, run: RelayRun): Promise<Part | undefined> {
  run.signal.throwIfAborted();
  const { offset: committed } = await retry(() => run.tus.state(run.id, run.signal), run);
  run.patience.advance(committed);
  if (committed >= offset + bytes.length) return undefined;
  const from = Math.max(0, committed - offset);
  return { offset: offset + from, bytes: bytes.subarray(from) };
}

/**
 * Waits until the core answers again, so that no part is given to one that is away.
 * @returns why waiting has ended without an answer
 * @throws the error, if waiting does not cure it
 */
async function recovered(
  { name, tus }: RelayCore,
  error: unknown,
  run: RelayRun,
): Promise<Error | undefined> {
  run.signal.throwIfAborted();
  const trouble = troubleOf(error);
  if (trouble === undefined) throw error;
  const { patienceMs, now, signal, id } = run;
  const patience = new Patience(patienceMs, now);
  const onTrouble = (reason: string, delayMs: number): void => {
    run.onTrouble(`${name}: ${reason}`, delayMs);
  };
  const delayMs = patience.next(trouble.retryAfterMs) ?? 0;
  onTrouble(trouble.reason, delayMs);
  await sleep(delayMs, undefined, { signal });
  try {
    await retry(() => tus.state(id, signal), { patience, onTrouble, signal });
    return undefined;
  } catch (gaveUp) {
    signal.throwIfAborted();
    return gaveUp instanceof Error ? gaveUp : new Error('the core is away', { cause: gaveUp });
  }
}

/** States the length of a source that did not know it before. */
async function finish({ tus, id, source, signal }: RelayRun): Promise<void> {
  const { offset, length } = await tus.state(id, signal);
  if (length === undefined && offset === source.length) await tus.finish(id, offset, signal);
}
