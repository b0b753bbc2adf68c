import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { parseResults, renderReport, writeReport, type Results } from '../../bench/report-page/report.ts';
import { measured, type Measurement, type Plot } from '../../bench/scenario.ts';
import { exampleResults } from './report-results.ts';

const ids = ['growth', 'throughput', 'percentiles', 'hash-cost', 'cpu-split'] as const;
const variants = ['wide-light', 'wide-dark', 'narrow-light', 'narrow-dark'] as const;
const plotFiles = ids.flatMap((id) => variants.map((variant) => `plots/${id}-${variant}.svg`));

const hostile = `"><script>alert('&x;')</script>\u0000\u202e]]>{a|b}`;

function textOf(files: ReadonlyMap<string, string>, name: string): string {
  const text = files.get(name);
  if (text === undefined) throw new Error(`there is no ${name}`);
  return text;
}

/** The visible text: without tags and without the pictures, whose descriptions have figures too. */
function readerText(results: Results): string {
  const page = textOf(renderReport(results), 'index.html').replace(/<(svg|style)[^]*?<\/\1>|<wbr>/g, '');
  return page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

function withMeasurement(more: Partial<Measurement>): Results {
  const facts = { name: 'made up', unit: 'users/s', reference: 'nothing' };
  return { ...exampleResults, scenarios: [{ ...measured(facts, [[2, 1]]), ...more }] };
}

function withPlots(...plots: readonly Plot[]): Results {
  return withMeasurement({ plots });
}

describe('a report', () => {
  it('has a page, the results and each picture in two widths and two colour schemes', () => {
    const files = renderReport(exampleResults);
    expect([...files.keys()].toSorted()).toEqual(['index.html', 'results.json', ...plotFiles].toSorted());
    expect(JSON.parse(textOf(files, 'results.json'))).toEqual(JSON.parse(JSON.stringify(exampleResults)));
  });

  it('is self-contained: no script, no address, nothing to load', () => {
    for (const [name, text] of renderReport(exampleResults)) {
      if (name === 'results.json') continue;
      const rest = text.replaceAll('xmlns="http://www.w3.org/2000/svg"', '');
      expect(rest).not.toMatch(/https?:\/\/|src=|@import|<script|<link|<image|<style><!|xlink|javascript:/i);
      expect([...rest.matchAll(/url\(([^)]*)\)/g)].every(([, target]) => target?.startsWith('#'))).toBe(true);
    }
  });

  it('takes what the results say for text, whatever it looks like', () => {
    const points = { number: [[1, 2]], word: [[hostile, 2]] } as const;
    const plots = ids.map((id): Plot => {
      const isOverWords = id === 'hash-cost' || id === 'cpu-split';
      return { id, series: [{ name: hostile, points: isOverWords ? points.word : points.number }] };
    });
    const facts = { name: hostile, scenario: hostile, unit: hostile, reference: hostile };
    const files = renderReport({
      machine: { ...exampleResults.machine, cpu: hostile, node: hostile },
      scenarios: [measured({ ...facts, atLeast: 3, details: { [hostile]: hostile }, plots }, [[2, 1]])],
      failed: [{ name: hostile, error: hostile }],
      about: { [hostile]: hostile },
      date: hostile,
      version: hostile,
    });
    for (const [name, text] of files) {
      if (name === 'results.json') continue;
      for (const character of ['<script', '\u0000', '\u202e']) expect(text).not.toContain(character);
    }
    expect(textOf(files, 'index.html').split('&#60;script&#62;').length).toBeGreaterThan(10);
  });

  it('may lack everything', () => {
    const files = renderReport({ machine: {}, scenarios: [] });
    expect([...files.keys()]).toEqual(['index.html', 'results.json']);
    expect(textOf(files, 'index.html')).toContain('Nothing was measured.');
    expect(textOf(files, 'index.html')).not.toMatch(/NaN|undefined|null|Infinity/);
  });
});

