/** Throttles of several cores, which share wrong guesses. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { eventually } from '../helpers/eventually.ts';
import { Refusal } from '../../src/domain/errors.ts';
import type { GuessKeys, GuessState, GuessStore, WrongGuess } from '../../src/operations/ports/guesses.ts';
import { guessTablesInMemory } from '../../src/operations/sign-in/guess-tables.ts';
import { countedGuess } from '../../src/operations/sign-in/guess.ts';
import { GuessThrottle } from '../../src/operations/sign-in/throttle.ts';

const parts = ['pair', 'address', 'account'] as const;

/** The database's part, with a clock that stands still, so that nothing is refilled. */
class Shared implements GuessStore {
  readonly #fullAt = new Map<string, number>();
  isAway = false;
  writes = 0;

  /** Its answer may be overtaken by that of a later statement. */
  async look(_appNo: number, keys: GuessKeys): Promise<GuessState> {
    const state = this.#state(keys);
    for (let n = 0; n < 3; n++) await turn();
    return state;
  }

  add(_appNo: number, guess: WrongGuess): Promise<GuessState> {
    return this.#write(1, guess);
  }

  takeBack(_appNo: number, guess: WrongGuess): Promise<GuessState> {
    return this.#write(-1, guess);
  }

  async clear(_appNo: number, { pair }: GuessKeys): Promise<void> {
    await turn();
    this.#fullAt.delete(pair);
  }

  /** Whether all buckets are full. */
  get isAsNew(): boolean {
    return [...this.#fullAt.values()].every((ms) => ms <= 0);
  }

  async #write(factor: 1 | -1, { keys, adds }: WrongGuess): Promise<GuessState> {
    await turn();
    if (this.isAway) throw new Refusal('DATABASE_UNAVAILABLE');
    this.writes++;
    for (const part of parts) {
      const key = keys[part];
      if (key === undefined) continue;
      this.#fullAt.set(key, Math.max((this.#fullAt.get(key) ?? 0) + factor * adds[part], 0));
    }
    return this.#state(keys);
  }

  #state(keys: GuessKeys): GuessState {
    const [pair = 0, address = 0, account = 0] = parts.map((part) => this.#fullAt.get(keys[part] ?? '') ?? 0);
    return { pair, address, account };
  }
}

interface Setting {
  readonly cores: number;
  readonly perAccount?: number;
  readonly perAddress?: number;
}

function throttles({ cores, perAccount = 10, perAddress = 0 }: Setting, store = new Shared()) {
  const all = Array.from(
    { length: cores },
    () =>
      new GuessThrottle({
        limits: { perAccount, perAddress },
        tables: guessTablesInMemory(1000),
        now: () => 1_700_000_000_000,
        shared: { store, cores: () => cores },
      }),
  );
  const pick = (n: number): GuessThrottle => {
    const throttle = all[n % cores];
    if (throttle === undefined) throw new Error('there is no core');
    return throttle;
  };
  return { all, pick, store };
}

interface Try {
  readonly account?: string;
  readonly address?: string;
  readonly isRight?: boolean;
  /** Thrown instead of an outcome. */
  readonly error?: Error;
  /** Turns of the event loop that it takes to verify it. */
  readonly turns?: number;
}

/** @returns whether it was verified */
async function guess(
  throttle: GuessThrottle,
  { account = 'ada', address = '192.0.2.1', isRight = false, turns = 1, error }: Try = {},
): Promise<boolean> {
  try {
    await countedGuess(
      throttle,
      { appNo: 0, account, address },
      async (counted) => {
        await counted?.learn();
        for (let i = 0; i < turns; i++) await turn();
        if (error !== undefined) throw error;
        return isRight;
      },
      (right) => right,
    );
    return true;
  } catch (thrown) {
    if (!(thrown instanceof Refusal) || thrown.code !== 'TOO_MANY_GUESSES') throw thrown;
    return false;
  }
}

const countOf = (verified: readonly boolean[]) => verified.filter(Boolean).length;

/** Each other core may be verifying one that is not written while all are spent. */
const most = (guesses: number, cores: number): number => guesses + cores - 1;

