/** The test that stops a share: how often without a fault, and how soon with one. */
import { describe, expect, it } from 'vitest';
import { LeadingApps } from '../../src/features/moves/leading-apps.ts';
import {
  evidenceOf,
  leastUsersBefore,
  refusedBeforeOf,
  showsFault,
} from '../../src/features/moves/refusals.ts';

/** mulberry32, so that a run that failed can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Run {
  readonly refused: number;
  /** Users with a wrong pepper, who are always refused. */
  readonly broken: number;
  /** As known before. */
  readonly refusedBefore: number;
  readonly most: number;
}

/** @returns users, and users with a wrong pepper, until the share stopped; undefined if it did not */
function usersUntilStop({ refused, broken, refusedBefore, most }: Run, random: () => number) {
  const tally = { users: 0, refused: 0 };
  let ofBroken = 0;
  while (tally.users < most) {
    const isBroken = random() < broken;
    if (isBroken) ofBroken++;
    tally.users++;
    if (isBroken || random() < refused) tally.refused++;
    if (showsFault({ ...tally, refusedBefore })) return { users: tally.users, ofBroken };
  }
  return undefined;
}

describe.each([0.001, 0.005, 0.03, 0.08])('with %d of the users refused before', (refused) => {
  it('fewer than 1 in 100 runs without a fault stop, whatever the estimate is from', () => {
    const random = randomFrom(1);
    const runs = 1000;
    for (const sample of [undefined, 1000]) {
      let stopped = 0;
      for (let run = 0; run < runs; run++) {
        const refusedBefore = sample === undefined ? refused : estimate(sample, refused, random);
        if (usersUntilStop({ refused, broken: 0, refusedBefore, most: 3000 }, random)) stopped++;
      }
      expect([sample, stopped / runs]).toEqual([sample, expect.toSatisfy((part: number) => part < 0.01)]);
    }
  });

  it('a wrong pepper of 3 % stops within 200 sign-ins of such users, two a user', () => {
    const random = randomFrom(2);
    const stops = Array.from({ length: 300 }, () =>
      usersUntilStop({ refused, broken: 0.03, refusedBefore: refused, most: 20_000 }, random),
    );
    expect(stops.filter((stop) => stop === undefined || stop.ofBroken * 2 > 200).length).toBeLessThan(9);
  });
});

it('finds a wrong pepper of 3 % within 200 users in most runs, where few are refused', () => {
  const random = randomFrom(3);
  const stops = Array.from({ length: 500 }, () =>
    usersUntilStop({ refused: 0.005, broken: 0.03, refusedBefore: 0.005, most: 200 }, random),
  );
  expect(stops.filter((stop) => stop !== undefined).length / 500).toBeGreaterThan(0.65);
});

it('finds a wrong pepper of all users with the second or third of them', () => {
  for (const [refusedBefore, users] of [
    [0.01, 4],
    [0.001, 2],
  ] as const)
    expect(usersUntilStop({ refused: 0, broken: 1, refusedBefore, most: 50 }, () => 0)?.users).toBe(users);
});

it('is not stopped by the first refusal, nor by no user', () => {
  expect(showsFault({ users: 1, refused: 1, refusedBefore: 0 })).toBe(false);
  expect(evidenceOf({ users: 0, refused: 0, refusedBefore: 0.02 })).toBe(0);
});

describe('the estimate of refusals before', () => {
  it('needs some users, and is above what was seen', () => {
    expect(refusedBeforeOf({ users: leastUsersBefore - 1, refused: 3 })).toBeUndefined();
    // Wilson's upper bound for 3 of 300 at 99.5 % on one side.
    expect(refusedBeforeOf({ users: 300, refused: 3 })).toBeCloseTo(0.0387, 4);
  });
});

describe('the apps whose move leads', () => {
  it('are read once for any number of sign-ins, and stay if the database is away', async () => {
    let reads = 0;
    let isAway = false;
    const lost: unknown[] = [];
    const read = <Row extends object>(): Promise<Row[]> => {
      reads++;
      return isAway ? Promise.reject(new Error('away')) : Promise.resolve([{ appNo: 7 }] as unknown as Row[]);
    };
    const leading = new LeadingApps([{ read }], (error) => void lost.push(error));
    await leading.refresh();
    for (let n = 0; n < 1000; n++) expect([leading.has(7), leading.has(8)]).toEqual([true, false]);
    expect(reads).toBe(1);
    isAway = true;
    await leading.refresh();
    expect([leading.has(7), lost.length]).toEqual([true, 1]);
    isAway = false;
    const other = new LeadingApps([{ read }], (error) => void lost.push(error));
    // A core that has not looked yet: the sign-in is not counted, and does not wait.
    expect(other.has(7)).toBe(false);
    expect(reads).toBe(3);
  });
});

function estimate(users: number, part: number, random: () => number): number {
  let refused = 0;
  for (let n = 0; n < users; n++) if (random() < part) refused++;
  return refusedBeforeOf({ users, refused }) ?? 1;
}
