/** When the users that an upload finds unchanged need a row each. */
import { describe, expect, it } from 'vitest';
import { type Seen, SeenUsers } from '../../src/imports/chunks/seen-users.ts';

const seen = (unchanged: number[], touched: number[] = [], inOneRow = true): Seen => ({
  unchanged: Float64Array.from(unchanged, digest),
  touched: Float64Array.from(touched, digest),
  inOneRow,
});

/** Distributed as those of random ids. */
function digest(n: number): number {
  return ((Math.imul(n, 0x9e3779b1) >>> 0) % 2 ** 21) * 2 ** 32 + (Math.imul(n, 0x85ebca6b) >>> 0);
}

function opened(options: Partial<{ isNew: boolean; mayShareRows: boolean }> = {}) {
  let splits = 0;
  const users = new SeenUsers(
    () => {
      splits += 1;
      return Promise.resolve();
    },
    { isNew: true, mayShareRows: true, ...options },
  );
  return { users, splits: () => splits };
}

describe('users of a chunk', () => {
  it('share a row while none of them was seen before', () => {
    const { users } = opened();
    expect(users.needsRows(seen([1, 2, 3], [4]))).toBe(false);
    users.add(seen([1, 2, 3], [4]));
    expect(users.needsRows(seen([5, 6], [7]))).toBe(false);
  });

  it('are not seen by being asked for', () => {
    const { users } = opened();
    for (let n = 0; n < 3; n++) expect(users.needsRows(seen([1, 2]))).toBe(false);
  });

  it.each([
    ['found unchanged again', seen([9, 2])],
    ['led to by another key', seen([9], [2])],
    ['found twice in the chunk', seen([9, 9])],
    ['found and led to in the chunk', seen([9], [9])],
  ])('need rows where one is %s', (_, chunk) => {
    const { users } = opened();
    users.add(seen([1, 2]));
    expect(users.needsRows(chunk)).toBe(true);
  });

  it('have rows from then on, and what was written before that is written again', async () => {
    const { users, splits } = opened();
    await Promise.all([users.split(), users.split()]);
    expect([splits(), users.inOneRow]).toEqual([1, false]);
    expect(users.needsRows(seen([1]))).toBe(true);
    expect(users.needsRows(seen([1, 1], [1], false))).toBe(false);
  });

  it('have rows from the start where those of earlier chunks are not known', async () => {
    const { users, splits } = opened({ isNew: false });
    await users.ready();
    expect([splits(), users.inOneRow]).toEqual([1, false]);
    expect(opened({ mayShareRows: false }).users.inOneRow).toBe(false);
  });
});
