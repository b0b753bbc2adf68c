/** A thousand sign-ins for each trouble of old systems: none is answered as a wrong password. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { knows, type OldSystem, ownSource, startOldSystem } from '../helpers/old-system.ts';
import { troublesOf } from '../helpers/old-troubles.ts';
import { newApp, newEmail } from '../helpers/people.ts';

let core: TestCore;
let old: OldSystem;
beforeAll(async () => {
  [core, old] = await Promise.all([startTestCore(), startOldSystem(knows('right'))]);
});
afterAll(() => Promise.all([core.stop(), old.close()]));

/** Each is paused after its own failures, so many of them are asked more often than one. */
const systems = 32;
const signIns = 1000;

/** An app with an unmoved user of each of its sources. */
async function appOf(url: string): Promise<{ app: string; emails: string[] }> {
  const names = Array.from({ length: systems }, (_, n) => `old-${n}`);
  const app = await newApp(core, {
    legacy_sources: names.map((name) =>
      ownSource(`${url}/${name}-${Math.random()}`, { name, timeout_ms: 100 }),
    ),
  });
  const emails = await Promise.all(
    names.map(async (legacy) => {
      const email = newEmail();
      const loginMethods = [{ recipeId: 'emailpassword', email, legacy }];
      expect((await core.post(`${app}/bulk-import/import`, { loginMethods })).http).toBe(200);
      return email;
    }),
  );
  return { app, emails };
}

/** @returns the number of each answer */
async function attemptAll(app: string, emails: readonly string[]): Promise<Record<string, number>> {
  const answers: Record<string, number> = {};
  let begun = 0;
  const visitor = async (): Promise<void> => {
    for (let n = begun++; n < signIns; n = begun++) {
      const email = emails[n % emails.length];
      const { http, body } = await core.post(`${app}/recipe/signin`, { email, password: `right ${n}` });
      const answer = `${http} ${String(body.status)}`;
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 64 }, visitor));
  return answers;
}

const unavailable = { '503 LEGACY_UNAVAILABLE': signIns };

describe('a thousand sign-ins while the old system', () => {
  test.each(Object.entries(troublesOf(() => old.url)))('%s', async (_what, handler) => {
    old.answer(handler);
    const { app, emails } = await appOf(old.url);
    const before = old.asked.length;
    expect(await attemptAll(app, emails)).toEqual(unavailable);
    expect(old.asked.length - before).toBeGreaterThan(systems);
    expect(old.asked.some(({ path }) => path === '/elsewhere')).toBe(false);
  });

  test('is down', async () => {
    const gone = await startOldSystem(knows('right'));
    await gone.close();
    const { app, emails } = await appOf(gone.url);
    expect(await attemptAll(app, emails)).toEqual(unavailable);
  });
});
