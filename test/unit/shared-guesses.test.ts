/** Throttles of several cores, which share wrong guesses. */
import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import type { GuessKeys, GuessState, GuessStore } from '../../src/operations/ports/guesses.ts';
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

  async add(_appNo: number, { keys, adds }: Parameters<GuessStore['add']>[1]): Promise<GuessState> {
    await turn();
    if (this.isAway) throw new Refusal('DATABASE_UNAVAILABLE');
    this.writes++;
    for (const part of parts) {
      const key = keys[part];
      if (key !== undefined) this.#fullAt.set(key, (this.#fullAt.get(key) ?? 0) + adds[part]);
    }
    return this.#state(keys);
  }

  async clear(_appNo: number, { pair }: GuessKeys): Promise<void> {
    await turn();
    this.#fullAt.delete(pair);
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
  /** Turns of the event loop that it takes to verify it. */
  readonly turns?: number;
}

/** @returns whether it was verified */
async function guess(
  throttle: GuessThrottle,
  { account = 'ada', address = '192.0.2.1', isRight = false, turns = 1 }: Try = {},
): Promise<boolean> {
  try {
    await countedGuess(
      throttle,
      { appNo: 0, account, address },
      async (counted) => {
        await counted?.learn();
        for (let i = 0; i < turns; i++) await turn();
        return isRight;
      },
      (right) => right,
    );
    return true;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'TOO_MANY_GUESSES') throw error;
    return false;
  }
}

const countOf = (verified: readonly boolean[]) => verified.filter(Boolean).length;

/** Each other core may be verifying its share of them while all are spent. */
const most = (guesses: number, cores: number): number =>
  guesses + (cores - 1) * Math.max(1, Math.floor(guesses / cores));

describe('cores that share guesses', () => {
  it('let as many through one after the other as one core does', async () => {
    const { all } = throttles({ cores: 3 });
    const verified: boolean[] = [];
    for (let i = 0; i < 30; i++) for (const throttle of all) verified.push(await guess(throttle));
    expect(countOf(verified)).toBe(10);
  });

  it('let at most a share more through for each further core, however guesses come', async () => {
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
    expect(countOf(quick)).toBe(10);
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

  it('let a hundred at once with the right password in, at each core, and write nothing', async () => {
    const { pick, store } = throttles({ cores: 3 });
    const verified = await Promise.all(
      Array.from({ length: 300 }, (_, n) => guess(pick(n), { isRight: true })),
    );
    expect([countOf(verified), store.writes]).toEqual([300, 0]);
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
