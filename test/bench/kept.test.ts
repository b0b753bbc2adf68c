import { describe, expect, it } from 'vitest';
import { type Figure, isReached, type Kept, readKept, withRun } from '../../bench/kept/kept.ts';
import { scenarios } from '../../bench/scenarios/index.ts';
import { half, machine } from '../helpers/bench.ts';

const row: Figure = {
  section: 'import',
  what: 'users from one file',
  measurement: 'half',
  value: 7,
  unit: 'users/s',
  ratio: 0.7,
  against: 'another',
  bar: { atLeast: 0.6 },
  note: 'one round',
  date: '2026-01-01',
  commit: 'old',
  machine: 'before',
};
const other: Figure = { ...row, what: 'what no measurement replaces', measurement: 'gone' };
const before = { cpu: 'some', cores: 1, node: '22', postgresql: '18' };
const kept: Kept = {
  machine: 'before',
  machines: { before },
  figures: [row, other],
  suites: [],
  environments: [],
};

describe('the kept results', () => {
  const committed = readKept();

  it('name a machine for each figure, and a range around its ratio', () => {
    for (const { machine: name, range, ratio, what } of committed.figures) {
      expect(Object.keys(committed.machines), what).toContain(name);
      if (range !== undefined) {
        expect(ratio, what).toBeGreaterThanOrEqual(range[0]);
        expect(ratio, what).toBeLessThanOrEqual(range[1]);
      }
    }
  });

  it('name measurements that a scenario makes, each once', () => {
    const names = committed.figures.flatMap(({ measurement }) => measurement ?? []);
    expect(new Set(names).size).toBe(names.length);
    const known = scenarios.map(({ name }) => name);
    const unknown = names.filter((name) => !known.some((each) => name.startsWith(each)));
    expect(unknown).toEqual([]);
  });

  it('say of a ratio at its bar that it is reached, and of one beyond that it is not', () => {
    expect(isReached({ ratio: 0.9, bar: { atLeast: 0.9, atMost: 1.1 } })).toBe(true);
    expect(isReached({ ratio: 0.89, bar: { atLeast: 0.9 } })).toBe(false);
    expect(isReached({ ratio: 1.11, bar: { atMost: 1.1 } })).toBe(false);
    expect(isReached({ ratio: 5 })).toBe(true);
  });

  it('take the figures of a run, with its machine, and leave the others as they are', () => {
    const run = {
      machine,
      scenarios: [half('half', { atLeast: 0.4 }), half('unnamed')],
      date: '2026-02-02',
      commit: 'new',
    };
    const { figures, machines } = withRun(kept, run);
    expect(figures).toEqual([
      {
        section: 'import',
        what: 'users from one file',
        measurement: 'half',
        value: 10,
        unit: 'users/s',
        ratio: 0.5,
        against: 'another',
        range: [0.5, 0.5],
        bar: { atLeast: 0.4 },
        date: '2026-02-02',
        commit: 'new',
        machine: '2 × some CPU',
      },
      other,
    ]);
    expect(machines).toEqual({ ...kept.machines, '2 × some CPU': machine });
  });

  it('get a row for a measurement that has words for one, once', () => {
    const named = { ...half('new'), row: { section: 'import', what: 'something else' } };
    const run = { machine, scenarios: [named], date: '2026-02-02', commit: 'new' };
    const once = withRun(kept, run);
    expect(once.figures.at(-1)).toMatchObject({
      section: 'import',
      what: 'something else',
      measurement: 'new',
      ratio: 0.5,
      against: 'another',
    });
    expect(withRun(once, run).figures).toEqual(once.figures);
  });

  it('have the last time of each scenario, in whole seconds', () => {
    const run = { machine, scenarios: [], date: '2026-02-02', commit: 'new', took: { half: 61.4 } };
    const before = { ...kept, seconds: { half: 50, other: 7 } };
    expect(withRun(before, run).seconds).toEqual({ half: 61, other: 7 });
  });

  it('forget a machine of which no figure is left, but not the one of the page', () => {
    const again = { ...kept, machine: 'mine', machines: { ...kept.machines, mine: before } };
    const run = { machine, scenarios: [half('half'), half('gone')], date: '2026-02-02', commit: 'new' };
    expect(Object.keys(withRun(again, run).machines)).toEqual(['mine', '2 × some CPU']);
  });
});
