import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { Refusal } from '../errors.ts';
import type { GuessLimits } from '../model.ts';

/** Whether the account or the address had too many. */
export type ThrottleRule = 'account' | 'address';

export interface ThrottleOptions {
  readonly limits: GuessLimits;
  /** ms since the epoch */
  readonly now: () => number;
  readonly onRefused?: (rule: ThrottleRule) => void;
}

/** A guess that was let through; exactly one of these is called, once. */
export interface Guess {
  /** It was right: takes it back, and makes the address known to the account. */
  forgive(): void;
  /** It was wrong: it stays counted. */
  stand(): void;
  /** Nothing came of it, because something else failed: takes it back. */
  withdraw(): void;
}

/** Entries of each table, the least recently used go first. Three full tables take about 60 MB (120 measured at twice as many). */
export const maxEntries = 100_000;
/** Wrong guesses at one account that NIST SP 800-63B, section 5.2.2, allows at the most. */
const suspiciousGuesses = 100;
const suspicionMs = 3_600_000;
/** What an address that is new to an account under suspicion may still try: never nothing, or strangers could lock out. */
const strangerGuesses = 3;

const pairRefillMs = 30_000;
const addressRefillMs = 6_000;
/** Without an address everybody shares one bucket: nothing may outlive the flood by more than this. */
const sharedRefillMs = 1_000;
const sharedFactor = 2;

/** Guesses that may wait for others to be verified: about as many as passwords may. */
const maxWaiting = 1024;

/** Holds `guesses` tokens when full, and gets one back every `refillMs`. */
interface Bucket {
  readonly rule: ThrottleRule;
  readonly key: string;
  readonly guesses: number;
  readonly refillMs: number;
}

interface Attempts {
  since: number;
  count: number;
}

/** A bucket without tokens that may get one back at once. */
interface Shortage {
  readonly bucket: Bucket;
  /** Until it has a token again, if none of its open guesses gives one back. */
  readonly ms: number;
}

/** The guesses of one bucket that are being verified; `next` resolves when one of them ends. */
interface Open {
  count: number;
  next: PromiseWithResolvers<undefined>;
}

/**
 * Slows down who guesses passwords, and locks nobody out. All in memory: another core counts by itself, and a restart
 * forgets.
 *
 * - `fullAt`: for each bucket when it will be full again, which is all there is to know of it. One that is full is the
 *   same as one that is not there. Taking a token puts that time off, giving it back brings it near.
 * - `attempts`: the guesses at each account within the last hour, from everywhere.
 * - `open`: buckets with guesses that are being verified, for those who wait.
 * - `known`: pairs of account and address from which the right password came. A table of its own, so that a flood of
 *   wrong guesses cannot drive them out.
 *
 * A guess is open until it is forgiven, withdrawn or stands. Whoever finds no token waits as long as guesses of that
 * bucket are open, since right ones give theirs back, and is refused when none is: so of many at once with the right
 * password each gets in, and of many with wrong ones no more than there are tokens. Invariants:
 * - A guess is counted before it is verified, so many at once count as much as one after the other.
 * - A guess takes a token of every bucket that concerns it, or of none and is refused.
 * - What an account's name is made of is not kept, and whether it exists plays no part.
 * - Nobody waits for longer than one refill of a bucket, also when the clock is set back.
 */
export class GuessThrottle {
  readonly #options: ThrottleOptions;
  readonly #fullAt = new LRUCache<string, number>({ max: maxEntries });
  readonly #attempts = new LRUCache<string, Attempts>({ max: maxEntries });
  readonly #known = new LRUCache<string, true>({ max: maxEntries });
  /** Bounded by the passwords under way. */
  readonly #open = new Map<string, Open>();
  #waiting = 0;

  constructor(options: ThrottleOptions) {
    this.#options = options;
  }

  /**
   * Counts a guess before it is verified.
   * @param account whatever names the account, whether it exists or not
   * @param address where the guesser is, undefined when the backend does not tell
   * @throws Refusal TOO_MANY_GUESSES, which says when to try again
   */
  async count(account: string, address: string | undefined): Promise<Guess> {
    const who = digest(account);
    let buckets = this.#bucketsOf(who, address);
    for (let shortage = this.#shortageOf(buckets); shortage; shortage = this.#shortageOf(buckets)) {
      await this.#waitOrRefuse(shortage);
      buckets = this.#bucketsOf(who, address);
    }
    return this.#take(who, address, buckets);
  }

