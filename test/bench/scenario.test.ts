import { describe, expect, it } from 'vitest';
import { measured, measuredApart } from '../../bench/scenario.ts';

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
      error: expect.any(Number) as number,
    });
  });

  it('has no spread and no error with one round', () => {
    const one = measured(facts, [[1, 4]]);
    expect(one).toMatchObject({ ratio: 0.25, spread: [0.25, 0.25] });
    expect(one).not.toHaveProperty('error');
  });

  it('has an error of ratios, which do not differ where value and reference differ alike', () => {
    const rounds = [
      [10, 20],
      [30, 60],
      [1, 2],
    ] as const;
    expect(measured(facts, rounds).error).toBe(0);
  });

  it('has the error as a share of the ratio', () => {
    const ratios = [1, 2, 3, 4, 5];
    const small = measured(
      facts,
      ratios.map((each) => [each, 1]),
    );
    const large = measured(
      facts,
      ratios.map((each) => [1000 * each, 1]),
    );
    expect(small.error).toBeGreaterThan(0.1);
    expect(large.error).toBeCloseTo(small.error ?? NaN, 10);
  });
});

describe('measured apart', () => {
  const facts = { name: 'some', unit: 'ms', reference: 'at rest', atMost: 2 };

  it('is the ratio of the medians, of as many values and references as there are', () => {
    expect(measuredApart(facts, [9, 10, 20], [1, 4, 5, 6, 100])).toEqual({
      ...facts,
      value: 10,
      referenceValue: 5,
      ratio: 2,
      spread: [1.8, 4],
      error: expect.any(Number) as number,
    });
  });

  it('is as little known as its values and its references together', () => {
    const [loose, exact] = [
      [8, 9, 10, 11, 12],
      [10, 10, 10, 10, 10],
    ];
    const errorOf = (values: number[], references: number[]) =>
      measuredApart(facts, values, references).error ?? NaN;
    expect(errorOf(exact, exact)).toBe(0);
    expect(errorOf(exact, loose)).toBeCloseTo(errorOf(loose, exact), 10);
    expect(errorOf(loose, loose)).toBeCloseTo(Math.SQRT2 * errorOf(loose, exact), 10);
  });

  it('has no error when one of both was measured once', () => {
    expect(measuredApart(facts, [1, 2, 3], [1])).not.toHaveProperty('error');
  });
});
