import { intersect } from '../sorted-numbers.ts';
import { type Seen, usersOf } from './seen-users.ts';

/**
 * What a chunk changes for others that are written at the same time:
 * - `nothing` that they look up.
 * - `known`: keys among its `claimed` were taken from users, or one of the users it has `seen` changed, which another record
 *   may have compared by another key.
 * - `unknown`: it has keys for which the others did not wait, because no sketch of its lines showed them.
 */
export type Moves = 'nothing' | 'known' | 'unknown';

/** What later chunks need to know of a committed one. */
export interface CommittedChunk {
  readonly moves: Moves;
  /** Digests of keys that it claimed or took from their users. */
  readonly claimed: readonly number[];
  readonly seen: Seen;
}

/** What a written chunk has looked up. */
export interface Looked {
  /** The number of commits of earlier chunks when its transaction began to read. */
  readonly commits: number;
  readonly moves: Moves;
  /** Sorted digests of its keys; see ParsedChunk. */
  readonly keys: Float64Array;
  readonly seen: Seen;
  /** Of primary users it compared what no key shows, as the email of a social login. */
  readonly comparesPrimaries: boolean;
}

/** More than the chunks that are written at the same time. */
const mostRecent = 64;

/** The chunks of an upload that were committed last. */
export class RecentCommits {
  readonly #recent: CommittedChunk[] = [];
  #count = 0;
  /** The count when a chunk was last committed that moved something. */
  #lastMove = 0;

  get count(): number {
    return this.#count;
  }

  add({ moves, claimed, seen }: CommittedChunk): void {
    this.#count++;
    if (moves !== 'nothing') this.#lastMove = this.#count;
    this.#recent.push({ moves, claimed: moves === 'nothing' ? [] : claimed, seen });
    if (this.#recent.length > mostRecent) this.#recent.shift();
  }

  /**
   * Whether a chunk might have been written otherwise if it had begun to read now: one that was committed since has taken a key that
   * it states, or has seen a user that it has seen too, and one of the two has changed something. Or it has changed something that
   * is compared of primary users.
   */
  haveMoved({ commits, moves, keys, seen, comparesPrimaries }: Looked): boolean {
    if (commits === this.#count) return false;
    if (this.#lastMove > commits && comparesPrimaries) return true;
    if (this.#lastMove <= commits && moves === 'nothing') return false;
    const since = this.#since(commits);
    if (since === undefined) return true;
    const users = usersOf(seen).sort();
    return since.some((other) => {
      const moved = [moves, other.moves];
      if (moved.includes('unknown') || intersect(Float64Array.from(other.claimed).sort(), keys)) return true;
      return moved.includes('known') && intersect(usersOf(other.seen).sort(), users);
    });
  }

  /** @returns whether records of a chunk led to a user who was also seen by a chunk committed after the first `commits` */
  haveSeen(commits: number, { touched }: Pick<Seen, 'touched'>): boolean {
    const since = this.#since(commits);
    if (since === undefined) return true;
    const mine = touched.toSorted();
    return since.some((other) => intersect(usersOf(other.seen).sort(), mine));
  }

  /** @returns undefined if they are not all remembered */
  #since(commits: number): readonly CommittedChunk[] | undefined {
    const count = this.#count - commits;
    return count > this.#recent.length ? undefined : this.#recent.slice(this.#recent.length - count);
  }
}
