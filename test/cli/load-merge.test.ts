/** `carryover load merge`: what two machines have measured on a real core, together and changed. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomFractions } from '../../src/load/random.ts';
import { Histogram } from '../../src/load/histogram.ts';
import { percentilesOf, sumOf, Tally } from '../../src/load/tally.ts';
import type { Second } from '../../src/cli/load/course.ts';
import type { Measured } from '../../src/cli/load/measure.ts';
import type { Asked } from '../../src/cli/load/report/asked.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { startTestCore, testApiKey, type TestCore } from '../helpers/core.ts';

interface View extends Asked {
  readonly type: string;
  readonly status: string;
  readonly version: string;
  readonly app?: string;
  readonly result: Measured;
  readonly course: readonly Second[];
  readonly filled: { readonly users: number };
  readonly verdict: { readonly sentence: string };
  readonly machines?: readonly { readonly file: string; readonly app: string }[];
}

interface Refused {
  readonly command: string;
  readonly code: string;
  readonly field: string;
  readonly message: string;
}

/** Time to make and fill the apps, ms. */
const untilBeginMs = 15_000;

let core: TestCore;
let place: Place;
let parts: readonly [View, View];

beforeAll(async () => {
  core = await startTestCore();
  place = await makePlace();
  const at = new Date(Date.now() + untilBeginMs).toISOString().replace(/\.\d+/, '');
  const load = ['load', core.url, '--yes', '--json', '--made-up', '20', '--mix', 'steady'];
  const how = ['--rate', '12/s', '--for', '3s', '--at', at];
  const ended = await Promise.all(
    ['1/2', '2/2'].map((share) =>
      place.run([...load, ...how, '--share', share], { environment: { CARRYOVER_API_KEY: testApiKey } }),
    ),
  );
  const [first, second] = ended.map(({ code, stdout, stderr }) => {
    expect(code, stderr).toBe(0);
    return JSON.parse(stdout) as View;
  });
  if (first === undefined || second === undefined) throw new Error('two parts were sent');
  parts = [first, second];
});
afterAll(async () => {
  await place.remove();
  await core.stop();
});

async function merge(all: readonly object[], ...args: readonly string[]) {
  const files = all.map((_, n) => `${n + 1}.json`);
  for (const [n, part] of all.entries()) await place.write(files[n] ?? '', JSON.stringify(part));
  return place.run(['load', 'merge', ...files, ...args]);
}

