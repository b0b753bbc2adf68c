import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import type { GuessLimits } from '../../src/domain/model.ts';
import { guessTablesInMemory, maxEntries } from '../../src/operations/sign-in/guess-tables.ts';
import type { Guess } from '../../src/operations/sign-in/guess.ts';
import { GuessThrottle } from '../../src/operations/sign-in/throttle.ts';

const start = 1_700_000_000_000;
const [ada, here, there] = ['0 0 ada@b.test', '192.0.2.1', '192.0.2.2'];

let now: number;
let refused: string[];
let reported: number[];
let throttle: GuessThrottle;

beforeEach(() => {
  now = start;
  refused = [];
  reported = [];
  throttle = throttleOf({ perAccount: 10, perAddress: 100 });
});

function throttleOf(limits: GuessLimits): GuessThrottle {
  return new GuessThrottle({
    limits,
    tables: guessTablesInMemory(),
    now: () => now,
    onRefused: (rule) => void refused.push(rule),
    onRefusedPeople: (accounts) => void reported.push(accounts),
  });
}

const at = (account: string, address: string | undefined) => ({ appNo: 0, account, address });

/** Seconds to wait, 0 when the guess was allowed, which is wrong then. */
function guess(account = ada, address: string | undefined = here): Promise<number> {
  return outcomeOf(throttle.count({ appNo: 0, account, address }));
}

/** As guess, by a client without a known address. */
function unlocated(account = ada): Promise<number> {
  return outcomeOf(throttle.count({ appNo: 0, account, address: undefined }));
}

async function outcomeOf(counted: Promise<Guess>): Promise<number> {
  try {
    await (await counted).failed();
    return 0;
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'TOO_MANY_GUESSES') throw error;
    return error.retryAfterSeconds ?? NaN;
  }
}

/** In sequence. */
async function times(n: number, work: (i: number) => Promise<number>): Promise<number[]> {
  const outcomes: number[] = [];
  for (let i = 0; i < n; i++) outcomes.push(await work(i));
  return outcomes;
}

const let_ = (n: number) => Array.from({ length: n }, () => 0);

describe('at one account from one address', () => {
  it('ten guesses, and then one each 30 s', async () => {
    expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
    now += 29_001;
    expect(await guess()).toBe(1);
    now += 999;
    expect([await guess(), await guess()]).toEqual([0, 30]);
    now += 300_000;
    expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
    expect(refused).toEqual(['account', 'account', 'account', 'account']);
  });

  it('a stranger locks out no one at another address, or of another account', async () => {
    await times(50, () => guess());
    expect([await guess(), await guess(ada, there), await guess('0 0 eve@b.test')]).toEqual([30, 0, 0]);
  });

  it('refused guesses make no wait longer', async () => {
    await times(10, () => guess());
    expect(new Set(await times(1000, () => guess()))).toEqual(new Set([30]));
    now += 30_000;
    expect(await guess()).toBe(0);
  });

  it('many at once count before any is verified, and wait for their outcome', async () => {
    const open = await Promise.all(Array.from({ length: 10 }, () => throttle.count(at(ada, here))));
    const waiting = [guess(), guess()];
    open[0]?.cancelled();
    await Promise.all(open.slice(1).map((each) => each.failed()));
    expect(await Promise.all(waiting)).toEqual([0, 30]);
  });

  it('a hundred at once with the right password get in', async () => {
    const outcomes = Array.from({ length: 100 }, async () => {
      const counted = await throttle.count(at(ada, here));
      await Promise.resolve();
      counted.succeeded();
    });
    expect(await Promise.all(outcomes)).toHaveLength(100);
    expect(refused).toEqual([]);
  });

  it('of a hundred at once with wrong ones no more than ten', async () => {
    const outcomes = await Promise.all(Array.from({ length: 100 }, () => guess()));
    expect(outcomes.filter((seconds) => seconds === 0)).toHaveLength(10);
  });

  it('so many may wait, and no more', async () => {
    const open = await Promise.all(Array.from({ length: 10 }, () => throttle.count(at(ada, here))));
    const waiting = Array.from({ length: 1024 }, () => guess());
    expect(await guess()).toBe(30);
    await Promise.all(open.map((each) => each.failed()));
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([30]));
  });

  it('each waits ten seconds for others at most', async () => {
    throttle = throttleOf({ perAccount: 2, perAddress: 0 });
    const [first, second] = [await throttle.count(at(ada, here)), await throttle.count(at(ada, here))];
    const waiting = guess();
    now += 10_000;
    await first.failed();
    expect(await waiting).toBe(20); // while the second one is open
    second.cancelled();
  });

  it('the right one gives all of them back', async () => {
    await times(9, () => guess());
    (await throttle.count(at(ada, here))).succeeded();
    expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
  });

  it('right ones cost nothing, however many', async () => {
    for (let i = 0; i < 500; i++) (await throttle.count(at(ada, here))).succeeded();
    expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
  });

  it('a clock that is set back delays no guess for longer than one guess takes', async () => {
    await times(10, () => guess());
    now -= 3_600_000;
    expect(await guess()).toBe(30);
    now += 30_000;
    expect(await guess()).toBe(0);
  });
});

