import { bytesOfFilter, putDigest } from '../parse/block-filter.ts';
import type { ParsedChunk, RareKeyFilter } from '../parse/types.ts';
import type { FoundRareKeys } from '../ports.ts';

/** Apps whose keys are in memory at the same time: a filter takes up to 16 MiB. */
const mostApps = 4;
/** After this time all keys are read again, ms: until then a key that is no longer rare still counts as rare. */
const validMs = 600_000;

/**
 * The rare keys of the apps that imported last: reading 400,000 of them takes half a second, which each PATCH would otherwise
 * pay.
 */
export class RareKeysOfApps {
  readonly #readAll: (appNo: number) => Promise<FoundRareKeys>;
  readonly #now: () => number;
  /** In the order in which they were read. */
  readonly #apps = new Map<number, { readonly keys: Promise<RareKeysOfApp>; readonly readAt: number }>();

  constructor(readAll: (appNo: number) => Promise<FoundRareKeys>, now: () => number) {
    this.#readAll = readAll;
    this.#now = now;
  }

  of(appNo: number): Promise<RareKeysOfApp> {
    const known = this.#apps.get(appNo);
    // The clock may have been set back.
    if (known !== undefined && Math.abs(this.#now() - known.readAt) < validMs) return known.keys;
    const keys = this.#readAll(appNo).then((all) => new RareKeysOfApp(appNo, all));
    this.#apps.delete(appNo);
    this.#apps.set(appNo, { keys, readAt: this.#now() });
    for (const oldest of [...this.#apps.keys()].slice(0, -mostApps)) this.#apps.delete(oldest);
    keys.catch(() => {
      if (this.#apps.get(appNo)?.keys === keys) this.#apps.delete(appNo);
    });
    return keys;
  }
}

/**
 * The rare keys of an app, as far as they are known here: first read completely, then the new ones in the transaction of each
 * chunk. Marks are only added: a key that is no longer rare costs one record an individual decision.
 */
export class RareKeysOfApp {
  readonly #appNo: number;
  readonly #secret: string;
  #words: Int32Array | undefined;
  #since: string;

  /** @param all every rare key of the app */
  constructor(appNo: number, all: FoundRareKeys) {
    this.#appNo = appNo;
    this.#secret = all.secret;
    this.#since = all.since;
    this.#put(all.marks);
  }

  /** The position from which new keys have to be read: see FoundRareKeys. */
  get since(): string {
    return this.#since;
  }

  /** @returns undefined while the app has no such keys */
  get filter(): RareKeyFilter | undefined {
    const words = this.#words;
    return words && { words, secret: this.#secret, appNo: this.#appNo };
  }

  /** @param found the keys added since some earlier `since` */
  add({ marks, since }: FoundRareKeys): void {
    this.#put(marks);
    this.#since = since;
  }

  #put(marks: Float64Array): void {
    if (marks.length === 0) return;
    // Threads read it while marks are added: a mark that they miss is found in the transaction of the chunk.
    this.#words ??= new Int32Array(new SharedArrayBuffer(bytesOfFilter));
    for (const mark of marks) putDigest(this.#words, mark);
  }
}

/** @returns whether a record of the chunk has one of these keys but is not decided individually */
export function isAnyPassedOver({ rare, linesOf }: ParsedChunk, { marks }: FoundRareKeys): boolean {
  if (marks.length === 0 || linesOf.length === 0) return false;
  if (rare === undefined) return true;
  return marks.some((mark) => isIn(rare.marksOfOthers, mark));
}

/** Binary search. */
function isIn(sorted: Float64Array, sought: number): boolean {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < sought) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === sought;
}
