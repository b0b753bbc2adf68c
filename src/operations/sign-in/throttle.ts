import { Refusal } from '../../domain/errors.ts';
import type { GuessLimits } from '../../domain/model.ts';
import type { GuessState } from '../ports/guesses.ts';
import type { Guess, GuessedAt, SharedGuesses, Throttle } from './guess.ts';
import type { Bucket, ThrottleRule } from './guess-buckets.ts';
import { addressKey, digest, keysOf, pairOf } from './guess-keys.ts';
import type { GuessTables } from './guess-tables.ts';
import { OpenGuesses } from './open-guesses.ts';
import { RecentAttempts, suspicionMs } from './recent-attempts.ts';
import { SharedBuckets } from './shared-buckets.ts';

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
/** A guess that has waited so long for others is refused once the next one ends; most clients have given up by then. */
const maxWaitMs = 10_000;

/** A bucket without a free token. */
interface Shortage {
  readonly bucket: Bucket;
  /** Time until it has a token again, if no open guess returns one. */
  readonly ms: number;
}

interface Arrival {
  readonly who: string;
  readonly address: string | undefined;
  /** ms since the epoch */
  readonly cameAt: number;
}

/** A guess that is counted and has no outcome yet. */
interface Taken extends Arrival {
  readonly buckets: readonly Bucket[];
  /** Start of the hour in which it was counted; see Attempts. */
  readonly since: number;
  /** Where its tokens were taken. */
  countedIn: 'process' | 'database';
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
 * it is verified. A right one costs no further statement, because each core may verify one guess of an account and address that is not
 * written. Those that it verifies at the same time are written before, and taken back when they turn out right. So C cores accept at most
 * C - 1 more wrong guesses at an account than one core would; they count like the others, so the next one comes that much later.
 *
 * Each of C cores verifies at most an equal share of the remaining guesses at once, and at least one, so that no core takes all of them
 * for passwords that are right. An address has many accounts, whose open guesses are not written: while a slow core verifies its share,
 * the others may spend all N, so the address has at most (C - 1) * max(1, floor(N / C)) more.
 */
export class GuessThrottle implements Throttle {
  readonly #options: ThrottleOptions;
  readonly #tables: GuessTables;
  readonly #attempts: RecentAttempts;
  readonly #open = new OpenGuesses();
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
    const arrival: Arrival = { who: digest(account), address, cameAt: this.#options.now() };
    return this.#guess(appNo, await this.#takeWhenFree(arrival));
  }

  async #takeWhenFree(arrival: Arrival, afterEachWait?: () => Promise<void>): Promise<Taken> {
    const { who, address, cameAt } = arrival;
    for (;;) {
      const buckets = this.#bucketsOf(who, address);
      const shortage = this.#shortageOf(buckets);
      if (shortage === undefined) return this.#take(arrival, buckets);
      const mayWait = this.#waiting < maxWaiting && this.#options.now() - cameAt < maxWaitMs;
      const end = mayWait ? this.#open.nextEnd(shortage.bucket.key) : undefined;
      if (end === undefined) throw this.#refusal(shortage, address);
      this.#waiting++;
      await end;
      this.#waiting--;
      await afterEachWait?.();
    }
  }

  #take(arrival: Arrival, buckets: readonly Bucket[]): Taken {
    for (const bucket of buckets) this.#spend(bucket);
    const { since } = this.#attempts.add(arrival.who);
    return { ...arrival, buckets, since, countedIn: 'process' };
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
    /** @returns the state after its tokens in the database were returned, if it had some there */
    const takeBack = (released: Taken): Promise<GuessState> | undefined => {
      this.#takeBack(released);
      return released.countedIn === 'database' ? shared?.takeBack(released.buckets) : undefined;
    };
    return {
      keys: shared?.keys,
      learn: async (state) => {
        if (shared === undefined) return;
        if (state === undefined) await shared.look();
        else shared.merge(state);
        while (taken !== undefined && !(await this.#isAdmitted(taken, shared))) {
          const after = await takeBack(release());
          if (after !== undefined) shared.merge(after);
          taken = await this.#takeWhenFree(first, () => shared.look());
        }
      },
      succeeded: () => {
        const takenBack = takeBack(release());
        if (address === undefined) {
          inBackground(takenBack);
          return;
        }
        // Until it is done the account has fewer guesses from this address.
        inBackground(shared?.clearIfWrong(takenBack));
        this.#meet(who, address);
      },
      failed: async () => {
        const released = release();
        try {
          if (shared !== undefined) await this.#write(released, shared);
        } finally {
          this.#end(released);
        }
      },
      cancelled: () => {
        if (taken !== undefined) inBackground(takeBack(release()));
      },
    };
  }

