import { Refusal } from '../../domain/errors.ts';
import type { GuessLimits } from '../../domain/model.ts';
import type { GuessState } from '../ports/guesses.ts';
import type { Guess, GuessedAt, SharedGuesses, Throttle } from './guess.ts';
import { addsOf, type Bucket, type ThrottleRule } from './guess-buckets.ts';
import { addressKey, digest, keysOf, pairOf } from './guess-keys.ts';
import type { Attempts, GuessTables } from './guess-tables.ts';

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
  /** Left out: guesses of this process alone are counted. */
  readonly shared?: SharedGuesses;
}

/** Wrong guesses at one account that NIST SP 800-63B, section 5.2.2, allows at most. */
const suspiciousGuesses = 100;
const suspicionMs = 3_600_000;
/** With it a hundred wrong guesses at all cores fill the account's shared bucket for an hour. */
const suspicionRefillMs = suspicionMs / suspiciousGuesses;
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

/** A bucket without tokens that may get one back at once. */
interface Shortage {
  readonly bucket: Bucket;
  /** Until it has a token again, if none of its open guesses gives one back. */
  readonly ms: number;
}

/** A guess that is counted, and not verified yet. */
interface Taken {
  readonly who: string;
  readonly address: string | undefined;
  readonly buckets: readonly Bucket[];
  /** Of the hour in which it was counted: see Attempts. */
  readonly since: number;
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
 *
 * Cores on one database share what was wrong: a wrong guess is written there before it is answered, and each guess learns of the
 * others' before it is verified. Guesses that are being verified are not written, so that a right one costs no statement; instead
 * each of C cores verifies at most an equal share of the guesses that are left, and at least one. So all cores together let at most
 * C - 1 more wrong guesses through than one would.
 */
export class GuessThrottle implements Throttle {
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
   * @param account of any name, whether it exists or not. @param address undefined when the backend does not report it
   * @throws Refusal TOO_MANY_GUESSES, which says when to try again
   */
  async count({ appNo, account, address }: GuessedAt): Promise<Guess> {
    const who = digest(account);
    return this.#guess(appNo, await this.#takeWhenFree(who, address));
  }

  async #takeWhenFree(
    who: string,
    address: string | undefined,
    beforeEachTry?: () => Promise<void>,
  ): Promise<Taken> {
    for (;;) {
      await beforeEachTry?.();
      const buckets = this.#bucketsOf(who, address);
      const shortage = this.#shortageOf(buckets);
      if (shortage === undefined) return this.#take(who, address, buckets);
      await this.#waitOrRefuse(shortage, address);
    }
  }

  #take(who: string, address: string | undefined, buckets: readonly Bucket[]): Taken {
    for (const bucket of buckets) this.#spend(bucket);
    return { who, address, buckets, since: this.#attempt(who).since };
  }

  #guess(appNo: number, first: Taken): Guess {
    const { who, address } = first;
    const shared = this.#sharedBy(appNo, who, address);
    let taken: Taken | undefined = first;
    /** Ends being counted; the caller decides what of it stays. @throws Error if it has had its outcome */
    const release = (): Taken => {
      const released = taken;
      taken = undefined;
      if (released === undefined) throw new Error('a guess has one outcome');
      return released;
    };
    return {
      keys: shared?.keys,
      learn: async (state) => {
        if (state === undefined) await shared?.look();
        else shared?.merge(state);
        if (taken === undefined || !this.#isOverdrawn(taken)) return;
        this.#takeBack(release());
        const shortage = this.#shortageOf(this.#bucketsOf(who, address));
        if (shortage) await this.#waitOrRefuse(shortage, address);
        taken = await this.#takeWhenFree(who, address, shared?.look);
      },
      succeeded: () => {
        this.#takeBack(release());
        if (address === undefined) return;
        shared?.clearIfWrong();
        this.#meet(who, address);
      },
      failed: async () => {
        const { buckets } = release();
        const state = await shared?.add(buckets).catch(() => undefined);
        for (const bucket of buckets) {
          // What could not be written stays counted here.
          if (state !== undefined) this.#giveBack(bucket);
          this.#close(bucket.key);
        }
        if (state !== undefined) shared?.merge(state);
      },
      cancelled: () => {
        if (taken !== undefined) this.#takeBack(release());
      },
    };
  }