describe('from one address at many accounts', () => {
  it('a hundred guesses, and then one each 6 s', async () => {
    expect(await times(101, (i) => guess(`account ${i}`))).toEqual([...let_(100), 6]);
    expect(await guess('another', there)).toBe(0);
    now += 6_000;
    expect([await guess('one more'), await guess('and one more')]).toEqual([0, 6]);
    expect(refused).toEqual(['address', 'address']);
  });

  it('right ones are given back, one at a time', async () => {
    await times(99, (i) => guess(`account ${i}`));
    for (let i = 0; i < 500; i++) (await throttle.count(at(ada, here))).succeeded();
    expect([await guess(), await guess()]).toEqual([0, 6]);
  });

  it('what the address refuses costs the account nothing', async () => {
    await times(100, (i) => guess(`account ${i}`));
    expect(await times(20, () => guess())).toEqual(Array.from({ length: 20 }, () => 6));
    now += 60_000;
    expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
  });
});

describe('an address from which people sign in', () => {
  const signIn = async (account: string, address = here) => {
    (await throttle.count({ appNo: 0, account, address })).succeeded();
  };
  const signInMany = async (n: number, address = here) => {
    for (let i = 0; i < n; i++) await signIn(`person ${i}`, address);
  };
  const letThrough = (outcomes: readonly number[]) => outcomes.filter((seconds) => seconds === 0).length;

  it('counts as one more guesser for ten of them', async () => {
    await signInMany(20);
    expect(letThrough(await times(400, (i) => guess(`account ${i}`)))).toBe(300);
    now += 2_000;
    expect([await guess('one more'), await guess('and one more')]).toEqual([0, 2]);
    expect(letThrough(await times(400, (i) => guess(`account ${i}`, there)))).toBe(100);
  });

  it('one account as often as it likes is one', async () => {
    for (let i = 0; i < 1000; i++) await signIn('person');
    expect(letThrough(await times(400, (i) => guess(`account ${i}`)))).toBe(100);
  });

  it('keeps letting people in who mistype three times of twenty, however many there are', async () => {
    for (let i = 0; i < 20_000; i++) {
      now += 1000;
      if (i % 20 < 3) expect(await guess(`person ${i}`)).toBe(0);
      await signIn(`person ${i}`);
    }
    expect(refused).toEqual([]);
  });

  it('gains nothing by guesses that are right as rarely as stolen passwords are', async () => {
    let right = 0;
    for (let i = 0; i < 10_000; i++) {
      if ((await guess(`account ${i}`)) === 0 && i % 50 === 0) await signIn(`own ${right++}`);
    }
    expect(right).toBeLessThan(4);
  });

  it('is reported when it is refused, once an hour, while people come', async () => {
    await signInMany(6);
    await times(200, (i) => guess(`account ${i}`));
    expect([refused.length, reported]).toEqual([100, [6]]);
    now += 3_600_000;
    await times(200, (i) => guess(`account ${i}`));
    expect(reported).toEqual([6]);
    now += 600_000;
    await signIn('somebody else');
    await times(200, (i) => guess(`account ${i}`));
    expect(reported).toEqual([6, 7]);
  });

  it('is not reported where a guesser has some accounts, or an account is refused', async () => {
    await signInMany(4);
    await times(200, (i) => guess(`account ${i}`));
    await signInMany(6, there);
    await times(20, () => guess(ada, there));
    expect([refused.includes('account'), reported]).toEqual([true, []]);
  });
});

