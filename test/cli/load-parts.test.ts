/** The parts of a load that need no core: plain arithmetic, and files. */
import { describe, expect, it } from 'vitest';
import { isGuest, newAppName } from '../../src/cli/load/app/guest.ts';
import { scrapeOf, valueOf } from '../../src/cli/load/cores/exposition.ts';
import type { CoreUse } from '../../src/cli/load/cores/watch.ts';
import { phasesOf } from '../../src/cli/load/course.ts';
import { findKnee } from '../../src/cli/load/knee.ts';
import { checkLimit, parseLimit } from '../../src/cli/load/limits.ts';
import type { Measured } from '../../src/cli/load/measure.ts';
import { yamlOf } from '../../src/cli/load/yaml.ts';
import { mixOf } from '../../src/cli/load/mixes/from-file.ts';
import { mixes, visitsOf } from '../../src/cli/load/mixes/mix.ts';
import { Sessions } from '../../src/cli/load/mixes/sessions.ts';
import { requireRoom, roomFor } from '../../src/cli/load/preflight.ts';
import { judge } from '../../src/cli/load/verdict.ts';

const latencyMs = { p50: 20, p75: 30, p90: 40, p95: 50, p99: 60, p999: 70, max: 80 };

function measured(given: Partial<Measured> = {}): Measured {
  return {
    outcomes: { OK: 990, '503 OVERLOADED': 10 },
    latencyMs,
    inTime: 1,
    times: [],
    rate: 100,
    seconds: 10,
    arrived: 1000,
    perSecond: 99,
    refused: 0.01,
    attempts: 1000,
    retries: 0,
    turnedAway: 10,
    refusalMs: undefined,
    refusalTimes: [],
    behindMs: { p99: 1, max: 2 },
    behindTimes: [],
    actions: { refresh: { outcomes: { OK: 10 }, latencyMs, inTime: 1, times: [] } },
    course: [],
    client: { cpuSeconds: 1, cpuShare: 0.1, lagMs: 1 },
    clientLimits: [],
    cores: [],
    isCutShort: false,
    broken: [],
    ...given,
  };
}

const core: CoreUse = {
  id: 'a1',
  name: 'core 1',
  threads: 2,
  threadsBusy: 0.2,
  threadsMost: 0.5,
  waiting: 0,
  hashingMb: 10,
  hashingBudgetMb: 1024,
  batchMs: 5,
  backlog: 1,
  lagMs: 12,
  cpu: 0.5,
  memoryMb: 200,
  refused: 0,
};

describe('the search for the knee', () => {
  /** A deployment that bears each rate up to an end. */
  const searchUpTo = (end: number, most = 1e6) =>
    findKnee({ from: 4, most, step: (rate) => Promise.resolve({ rate, isBorne: rate <= end }) });

  it.each([5, 37, 58.3, 1000, 12_345])('finds %d/s within 5 %, from below, and confirms it', async (end) => {
    const { highest, beyond, steps } = await searchUpTo(end);
    expect(highest?.rate).toBeLessThanOrEqual(end);
    expect(end / (highest?.rate ?? 0)).toBeLessThan(1.05);
    expect(beyond?.rate).toBeGreaterThan(end);
    expect(steps.at(-1)).toEqual(highest);
    expect(steps.filter(({ rate }) => rate === highest?.rate)).toHaveLength(2);
  });

  it('is never twice over the end by more than the last doubling', async () => {
    const { steps } = await searchUpTo(100);
    expect(Math.max(...steps.map(({ rate }) => rate))).toBeLessThanOrEqual(200);
    expect(steps.filter(({ isBorne }) => !isBorne).length).toBeLessThan(8);
  });

  it('ends below the first rate, and without one at all', async () => {
    expect((await searchUpTo(1)).highest?.rate).toBe(1);
    const { highest, beyond, steps } = await searchUpTo(0);
    expect([highest, steps.length < 30]).toEqual([undefined, true]);
    expect(beyond?.rate).toBeLessThan(4);
  });

  it('ends at the highest rate that may be tried', async () => {
    expect(await searchUpTo(1e9, 50)).toMatchObject({ highest: { rate: 50 }, beyond: undefined });
  });

  it('goes on below a rate that only chance had borne', async () => {
    let luck = 1;
    const step = (rate: number) =>
      Promise.resolve({ rate, isBorne: rate <= 40 || (rate < 60 && luck-- > 0) });
    const { highest } = await findKnee({ from: 4, most: 1e6, step });
    expect(highest?.rate).toBeLessThanOrEqual(40);
  });
});

