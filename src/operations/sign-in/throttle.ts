import { hash } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import type { GuessLimits } from '../../domain/model.ts';
import type { Attempts, GuessTables } from './guess-tables.ts';

/** Whether the account or the address had too many. */
export type ThrottleRule = 'account' | 'address';

export interface ThrottleOptions {
  readonly limits: GuessLimits;
  readonly tables: GuessTables;
  /** ms since the epoch */
  readonly now: () => number;
  readonly onRefused?: (rule: ThrottleRule) => void;
  /**
   * An address is refused although people come from it with right passwords: perhaps it is a proxy's. At most once an hour.
   * @param accounts how many different ones came
   */
  readonly onRefusedPeople?: (accounts: number) => void;
}

/** A guess that was let through; exactly one of these is called, once. */
export interface Guess {
  /** It was right: takes it back, and makes the address known to the account. */
  succeeded(): void;
  /** It was wrong: it stays counted. */
  failed(): void;
  /** Nothing came of it, because something else failed: takes it back. */
  cancelled(): void;
}

/** What is guessed at, and from where: see GuessThrottle. */
export interface GuessedAt {
  readonly account: string;
  readonly address: string | undefined;
}

/**
 * Counts a guess before it is verified, so that neither a refusal nor its time shows whether the account exists. Of one that fails for
 * another reason nothing stays counted.
 * @param throttle undefined where guesses are not limited
 * @throws Refusal TOO_MANY_GUESSES, and what `verify` throws
 */
export async function countedGuess<Outcome>(
  throttle: Pick<GuessThrottle, 'count'> | undefined,
  { account, address }: GuessedAt,
  verify: () => Promise<Outcome>,
  isRight: (outcome: Outcome) => boolean,
): Promise<Outcome> {
  const guess = await throttle?.count(account, address);
  try {
    const outcome = await verify();
    if (isRight(outcome)) guess?.succeeded();
    else guess?.failed();
    return outcome;
  } catch (error) {
    guess?.cancelled();
    throw error;
  }
}

/** Wrong guesses at one account that NIST SP 800-63B, section 5.2.2, allows at most. */
const suspiciousGuesses = 100;
const suspicionMs = 3_600_000;
/** What an address that is new to an account under suspicion may still try: never nothing, or strangers could lock out. */
const strangerGuesses = 3;

const pairRefillMs = 30_000;
const addressRefillMs = 6_000;
/**
 * So many people at an address count as one more guesser: each brings about as many guesses as an account may take. Who
 * makes accounts to guess more from one address gets no more by it than at the accounts themselves.
 */
const peopleForOneGuesser = 10;
/** People who make an address look like that of a proxy, when the last of them came lately. */
const peopleWorthALine = 5;
const latelyMs = 600_000;
const quietMs = 3_600_000;
/** Without an address all clients share one bucket: nothing may outlive the flood by more than this. */
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
 * Slows down guessers of passwords, and locks no user out. What it counts is in its tables; `open` holds the buckets
 * with guesses that are being verified, for those who wait. When a bucket will be full again is all there is to know of
 * it: taking a token puts that time off, giving it back brings it near.
 *
 * An address is that of one guesser or, as that of a proxy, an office or a mobile network, of many people. It counts as
 * one guesser and one more for each ten accounts that came from there with the right password: both the tokens and how
 * fast they come back grow by it, so the time in which an empty bucket is full stays the same.
 *
 * A guess is open until it succeeded, failed or was cancelled. One that finds no token waits as long as guesses of that
 * bucket are open, since right ones give theirs back, and is refused when no guess is open: so of many at once with the right
 * password each gets in, and of many with wrong ones no more than there are tokens. Invariants:
 * - A guess is counted before it is verified, so many at once count as much as one after the other.
 * - A guess takes a token of every bucket that concerns it, or of none and is refused.
 * - The parts of an account's name are not stored, and whether it exists plays no part.
 * - No client waits for longer than one refill of a bucket, also when the clock is set back.
 */
