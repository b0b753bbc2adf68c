/** Right and wrong passwords are different numbers for operators, though both are a 200. */
import { expect, test } from 'vitest';
import type { TestCore } from '../helpers/core.ts';
import { importUser, newEmail } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
useCoreAndApps(
  (used) => {
    ({ core, app } = used);
  },
  { settings: { GUESSES_PER_ACCOUNT: '2' } },
);

test('sign-ins are counted by outcome', async () => {
  const email = newEmail();
  await importUser(core, email, app);
  const signIn = (password: string, who = email) =>
    fetch(`${core.url}${app}/recipe/signin`, {
      method: 'POST',
      headers: { 'api-key': core.apiKey, 'carryover-client-address': '192.0.2.1' },
      body: JSON.stringify({ email: who, password }),
    });
  await signIn('abc');
  await signIn('wrong', newEmail());
  for (let n = 0; n < 3; n++) await signIn('wrong');
  const { text } = await core.get('/metrics');
  const counted = [...text.matchAll(/^carryover_sign_ins_total\{outcome="(\w+)"\} (\d+)$/gm)];
  expect(Object.fromEntries(counted.map(([, outcome, count]) => [outcome, Number(count)]))).toEqual({
    ok: 1,
    wrong: 3,
    restricted: 0,
    throttled: 1,
    refused: 0,
    failed: 0,
    moved: 0,
    legacy_wrong: 0,
    legacy_unavailable: 0,
  });
  expect(text).toMatch(/^carryover_build_info\{version="test",node="\d+\.\d+\.\d+"\} 1$/m);
});
