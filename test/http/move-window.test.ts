/** The first second after a step into leading: another core than the one that took it must hash as the old system does, too. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { eventually } from '../helpers/eventually.ts';
import { metric } from '../helpers/metrics.ts';
import { moveClient, type MoveClient } from '../helpers/moves.ts';
import { knownHash, knownPassword, newApp, newEmail, signIn } from '../helpers/people.ts';

const settings = { ALLOW_HASH_EXPORT: 'true', UPGRADE_PASSWORD_HASHES: 'true' };

let first: TestCore;
let second: TestCore;
let app: string;
let move: MoveClient;
beforeAll(async () => {
  first = await startTestCore({ settings });
  second = await startTestCore({ settings, database: first.database });
});
afterAll(async () => {
  await second.stop();
  await first.stop();
});
beforeEach(async () => {
  app = await newApp(first);
  move = moveClient(first, app);
});

const signUp = async () => {
  const { body } = await second.post(`${app}/recipe/signup`, { email: newEmail(), password: knownPassword });
  expect(body).toMatchObject({ status: 'OK' });
  return (body.user as { id: string }).id;
};

interface Changed {
  readonly id: string;
  readonly secondHashes: Readonly<Record<string, string>>;
}

it('no password that is set on any core after the step is without a second hash', async () => {
  await move.toFollowing();
  await move.ready();
  const step = move.post('/next', { share: 100, refusedBefore: 1 });
  const taken = step.then(() => 'taken' as const);
  // The other core reads what it has to know at any moment of the step.
  while ((await Promise.race([taken, signUp()])) !== 'taken');
  const after = await Promise.all([signUp(), signUp(), signUp()]);
  expect(await step).toMatchObject({ status: 'OK', stage: 'leading' });
  const { body } = await first.get(`${app}/move/changes`);
  const changes = body.changes as Changed[];
  for (const id of after) {
    const { secondHashes = {} } = changes.find((each) => each.id === id) ?? {};
    expect(Object.values(secondHashes)).toHaveLength(1);
  }
});

it('no core upgrades a hash after the step, also of a system whose hashes are not made here', async () => {
  const ended = (outcome: string) => metric(second, 'carryover_hash_upgrades_total', { outcome });
  const emails = [newEmail(), newEmail()] as const;
  for (const email of emails) {
    const method = { recipeId: 'emailpassword', email, passwordHash: knownHash, hashingAlgorithm: 'bcrypt' };
    await first.post(`${app}/bulk-import/import`, { loginMethods: [method] });
  }
  await move.post('', { system: 'firebase' });
  await move.post('/plan', { users: 2 });
  await move.post('/next');
  await move.compared();
  await move.wayBack();
  const [upgraded, dropped] = [await ended('upgraded'), await ended('dropped')];
  expect(await signIn(second, emails[0], knownPassword, app)).toBe('OK');
  await eventually(async () => {
    expect(await ended('upgraded')).toBe(upgraded + 1);
  });
  expect(await move.post('/next', { share: 100, refusedBefore: 1 })).toMatchObject({ status: 'OK' });
  expect(await signIn(second, emails[1], knownPassword, app)).toBe('OK');
  await eventually(async () => {
    expect(await ended('dropped')).toBe(dropped + 1);
  });
  expect(await ended('upgraded')).toBe(upgraded + 1);
});
