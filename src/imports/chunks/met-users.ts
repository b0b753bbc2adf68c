import { ClaimFilter } from './claim-filter.ts';

const bytesOfId = 16;
/** Commits whose users are kept: more than chunks are written at the same time. */
const mostRecent = 32;

/** The users that a chunk met, as digests of their ids. */
export interface Met {
  /** Users found unchanged at once. */
  readonly unchanged: Float64Array;
  /** Users that single records met. */
  readonly touched: Float64Array;
  /** Whether users were remembered together when the chunk was written: it saw no claims of those. */
  readonly isGathered: boolean;
}

/**
 * The users that the chunks of an upload found unchanged. A row in the database for each costs about as much as finding them, and
 * is needed only once a user is met again: so each chunk remembers its own in one row, until a filter in memory shows
 * that one may be. Then the rows are spread: each user gets one, whose key finds duplicates, from then on.
 *
 * Chunks are added in their order, in their turn: what was added is all that a chunk whose turn it is may have met again.
 */
export class MetUsers {
  readonly #filter = new ClaimFilter({ isUnknown: false });
  readonly #spread: () => Promise<void>;
  readonly #isNew: boolean;
  #isGathered: boolean;
  #spreading: Promise<void> | undefined;
  readonly #recent: Met[] = [];
  #commits = 0;

  /**
   * @param spread see JobStore.spreadMet
   * @param isNew no chunk of the job was committed before: which users those met is not known here
   * @param gathers whether users may be remembered together
   */
  constructor(
    spread: () => Promise<void>,
    { isNew, gathers }: { readonly isNew: boolean; readonly gathers: boolean },
  ) {
    this.#spread = spread;
    this.#isNew = isNew;
    this.#isGathered = isNew && gathers;
  }

  get isGathered(): boolean {
    return this.#isGathered;
  }

  /** To be awaited before a chunk is written. */
  async ready(): Promise<void> {
    if (!this.#isNew) await this.spread();
  }

  /**
   * Called by the chunk whose turn it is, or when there are no users. A second call does nothing. Only when it is done are users no
   * longer gathered: a chunk that was written before that is written again.
   */
  async spread(): Promise<void> {
    await (this.#spreading ??= this.#spread());
    this.#isGathered = false;
  }

  /**
   * Whether a chunk met a user that it, or one before it, may have met already. It counts as one before it from then on: where
   * its transaction is run again, all that happens is that users are spread.
   */
  mayMeetAgain({ unchanged, touched }: Met): boolean {
    const isAnyMet = this.#filter.addAnew(unchanged);
    return isAnyMet || this.#filter.mayHold(touched);
  }

  /** Whether single records of a chunk met a user that was also met by a chunk committed after the first N. */
  wereMetSince(commits: number, { touched }: Met): boolean {
    const count = this.#commits - commits;
    if (count > this.#recent.length) return true;
    const mine = new Set(touched);
    const isMine = (digest: number): boolean => mine.has(digest);
    return this.#recent
      .slice(this.#recent.length - count)
      .some((met) => met.unchanged.some(isMine) || met.touched.some(isMine));
  }

  /** At the commit of a chunk. */
  add(met: Met): void {
    this.#commits++;
    this.#recent.push(met);
    if (this.#recent.length > mostRecent) this.#recent.shift();
  }
}

/**
 * 53 bits of each id, from those that are random.
 * @param ids one behind the other, 16 bytes each
 */
export function digestsOfIds(ids: Uint8Array): Float64Array {
  const view = new DataView(ids.buffer, ids.byteOffset, ids.byteLength);
  const digests = new Float64Array(ids.length / bytesOfId);
  for (let n = 0; n < digests.length; n++)
    digests[n] = digestOf(view.getUint32(n * bytesOfId + 8), view.getUint32(n * bytesOfId + 12));
  return digests;
}

/** @param id in text form */
export function digestOfId(id: string): number {
  const digits = id.replaceAll('-', '');
  return digestOf(Number.parseInt(digits.slice(16, 24), 16), Number.parseInt(digits.slice(24), 16));
}

function digestOf(high: number, low: number): number {
  return (high & 0x1fffff) * 2 ** 32 + low;
}
