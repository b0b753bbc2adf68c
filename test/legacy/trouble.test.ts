/** An old system's fault is never answered as a wrong password. */
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

/** A separate source each: the faults of one do not count against another. */
async function appWith(more: object = {}, url = old.url): Promise<string> {
  return newApp(core, {
    legacy_sources: [ownSource(`${url}/${Math.random()}`, { timeout_ms: 200, ...more })],
  });
}

async function marked(app: string, email = newEmail()): Promise<string> {
  const loginMethods = [{ recipeId: 'emailpassword', email, legacy: 'old' }];
  expect((await core.post(`${app}/bulk-import/import`, { loginMethods })).http).toBe(200);
  return email;
}

async function attempt(app: string, email: string): Promise<string> {
  const { http, body, headers } = await core.post(`${app}/recipe/signin`, { email, password: 'right' });
  const wait = headers.get('retry-after');
  return http === 200
    ? String(body.status)
    : `${http} ${String(body.status)} ${Number(wait) > 0 ? 'later' : ''}`;
}

const troubles = troublesOf(() => old.url);
const later = '503 LEGACY_UNAVAILABLE later';
describe('an old system that', () => {
  test.each(Object.entries(troubles))(
    '%s is not asked more than it bears, and no password is called wrong',
    async (_what, handler) => {
      const app = await appWith();
      const email = await marked(app);
      old.answer(handler);
      const before = old.asked.length;
      const answers: string[] = [];
      for (let n = 0; n < 12; n++) answers.push(await attempt(app, email));
      expect(new Set(answers)).toEqual(new Set([later]));
      // Five failures open the breaker, and a closed connection is tried twice.
      expect(old.asked.length - before).toBeLessThanOrEqual(10);
      expect(old.asked.some(({ path }) => path === '/elsewhere')).toBe(false);
    },
  );

  test('is down is not waited for', async () => {
    const gone = await startOldSystem(knows('right'));
    await gone.close();
    const app = await appWith({}, gone.url);
    const email = await marked(app);
    expect(await attempt(app, email)).toBe(later);
  });
});

test('a connection that was closed without a byte is tried once more', async () => {
  const app = await appWith();
  const email = await marked(app);
  let closed = 0;
  old.answer((asked, response) => {
    if (closed++ === 0) return void response.socket?.destroy();
    return knows('right')(asked, response);
  });
  expect(await attempt(app, email)).toBe('OK');
  expect(closed).toBe(2);
});

test('more questions than it may have at once wait as long as they may, and are not sent', async () => {
  const app = await appWith({ max_in_flight: 1, timeout_ms: 30_000, wait_ms: 100 });
  const [first, second] = [await marked(app), await marked(app)];
  const { promise: gone, resolve: letGo } = Promise.withResolvers<undefined>();
  const before = old.asked.length;
  old.answer(async (asked, response) => {
    await gone;
    return knows('right')(asked, response);
  });
  const underWay = attempt(app, first);
  await expect.poll(() => old.asked.length).toBe(before + 1);
  expect(await attempt(app, second)).toBe(later);
  letGo(undefined);
  expect(await underWay).toBe('OK');
  expect(old.asked.length).toBe(before + 1);
});

test('who is not asked about hears that it cannot be reached, as those do who are', async () => {
  const app = await appWith();
  const email = await marked(app);
  old.answer(() => ({ status: 500 }));
  for (let n = 0; n < 6; n++) expect(await attempt(app, email)).toBe(later);
  expect(await attempt(app, newEmail())).toBe(later);
});
