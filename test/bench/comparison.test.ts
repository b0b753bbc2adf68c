import { describe, expect, it } from 'vitest';
import { orderOf } from '../../bench/compare/against.ts';
import {
  compare,
  describeComparison,
  describeMissing,
  type Comparison,
} from '../../bench/compare/comparison.ts';
import type { Measurement } from '../../bench/scenario.ts';

function measurement(name: string, ratio: number, reference = 'r'): Measurement {
  return { name, reference, ratio, unit: 'x', value: ratio, referenceValue: 1, spread: [ratio, ratio] };
}

describe('comparing runs of two trees', () => {
  it('divides the ratios pair by pair, and takes the median of the quotients', () => {
    const pairs = [
      { here: [measurement('a', 2)], there: [measurement('a', 1)] },
      { here: [measurement('a', 9)], there: [measurement('a', 3)] },
      { here: [measurement('a', 4)], there: [measurement('a', 8)] },
    ];
    expect(compare('s', pairs)).toEqual({
      scenarios: [{ name: 'a', reference: 'r', here: 4, there: 3, ratio: 2, spread: [0.5, 3] }],
      missing: [],
    });
  });

  it('does not look at absolute values', () => {
    const slower = { ...measurement('a', 2), value: 20, referenceValue: 10 };
    expect(compare('s', [{ here: [measurement('a', 2)], there: [slower] }]).scenarios[0]?.ratio).toBe(1);
  });

  it('keeps two references of one measurement apart', () => {
    const of = (one: number, two: number) => [measurement('a', one, 'r1'), measurement('a', two, 'r2')];
    const { scenarios } = compare('s', [{ here: of(1, 8), there: of(2, 2).reverse() }]);
    expect(scenarios).toMatchObject([
      { reference: 'r1', ratio: 0.5 },
      { reference: 'r2', ratio: 4 },
    ]);
  });

  it('takes a reference that was reworded for the same one where a measurement has one only', () => {
    const there = [measurement('a', 1, 'older words')];
    const here = [measurement('a', 3, 'newer words')];
    expect(compare('s', [{ here, there }])).toMatchObject({ scenarios: [{ ratio: 3 }], missing: [] });
    const two = [...here, measurement('a', 4, 'another')];
    expect(compare('s', [{ here: two, there }])).toEqual({
      scenarios: [],
      missing: [
        { name: 'a (newer words)', missing: 'there' },
        { name: 'a (another)', missing: 'there' },
        { name: 'a (older words)', missing: 'here' },
      ],
    });
  });

  it('says which measurements only one tree has', () => {
    const here = [measurement('both', 1), measurement('new', 1)];
    const there = [measurement('both', 1), measurement('gone', 1)];
    const { scenarios, missing } = compare('s', [{ here, there }]);
    expect(scenarios.map(({ name }) => name)).toEqual(['both']);
    expect(missing.map(describeMissing)).toEqual([
      'new (r): does not exist there',
      'gone (r): does not exist here',
    ]);
  });

  it.each([
    ['there', { here: [measurement('a', 1)], there: undefined }],
    ['here', { here: undefined, there: [measurement('a', 1)] }],
  ] as const)('says that a scenario does not exist %s', (side, pair) => {
    expect(compare('s', [pair])).toEqual({ scenarios: [], missing: [{ name: 's', missing: side }] });
  });

  it('finds nothing without a run', () => {
    expect(compare('s', [])).toEqual({ scenarios: [], missing: [] });
  });
});

describe('a comparison in words', () => {
  const one: Comparison = { name: 'a', reference: 'r', here: 2, there: 1, ratio: 2, spread: [0.9, 3] };

  it.each([
    [[0.9, 3], 'a: here/there 2.00 (0.90 to 3.00); 2.00 here, 1.00 there, of r'],
    [[1.1, 3], 'a: here/there 2.00 (1.10 to 3.00, higher in every round); 2.00 here, 1.00 there, of r'],
    [[0.5, 0.9], 'a: here/there 2.00 (0.50 to 0.90, lower in every round); 2.00 here, 1.00 there, of r'],
  ] as const)('with a spread of %j', (spread, text) => {
    expect(describeComparison({ ...one, spread })).toBe(text);
  });
});

it('each tree is as often first as second', () => {
  expect([0, 1, 2, 3].flatMap(orderOf)).toEqual([
    'here',
    'there',
    'there',
    'here',
    'here',
    'there',
    'there',
    'here',
  ]);
});
