import { describe, expect, it } from 'vitest';
import { randomFractions } from '../../src/load/random.ts';
import { median, standardError } from '../../bench/statistics.ts';

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

describe('the standard error', () => {
  const mean = (values: readonly number[]) => values.reduce((sum, each) => sum + each, 0) / values.length;

  it('of a mean is the deviation over the root of how many there are', () => {
    const random = randomFractions(7);
    const values = Array.from({ length: 400 }, random);
    // A uniform distribution deviates by the root of a twelfth.
    expect(standardError(values, mean)).toBeCloseTo(Math.sqrt(1 / 12 / 400), 2.5);
  });

  it('of a median is a quarter more than of a mean, of a normal distribution', () => {
    const random = randomFractions(11);
    const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    const ratios = Array.from({ length: 40 }, () => {
      const values = Array.from({ length: 51 }, normal);
      return standardError(values, median) / standardError(values, mean);
    });
    expect(median(ratios)).toBeGreaterThan(1.1);
    expect(median(ratios)).toBeLessThan(1.4);
  });

  it('is zero if all samples are the same, and the same for the same samples', () => {
    expect(standardError([3, 3, 3], median)).toBe(0);
    const values = [1, 5, 2, 9];
    expect(standardError(values, median)).toBe(standardError(values, median));
  });

  it.each([[[]], [[1]]])('of %j is not known', (values) => {
    expect(standardError(values, median)).toBeNaN();
  });
});