describe('the opening of the page', () => {
  it('has the figures of the measurements it names, each with its reference', () => {
    const text = readerText(exampleResults);
    expect(text).toContain('88,100 users imported a second from one file 1.12 times COPY of finished rows');
    expect(text).toContain('0.99 times as long for the last users as for the first');
    expect(text).toContain('0.88 of what can be done is done when too many people sign in 44.4 against 50.4');
    expect(text).not.toContain('single users imported a second');
  });

  it('names the promises that were not reached, with figures and bound', () => {
    const text = readerText(exampleResults);
    expect(text).toContain('3 of 4 promises of the project were reached; not reached:');
    expect(text).toContain(
      'storm : ratio 0.88 , promised at least 0.9 44.4 sign-ins/s, against 50.4 of capacity',
    );
  });

  it.each([
    ['below what is promised at least', { ratio: 0.899, atLeast: 0.9 }, '0 of 1'],
    ['at what is promised at least', { ratio: 0.9, atLeast: 0.9 }, '1 of 1'],
    ['at what is promised at most', { ratio: 1.3, atMost: 1.3 }, '1 of 1'],
    ['above what is promised at most', { ratio: 1.301, atMost: 1.3 }, '0 of 1'],
    ['between two bounds', { ratio: 1.1, atLeast: 0.8, atMost: 1.2 }, '1 of 1'],
    ['no number', { ratio: NaN, atLeast: 0.9 }, '0 of 1'],
    ['what JSON makes of that', { ratio: null as unknown as number, atMost: 1.3 }, '0 of 1'],
  ])('judges a ratio that is %s', (_, measurement, reached) => {
    expect(readerText(withMeasurement(measurement))).toContain(`${reached} promises`);
  });

  it('does not count what promises nothing', () => {
    expect(readerText(withMeasurement({}))).toContain('Nothing was promised of what was measured.');
  });

  it('holds no quick run against a promise', () => {
    const text = readerText({ ...exampleResults, quick: true });
    expect(text).toContain('too short and too cold for its ratios to count');
    expect(text).toContain('not judged: a quick run');
    expect(text).not.toMatch(/not reached|promises of the project/);
  });

  it.each([true, false])('names the scenarios that failed, in a quick run (%s) too', (quick) => {
    const failed = [{ name: 'soak', error: 'no PostgreSQL' }];
    expect(readerText({ ...exampleResults, quick, failed })).toContain('soak failed: no PostgreSQL');
  });
});

describe('the measurements', () => {
  it('are below their scenario, with its sentence and what was missed of it', () => {
    const text = readerText(exampleResults);
    expect(text).toMatch(/bulk A file of users as one upload\. Measured .*COPY of finished rows.*bulk-again/);
    expect(text).toContain('storm ✗ 1 not reached Everybody signs in the morning after.');
    expect(text.split('not reached Everybody')).toHaveLength(2);
  });

  it('have figure, reference, ratio, error, spread, promise and state', () => {
    const row =
      /bulk 88,100 users\/s 79,400 users\/s COPY [^0-9]* 1\.12 ±\d\.\d % 1\.11 to 1\.13 at least 1\.1 ✓ reached/;
    expect(readerText(exampleResults)).toMatch(row);
    expect(readerText(exampleResults)).toContain('0.88 0.88 to 0.88 at least 0.9 ✗ not reached');
  });

  it('of older results, which name no scenario, are all there', () => {
    const without = (key: string, value: unknown) => (key === 'scenario' ? undefined : value);
    const older = parseResults(JSON.stringify({ ...exampleResults, about: undefined }, without));
    const text = readerText(older);
    for (const { name } of exampleResults.scenarios) expect(text).toContain(name);
  });
});