describe('--fail-if', () => {
  it.each([
    ['p99 > 50 ms', true],
    ['p99 > 0.05 s', true],
    ['p99>61ms', false],
    ['refused > 0.5 %', true],
    ['refused > 1 %', false],
    ['achieved < 99.5 %', true],
    ['rate < 100/s', true],
    ['failed > 2 %', false],
    ['refresh p95 > 40 ms', true],
    ['refresh failed > 0 %', false],
    ['knee < 40/s', true],
    ['reset p50 > 1 s', true],
  ])('%s', (text, isCrossed) => {
    expect(checkLimit(parseLimit(text), measured(), undefined)).toMatchObject({ text, isCrossed });
  });

  it.each([
    'p99',
    'p99 > 5',
    'p99 > 5 %',
    'refused > 5 ms',
    'p98 > 5 ms',
    'knee < 5 ms',
    'refresh knee < 4/s',
    'dance p99 > 1 ms',
  ])('refuses %s', (text) => {
    expect(() => parseLimit(text)).toThrow(/It takes a figure|There is no action dance|leave refresh out/);
  });
});

describe('the verdict', () => {
  const of = (heaviest: Measured, given = {}) =>
    judge({ wanted: 100, knee: undefined, heaviest, isBorne: false, isSearch: false, ...given });

  it.each([
    ['threads', { threadsMost: 1, waiting: 12 }],
    ['hashing memory', { waiting: 12, hashingMb: 1000 }],
    ['database', { batchMs: 400 }],
    ['main thread', { lagMs: 300 }],
    ['unknown', {}],
  ] as const)('finds that %s is short', (resource, use) => {
    const { short, cures, bears } = of(measured({ cores: [{ ...core, ...use }], broken: ['p99 2000 ms'] }));
    expect([short.resource, bears]).toEqual([resource, false]);
    expect(cures.length).toBeGreaterThan(0);
  });

  it('blames the client first, then the limit of guesses', () => {
    const busy = [{ ...core, threadsMost: 1, waiting: 9 }];
    expect(of(measured({ cores: busy, clientLimits: ['it was late'] })).short.resource).toBe('client');
    const outcomes = { OK: 900, '429 TOO_MANY_REQUESTS': 100 };
    expect(of(measured({ cores: busy, outcomes })).short.resource).toBe('guesses');
  });

  it('says how many cores would bear the first morning', () => {
    const heaviest = measured({
      cores: [{ ...core, threadsMost: 1, waiting: 9 }],
      broken: ['p99 2000 ms over 1000 ms'],
    });
    const { bears, sentence, cures } = of(heaviest, { knee: 50, isSearch: true });
    expect(bears).toBe(false);
    expect(sentence).toMatch(
      /Does not bear the first morning, whose busiest hour has 100\/s: it ends at 50\/s/,
    );
    // 100/s of 50/s a core, at 70 % of what it can do.
    expect(cures.join()).toContain('3 cores like this');
  });

  it('bears it, with nothing short', () => {
    const { bears, short, cures } = of(measured(), { isBorne: true });
    expect([bears, short.resource, cures]).toEqual([true, 'none', []]);
  });
});

