/** Many first sign-ins at once wait for an old system that answers a few at a time. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { metric } from '../helpers/metrics.ts';
import { type Handler, knows, type OldSystem, ownSource, startOldSystem } from '../helpers/old-system.ts';
import { newApp, newEmail } from '../helpers/people.ts';

let core: TestCore;
let old: OldSystem;
beforeAll(async () => {
  [core, old] = await Promise.all([startTestCore(), startOldSystem(knows('right'))]);
});
afterAll(() => Promise.all([core.stop(), old.close()]));

/** Works on this number at a time, each for this time; the others wait there. */
function serves(atOnce: number, ms: number): Handler {
  let busy = 0;
  const waiting: (() => void)[] = [];
  const free = (): void => {
    busy--;
    waiting.shift()?.();
  };
  return async (asked, response) => {
    if (busy >= atOnce) await new Promise<void>((resolve) => waiting.push(resolve));
    busy++;
    await new Promise((resolve) => setTimeout(resolve, ms));
    free();
    return knows('right')(asked, response);
  };
}

let sources = 0;

/** Sign-ins of different users, all at once. @returns the number of each outcome, and the source's name */
async function burst(
  people: number,
  more: object,
): Promise<{ answers: Record<string, number>; name: string }> {
  const name = `burst-${++sources}`;
  const app = await newApp(core, { legacy_sources: [ownSource(`${old.url}/${name}`, { name, ...more })] });
  const emails = Array.from({ length: people }, newEmail);
  for (const email of emails) {
    const loginMethods = [{ recipeId: 'emailpassword', email, legacy: name }];
    expect((await core.post(`${app}/bulk-import/import`, { loginMethods })).http).toBe(200);
  }
  const answers: Record<string, number> = {};
  await Promise.all(
    emails.map(async (email) => {
      const { http, body, headers } = await core.post(`${app}/recipe/signin`, { email, password: 'right' });
      const wait = Number(headers.get('retry-after')) > 0 ? ' later' : '';
      const answer = `${http} ${String(body.status)}${wait}`;
      answers[answer] = (answers[answer] ?? 0) + 1;
    }),
  );
  return { answers, name };
}

const outcomesOf = (source: string, outcome: string) =>
  metric(core, 'carryover_legacy_questions_total', { source, outcome });

test.each([18, 60])('%i users at once all get in', async (people) => {
  old.answer(serves(4, 40));
  const { answers, name } = await burst(people, { timeout_ms: 1000 });
  expect(answers).toEqual({ '200 OK': people });
  expect(await outcomesOf(name, 'right')).toBe(people);
  expect(await metric(core, 'carryover_legacy_questions_waiting', { source: name })).toBe(0);
});

test('one that computes for a single user at a time is not asked until it misses its deadline', async () => {
  old.answer(serves(1, 40));
  const { answers, name } = await burst(40, { timeout_ms: 1000 });
  expect(answers).toEqual({ '200 OK': 40 });
  expect([await outcomesOf(name, 'failed'), await outcomesOf(name, 'open')]).toEqual([0, 0]);
});

test('who cannot be asked about in time hears so, and the system is not taken for one that is down', async () => {
  old.answer(serves(2, 150));
  const { answers, name } = await burst(60, { timeout_ms: 500, wait_ms: 600 });
  const { '200 OK': inside = 0, '503 LEGACY_UNAVAILABLE later': later = 0 } = answers;
  expect(inside + later).toBe(60);
  expect(inside).toBeGreaterThan(4);
  expect(later).toBeGreaterThan(0);
  expect(await outcomesOf(name, 'open')).toBe(0);
});
