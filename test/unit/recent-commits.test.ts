/** Which chunks a chunk depends on that were committed while it was written. */
import { describe, expect, it } from 'vitest';
import {
  type CommittedChunk,
  type Looked,
  type Moves,
  RecentCommits,
} from '../../src/imports/chunks/recent-commits.ts';

interface Users {
  readonly unchanged?: readonly number[];
  readonly touched?: readonly number[];
}

const seen = ({ unchanged = [], touched = [] }: Users) => ({
  unchanged: Float64Array.from(unchanged),
  touched: Float64Array.from(touched),
  inOneRow: true,
});

const committed = (
  moves: Moves,
  { claimed = [], ...users }: Users & { claimed?: readonly number[] } = {},
): CommittedChunk => ({ moves, claimed, seen: seen(users) });

const looked = (
  moves: Moves,
  {
    keys = [],
    comparesPrimaries = false,
    ...users
  }: Users & Partial<Pick<Looked, 'comparesPrimaries'>> & { keys?: readonly number[] } = {},
): Looked => ({ commits: 0, moves, keys: Float64Array.from(keys), comparesPrimaries, seen: seen(users) });

function after(...chunks: readonly CommittedChunk[]): RecentCommits {
  const commits = new RecentCommits();
  for (const chunk of chunks) commits.add(chunk);
  return commits;
}

describe('a chunk holds as it was written', () => {
  it.each([
    ['without a commit since', [], looked('unknown', { keys: [1], touched: [1] })],
    [
      'where no chunk moved anything',
      [committed('nothing', { claimed: [1], touched: [1] })],
      looked('nothing', { keys: [1], touched: [1] }),
    ],
    [
      'where other keys were taken and other users seen',
      [committed('known', { claimed: [1, 9], touched: [1], unchanged: [2] })],
      looked('known', { keys: [2, 3], touched: [3], unchanged: [4] }),
    ],
  ] as const)('%s', (_, chunks, chunk) => {
    expect(after(...chunks).haveMoved(chunk)).toBe(false);
  });

  it('where what moved was committed before it looked', () => {
    const commits = after(committed('unknown'), committed('nothing'));
    expect([0, 1].map((count) => commits.haveMoved({ ...looked('nothing'), commits: count }))).toEqual([
      true,
      false,
    ]);
  });
});

describe('a chunk has to be written again', () => {
  it.each([
    ['whose key was taken', committed('known', { claimed: [7, 3] }), looked('nothing', { keys: [1, 3] })],
    [
      'that found a user unchanged who was changed',
      committed('known', { touched: [5] }),
      looked('nothing', { unchanged: [4, 5] }),
    ],
    [
      'that met a user who was changed',
      committed('known', { touched: [5] }),
      looked('nothing', { touched: [5] }),
    ],
    [
      'that changes a user who was found unchanged',
      committed('nothing', { unchanged: [5] }),
      looked('known', { touched: [5] }),
    ],
    [
      'that compared primary users, when anything moved',
      committed('known'),
      looked('nothing', { comparesPrimaries: true }),
    ],
    ['after one whose keys it did not know', committed('unknown'), looked('nothing')],
    ['whose keys were not known', committed('nothing'), looked('unknown')],
  ] as const)('%s', (_, chunk, one) => {
    expect(after(committed('nothing'), chunk, committed('nothing')).haveMoved(one)).toBe(true);
  });

  it('when more were committed than are remembered', () => {
    const commits = after(committed('known'), ...Array.from({ length: 100 }, () => committed('nothing')));
    expect(commits.haveMoved(looked('nothing'))).toBe(true);
    expect(commits.haveMoved({ ...looked('nothing'), commits: 1 })).toBe(false);
  });
});

it('reports users who were seen by chunks that were committed since', () => {
  const commits = after(
    committed('nothing', { unchanged: [1], touched: [2] }),
    committed('nothing', { unchanged: [3] }),
  );
  const haveSeen = (users: Users) => [0, 1, 2].map((count) => commits.haveSeen(count, seen(users)));
  expect(haveSeen({ touched: [2] })).toEqual([true, false, false]);
  expect(haveSeen({ unchanged: [2], touched: [3] })).toEqual([true, true, false]);
  for (let n = 0; n < 100; n++) commits.add(committed('nothing', { unchanged: [100 + n] }));
  expect(commits.haveSeen(0, seen({ touched: [77] }))).toBe(true);
});
