import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bench } from '../../bench/bench.ts';
import { durationsIn } from '../../bench/durations.ts';
import type { BenchOptions, Scenario } from '../../bench/scenario.ts';
import { benchContext, half, machine, scenario } from '../helpers/bench.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const good = scenario('good', () => Promise.resolve([half('good', { atLeast: 0.4 })]));
const poor = scenario('poor', () => Promise.resolve([half('poor', { atLeast: 0.9 }), half('second')]));
const slow = scenario('slow', () => Promise.resolve([half('slow', { atMost: 0.4 })]));
const loose = scenario('loose', () => Promise.resolve([half('loose', { atMost: 2, error: 0.0312 })]));
const broken = scenario('broken', () => Promise.reject(new Error('no PostgreSQL')));

async function run(scenarios: readonly Scenario[], ...argv: string[]) {
  const { context, lines, reports, kept } = benchContext(scenarios, argv);
  return { code: await bench(context), text: lines.join('\n'), reports, kept };
}

describe('a run', () => {
  it('prints the machine, each measurement with its reference, and how long all took', async () => {
    const { code, text } = await run([good, poor]);
    expect(code).toBe(0);
    expect(text).toContain('some CPU, 2 cores, 4 GiB, Node v22\nPostgreSQL 18.4, fsync on, 1000 fsyncs/s');
    expect(text).toContain('good: about good');
    expect(text).toContain('good: ratio 0.50 (0.50 to 0.50, promised 0.4); 10 users/s, another 20');
    expect(text).toMatch(/\n\d+\.\d s in all\n/);
  });

  it('gives a scenario its options, and indents what it says', async () => {
    let given: BenchOptions | undefined;
    const telling = scenario('telling', (options) => {
      given = options;
      options.say('round 1');
      return Promise.resolve([]);
    });
    const { text } = await run([telling], '--quick');
    expect(given).toMatchObject({ quick: true, signal: { aborted: false } });
    expect(text).toContain('\n  round 1\n');
  });

  it('is kept for the page of figures when that is asked for', async () => {
    expect((await run([good])).kept).toEqual([]);
    const { kept, text } = await run([good], '--keep');
    expect(kept).toMatchObject([{ machine, scenarios: [{ name: 'good' }] }]);
    expect(text).toContain('kept for docs/measured.md');
  });

  it('is of the named scenarios, in their own order', async () => {
    const { text } = await run([good, poor, slow], 'slow', 'good');
    expect(text.match(/about \w+/g)).toEqual(['about good', 'about slow']);
  });

  it('goes on after a scenario that throws, and fails at the end', async () => {
    const { code, text, reports } = await run([broken, good]);
    expect(code).toBe(1);
    expect(text).toContain('FAILED: Error: no PostgreSQL');
    expect(text).toContain('good: ratio 0.50');
    expect(reports).toEqual([]);
  });
});