  #take(who: string, address: string | undefined, buckets: readonly Bucket[]): Guess {
    for (const bucket of buckets) this.#spend(bucket);
    const attempts = this.#attempt(who);
    const stand = (): void => {
      for (const { key } of buckets) this.#close(key);
    };
    const withdraw = (): void => {
      attempts.count--;
      for (const bucket of buckets) this.#giveBack(bucket);
      stand();
    };
    const forgive = (): void => {
      withdraw();
      if (address === undefined) return;
      this.#known.set(pairOf(who, address), true);
      this.#fullAt.delete(pairOf(who, address));
    };
    return { forgive, stand, withdraw };
  }

  #bucketsOf(who: string, address: string | undefined): Bucket[] {
    const { perAccount, perAddress } = this.#options.limits;
    const buckets: Bucket[] =
      address === undefined
        ? [{ rule: 'account', key: who, guesses: perAccount * sharedFactor, refillMs: sharedRefillMs }]
        : [
            { ...this.#pairBucket(who, address), rule: 'account' },
            { rule: 'address', key: `@${address}`, guesses: perAddress, refillMs: addressRefillMs },
          ];
    return buckets.filter(({ guesses }) => guesses > 0);
  }

  #pairBucket(who: string, address: string): Omit<Bucket, 'rule'> {
    const { perAccount } = this.#options.limits;
    const key = pairOf(who, address);
    const isStranger = this.#isSuspicious(who) && !this.#known.has(key);
    const guesses = isStranger ? Math.min(strangerGuesses, perAccount) : perAccount;
    return { key, guesses, refillMs: pairRefillMs };
  }

  /** Of the bucket that is without tokens for the longest. */
  #shortageOf(buckets: readonly Bucket[]): Shortage | undefined {
    let longest: Shortage | undefined;
    for (const bucket of buckets) {
      const ms = this.#fullIn(bucket) + bucket.refillMs - bucket.guesses * bucket.refillMs;
      if (ms > (longest?.ms ?? 0)) longest = { bucket, ms };
    }
    return longest;
  }

  async #waitOrRefuse({ bucket, ms }: Shortage): Promise<void> {
    const open = this.#open.get(bucket.key);
    if (!open || this.#waiting >= maxWaiting) {
      this.#options.onRefused?.(bucket.rule);
      throw new Refusal('TOO_MANY_GUESSES', undefined, { retryAfterSeconds: Math.ceil(ms / 1000) });
    }
    this.#waiting++;
    await open.next.promise;
    this.#waiting--;
  }

  /** ms until the bucket is full: never more than an empty one takes, whatever clock or size it was filled by. */
  #fullIn({ key, guesses, refillMs }: Bucket): number {
    const now = this.#options.now();
    const inMs = (this.#fullAt.get(key) ?? 0) - now;
    const mostMs = guesses * refillMs;
    if (inMs <= mostMs) return Math.max(inMs, 0);
    this.#fullAt.set(key, now + mostMs);
    return mostMs;
  }

  #spend(bucket: Bucket): void {
    this.#fullAt.set(bucket.key, this.#options.now() + this.#fullIn(bucket) + bucket.refillMs);
    const open = this.#open.get(bucket.key) ?? { count: 0, next: Promise.withResolvers<undefined>() };
    open.count++;
    this.#open.set(bucket.key, open);
  }

  /** One guess of the bucket less is being verified: whoever waits looks again. */
  #close(key: string): void {
    const open = this.#open.get(key);
    if (!open) return;
    open.count--;
    if (open.count === 0) this.#open.delete(key);
    const { next } = open;
    open.next = Promise.withResolvers<undefined>();
    next.resolve(undefined);
  }

  #giveBack({ key, refillMs }: Bucket): void {
    const fullAt = this.#fullAt.get(key);
    if (fullAt !== undefined) this.#fullAt.set(key, fullAt - refillMs);
  }

  #isSuspicious(who: string): boolean {
    return this.#recentAttempts(who).count > suspiciousGuesses;
  }

  #attempt(who: string): Attempts {
    const attempts = this.#recentAttempts(who);
    attempts.count++;
    this.#attempts.set(who, attempts);
    return attempts;
  }

  /** Counted from the first of an hour; after that hour anew, and when the clock was set back. */
  #recentAttempts(who: string): Attempts {
    const now = this.#options.now();
    const last = this.#attempts.get(who);
    const isRecent = last !== undefined && now - last.since >= 0 && now - last.since < suspicionMs;
    return isRecent ? last : { since: now, count: 0 };
  }
}

/** Half of SHA-256: keys of one length, without anybody's email in them. */
function digest(account: string): string {
  return hash('sha256', account, 'base64url').slice(0, 22);
}

/** No address, whatever somebody calls it, can be mistaken for a pair: those have an @ in front, and digests have none. */
function pairOf(who: string, address: string): string {
  return `${who} ${address}`;
}
