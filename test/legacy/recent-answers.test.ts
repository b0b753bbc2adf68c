/** Users for which an old system is not asked, because of a recent answer. */
import { describe, expect, test } from 'vitest';
import { RecentAnswers } from '../../src/features/old-systems/recent-answers.ts';

const randoms = Array.from({ length: 100 }, (_, place) => place / 100);
const minute = 60_000;

function failuresOf(recent: RecentAnswers, now: number): number {
  return randoms.filter((random) => recent.draw(() => random, now).hasFailed).length;
}

/** An answer, and a minute later a system that was away for a moment. */
function afterFailures(): RecentAnswers {
  const recent = new RecentAnswers();
  recent.add({ at: 0, ms: 50, hasFailed: false });
  for (const ms of [2000, 2001, 2002]) recent.add({ at: minute, ms, hasFailed: true });
  return recent;
}

describe('who is not asked about', () => {
  test('hears of failures as often as others did within the minute', () => {
    const recent = afterFailures();
    expect(failuresOf(recent, minute + 1)).toBe(100);
    recent.add({ at: minute + 1, ms: 60, hasFailed: false });
    expect(failuresOf(recent, minute + 1)).toBe(75);
  });

  test('hears nothing of failures of before, and waits as long as for the last answers', () => {
    const recent = afterFailures();
    expect(failuresOf(recent, 2 * minute)).toBe(0);
    expect(recent.draw(() => 0.99, 2 * minute).ms).toBe(50);
    expect(recent.drawMs(0.99)).toBe(50);
  });

  test('waits as over a network where there were failures alone, or nothing', () => {
    const recent = new RecentAnswers();
    expect(recent.draw(() => 0.5, 0)).toEqual({ ms: 160, hasFailed: false });
    recent.add({ at: 0, ms: 2000, hasFailed: true });
    expect(recent.draw(() => 0.5, minute)).toEqual({ ms: 160, hasFailed: false });
    expect(recent.drawMs(0.5)).toBe(160);
  });
});