describe('the time that scenarios take', () => {
  const last = { full: { good: 200, poor: 1e-9 }, quick: { good: 3 } };
  const runWith = async (scenarios: readonly Scenario[], ...argv: string[]) => {
    const { context, lines, noted } = benchContext(scenarios, argv, last);
    return { code: await bench(context), text: lines.join('\n'), noted };
  };

  it('is said before anything runs, of each and of all, by the last runs of the same size', async () => {
    const { text } = await runWith([good, slow]);
    expect(text).toMatch(
      /^ {2}good {2}3 min 20 s\n {2}slow {2}not measured yet\n3 min 20 s in all, by their last runs; 1 not measured yet\n\nsome CPU/,
    );
    expect((await runWith([good], '--quick')).text).toMatch(
      /^ {2}good {2}3 s\n3 s in all, by their last runs\n/,
    );
    expect((await runWith([slow])).text).toMatch(/^ {2}slow {2}not measured yet\n1 not measured yet\n/);
  });

  it('is listed for whole and quick runs', async () => {
    const { text } = await runWith([good, slow], '--list');
    expect(text.split('\n').map((line) => line.split(/ {2,}/))).toEqual([
      ['', 'full', '--quick'],
      ['', 'good', '3 min 20 s', '3 s', 'about good'],
      ['', 'slow', 'not measured yet', 'not measured yet', 'about slow'],
    ]);
  });

  it('is reported if it was much longer than was said, and limits the rounds', async () => {
    const ends: (number | undefined)[] = [];
    const telling = scenario('good', ({ endBy }) => {
      ends.push(endBy);
      return Promise.resolve([]);
    });
    const { text } = await runWith([telling, poor, { ...telling, name: 'new' }]);
    expect(text).toMatch(/about poor\n[^]*\n {2}\d+\.\d s: \d+\.\d times the 0 s that were said\n/);
    expect(text).toMatch(/about good\n {2}\d+\.\d s\n/);
    expect(ends).toEqual([expect.any(Number), undefined]);
  });

  it('is stored of what did not fail, for the next run', async () => {
    const { noted } = await runWith([broken, good], '--quick');
    expect(noted).toEqual([['quick', { good: expect.any(Number) as number }]]);
    const store = durationsIn(path.join(folder, 'some/durations.json'), { good: 7, slow: 9 });
    expect(await store.read()).toEqual({ full: { good: 7, slow: 9 }, quick: {} });
    await store.note('full', { good: 8 });
    await store.note('quick', { good: 1 });
    await store.note('full', { poor: 2 });
    expect(await store.read()).toEqual({ full: { good: 8, poor: 2, slow: 9 }, quick: { good: 1 } });
  });
});

describe('a promise', () => {
  const short = 'promised 0.9: NOT REACHED';
  const loosely = 'ratio 0.50 ±3.1 % (0.50 to 0.50, promised at most 2);';

  it.each([
    { what: 'is told as not reached', of: poor, argv: [], code: 0, text: short },
    { what: 'may ask for less', of: slow, argv: [], code: 0, text: 'promised at most 0.4: NOT REACHED' },
    { what: 'stands behind what is known of the ratio', of: loose, argv: [], code: 0, text: loosely },
    { what: 'that is not kept fails a strict run', of: poor, argv: ['--strict'], code: 1, text: short },
    { what: 'that is kept does not', of: good, argv: ['--strict'], code: 0, text: 'promised 0.4)' },
    {
      what: 'is not held against a quick run',
      of: poor,
      argv: ['--strict', '--quick'],
      code: 0,
      text: 'ratio 0.50 (0.50 to 0.50);',
    },
  ])('$what', async ({ of, argv, code, text }) => {
    const result = await run([of], ...argv);
    expect(result.code).toBe(code);
    expect(result.text).toContain(text);
  });
});

describe('--json', () => {
  const written = async (scenarios: readonly Scenario[], ...argv: string[]) => {
    const file = path.join(folder, 'results.json');
    const { text } = await run(scenarios, ...argv, '--json', file);
    expect(text).toContain(`written to ${file}`);
    return JSON.parse(await readFile(file, 'utf8')) as unknown;
  };

  it('holds machine and scenarios, and nothing else of a full run', async () => {
    expect(await written([good, poor])).toEqual({
      machine,
      about: { good: 'about good', poor: 'about poor' },
      took: { good: expect.any(Number) as number, poor: expect.any(Number) as number },
      scenarios: [
        {
          name: 'good',
          scenario: 'good',
          unit: 'users/s',
          reference: 'another',
          atLeast: 0.4,
          value: 10,
          referenceValue: 20,
          ratio: 0.5,
          spread: [0.5, 0.5],
        },
        expect.objectContaining({ name: 'poor' }),
        expect.objectContaining({ name: 'second', scenario: 'poor' }),
      ],
    });
  });

  it('says what failed, and that a run was quick', async () => {
    expect(await written([broken, good], '--quick')).toEqual({
      machine,
      about: { broken: 'about broken', good: 'about good' },
      quick: true,
      took: { good: expect.any(Number) as number },
      failed: [{ name: 'broken', error: 'no PostgreSQL' }],
      scenarios: [expect.objectContaining({ name: 'good' })],
    });
  });
});