  /** False if other cores leave no room for a guess, which is to be verified now. */
  async #isAdmitted(taken: Taken, shared: SharedBuckets): Promise<boolean> {
    if (this.#isOverdrawn(taken)) return false;
    if (this.#cores() === 1 || this.#isFirstOfPair(taken)) return true;
    await this.#write(taken, shared);
    return !this.#isOverdrawn(taken);
  }

  /** True if it may be verified without being written before; also if the limit of accounts is off. */
  #isFirstOfPair(taken: Taken): boolean {
    const pair = taken.buckets.find(({ rule }) => rule === 'account');
    return pair === undefined || this.#open.claim(pair.key, taken);
  }

  /** Resolves when the database has the guess. One that could not be written stays counted in this process. */
  async #write(taken: Taken, shared: SharedBuckets): Promise<void> {
    if (taken.countedIn === 'database') return;
    const state = await shared.add(taken.buckets);
    taken.countedIn = 'database';
    for (const bucket of taken.buckets) this.#giveBack(bucket);
    shared.merge(state);
  }

  #sharedBy(appNo: number, who: string, address: string | undefined): SharedBuckets | undefined {
    const { shared } = this.#options;
    if (shared === undefined) return undefined;
    return new SharedBuckets({
      store: shared.store,
      appNo,
      keys: keysOf(who, address),
      accountMs: suspicionRefillMs,
      reads: () => this.#reads,
      onRead: (state, asked) => {
        this.#merge(who, address, state, asked);
      },
    });
  }

  /** Returns tokens that were taken in this process. */
  #takeBack(taken: Taken): void {
    this.#attempts.takeBack(taken.who, taken.since);
    if (taken.countedIn === 'process') for (const bucket of taken.buckets) this.#giveBack(bucket);
    this.#end(taken);
  }

  /** Wakes guesses that wait for it. */
  #end(taken: Taken): void {
    for (const { key } of taken.buckets) this.#open.end(key, taken);
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
      return wantedMs > most || this.#open.countOf(bucket.key) > this.#shareOf(bucket);
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
      const open = this.#open.countOf(key);
      const shortMs = this.#fullIn(bucket) + refillMs - guesses * refillMs;
      const ms = shortMs <= 0 && open > 0 && open >= this.#shareOf(bucket) ? refillMs : shortMs;
      if (ms > (longest?.ms ?? 0)) longest = { bucket, ms };
    }
    return longest;
  }

  #cores(): number {
    return this.#options.shared?.cores() ?? 1;
  }

  /** Guesses of the bucket that this core may verify at once: its share of the remaining ones, at least one. */
  #shareOf(bucket: Bucket): number {
    const cores = this.#cores();
    if (cores === 1) return bucket.guesses;
    const { guesses, refillMs } = bucket;
    const wrongMs = this.#fullIn(bucket) - this.#open.countOf(bucket.key) * refillMs;
    return Math.max(1, Math.floor((guesses * refillMs - Math.max(wrongMs, 0)) / refillMs / cores));
  }

  #refusal({ bucket, ms }: Shortage, address: string | undefined): Refusal {
    this.#options.onRefused?.(bucket.rule);
    if (bucket.rule === 'address' && address !== undefined) this.#reportPeopleAt(address);
    return new Refusal('TOO_MANY_GUESSES', undefined, { retryAfterSeconds: Math.ceil(ms / 1000) });
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
    this.#open.begin(bucket.key);
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

/** If it fails, the database has a guess too many for a while. */
function inBackground(work: Promise<unknown> | undefined): void {
  work?.catch(() => undefined);
}