describe('cores that share guesses', () => {
  it('let as many through one after the other as one core does', async () => {
    const { all } = throttles({ cores: 3 });
    const verified: boolean[] = [];
    for (let i = 0; i < 30; i++) for (const throttle of all) verified.push(await guess(throttle));
    expect(countOf(verified)).toBe(10);
  });

  it('let at most one more through for each further core, however guesses come', async () => {
    const turns = fc.oneof(fc.nat(5), fc.nat(100));
    const each = fc.record({ core: fc.nat(4), turns, wait: fc.nat(20) });
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 12 }),
        fc.array(each, { maxLength: 60 }),
        async (cores, perAccount, guesses) => {
          const { pick } = throttles({ cores, perAccount });
          const verified = await Promise.all(
            guesses.map(async ({ core, turns, wait }) => {
              for (let i = 0; i < wait; i++) await turn();
              return guess(pick(core), { turns });
            }),
          );
          expect(countOf(verified)).toBeLessThanOrEqual(most(perAccount, cores));
          expect(countOf(verified)).toBeGreaterThanOrEqual(Math.min(perAccount, guesses.length));
        },
      ),
      { numRuns: 200 },
    );
  });

  it('let that many through if all but one are slow, and none after that', async () => {
    const { pick } = throttles({ cores: 3 });
    const slow = [1, 1, 1, 2, 2, 2].map((core) => guess(pick(core), { turns: 500 }));
    const quick: boolean[] = [];
    for (let n = 0; n < 12; n++) quick.push(await guess(pick(0)));
    expect(countOf([...quick, ...(await Promise.all(slow))])).toBe(most(10, 3));
    for (const core of [0, 1, 2]) expect(await guess(pick(core))).toBe(false);
  });

  it('limit an address together, too', async () => {
    const { pick } = throttles({ cores: 3, perAddress: 20 });
    const verified = await Promise.all(
      Array.from({ length: 90 }, (_, n) => guess(pick(n), { account: `account ${n}` })),
    );
    expect(countOf(verified)).toBeGreaterThanOrEqual(20);
    expect(countOf(verified)).toBeLessThanOrEqual(22);
  });

  it('let a hundred at once with the right password in, at each core, and keep nothing of them', async () => {
    const { pick, store } = throttles({ cores: 3 });
    const verified = await Promise.all(
      Array.from({ length: 300 }, (_, n) => guess(pick(n), { isRight: true })),
    );
    expect(countOf(verified)).toBe(300);
    await eventually(() => {
      expect(store.isAsNew).toBe(true);
    });
  });

  it('write no right guess, unless its core verifies another one of the account and address', async () => {
    const { all, store } = throttles({ cores: 3 });
    const right = { isRight: true, turns: 5 };
    const apart = all.flatMap((throttle, n) => [
      guess(throttle, right),
      guess(throttle, { ...right, account: 'grace' }),
      guess(throttle, { ...right, address: `198.51.100.${n}` }),
    ]);
    expect([countOf(await Promise.all(apart)), store.writes]).toEqual([9, 0]);
    const together = all.flatMap((throttle) => [guess(throttle, right), guess(throttle, right)]);
    expect(countOf(await Promise.all(together))).toBe(6);
    await eventually(() => {
      expect(store.writes).toBe(6); // each second one, and that it was right
    });
  });

  it('give a guess back that was written and could not be verified', async () => {
    const { pick, store } = throttles({ cores: 2 });
    const failing = Array.from({ length: 4 }, () =>
      guess(pick(0), { turns: 5, error: new Error('the hash is broken') }).catch(String),
    );
    expect(await Promise.all(failing)).toEqual(Array(4).fill('Error: the hash is broken'));
    expect(store.writes).toBeGreaterThan(0);
    await eventually(() => {
      expect(store.isAsNew).toBe(true);
    });
    for (let n = 0; n < 10; n++) expect(await guess(pick(n))).toBe(true);
  });

  it('verify no second guess that could not be written', async () => {
    const { pick, store } = throttles({ cores: 2 });
    store.isAway = true;
    const first = guess(pick(0), { isRight: true, turns: 50 });
    await expect(guess(pick(0), { isRight: true })).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await first).toBe(true);
  });

  it('give all guesses back with the right password, at each core', async () => {
    const { pick } = throttles({ cores: 2 });
    for (let n = 0; n < 9; n++) expect(await guess(pick(n))).toBe(true);
    expect(await guess(pick(0), { isRight: true })).toBe(true);
    await turn();
    const verified: boolean[] = [];
    for (let n = 0; n < 12; n++) verified.push(await guess(pick(n)));
    expect(countOf(verified)).toBe(10);
  });

  it('suspect an account together', async () => {
    const { pick } = throttles({ cores: 3 });
    for (let n = 0; n < 101; n++) await guess(pick(n), { address: `198.51.100.${n}` });
    const stranger = { address: '203.0.113.1' };
    const verified: boolean[] = [];
    for (let n = 0; n < 9; n++) verified.push(await guess(pick(n), stranger));
    expect(countOf(verified)).toBe(3);
  });

  it('answer no wrong guess that could not be written, and count it alone', async () => {
    const { pick, store } = throttles({ cores: 1 });
    store.isAway = true;
    const tries: string[] = [];
    for (let n = 0; n < 12; n++)
      tries.push(await guess(pick(0)).then(String, (error: unknown) => (error as Refusal).code));
    expect(tries).toEqual([...Array<string>(10).fill('DATABASE_UNAVAILABLE'), 'false', 'false']);
    store.isAway = false;
    expect(await guess(pick(0))).toBe(false);
  });
});