describe('a picture', () => {
  /** The description for readers who cannot see it: the range of each series. */
  const describe = (id: Plot['id'], ...plots: Plot[]) =>
    /<desc[^>]*>([^<]+)</.exec(textOf(renderReport(withPlots(...plots)), `plots/${id}-wide-light.svg`))?.[1];
  const labels = (id: Plot['id'], ...plots: Plot[]) => {
    const svg = textOf(renderReport(withPlots(...plots)), `plots/${id}-wide-light.svg`);
    return [...svg.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text);
  };

  it('puts the bars of a process together, wherever they were measured', () => {
    const bar = (scenario: string, y: number): Plot => {
      return { id: 'cpu-split', series: [{ name: 'client', points: [[scenario, y]] }] };
    };
    expect(describe('cpu-split', bar('bulk', 3), bar('sign-in', 4))).toContain('client: 3 to 4 µs');
  });

  it('never joins curves of one name, and shows a curve that was given twice once', () => {
    const curve = (y: number): Plot => ({ id: 'growth', series: [{ name: 'bulk', points: [[1, y]] }] });
    const text = describe('growth', curve(3), curve(3), curve(4));
    expect(text).toContain('bulk: 3 users/s; bulk (2): 4 users/s.');
  });

  it('has the unit of each curve, and what happened', () => {
    const [name, unit, points] = ['storm', 'sign-ins/s', [[0, 40] as const, [80, 20] as const]] as const;
    const storm: Plot = { id: 'throughput', series: [{ name, unit, points, marks: [[60, 'calm']] }] };
    expect(labels('throughput', storm)).toEqual(expect.arrayContaining(['storm, sign-ins/s', 'calm']));
    expect(describe('throughput', storm)).toContain('storm: 20 to 40 sign-ins/s');
  });

  it('has the figures of the median and of the slowest request, and shares of CPU', () => {
    const points = [
      [50, 3],
      [99, 40],
      [100, 90],
    ] as const;
    const shown = labels('percentiles', { id: 'percentiles', series: [{ name: 'sign-in', points }] });
    expect(shown).toEqual(expect.arrayContaining(['sign-in', '3 ms', '90 ms', '99 %', 'the slowest']));
    expect(shown).not.toContain('99.9 %');
    const split = ['core', 'client'].map((name, n) => ({ name, points: [['bulk', 3 - 2 * n] as const] }));
    const shares = labels('cpu-split', { id: 'cpu-split', series: split });
    expect(shares).toEqual(expect.arrayContaining(['75 %', '25 %', '4 µs']));
  });
  it('are also of small shares, without the sign where there is no room for it', () => {
    const parts = [900, 80, 20].map((y, n) => ({ name: `part ${n}`, points: [['bulk', y]] as const }));
    const plots = withPlots({ id: 'cpu-split', series: parts });
    const textsOf = (variant: string): string[] => {
      const svg = textOf(renderReport(plots), `plots/cpu-split-${variant}.svg`);
      return [...svg.matchAll(/<text[^>]*>([^<]+)<\/text>/g)].map(([, text = '']) => text);
    };
    expect(textsOf('wide-light')).toEqual(expect.arrayContaining(['90 %', '8 %', '2']));
    expect(textsOf('narrow-light')).toEqual(expect.arrayContaining(['90 %', '8']));
  });

  it.each(ids)('draws what little there is of %s: one number, none, zero, what JSON makes of NaN', (id) => {
    const x = id === 'hash-cost' || id === 'cpu-split' ? 'bcrypt' : 100;
    for (const points of [[[x, 5]], [[x, 0]], [[x, null as unknown as number]], []] as const) {
      const files = renderReport(withPlots({ id, series: [{ name: 'one', points }] }));
      for (const text of files.values()) expect(text).not.toMatch(/NaN|Infinity|undefined/);
    }
  });
});

describe('results in a file', () => {
  const folders: string[] = [];
  async function folder(): Promise<string> {
    const made = await mkdtemp(path.join(os.tmpdir(), 'carryover-report-'));
    folders.push(made);
    return made;
  }
  afterEach(async () => {
    for (const made of folders.splice(0)) await rm(made, { recursive: true });
  });

  it('are written as a report, and pictures of an earlier one do not outlive it', async () => {
    const made = await folder();
    expect(await writeReport(exampleResults, made)).toBe(path.join(made, 'index.html'));
    expect(await readdir(path.join(made, 'plots'))).toHaveLength(plotFiles.length);
    await writeFile(path.join(made, 'plots', 'mine.svg'), 'kept');
    await writeReport({ ...exampleResults, scenarios: [] }, made);
    expect(await readdir(path.join(made, 'plots'))).toEqual(['mine.svg']);
  });

  it('are read back as they were', async () => {
    const made = await folder();
    await writeReport(exampleResults, made);
    const again = parseResults(await readFile(path.join(made, 'results.json'), 'utf8'));
    expect(renderReport(again)).toEqual(renderReport(exampleResults));
  });

  it.each(['null', '[]', '{}', '{"machine":{}}'])('are refused when they are %s', (text) => {
    expect(() => parseResults(text)).toThrow('no results');
  });
});
