/** Users who have yet to move, by source. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { metric } from '../helpers/metrics.ts';
import { knows, type OldSystem, ownSource, startOldSystem } from '../helpers/old-system.ts';
import { importUser, knownPassword, newEmail, signIn } from '../helpers/people.ts';
import { withTestKey } from '../helpers/use-core.ts';

let core: TestCore;
let old: OldSystem;
let place: Place;
beforeAll(async () => {
  old = await startOldSystem(knows('right'));
  const LEGACY_SOURCES = JSON.stringify([ownSource(old.url)]);
  [core, place] = await Promise.all([startTestCore({ settings: { LEGACY_SOURCES } }), makePlace()]);
});
afterAll(() => Promise.all([core.stop(), old.close(), place.remove()]));

test('they are counted until they have signed in, by the endpoint, the command and the metrics', async () => {
  const emails = [newEmail(), newEmail(), newEmail()];
  for (const [n, email] of emails.entries()) {
    const google = { recipeId: 'thirdparty', email, thirdPartyId: 'google', thirdPartyUserId: email };
    const marked = { recipeId: 'emailpassword', email, legacy: n === 2 ? 'gone' : 'old', isPrimary: true };
    const { http } = await core.post('/bulk-import/import', { loginMethods: [marked, google] });
    expect(http).toBe(200);
  }
  const [first = '', second = ''] = emails;
  expect(await signIn(core, first, 'right')).toBe('OK');
  const social = {
    thirdPartyId: 'google',
    thirdPartyUserId: second,
    email: { id: second, isVerified: true },
  };
  expect((await core.post('/recipe/signinup', social)).body.status).toBe('OK');
  const counted = { within90Days: 0, earlier: 0 };
  expect((await core.get('/recipe/user/legacy/report')).body).toEqual({
    status: 'OK',
    sources: [
      { name: 'gone', state: 'unknown', users: 1, within30Days: 0, ...counted, never: 1 },
      {
        name: 'old',
        state: 'open',
        speaks: 'http',
        until: Date.UTC(2999, 11, 31),
        users: 1,
        within30Days: 1,
        ...counted,
        never: 0,
      },
    ],
  });
  const { code, stdout } = await place.run(['legacy', '--url', core.url], withTestKey);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^old +1 +1 +0 +0 +0 +2999-12-31/m)]);
  expect(stdout).toContain('not in legacy_sources');
  expect(await metric(core, 'carryover_legacy_users', { source: 'old' })).toBe(1);
  expect(await metric(core, 'carryover_legacy_users', { source: 'gone' })).toBe(1);
  const asked = await metric(core, 'carryover_legacy_questions_total', { source: 'old', outcome: 'right' });
  expect(asked).toBe(1);
});

test('sign-ins that an old system decides are outcomes of their own', async () => {
  const before = await Promise.all(outcomes.map(count));
  const [marked, here] = [newEmail(), newEmail()];
  await importUser(core, here);
  const loginMethods = [{ recipeId: 'emailpassword', email: marked, legacy: 'old' }];
  await core.post('/bulk-import/import', { loginMethods });
  await signIn(core, marked, 'wrong');
  await signIn(core, marked, 'wrong');
  await signIn(core, here, 'wrong');
  old.answer(() => ({ status: 500 }));
  await signIn(core, marked, 'right');
  old.answer(knows('right'));
  await signIn(core, marked, 'right');
  // The user has moved: from now on the core's hash decides.
  await signIn(core, marked, 'right');
  await signIn(core, here, knownPassword);
  const after = await Promise.all(outcomes.map(count));
  const more = outcomes.map((outcome, n) => [outcome, (after[n] ?? 0) - (before[n] ?? 0)]);
  expect(Object.fromEntries(more)).toEqual({
    ok: 2,
    moved: 1,
    wrong: 1,
    legacy_wrong: 2,
    legacy_unavailable: 1,
    refused: 0,
    failed: 0,
  });
});

const outcomes = ['ok', 'moved', 'wrong', 'legacy_wrong', 'legacy_unavailable', 'refused', 'failed'];
const count = (outcome: string) => metric(core, 'carryover_sign_ins_total', { outcome });