describe('an account at which a hundred guesses were wrong within an hour', () => {
  /** From this number of addresses, so that none of them is slowed down. */
  const attack = (n: number) => times(n, (i) => guess(ada, `198.51.100.${i}`));

  it('gives an address that is new to it three, and never none', async () => {
    await attack(100);
    expect(await times(4, () => guess(ada, 'the hundred and first'))).toEqual([0, 0, 0, 30]);
    expect(await times(4, () => guess(ada, there))).toEqual([0, 0, 0, 30]);
    now += 30_000;
    expect([await guess(ada, there), await guess(ada, there)]).toEqual([0, 30]);
    expect(await times(11, () => guess('0 0 eve@b.test', there))).toEqual([...let_(10), 30]);
  });

  it('gives all ten to an address from which the right password came', async () => {
    (await throttle.count(at(ada, here))).succeeded();
    await attack(500);
    expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
  });

  it('not before: its hundredth may still be one of ten', async () => {
    await attack(91);
    expect(await times(10, () => guess())).toEqual(let_(10));
    expect(await times(4, () => guess(ada, there))).toEqual([0, 0, 0, 30]);
  });

  it('forgets them after that hour', async () => {
    await attack(200);
    now += 3_600_000;
    expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
  });

  it('does not count the right ones, and those that came to nothing', async () => {
    for (let i = 0; i < 200; i++) (await throttle.count(at(ada, `198.51.100.${i}`))).succeeded();
    for (let i = 0; i < 200; i++) (await throttle.count(at(ada, `203.0.113.${i}`))).cancelled();
    expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
  });
});

describe('without a client address', () => {
  it('twenty guesses at an account, and then one each second', async () => {
    expect(await times(21, () => unlocated())).toEqual([...let_(20), 1]);
    expect(await unlocated('0 0 eve@b.test')).toBe(0);
    now += 999;
    expect(await unlocated()).toBe(1);
    now += 1;
    expect([await unlocated(), await unlocated()]).toEqual([0, 1]);
  });

  it('nothing outlives a flood by more than a second', async () => {
    await times(100_000, () => unlocated());
    now += 1000;
    expect(await unlocated()).toBe(0);
  });

  it('a right one is given back, and admits no one else', async () => {
    await times(19, () => unlocated());
    (await throttle.count(at(ada, undefined))).succeeded();
    expect([await unlocated(), await unlocated()]).toEqual([0, 1]);
  });

  it('no client with an address is delayed', async () => {
    await times(50, () => unlocated());
    expect(await guess()).toBe(0);
  });
});

describe('a limit of 0', () => {
  it('for accounts leaves that of addresses', async () => {
    throttle = throttleOf({ perAccount: 0, perAddress: 100 });
    expect(await times(101, () => guess())).toEqual([...let_(100), 6]);
    expect(await times(1000, () => unlocated())).toEqual(let_(1000));
  });

  it('for addresses leaves that of accounts', async () => {
    throttle = throttleOf({ perAccount: 10, perAddress: 0 });
    expect(await times(1000, (i) => guess(`account ${i}`))).toEqual(let_(1000));
    expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
  });

  it('for both refuses no guess', async () => {
    throttle = throttleOf({ perAccount: 0, perAddress: 0 });
    expect(await times(1000, () => guess())).toEqual(let_(1000));
    expect(refused).toEqual([]);
  });
});

describe('in bounded memory', () => {
  it('who guessed longest ago is forgotten first, and owners are not among them', async () => {
    throttle = throttleOf({ perAccount: 1, perAddress: 0 });
    (await throttle.count(at(ada, here))).succeeded();
    await times(200, (i) => guess(ada, `198.51.100.${i}`));
    expect([await guess('early'), await guess('early')]).toEqual([0, 30]);
    await times(maxEntries, (i) => guess(`account ${i}`, there));
    expect(await guess('early')).toBe(0);
    expect(await guess(`account ${maxEntries - 1}`, there)).toBe(30);
    expect([await guess(), await guess()]).toEqual([0, 30]);
  });
});

it('an address that is spelt like another table’s key drains no other bucket', async () => {
  const who = createHash('sha256').update(ada).digest('base64url').slice(0, 22);
  for (const spelt of [who, `${who} ${here}`]) await times(200, (i) => guess(`account ${i}`, spelt));
  expect(await times(11, () => guess())).toEqual([...let_(10), 30]);
  expect(await unlocated()).toBe(0);
});