export class GuessThrottle {
  readonly #options: ThrottleOptions;
  readonly #tables: GuessTables;
  /** Bounded by the passwords under way. */
  readonly #open = new Map<string, Open>();
  #waiting = 0;
  #lastLineAt = -Infinity;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#tables = options.tables;
  }

  /**
   * Counts a guess before it is verified.
   * @param account whatever names the account, whether it exists or not
   * @param address where the guesser is, undefined when the backend does not report it
   * @throws Refusal TOO_MANY_GUESSES, which says when to try again
   */
  async count(account: string, address: string | undefined): Promise<Guess> {
    const who = digest(account);
    let buckets = this.#bucketsOf(who, address);
    for (let shortage = this.#shortageOf(buckets); shortage; shortage = this.#shortageOf(buckets)) {
      await this.#waitOrRefuse(shortage, address);
      buckets = this.#bucketsOf(who, address);
    }
    return this.#take(who, address, buckets);
  }

  #take(who: string, address: string | undefined, buckets: readonly Bucket[]): Guess {
    for (const bucket of buckets) this.#spend(bucket);
    const { since } = this.#attempt(who);
    const failed = (): void => {
      for (const { key } of buckets) this.#close(key);
    };
    const cancelled = (): void => {
      this.#takeBackAttempt(who, since);
      for (const bucket of buckets) this.#giveBack(bucket);
      failed();
    };
    const succeeded = (): void => {
      cancelled();
      if (address !== undefined) this.#meet(who, address);
    };
    return { succeeded, failed, cancelled };
  }

  /** The right password was given. */
  #meet(who: string, address: string): void {
    const { known, people, fullAt } = this.#tables;
    const pair = pairOf(who, address);
    const accounts = (people.get(address)?.accounts ?? 0) + (known.get(pair) ? 0 : 1);
    people.set(address, { accounts, lastAt: this.#options.now() });
    known.set(pair, true);
    fullAt.delete(pair);
  }

  #bucketsOf(who: string, address: string | undefined): Bucket[] {
    const { perAccount } = this.#options.limits;
    const buckets: Bucket[] =
      address === undefined
        ? [{ rule: 'account', key: who, guesses: perAccount * sharedFactor, refillMs: sharedRefillMs }]
        : [
            { ...this.#pairBucket(who, address), rule: 'account' },
            { ...this.#addressBucket(address), rule: 'address' },
          ];
    return buckets.filter(({ guesses }) => guesses > 0);
  }

  #addressBucket(address: string): Omit<Bucket, 'rule'> {
    const accounts = this.#tables.people.get(address)?.accounts ?? 0;
    const guessers = 1 + Math.floor(accounts / peopleForOneGuesser);
    return {
      key: `@${address}`,
      guesses: this.#options.limits.perAddress * guessers,
      refillMs: addressRefillMs / guessers,
    };
  }

  #pairBucket(who: string, address: string): Omit<Bucket, 'rule'> {
    const { perAccount } = this.#options.limits;
    const key = pairOf(who, address);
    const isStranger = this.#isSuspicious(who) && !this.#tables.known.get(key);
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

  async #waitOrRefuse({ bucket, ms }: Shortage, address: string | undefined): Promise<void> {
    const open = this.#open.get(bucket.key);
    if (!open || this.#waiting >= maxWaiting) {
      this.#options.onRefused?.(bucket.rule);
      if (bucket.rule === 'address' && address !== undefined) this.#reportPeopleAt(address);
      throw new Refusal('TOO_MANY_GUESSES', undefined, { retryAfterSeconds: Math.ceil(ms / 1000) });
    }
    this.#waiting++;
    await open.next.promise;
    this.#waiting--;
  }

  #reportPeopleAt(address: string): void {
    const people = this.#tables.people.get(address);
    const now = this.#options.now();
    if (!people || people.accounts < peopleWorthALine || now - people.lastAt > latelyMs) return;
    if (now - this.#lastLineAt < quietMs) return;
    this.#lastLineAt = now;
    this.#options.onRefusedPeople?.(people.accounts);
  }

  /** ms until the bucket is full: never more than an empty one takes, whatever clock or size it was filled by. */
  #fullIn({ key, guesses, refillMs }: Bucket): number {
    const now = this.#options.now();
    const inMs = (this.#tables.fullAt.get(key) ?? 0) - now;
    const mostMs = guesses * refillMs;
    if (inMs <= mostMs) return Math.max(inMs, 0);
    this.#tables.fullAt.set(key, now + mostMs);
    return mostMs;
  }

  #spend(bucket: Bucket): void {
    this.#tables.fullAt.set(bucket.key, this.#options.now() + this.#fullIn(bucket) + bucket.refillMs);
    const open = this.#open.get(bucket.key) ?? { count: 0, next: Promise.withResolvers<undefined>() };
    open.count++;
    this.#open.set(bucket.key, open);
  }

  /** One guess of the bucket less is being verified: waiting guesses look again. */
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
    const fullAt = this.#tables.fullAt.get(key);
    if (fullAt !== undefined) this.#tables.fullAt.set(key, fullAt - refillMs);
  }

  #isSuspicious(who: string): boolean {
    return this.#recentAttempts(who).count > suspiciousGuesses;
  }

  #attempt(who: string): Attempts {
    const { since, count } = this.#recentAttempts(who);
    const attempts = { since, count: count + 1 };
    this.#tables.attempts.set(who, attempts);
    return attempts;
  }

  /** @param since of the hour in which it was counted: when that is over, so is the attempt */
  #takeBackAttempt(who: string, since: number): void {
    const attempts = this.#tables.attempts.get(who);
    if (attempts?.since === since) this.#tables.attempts.set(who, { since, count: attempts.count - 1 });
  }

  /** Counted from the first of an hour; after that hour again, and when the clock was set back. */
  #recentAttempts(who: string): Attempts {
    const now = this.#options.now();
    const last = this.#tables.attempts.get(who);
    const isRecent = last !== undefined && now - last.since >= 0 && now - last.since < suspicionMs;
    return isRecent ? last : { since: now, count: 0 };
  }
}

/** Half of SHA-256: keys of one length, without the email of a user in them. */
function digest(account: string): string {
  return hash('sha256', account, 'base64url').slice(0, 22);
}

/** No address, whatever it is called, can be mistaken for a pair: those begin with an @, and digests do not contain one. */
function pairOf(who: string, address: string): string {
  return `${who} ${address}`;
}
