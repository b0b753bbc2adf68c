import { LRUCache } from 'lru-cache';

/** Entries of each table, the least recently used go first. Full ones take about 80 MB (120 measured for six of them). */
export const maxEntries = 100_000;

/** One table: what is set may be forgotten at any time, and is the same as never set then. */
export interface GuessTable<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

/** The guesses at one account within an hour, from everywhere. */
export interface Attempts {
  /** ms since the epoch */
  readonly since: number;
  readonly count: number;
}

/** The people at one address: those who came with the right password. */
export interface People {
  /** Different ones, as long as `known` holds them. */
  readonly accounts: number;
  /** When the last of them came, ms since the epoch. */
  readonly lastAt: number;
}

/**
 * Where the throttle keeps what it counts. Its keys are digests and addresses, its values immutable. It decides within
 * one turn of the event loop, so whatever else holds them is read before and written behind.
 *
 * - `fullAt`: for each bucket when it will be full again, ms since the epoch. One that is full is the same as one that
 *   is not there.
 * - `sharedFullAt`: the same of wrong guesses at all cores, as last read from the database; `fullAt` has the others.
 * - `attempts`: by account.
 * - `suspectedUntil`: by account, from the wrong guesses at all cores, as last read from the database.
 * - `known`: pairs of account and address from which the right password came. A table of its own, so that a flood of
 *   wrong guesses cannot drive them out.
 * - `people`: by address; also one that wrong guesses never write to.
 */
export interface GuessTables {
  readonly fullAt: GuessTable<number>;
  readonly sharedFullAt: GuessTable<number>;
  readonly attempts: GuessTable<Attempts>;
  readonly suspectedUntil: GuessTable<number>;
  readonly known: GuessTable<true>;
  readonly people: GuessTable<People>;
}

/** Tables of this process alone, empty at its start. */
export function guessTablesInMemory(max = maxEntries): GuessTables {
  return {
    fullAt: new LRUCache<string, number>({ max }),
    suspectedUntil: new LRUCache<string, number>({ max }),
    sharedFullAt: new LRUCache<string, number>({ max }),
    attempts: new LRUCache<string, Attempts>({ max }),
    known: new LRUCache<string, true>({ max }),
    people: new LRUCache<string, People>({ max }),
  };
}
