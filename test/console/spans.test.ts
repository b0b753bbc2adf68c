/** Counts of a day, and those of all cores together. */
import { createMetrics } from '../../src/process/metrics/metrics.ts';
import { describe, expect, it } from 'vitest';
import { Morning, morningOf } from '../../src/features/console/morning.ts';
import { SpanCounter } from '../../src/features/console/spans.ts';
import type { CoreDay, ReportedDay } from '../../src/store/cores.ts';

const minute = 60_000;
const day = 1440 * minute;
const noon = Date.UTC(2026, 0, 2, 12);

describe('counts', () => {
  it('are in the span in which a total grew', () => {
    const counter = new SpanCounter();
    counter.add({ right: 2 }, noon + minute);
    counter.add({ right: 3, wrong: 1 }, noon + 4 * minute);
    counter.add({ right: 3, wrong: 1 }, noon + 6 * minute);
    counter.add({ right: 7, wrong: 1 }, noon + 11 * minute);
    expect(counter.view()).toEqual({
      at: [noon, noon + 10 * minute],
      counts: { right: [3, 4], wrong: [1, 0] },
    });
  });

  it('are of a day at most, also when the clock is set back', () => {
    const counter = new SpanCounter();
    const outcomes = ['right', 'wrong', 'restricted', 'refused'];
    for (let n = 1; n <= 3 * 288; n++)
      counter.add(Object.fromEntries(outcomes.map((name) => [name, n * 9999])), noon + n * 5 * minute);
    expect(counter.view().at).toHaveLength(289);
    expect(JSON.stringify(counter.view()).length).toBeLessThan(12_000);
    counter.add({ right: 1e9 }, noon);
    expect(counter.view().at).toEqual([noon]);
  });
});

describe('the day of a core', () => {
  it('has its sign-ins by outcome, and what it exchanged', async () => {
    const metrics = createMetrics();
    const morning = new Morning(metrics, () => noon);
    for (const outcome of ['ok', 'moved', 'legacy_wrong', 'throttled'] as const) metrics.signIn(outcome);
    const { since, signIns } = await morning.report();
    expect([since, signIns]).toEqual([
      noon,
      { at: [noon], counts: { right: [2], wrong: [1], refused: [1] } },
    ]);
  });
});

describe('the days of all cores', () => {
  const dayOf = (since: number, at: number, counts: Readonly<Record<string, number>>): CoreDay => ({
    since,
    signIns: {
      at: [at],
      counts: Object.fromEntries(Object.entries(counts).map(([name, count]) => [name, [count]])),
    },
    carried: { at: [at], counts: { carried: [1] } },
  });
  const now = noon + 12 * minute;

  it('are summed, without gaps, also those of cores that have ended', () => {
    const reported: readonly ReportedDay[] = [
      { isHere: true, day: dayOf(noon + minute, noon, { right: 2 }) },
      { isHere: false, day: dayOf(noon + 2 * minute, noon, { right: 3, wrong: 1 }) },
      { isHere: true, day: null },
    ];
    const none = { right: 0, wrong: 0, restricted: 0, refused: 0 };
    expect(morningOf(reported, now)).toEqual({
      status: 'OK',
      cores: 2,
      reporting: 1,
      since: noon + minute,
      spans: [
        { ...none, at: noon, right: 5, wrong: 1 },
        { ...none, at: noon + 5 * minute },
        { ...none, at: noon + 10 * minute },
      ],
      sessionsCarried: { carried: 2 },
    });
  });

  it('begin a day ago at most', () => {
    const old = dayOf(noon - 9 * day, noon - 2 * day, { right: 2 });
    const { since, spans } = morningOf([{ isHere: true, day: old }], now);
    expect(since).toBe(now - day);
    expect(spans).toHaveLength(289);
    expect(spans.every(({ right }) => right === 0)).toBe(true);
  });

  it('are empty before the first report', () => {
    expect(morningOf([{ isHere: true, day: null }], now)).toEqual({
      status: 'OK',
      cores: 1,
      reporting: 0,
      spans: [],
      sessionsCarried: {},
    });
  });
});