  /** The state of a guess's buckets in the database; what is read there is merged here. */
  #sharedBy(appNo: number, who: string, address: string | undefined) {
    const { shared } = this.#options;
    if (shared === undefined) return undefined;
    const { store } = shared;
    const keys = keysOf(who, address);
    let pairMs = 0;
    const merge = (state: GuessState): void => {
      pairMs = state.pair;
      this.#merge(who, address, state);
    };
    return {
      keys,
      merge,
      look: async () => {
        merge(await store.look(appNo, keys));
      },
      /** In the background: until then the account has fewer guesses from this address. */
      clearIfWrong: () => {
        if (pairMs > 0) store.clear(appNo, keys).catch(() => undefined);
      },
      add: (buckets: readonly Bucket[]) =>
        store.add(appNo, { keys, adds: addsOf(buckets, suspicionRefillMs) }),
    };
  }

  #takeBack({ who, since, buckets }: Taken): void {
    this.#takeBackAttempt(who, since);
    for (const bucket of buckets) {
      this.#giveBack(bucket);
      this.#close(bucket.key);
    }
  }

  /** @param state of the buckets in the database, which has what was wrong here, too */
  #merge(who: string, address: string | undefined, state: GuessState): void {
    const { sharedFullAt, suspectedUntil } = this.#tables;
    const now = this.#options.now();
    if (state.account > suspicionMs) suspectedUntil.set(who, now + state.account - suspicionMs);
    else suspectedUntil.delete(who);
    for (const { rule, key } of this.#bucketsOf(who, address)) {
      const wrongMs = rule === 'account' ? state.pair : state.address;
      if (wrongMs > 0) sharedFullAt.set(key, now + wrongMs);
      else sharedFullAt.delete(key);
    }
  }

  /** Whether it would not be taken now: with wrong guesses at other cores, there are too many with it. */
  #isOverdrawn({ who, address, buckets }: Taken): boolean {
    const now = new Map(this.#bucketsOf(who, address).map((bucket) => [bucket.key, bucket]));
    return buckets.some((taken) => {
      const bucket = now.get(taken.key) ?? taken;
      const most = bucket.guesses * bucket.refillMs;
      const wantedMs = this.#ownMs(bucket) + this.#sharedMs(bucket);
      return wantedMs > most || this.#openOf(bucket.key) > this.#shareOf(bucket);
    });
  }

  /** The right password was given. */
  #meet(who: string, address: string): void {
    const { known, people, fullAt, sharedFullAt } = this.#tables;
    const pair = pairOf(who, address);
    const accounts = (people.get(address)?.accounts ?? 0) + (known.get(pair) ? 0 : 1);
    people.set(address, { accounts, lastAt: this.#options.now() });
    known.set(pair, true);
    fullAt.delete(pair);
    sharedFullAt.delete(pair);
  }

  #bucketsOf(who: string, address: string | undefined): Bucket[] {
    const { perAccount } = this.#options.limits;
    const key = pairOf(who, address);
    const buckets: Bucket[] =
      address === undefined
        ? [{ rule: 'account', key, guesses: perAccount * sharedFactor, refillMs: sharedRefillMs }]
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
      key: addressKey(address),
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
      const { key, guesses, refillMs } = bucket;
      const open = this.#openOf(key);
      const shortMs = this.#fullIn(bucket) + refillMs - guesses * refillMs;
      const ms = shortMs <= 0 && open > 0 && open >= this.#shareOf(bucket) ? refillMs : shortMs;
      if (ms > (longest?.ms ?? 0)) longest = { bucket, ms };
    }
    return longest;
  }

  #openOf(key: string): number {
    return this.#open.get(key)?.count ?? 0;
  }

  /** Guesses of the bucket that this core may verify at once: its share of those that are left, and at least one. */
  #shareOf(bucket: Bucket): number {
    const cores = this.#options.shared?.cores() ?? 1;
    if (cores === 1) return bucket.guesses;
    const { guesses, refillMs } = bucket;
    const wrongMs = this.#fullIn(bucket) - this.#openOf(bucket.key) * refillMs;
    return Math.max(1, Math.floor((guesses * refillMs - Math.max(wrongMs, 0)) / refillMs / cores));
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
  #fullIn(bucket: Bucket): number {
    return Math.min(this.#ownMs(bucket) + this.#sharedMs(bucket), bucket.guesses * bucket.refillMs);
  }

  /** Of guesses that are being verified here, and of wrong ones that the database does not have. */
  #ownMs({ key, guesses, refillMs }: Bucket): number {
    const now = this.#options.now();
    const inMs = (this.#tables.fullAt.get(key) ?? 0) - now;
    const mostMs = guesses * refillMs;
    if (inMs <= mostMs) return Math.max(inMs, 0);
    this.#tables.fullAt.set(key, now + mostMs);
    return mostMs;
  }

  /** Of wrong guesses at all cores, as last read. */
  #sharedMs({ key }: Bucket): number {
    return Math.max((this.#tables.sharedFullAt.get(key) ?? 0) - this.#options.now(), 0);
  }

  #spend(bucket: Bucket): void {
    this.#tables.fullAt.set(bucket.key, this.#options.now() + this.#ownMs(bucket) + bucket.refillMs);
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
    const isSuspected = (this.#tables.suspectedUntil.get(who) ?? 0) > this.#options.now();
    return isSuspected || this.#recentAttempts(who).count > suspiciousGuesses;
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