describe('--earlier', () => {
  /** The file of a run in which `good` had this ratio. */
  const earlier = async (ratio: number, cpu = machine.cpu) => {
    const file = path.join(folder, `earlier-${ratio}.json`);
    const scenarios = [{ ...half('good'), ratio }, half('gone')];
    await writeFile(file, JSON.stringify({ machine: { ...machine, cpu }, scenarios }));
    return file;
  };

  it.each([0.455, 0.5, 0.549])('is agreed with from a ratio of %f', async (ratio) => {
    const { code, text } = await run([good, loose], '--strict', '--earlier', await earlier(ratio));
    expect(code).toBe(0);
    expect(text).toMatch(/1 of 1 ratios within 10 % of the earlier run's$/);
  });

  it.each([
    [0.454, 'good: 0.500, earlier 0.454: 1.10 of it'],
    [0.551, 'good: 0.500, earlier 0.551: 0.91 of it'],
  ])('is not from %f, which a strict run fails for', async (ratio, line) => {
    const file = await earlier(ratio);
    const { code, text } = await run([good], '--earlier', file);
    expect(code).toBe(0);
    expect(text).toContain(`0 of 1 ratios within 10 % of the earlier run's\n  ${line}`);
    expect((await run([good], '--strict', '--earlier', file)).code).toBe(1);
    expect((await run([good], '--strict', '--quick', '--earlier', file)).code).toBe(0);
  });

  it('was on another processor, then that is said', async () => {
    const { text } = await run([good], '--earlier', await earlier(0.5, 'another CPU'));
    expect(text).toMatch(/earlier run's, which was on another processor \(another CPU\)$/);
  });

  it.each([
    ['is not there', undefined, 'ENOENT'],
    ['is no JSON', '{', 'is none'],
    ['is of something else', '{"scenarios": 3}', 'is none'],
  ])('that %s is refused before anything runs', async (_, content, message) => {
    const file = path.join(folder, 'wrong.json');
    await rm(file, { force: true });
    if (content !== undefined) await writeFile(file, content);
    const { code, text } = await run([good], '--earlier', file);
    expect(code).toBe(2);
    expect(text).toContain('--earlier takes a file that --json wrote');
    expect(text).toContain(message);
    expect(text).not.toContain('ratio 0.50');
  });
});

describe('the report', () => {
  it.each([
    ['of all goes to its place', [], ['/reports']],
    ['of a quick run goes to a place of its own', ['--quick'], ['/reports/quick']],
    ['goes to a folder that is named', ['--quick', '--report', '/mine'], ['/mine']],
    ['of some is not written', ['good'], []],
    ['of some is written where that is asked for', ['good', '--report', '/mine'], ['/mine']],
  ])('%s', async (_, argv, folders) => {
    const { reports, text } = await run([good, poor], ...argv);
    expect(reports.map(([, to]) => to)).toEqual(folders);
    for (const to of folders) expect(text).toContain(`the report is ${to}/index.html`);
  });

  it('is of what was found', async () => {
    const { reports } = await run([good, poor], 'good', '--report', '/mine');
    expect(reports).toEqual([
      [
        {
          machine,
          about: { good: 'about good' },
          took: { good: expect.any(Number) as number },
          scenarios: [{ ...half('good', { atLeast: 0.4 }), scenario: 'good' }],
        },
        '/mine',
      ],
    ]);
  });
});

describe('the real command', () => {
  it('lists its scenarios, each with a name of its own', async () => {
    const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--list']);
    const names = [...stdout.matchAll(/^ {2}(\S+) {2,}\S/gm)].map(([, name]) => name);
    expect(names).toEqual(expect.arrayContaining(['micro', 'bulk', 'import-http', 'mixed']));
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('what is not run', () => {
  it.each([
    ['--help', 'npm run bench -- --against <git ref>'],
    ['--list', '  broken  not measured yet  not measured yet  about broken'],
  ])('%s only prints', async (option, part) => {
    const { code, text } = await run([good, broken], option);
    expect(code).toBe(0);
    expect(text).toContain(part);
    expect(text).not.toContain('FAILED');
  });

  it('a scenario that there is not is a mistake of usage, as it has always been', async () => {
    const { code, text } = await run([good], 'nonsense');
    expect(code).toBe(2);
    expect(text).toMatch(/^There is no scenario 'nonsense'\.\n\nnpm run bench/);
  });
});