describe('a mix', () => {
  const mixIn = (text: string) => mixOf(yamlOf(text, 'mine.yaml', '--mix'), 'mine.yaml');

  it('is read from YAML', () => {
    expect(mixIn('actions: {sign-in: 3, refresh: 1}\nimport: 500\nmorning: true\n')).toMatchObject({
      name: 'mine',
      shares: { 'sign-in': 3, refresh: 1 },
      importing: 500,
      isMorning: true,
    });
  });

  it.each([
    ['actions: {dance: 1}', /actions\.dance is unknown: the actions are sign-in,/],
    ['actions: {sign-in: lots}', /actions\.sign-in takes a number/],
    ['actions: {sign-in: 0}', /needs an action with a share over 0/],
    ['actions: [sign-in]', /actions takes names and shares/],
    ['{}', /actions takes names and shares/],
    ['speed: 9', /speed is unknown/],
    ['actions: {sign-in: 1}\nimport: many', /import takes the users/],
    ['actions: {sign-in: 1}\nmorning: 8', /morning takes true or false/],
    ['actions: {sign-in: 1', /is no YAML/],
  ])('refuses %j', (text, message) => {
    expect(() => mixIn(text)).toThrow(message);
  });

  it('has its shares, the same for each run, and other people for other machines', () => {
    const people = ['a', 'b', 'c', 'd'].map((email) => ({ email, password: 'p', tenant: undefined }));
    const steady = mixes[1];
    const namesOf = (part: number) => {
      const visit = visitsOf(steady, people, new Sessions(), { part, of: 2 });
      return Array.from({ length: 2000 }, () => visit().action);
    };
    const names = namesOf(1);
    expect(names.filter((name) => name === 'check-session').length / 2000).toBeCloseTo(0.6, 1);
    expect(namesOf(1)).toEqual(names);
    expect(namesOf(2)).not.toEqual(names);
  });

  it('of the first morning rises to its rate in the busiest hours, and has all users within twelve', () => {
    const phases = phasesOf({ isMorning: true }, 10, 60);
    expect([phases.length, Math.max(...phases.map(({ rate }) => rate))]).toEqual([12, 10]);
    expect(phases.reduce((sum, { rate, seconds }) => sum + rate * seconds, 0) / (10 * 60)).toBeCloseTo(
      10 / 12,
    );
  });
});

describe('sessions', () => {
  it('are taken once each, oldest first, and stay when they are looked at', () => {
    const sessions = new Sessions();
    for (const name of ['a', 'b']) sessions.add({ access: name, refresh: name });
    expect([
      sessions.look(3)?.access,
      sessions.take()?.access,
      sessions.take()?.access,
      sessions.take(),
    ]).toEqual(['b', 'a', 'b', undefined]);
    expect(sessions.look(0)).toBeUndefined();
  });
});

describe('an app of a load', () => {
  const factors = (...firstFactors: string[]) => [{ tenantId: 'public', firstFactors }];
  const appId = newAppName(Date.UTC(2026, 10, 27, 7, 2, 48));

  it('is known by its name and its mark, never by one of them', () => {
    expect(appId).toMatch(/^load-20261127t070248-[0-9a-f]{8}$/);
    expect(isGuest({ appId, tenants: factors('emailpassword', 'made-by.carryover-load') })).toBe(true);
    expect(isGuest({ appId, tenants: factors('emailpassword') })).toBe(false);
    expect(isGuest({ appId, tenants: [] })).toBe(false);
    expect(isGuest({ appId: 'load-test', tenants: factors('made-by.carryover-load') })).toBe(false);
  });
});

describe('this machine', () => {
  it('is asked for a connection for each that may wait', () => {
    expect(() => {
      requireRoom({ ports: 28_232, files: 1024 }, 50);
    }).not.toThrow();
    expect(() => {
      requireRoom({ ports: 28_232, files: 1024 }, 500);
    }).toThrow(/960 open files .*--share/);
    expect(() => {
      requireRoom({ ports: 100, files: undefined }, 50);
    }).toThrow(/100 ports .*ip_local_port_range/);
    expect(() => {
      requireRoom({ ports: undefined, files: undefined }, 1e9);
    }).not.toThrow();
    expect(roomFor({ ports: 28_232, files: undefined })).toBe(5646);
  });
});

describe('metrics', () => {
  it('are added up over their labels', () => {
    const scrape = scrapeOf('# HELP a b\na_total{x="1"} 2\na_total{x="2"} 3.5\nb 1e3\n');
    expect([
      valueOf(scrape, 'a_total'),
      valueOf(scrape, 'a_total', 'x="2"'),
      valueOf(scrape, 'b'),
      valueOf(scrape, 'c'),
    ]).toEqual([5.5, 3.5, 1000, undefined]);
  });
});
