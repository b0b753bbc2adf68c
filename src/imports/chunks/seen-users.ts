import { hasTwice } from '../sorted-numbers.ts';
import { ClaimFilter } from './claim-filter.ts';

const bytesOfId = 16;

/** The users that a chunk has seen, as digests of their ids. */
export interface Seen {
  /** Users found unchanged by statements over all lines. */
  readonly unchanged: Float64Array;
  /** Users met by records that were decided individually. */
  readonly touched: Float64Array;
  /** The unchanged were remembered in one row when the chunk was written, which did not see claims of those users. */
  readonly inOneRow: boolean;
}

/**
 * The users that the chunks of an upload found unchanged. A row in the database for each costs about as much as finding them, and
 * is needed only once a user is seen again: so each chunk remembers its users in one row, until a filter in memory shows that one
 * may be repeated. Then the rows are split: each user gets a row, whose key finds duplicates from then on.
 *
 * Chunks are added as they are committed: the next one to be committed may have seen all that was added, and nothing else.
 */
export class SeenUsers {
  readonly #filter = new ClaimFilter({ isUnknown: false });
  readonly #splitRows: () => Promise<void>;
  readonly #isNew: boolean;
  #inOneRow: boolean;
  #splitting: Promise<void> | undefined;

  /**
   * @param splitRows see JobStore.splitSeenRows
   * @param isNew no chunk of the job was committed before: which users those saw is not known here
   * @param mayShareRows whether users may be remembered in one row
   */
  constructor(
    splitRows: () => Promise<void>,
    { isNew, mayShareRows }: { readonly isNew: boolean; readonly mayShareRows: boolean },
  ) {
    this.#splitRows = splitRows;
    this.#isNew = isNew;
    this.#inOneRow = isNew && mayShareRows;
  }

  get inOneRow(): boolean {
    return this.#inOneRow;
  }

  /** Awaited before a chunk is written. */
  async ready(): Promise<void> {
    if (!this.#isNew) await this.split();
  }

  /**
   * Called by the chunk that is the next to be committed, or when there are no users. A second call has no effect. Only when it
   * has resolved are users no longer remembered in one row: a chunk written before that is written again.
   */
  async split(): Promise<void> {
    await (this.#splitting ??= this.#splitRows());
    this.#inOneRow = false;
  }

  /**
   * Called for the chunk that is the next to be committed: whether it remembers in one row a user who may already have been seen,
   * by it or an earlier chunk. Then each user needs a row.
   */
  needsRows({ unchanged, touched, inOneRow }: Seen): boolean {
    if (!this.#inOneRow) return inOneRow;
    return (
      this.#filter.mayHold(unchanged) ||
      this.#filter.mayHold(touched) ||
      hasTwice(usersOf({ unchanged, touched }).sort())
    );
  }

  /** Called at the commit of a chunk. */
  add(seen: Seen): void {
    if (this.#inOneRow) this.#filter.add(seen.unchanged);
  }
}

/** All of them, in no order. */
export function usersOf({ unchanged, touched }: Pick<Seen, 'unchanged' | 'touched'>): Float64Array {
  const all = new Float64Array(unchanged.length + touched.length);
  all.set(unchanged);
  all.set(touched, unchanged.length);
  return all;
}

/**
 * 53 random bits of each id.
 * @param ids concatenated, 16 bytes each
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
