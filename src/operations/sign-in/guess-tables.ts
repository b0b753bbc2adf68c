import { LRUCache } from 'lru-cache';

/** Entries of each table; the least recently used is evicted. Six full tables took 120 MB. */
export const maxEntries = 100_000;

/** A table that may forget an entry at any time, as if it was never set. */
export interface GuessTable<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** Guesses at one account within an hour, from all addresses. */
export interface Attempts {
  /** ms since the epoch */
  readonly since: number;
  readonly count: number;
}

/** A bucket as last read from the database. */
export interface SharedFull {
  /** ms since the epoch */
  readonly fullAt: number;
  /** The number of states that were read when it was. */
  readonly readAs: number;
}

/** Users who signed in from one address. */
export interface People {
  /** Distinct accounts, as far as `known` still has them. */
  readonly accounts: number;
  /** Last sign-in, ms since the epoch. */
  readonly lastAt: number;
}

/**
 * State of the throttle. Keys are digests and addresses, values are immutable.
 *
 * - `fullAt`: when each bucket will be full again, ms since the epoch; a missing bucket is full. Counts guesses that are being
 *   verified, and wrong ones that the database does not have.
 * - `sharedFullAt`: the same for wrong guesses at all cores, as last read from the database.
 * - `attempts`: by account.
 * - `suspectedUntil`: by account, from wrong guesses at all cores, as last read from the database.
 * - `known`: pairs of account and address that signed in. Wrong guesses never write to it, so a flood cannot evict entries.
 * - `people`: by address; wrong guesses never write to it either.
 */
export interface GuessTables {
  readonly fullAt: GuessTable<number>;
  readonly sharedFullAt: GuessTable<SharedFull>;
  readonly attempts: GuessTable<Attempts>;
  readonly suspectedUntil: GuessTable<number>;
  readonly known: GuessTable<true>;
  readonly people: GuessTable<People>;
}

/** Tables of this process, empty at its start. */
export function guessTablesInMemory(max = maxEntries): GuessTables {
  return {
    fullAt: new LRUCache<string, number>({ max }),
    suspectedUntil: new LRUCache<string, number>({ max }),
    sharedFullAt: new LRUCache<string, SharedFull>({ max }),
    attempts: new LRUCache<string, Attempts>({ max }),
    known: new LRUCache<string, true>({ max }),
    people: new LRUCache<string, People>({ max }),
  };
}
