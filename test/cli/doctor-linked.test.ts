/** The real command: users that an SDK of driver interface 3.x sees as several. */
import { expect, test } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { importUser, newApp, newEmail, newTenant, signInUp } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});

const run = (app: string, ...args: string[]) =>
  place.run(['doctor', 'linked', '--app', app.replace('/appid-', ''), '--url', core.url, ...args], key);

test('counts and names users with several login methods, of every tenant, once', async () => {
  const app = await newApp(core);
  const alone = await importUser(core, newEmail(), app);
  expect((await run(app)).stdout).toBe('No user has several login methods\n');

  const tenant = await newTenant(core, app);
  const path = `${app}/recipe/accountlinking/user`;
  const heads = [];
  for (const [prefix, n] of [
    [app, 1],
    [tenant, 2],
  ] as const) {
    const { id: primaryUserId } = await importUser(core, newEmail(), prefix);
    const { id: recipeUserId } = await signInUp(core, `g-${n}`, { id: newEmail() }, prefix);
    await core.post(`${path}/primary`, { recipeUserId: primaryUserId });
    await core.post(`${path}/link`, { recipeUserId, primaryUserId });
    heads.push(primaryUserId);
  }
  await core.post(`${tenant}/recipe/multitenancy/tenant/user`, { recipeUserId: heads[0] });

  const { code, stdout } = await run(app, '--show-samples');
  expect([code, stdout.trim().split('\n').sort()]).toEqual([
    0,
    [
      '2 users with several login methods: an SDK of driver interface 3.x shows each of these as a separate user',
      ...heads.map((id) => `${id}: emailpassword, thirdparty google`),
    ].sort(),
  ]);
  expect(stdout).not.toContain(alone.id);

  const masked = await run(app, '--json');
  const lines = masked.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.map(({ type, loginMethods, count }) => ({ type, loginMethods, count }))).toEqual([
    ...heads.map(() => ({ type: 'linked user', loginMethods: ['emailpassword', 'thirdparty google'] })),
    { type: 'doctor linked', count: 2 },
  ]);
  for (const id of heads) expect(masked.stdout).not.toContain(id);
});

test('an app that does not exist is refused', async () => {
  const { code, stderr } = await run('/appid-missing');
  expect([code, stderr]).toEqual([2, expect.stringMatching(/missing/) as string]);
});
