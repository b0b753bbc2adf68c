import { Refusal } from '../../domain/errors.ts';
import type { GuessLimits } from '../../domain/model.ts';
import type { GuessState } from '../ports/guesses.ts';
import type { Guess, GuessedAt, SharedGuesses, Throttle } from './guess.ts';
import { addsOf, type Bucket, type ThrottleRule } from './guess-buckets.ts';
import { addressKey, digest, keysOf, pairOf } from './guess-keys.ts';
import type { GuessTables } from './guess-tables.ts';
import { RecentAttempts, suspicionMs } from './recent-attempts.ts';

export interface ThrottleOptions {
  readonly limits: GuessLimits;
  readonly tables: GuessTables;
  /** ms since the epoch */
  readonly now: () => number;
  readonly onRefused?: (rule: ThrottleRule) => void;
  /**
   * Called when an address is refused from which users sign in, perhaps that of a proxy; at most once an hour.
   * @param accounts number of distinct ones that signed in
   */
  readonly onRefusedPeople?: (accounts: number) => void;
  /** Without it only guesses of this process count. */
  readonly shared?: SharedGuesses;
}

/** Wrong guesses at one account that NIST SP 800-63B, section 5.2.2, allows at most. */
const suspiciousGuesses = 100;
/** A hundred wrong guesses at all cores fill the account's shared bucket for an hour. */
const suspicionRefillMs = suspicionMs / suspiciousGuesses;
/** Guesses for an address that is new to a suspected account; not 0, or strangers could lock the owner out. */
const strangerGuesses = 3;

const pairRefillMs = 30_000;
const addressRefillMs = 6_000;
/**
 * Each this number of users at an address raises its limit by that of one client. Creating accounts to gain guesses gains no more than
 * guessing at those accounts would.
 */
const peopleForOneGuesser = 10;
/** Users who make an address look like a proxy's, if the last one signed in recently. */
const peopleWorthALine = 5;
const latelyMs = 600_000;
const quietMs = 3_600_000;
/** Without an address all clients share one bucket, so a flood must not have effects for longer than this. */
const sharedRefillMs = 1_000;
const sharedFactor = 2;

/** Guesses that may wait for others; about the number of passwords that may wait. */
const maxWaiting = 1024;

/** A bucket without a free token. */
interface Shortage {
  readonly bucket: Bucket;
  /** Time until it has a token again, if no open guess returns one. */
  readonly ms: number;
}

/** A guess that is counted and not yet verified. */
interface Taken {
  readonly who: string;
  readonly address: string | undefined;
  readonly buckets: readonly Bucket[];
  /** Start of the hour in which it was counted; see Attempts. */
  readonly since: number;
}

/** Guesses of one bucket that are being verified; `next` resolves when one of them ends. */
interface Open {
  count: number;
  next: PromiseWithResolvers<undefined>;
}

/**
 * Slows guessers of passwords down without locking users out. A bucket is represented by the time at which it will be full again:
 * taking a token postpones it. `open` counts guesses that are being verified.
 *
 * An address may be that of one client, or of a proxy, an office or a mobile network with many users. Its limit is that of one
 * client plus one for every ten accounts that signed in from it. Size and refill rate grow alike, so an empty bucket always takes
 * the same time to fill.
 *
 * A guess is open until it succeeded, failed or was cancelled. A guess without a token waits while others of its bucket are open,
 * because right ones return theirs, and is refused otherwise. So many right passwords at once all succeed, and of many wrong ones
 * only as many are verified as there are tokens. Invariants:
 * - A guess is counted before it is verified, so concurrent guesses count as much as sequential ones.
 * - A guess takes a token of each of its buckets, or none and is refused.
 * - Names of accounts are not stored, and it does not matter whether an account exists.
 * - No client waits longer than one refill of a bucket, even if the clock is set back.
 *
 * Cores on one database share wrong guesses: each is written before it is answered, and every guess reads those of other cores before
 * it is verified. Open guesses are not written, so a right one costs no statement. Instead each of C cores verifies at most an equal
 * share of the remaining guesses at once, and at least one. While a slow core verifies its share, the others may spend all N: together
 * they accept at most (C - 1) * max(1, floor(N / C)) more wrong guesses than one core would, which count like the others, so the next
 * one comes that much later.
 */
export class GuessThrottle implements Throttle {
  readonly #options: ThrottleOptions;
  readonly #tables: GuessTables;
  readonly #attempts: RecentAttempts;
  /** Bounded by the number of passwords being verified. */
  readonly #open = new Map<string, Open>();
  #waiting = 0;
  /** States of the database that were read. */
  #reads = 0;
  #lastLineAt = -Infinity;

  constructor(options: ThrottleOptions) {
    this.#options = options;
    this.#tables = options.tables;
    this.#attempts = new RecentAttempts(options);
  }

  /**
   * Counts a guess before it is verified.
   * @throws Refusal TOO_MANY_GUESSES, with the time to wait
   */
  async count({ appNo, account, address }: GuessedAt): Promise<Guess> {
    const who = digest(account);
    return this.#guess(appNo, await this.#takeWhenFree(who, address));
  }

