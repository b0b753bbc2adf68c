import { bytesOfFilter, putDigest } from '../parse/block-filter.ts';
import type { ParsedChunk, RareKeyFilter } from '../parse/types.ts';
import type { FoundRareKeys } from '../ports.ts';

/** The mark of a key that was stored before there were marks: any key may be it. */
const unknownMark = 0;

/**
 * The rare keys of an upload's app, as far as they are known here: read whole at the beginning, then whatever has come since,
 * in the transaction of each chunk. Marks are only added: a key that is rare no more costs the long way for one record.
 */
export class UploadRareKeys {
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

  /** Keys that come from here on are to be asked for: see FoundRareKeys. */
  get since(): string {
    return this.#since;
  }

  /** @returns undefined while there are none */
  get filter(): RareKeyFilter | undefined {
    const words = this.#words;
    return words && { words, secret: this.#secret, appNo: this.#appNo };
  }

  /** @param found what has come since some earlier `since` */
  add({ marks, since }: FoundRareKeys): void {
    this.#put(marks);
    this.#since = since;
  }

  #put(marks: Float64Array): void {
    if (marks.length === 0) return;
    // Threads read it while marks are added: a mark that they miss is found in the transaction of the chunk.
    this.#words ??= new Int32Array(new SharedArrayBuffer(bytesOfFilter));
    if (marks.includes(unknownMark)) this.#words.fill(-1);
    for (const mark of marks) putDigest(this.#words, mark);
  }
}

/** Whether a record of the chunk has one of these keys and was not looked at by itself. */
export function isAnyPassedOver({ rare, linesOf }: ParsedChunk, { marks }: FoundRareKeys): boolean {
  if (marks.length === 0 || linesOf.length === 0) return false;
  if (rare === undefined || marks.includes(unknownMark)) return true;
  return marks.some((mark) => isIn(rare.marksOfOthers, mark));
}

/** Binary search. */
function isIn(sorted: Float64Array, sought: number): boolean {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < sought) low = middle + 1;
    else high = middle;
  }
  return sorted[low] === sought;
}
