import { describe, expect, it } from 'vitest';
import { measured, median } from '../../bench/scenario.ts';

describe('median', () => {
  it.each([
    [[3], 3],
    [[3, 1, 2], 2],
    [[4, 1, 3, 2], 2.5],
    [[10, 9], 9.5],
  ])('of %j is %d', (values, expected) => {
    expect(median(values)).toBe(expected);
  });

  it('of nothing is no number, and leaves the values in their order', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
    expect(median([])).toBeNaN();
  });
});

describe('measured', () => {
  const facts = { name: 'some', unit: 'users/s', reference: 'another', atLeast: 0.9, details: { users: 3 } };

  it('has medians of values, references and ratios, each by itself, and the ratios that lie furthest apart', () => {
    const rounds = [
      [100, 200],
      [300, 300],
      [80, 20],
    ] as const;
    expect(measured(facts, rounds)).toEqual({
      ...facts,
      value: 100,
      referenceValue: 200,
      ratio: 1,
      spread: [0.5, 4],
    });
  });

  it('has no spread with one round', () => {
    expect(measured(facts, [[1, 4]])).toMatchObject({ ratio: 0.25, spread: [0.25, 0.25] });
  });
});