  async #takeWhenFree(
    who: string,
    address: string | undefined,
    afterEachWait?: () => Promise<void>,
  ): Promise<Taken> {
    for (;;) {
      const buckets = this.#bucketsOf(who, address);
      const shortage = this.#shortageOf(buckets);
      if (shortage === undefined) return this.#take(who, address, buckets);
      await this.#waitOrRefuse(shortage, address);
      await afterEachWait?.();
    }
  }

  #take(who: string, address: string | undefined, buckets: readonly Bucket[]): Taken {
    for (const bucket of buckets) this.#spend(bucket);
    return { who, address, buckets, since: this.#attempts.add(who).since };
  }

  #guess(appNo: number, first: Taken): Guess {
    const { who, address } = first;
    const shared = this.#sharedBy(appNo, who, address);
    let taken: Taken | undefined = first;
    /** Ends the guess; the caller returns its tokens or not. @throws Error if it already has an outcome */
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
        try {
          const state = await shared?.add(buckets);
          if (state === undefined) return;
          // From here on it is counted in the database. A guess that could not be written stays counted in this process.
          for (const bucket of buckets) this.#giveBack(bucket);
          shared?.merge(state);
        } finally {
          for (const { key } of buckets) this.#close(key);
        }
      },
      cancelled: () => {
        if (taken !== undefined) this.#takeBack(release());
      },
    };
  }

  /** Access to a guess's buckets in the database; states that are read are merged into the tables. */
  #sharedBy(appNo: number, who: string, address: string | undefined) {
    const { shared } = this.#options;
    if (shared === undefined) return undefined;
    const { store } = shared;
    const keys = keysOf(who, address);
    let pairMs = 0;
    const begun = this.#reads;
    const merge = (state: GuessState, asked = begun): void => {
      pairMs = state.pair;
      this.#merge(who, address, state, asked);
    };
    return {
      keys,
      merge,
      look: async () => {
        const asked = this.#reads;
        merge(await store.look(appNo, keys), asked);
      },
      /** In the background; until it is done the account has fewer guesses from this address. */
      clearIfWrong: () => {
        if (pairMs > 0) store.clear(appNo, keys).catch(() => undefined);
      },
      add: (buckets: readonly Bucket[]) =>
        store.add(appNo, { keys, adds: addsOf(buckets, suspicionRefillMs) }),
    };
  }

  #takeBack({ who, since, buckets }: Taken): void {
    this.#attempts.takeBack(who, since);
    for (const bucket of buckets) {
      this.#giveBack(bucket);
      this.#close(bucket.key);
    }
  }

  /**
   * A state that was asked for before another one was read may be older than that one, and lack a wrong guess: it lowers no count.
   * @param state of the buckets in the database, which includes wrong guesses at this core
   * @param asked the number of states that were read when this one was asked for
   */
  #merge(who: string, address: string | undefined, state: GuessState, asked: number): void {
    const { sharedFullAt, suspectedUntil } = this.#tables;
    const now = this.#options.now();
    const readAs = ++this.#reads;
    if (state.account > suspicionMs) suspectedUntil.set(who, now + state.account - suspicionMs);
    else suspectedUntil.delete(who);
    for (const { rule, key } of this.#bucketsOf(who, address)) {
      const wrongMs = rule === 'account' ? state.pair : state.address;
      const last = sharedFullAt.get(key);
      const least = last !== undefined && asked < last.readAs ? last.fullAt : 0;
      const fullAt = Math.max(now + wrongMs, least);
      if (fullAt > now) sharedFullAt.set(key, { fullAt, readAs });
      else sharedFullAt.delete(key);
    }
  }

  /** True if wrong guesses at other cores leave no room for this one. */
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
      // Whole, as the database counts it.
      refillMs: Math.ceil(addressRefillMs / guessers),
    };
  }

  #pairBucket(who: string, address: string): Omit<Bucket, 'rule'> {
    const { perAccount } = this.#options.limits;
    const key = pairOf(who, address);
    const isStranger = this.#isSuspicious(who) && !this.#tables.known.get(key);
    const guesses = isStranger ? Math.min(strangerGuesses, perAccount) : perAccount;
    return { key, guesses, refillMs: pairRefillMs };
  }

  /** The longest wait among the buckets. */
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

  /** Guesses of the bucket that this core may verify at once: its share of the remaining ones, at least one. */
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

  /** ms until the bucket is full; at most the time that an empty one takes. */
  #fullIn(bucket: Bucket): number {
    return Math.min(this.#ownMs(bucket) + this.#sharedMs(bucket), bucket.guesses * bucket.refillMs);
  }

  /** From guesses that are being verified here, and wrong ones that the database does not have. */
  #ownMs({ key, guesses, refillMs }: Bucket): number {
    const now = this.#options.now();
    const inMs = (this.#tables.fullAt.get(key) ?? 0) - now;
    const mostMs = guesses * refillMs;
    if (inMs <= mostMs) return Math.max(inMs, 0);
    this.#tables.fullAt.set(key, now + mostMs);
    return mostMs;
  }

  /** From wrong guesses at all cores, as last read. */
  #sharedMs({ key }: Bucket): number {
    return Math.max((this.#tables.sharedFullAt.get(key)?.fullAt ?? 0) - this.#options.now(), 0);
  }

  #spend(bucket: Bucket): void {
    this.#tables.fullAt.set(bucket.key, this.#options.now() + this.#ownMs(bucket) + bucket.refillMs);
    const open = this.#open.get(bucket.key) ?? { count: 0, next: Promise.withResolvers<undefined>() };
    open.count++;
    this.#open.set(bucket.key, open);
  }

  /** Wakes waiting guesses of the bucket. */
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
    return isSuspected || this.#attempts.of(who).count > suspiciousGuesses;
  }
}