describe('the results of two machines', () => {
  it('are one result: what was sent, how long all of it took, the cores once, and one verdict', async () => {
    const { code, stdout, stderr } = await merge([parts[1], parts[0]], '--json');
    expect([code, stderr]).toEqual([0, '']);
    const all = JSON.parse(stdout) as View;
    const [one, two] = parts;
    expect(all).toMatchObject({
      type: 'load merge',
      asked: { rate: 12, share: { part: 1, of: 1 } },
      filled: { users: 40 },
      machines: [
        { file: '2.json', app: one.app },
        { file: '1.json', app: two.app },
      ],
    });
    expect(all.result.rate).toBeCloseTo(12);
    expect(all.result.arrived).toBe(one.result.arrived + two.result.arrived);
    expect(all.result.outcomes.OK).toBe((one.result.outcomes.OK ?? 0) + (two.result.outcomes.OK ?? 0));
    expect(all.result.latencyMs.max).toBe(Math.max(one.result.latencyMs.max, two.result.latencyMs.max));
    expect(all.result.cores).toMatchObject([{ id: one.result.cores[0]?.id, name: 'core 1' }]);
    const ended = (view: View) => view.course.reduce((sum, { ok }) => sum + ok, 0);
    expect(ended(all)).toBe(ended(one) + ended(two));
    expect(all.verdict.sentence).toMatch(/^(Bears it|Does not bear it): /);
  });

  it('are reported and written as a page like a single one, with a row for each machine', async () => {
    const { code, stdout, stderr } = await merge(parts, '--page', 'all.html', '--fail-if', 'p50 > 0 ms');
    expect([code, stderr]).toEqual([1, 'The page is all.html\n']);
    expect(stdout).toMatch(/ {2}12\/s for 3 s, sent by 2 machines\n {2}40 users in 2 apps \(made up: /);
    expect(stdout).toMatch(
      /\nVerdict: [^]*\nCores\n {2}core [^]*\nMachines\n {2}machine +visits[^]*\n {2}1\/2 [^]*\n {2}2\/2 /,
    );
    expect(stdout).toContain('CROSSED  p50 > 0 ms');
    expect(await place.read('all.html')).toMatch(
      /^<!doctype html>[^]*<h2>Cores and machines<\/h2>[^]*>2\/2<\/th>/,
    );
  });
});

describe('what is not the parts of one load is refused', () => {
  const refused = async (...all: readonly object[]): Promise<Refused> => {
    const { code, stdout } = await merge(all, '--json');
    const view = JSON.parse(stdout) as Refused;
    expect([code, view.command]).toEqual([2, 'load merge']);
    return view;
  };
  const withAsked = (part: View, asked: Partial<Asked['asked']>): View => ({
    ...part,
    asked: { ...part.asked, ...asked },
  });

  it('a part that is missing, or given twice', async () => {
    const [one, two] = parts;
    expect((await refused(two)).message).toMatch(/1\/2 is missing: give the results of all 2 machines/);
    expect(await refused(one, two, two)).toMatchObject({
      code: 'PART_TWICE',
      field: '3.json',
      message: '2.json and 3.json are both part 2/2: give the result of each machine once',
    });
  });

  it.each<[string, (part: View) => object, RegExp]>([
    ['another beginning', (part) => withAsked(part, { at: '2026-01-01T00:00:00.000Z' }), /differ in --at\./],
    ['another rate', (part) => withAsked(part, { rate: 13 }), /differ in --rate\./],
    [
      'another mix, and another core',
      (part) => ({ ...part, mix: { ...part.mix, name: 'mine' }, url: 'http://other' }),
      /2\.json and 1\.json are not parts of one load: they differ in core, --mix\. Give/,
    ],
    ['other people', (part) => ({ ...part, people: { ...part.people, users: 21 } }), /differ in --people\./],
    [
      'another version',
      (part) => ({ ...part, version: '9.9.9' }),
      /2\.json was written by version 9\.9\.9, 1\.json by .*: send the load again from all machines/,
    ],
    [
      'a whole load',
      (part) => withAsked(part, { share: { part: 1, of: 1 } }),
      /2\.json: is the whole result of a load already/,
    ],
    ['no beginning', (part) => withAsked(part, { at: undefined }), /without --rate and --at: send/],
    [
      'a load that failed',
      () => ({ type: 'load', status: 'ERROR', code: 'NO_CORE' }),
      /failed \(NO_CORE\): send the load again/,
    ],
    ['the result of another command', () => ({ type: 'plan' }), /is not the result of a load: give files/],
    [
      'a damaged one',
      (part) => ({ ...part, result: { ...part.result, times: [[1]] } }),
      /is a damaged result, or one of another version/,
    ],
  ])('%s', async (_, changed, message) => {
    const found = await refused(parts[0], changed(parts[1]));
    expect(found.message).toMatch(message);
    expect(found.field).toBe('2.json');
  });

  it('a file that is absent, or is no JSON', async () => {
    const absent = await place.run(['load', 'merge', 'none.json']);
    expect([absent.code, absent.stderr]).toEqual([2, 'none.json: there is no such file\n']);
    await place.write('half.json', JSON.stringify(parts[0]).slice(0, 200));
    expect((await place.run(['load', 'merge', 'half.json'])).stderr).toMatch(/is not the result of a load/);
  });
});

describe('latencies', () => {
  const random = randomFractions(7);
  const all = Array.from({ length: 20_000 }, () => 0.2 * Math.exp(8 * random()));

  it('of several machines have the percentiles of all visits together', () => {
    const machines = [new Tally(), new Tally(), new Tally()];
    const one = new Tally();
    for (const [n, ms] of all.entries()) {
      machines[n % 3]?.add('OK', ms);
      one.add('OK', ms);
    }
    machines[1]?.add('503', 1);
    one.add('503', 1);
    expect(sumOf(machines.map((each) => each.timed()))).toEqual(one.timed());
  });

  it('are counted to three digits, up to an hour', () => {
    const histogram = new Histogram();
    for (const ms of all) histogram.record(ms);
    const sorted = all.toSorted((a, b) => a - b);
    const { p50, p99, max } = percentilesOf(Histogram.of(histogram.times()));
    for (const [found, rank] of [
      [p50, 10_000],
      [p99, 19_800],
      [max, 20_000],
    ] as const)
      expect(Math.abs(found / (sorted[rank - 1] ?? NaN) - 1)).toBeLessThan(0.001);
  });
});
