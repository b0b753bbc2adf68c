import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { init } from 'echarts';
import { afterEach, describe, expect, it } from 'vitest';
import { parseResults, renderReport, writeReport, type Results } from '../../bench/report-page/report.ts';
import { measured, type Plot } from '../../bench/scenario.ts';
import { exampleResults } from './report-results.ts';

const ids = ['throughput', 'percentiles', 'growth', 'hash-cost', 'cpu-split'] as const;
const variants = ['wide-light', 'wide-dark', 'narrow-light', 'narrow-dark'] as const;
const plotFiles = ids.flatMap((id) => variants.map((variant) => `plots/${id}-${variant}.svg`));

const hostile = `"><script>alert('&x;')</script>\u0000\u202e]]>{a|b}`;

function textOf(files: ReadonlyMap<string, string>, name: string): string {
  const text = files.get(name);
  if (text === undefined) throw new Error(`there is no ${name}`);
  return text;
}

function pageOf(results: Results): string {
  return textOf(renderReport(results), 'index.html');
}

function withPlots(...plots: readonly Plot[]): Results {
  const facts = { name: 'made up', unit: 'users/s', reference: 'nothing' };
  return { ...exampleResults, scenarios: [measured({ ...facts, plots }, [[2, 1]])] };
}

/** Where a text breaks a rule of XML; nothing when it is well formed. */
function faultOf(xml: string): string | undefined {
  const open: string[] = [];
  const parts = xml.trim().split(/(<(?:[^"'<>]|"[^"<]*"|'[^'<]*')*>)/);
  for (const [n, part] of parts.entries()) {
    const fault = n % 2 === 0 ? faultOfText(part) : faultOfTag(part, open);
    if (fault !== undefined) return fault;
  }
  return open.length > 0 ? `<${open.join('><')}> stays open` : undefined;
}

function faultOfText(text: string): string | undefined {
  return /^(?:[^<>&\p{Cc}]|\n|&(?:#\d+|lt|gt|amp|quot|apos);)*$/u.test(text) ? undefined : `no text: ${text}`;
}

/** @param open the elements around it, which it opens or closes */
function faultOfTag(tag: string, open: string[]): string | undefined {
  const closes = /^<\/([a-zA-Z]+)\s*>$/.exec(tag)?.[1];
  if (closes !== undefined) return open.pop() === closes ? undefined : `${tag} closes another`;
  const [, name, attributes = '', end] = /^<([a-zA-Z]+)((?:\s+[\w:-]+="[^"]*")*)\s*(\/?)>$/.exec(tag) ?? [];
  if (name === undefined) return `no tag: ${tag}`;
  if (end === '') open.push(name);
  const names = [...attributes.matchAll(/([\w:-]+)="/g)].map(([, attribute]) => attribute);
  return new Set(names).size < names.length ? `an attribute twice: ${tag}` : undefined;
}

describe('a report', () => {
  it('has a page, the results and each picture in two widths and two colour schemes', () => {
    const files = renderReport(exampleResults);
    expect([...files.keys()].toSorted()).toEqual(['index.html', 'results.json', ...plotFiles].toSorted());
    const page = textOf(files, 'index.html');
    for (const variant of variants)
      expect(page.split(`<svg class="${variant.replace('-', ' ')}"`)).toHaveLength(ids.length + 1);
    expect(JSON.parse(textOf(files, 'results.json'))).toEqual(JSON.parse(JSON.stringify(exampleResults)));
  });

  it('is the same for the same results, whatever was drawn before', () => {
    const first = renderReport(exampleResults);
    init(null, null, { renderer: 'svg', ssr: true, width: 10, height: 10 }).dispose();
    expect(renderReport(structuredClone(exampleResults))).toEqual(first);
  });

  it('asks nothing of anybody: no script, no address, nothing to load', () => {
    const files = renderReport(exampleResults);
    for (const [name, text] of files) {
      if (name === 'results.json') continue;
      const rest = text.replaceAll('xmlns="http://www.w3.org/2000/svg"', '');
      expect(rest).not.toMatch(/https?:\/\/|src=|@import|<script|<link|<image|<style><!|xlink|javascript:/i);
      expect([...rest.matchAll(/url\(([^)]*)\)/g)].every(([, target]) => target?.startsWith('#'))).toBe(true);
    }
  });

  it('has pictures that are well-formed XML and say in words what they show', () => {
    const files = renderReport(exampleResults);
    for (const name of plotFiles) {
      const svg = textOf(files, name);
      expect(faultOf(svg)).toBeUndefined();
      expect(svg).toMatch(/<title id="([\w-]+)-title">[^<]+<\/title>\s*<desc id="\1-desc">[^<]+<\/desc>/);
    }
    expect(textOf(files, 'plots/growth-wide-light.svg')).toMatch(/bulk: [\d,]+ to [\d,]+ users\/s/);
  });

  it('has no id twice, and none that is meant but missing', () => {
    const page = pageOf(exampleResults);
    const present = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(present.length).toBeGreaterThan(ids.length * variants.length * 2);
    expect(new Set(present).size).toBe(present.length);
    const meant = [...page.matchAll(/url\(#([^)]+)\)|aria-labelledby="([^"]+)"/g)];
    expect(present).toEqual(
      expect.arrayContaining(meant.flatMap(([, one, some]) => one ?? some?.split(' ') ?? [])),
    );
  });

  it('has no text below 11 px at the width it is shown at', () => {
    // A phone of 320 px leaves the narrow picture 288, a window of 840 the wide one 800.
    for (const [name, text] of renderReport(exampleResults)) {
      if (!name.endsWith('.svg')) continue;
      const sizes = [...text.matchAll(/font-size:([\d.]+)px/g)].map(([, size]) => Number(size));
      expect(sizes.length).toBeGreaterThan(0);
      const shown = name.includes('wide') ? 800 / 880 : 288 / 340;
      expect(Math.min(...sizes) * shown).toBeGreaterThanOrEqual(11);
    }
  });
});

describe('what the results say', () => {
  it('is text, whatever it looks like', () => {
    const points = [
      [1, 2],
      [2, 3],
    ] as const;
    const words = [[hostile, 2]] as const;
    const measurement = measured(
      {
        name: hostile,
        unit: hostile,
        reference: hostile,
        atLeast: 1,
        details: { [hostile]: { [hostile]: hostile } },
        plots: ids.map((id) => ({
          id,
          series: [{ name: hostile, points: id === 'hash-cost' || id === 'cpu-split' ? words : points }],
        })),
      },
      [[2, 1]],
    );
    const files = renderReport({
      machine: { ...exampleResults.machine, cpu: hostile, node: hostile },
      scenarios: [measurement],
      failed: [{ name: hostile, error: hostile }],
      date: hostile,
      version: hostile,
    });
    for (const name of plotFiles) expect(faultOf(textOf(files, name))).toBeUndefined();
    const page = textOf(files, 'index.html');
    for (const character of ['<script', '\u0000', '\u202e']) expect(page).not.toContain(character);
    expect(page.split('&#60;script&#62;').length).toBeGreaterThan(10);
  });

  it('stands in the table: figure, reference, ratio, spread, and the promise in words', () => {
    const page = pageOf(exampleResults);
    expect(page).toContain('415,000');
    expect(page).toContain('COPY of finished rows, one connection');
    expect(page).toContain('0.87 to 1.10');
    expect(page).toMatch(/at most <span class="number">1\.3<\/span>[^]*?✓<\/span> reached/);
    expect(page).toMatch(/at least <span class="number">1<\/span>[^]*?✗<\/span> not reached/);
    expect(page).toMatch(/12 of 13<\/span> promises/);
  });

  it('is not held against promises in a quick run', () => {
    const page = pageOf({ ...exampleResults, quick: true });
    expect(page).toContain('not judged: a quick run');
    expect(page).not.toMatch(/not reached|promises of the project/);
  });

  it('may lack everything: pictures without data are left out with a sentence', () => {
    const files = renderReport({ machine: {}, scenarios: [] });
    expect([...files.keys()]).toEqual(['index.html', 'results.json']);
    const page = textOf(files, 'index.html');
    expect(page.split('No scenario of this run measured it.')).toHaveLength(ids.length + 1);
    expect(page).toContain('Nothing was measured.');
    expect(page).not.toMatch(/NaN|undefined|null|Infinity/);
  });

  it.each(ids)(
    'draws what little there is of %s: one number, none, zero, and what JSON makes of NaN',
    (id) => {
      const x = id === 'hash-cost' || id === 'cpu-split' ? 'bcrypt' : 100;
      for (const points of [
        [[x, 5]],
        [[x, 0]],
        [
          [x, 5],
          [x, 5],
        ],
        [[x, null as unknown as number]],
        [],
      ] as const) {
        const files = renderReport(withPlots({ id, series: [{ name: 'one', points }] }));
        for (const text of files.values()) expect(text).not.toMatch(/NaN|Infinity|undefined/);
      }
    },
  );

  it('puts the bars of a process together, wherever they were measured, and keeps curves apart', () => {
    const bars = renderReport(
      withPlots(
        { id: 'cpu-split', series: [{ name: 'client', points: [['bulk', 3]] }] },
        { id: 'cpu-split', series: [{ name: 'client', points: [['sign-in', 4]] }] },
      ),
    );
    expect(textOf(bars, 'plots/cpu-split-wide-light.svg')).toContain('client: 3 to 4 µs');
    const curves = renderReport(
      withPlots(
        { id: 'growth', series: [{ name: 'bulk', points: [[1, 3]] }] },
        { id: 'growth', series: [{ name: 'bulk', points: [[1, 3]] }] },
        { id: 'growth', series: [{ name: 'bulk', points: [[1, 4]] }] },
      ),
    );
    expect(textOf(curves, 'plots/growth-wide-light.svg')).toContain('bulk: 3 users/s; bulk (2): 4 users/s.');
  });

  it('has a place for the slowest request beside percentiles', () => {
    const series = [
      {
        name: 'sign-in',
        points: [
          [50, 3],
          [99.99, 40],
          [100, 90],
        ] as const,
      },
    ];
    const svg = textOf(
      renderReport(withPlots({ id: 'percentiles', series })),
      'plots/percentiles-wide-light.svg',
    );
    const texts = [...svg.matchAll(/<text[^>]*>([^<]+)</g)].map(([, text]) => text);
    expect(texts).toEqual(expect.arrayContaining(['50', '90', '99', '99.9', '99.99', 'max']));
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
    expect(pageOf(again)).toBe(pageOf(exampleResults));
  });

  it.each(['null', '[]', '{}', '{"machine":{}}'])('are refused when they are %s', (text) => {
    expect(() => parseResults(text)).toThrow('no results');
  });
});
