/**
 * The time of a refusal must not show whether the email has a password, nor the right one of a user who may not sign in. One
 * tenant has hashes of six costs; a classifier by the time alone should be no better than a coin. `bench/` has the long version.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withAdmin } from '../helpers/postgres.ts';
import { knownHash, knownPassword, signIn, signInUp } from '../helpers/people.ts';
import { type Random, randomOf } from '../helpers/random-records.ts';

const base64 = (bytes: number) => Buffer.alloc(bytes, 1).toString('base64').replace(/=+$/, '');
const variant = (logN: number) =>
  `$f_scrypt$${Buffer.alloc(64, 1).toString('base64')}$AAAA$m=${logN}$r=8$s=Bw==`;
const argon2id = (kib: number) => `$argon2id$v=19$m=${kib},t=2,p=1$${base64(16)}$${base64(32)}`;

const hashes = [
  ...[4, 5, 6].map((cost) => knownHash.replace('$04$', `$0${cost}$`)),
  argon2id(256),
  argon2id(2048),
  variant(11),
];
const users = 240;
const samples = 250;

let core: TestCore;
beforeAll(async () => {
  core = await startTestCore({
    settings: {
      GUESSES_PER_ACCOUNT: '0',
      GUESSES_PER_ADDRESS: '0',
      // A hash of the policy costs more than any of the users': a decoy by the policy would be found at once.
      ARGON2_MEMORY_KB: '16384',
      ARGON2_ITERATIONS: '2',
      PROVIDER_PASSWORD_HASHING_SIGNER_KEY: Buffer.alloc(64, 2).toString('base64'),
    },
  });
  await withAdmin(core.database.connection, async (sql) => {
    await sql`update carryover.decoy_secret set secret = 'the same in each run'`;
  });
  await Promise.all(Array.from({ length: users }, (_, n) => putUser(n)));
});
afterAll(() => core.stop());

const known = (n: number) => `user${n}@b.test`;
const social = (n: number) => `social${n}@b.test`;

async function putUser(n: number): Promise<void> {
  const passwordHash = hashes[n % hashes.length] ?? '';
  const isVariant = passwordHash.startsWith('$f_scrypt$');
  const input = { email: known(n), passwordHash, ...(isVariant && { hashingAlgorithm: 'provider_scrypt' }) };
  const { body } = await core.post('/recipe/user/passwordhash/import', input);
  expect(body).toMatchObject({ status: 'OK' });
  await signInUp(core, `g-${n}`, { id: social(n) });
}

type Group = 'known' | 'social' | 'unknown';

function emailOf(group: Group, random: Random): string {
  const n = random(users);
  return { known: known(n), social: social(n), unknown: `nobody${random(1_000_000)}@b.test` }[group];
}

/** The probability that a time of the one is longer than one of the other. */
function areaUnderCurve(one: readonly number[], other: readonly number[]): number {
  const wins = one.map((a) => other.reduce((sum, b) => sum + (a > b ? 1 : a === b ? 0.5 : 0), 0));
  return wins.reduce((sum, each) => sum + each, 0) / (one.length * other.length);
}

test('distinguishes neither unknown emails nor those of social users from known ones', async () => {
  const random = randomOf(4);
  const times: Record<Group, number[]> = { known: [], social: [], unknown: [] };
  const order = (Object.keys(times) as Group[])
    .flatMap((group) => Array.from({ length: samples }, () => ({ group, place: random(2 ** 30) })))
    .sort((a, b) => a.place - b.place);
  for (const { group } of order) {
    const email = emailOf(group, random);
    const startedAt = performance.now();
    const status = await signIn(core, email, 'wrong');
    times[group].push(performance.now() - startedAt);
    expect(status).toBe('WRONG_CREDENTIALS_ERROR');
  }
  for (const group of ['unknown', 'social'] as const) {
    const area = areaUnderCurve(times[group], times.known);
    expect(area, group).toBeGreaterThan(0.35);
    expect(area, group).toBeLessThan(0.65);
  }
});

test('does not distinguish the right password of a disabled user from a wrong one', async () => {
  const email = (who: string, n: number) => `${who}${n}@c.test`;
  for (let n = 0; n < 20; n++)
    for (const isDisabled of [true, false]) {
      const method = { recipeId: 'emailpassword', email: email(isDisabled ? 'disabled' : 'free', n) };
      const record = { isDisabled, loginMethods: [{ ...method, passwordHash: knownHash }] };
      expect((await core.post('/bulk-import/import', record)).body).toMatchObject({ status: 'OK' });
    }
  const random = randomOf(5);
  const times = { disabled: [] as number[], free: [] as number[] };
  for (let n = 0; n < 2 * samples; n++) {
    const who = random(2) === 0 ? 'disabled' : 'free';
    const startedAt = performance.now();
    const status = await signIn(core, email(who, random(20)), who === 'disabled' ? knownPassword : 'wrong');
    times[who].push(performance.now() - startedAt);
    expect(status).toBe('WRONG_CREDENTIALS_ERROR');
  }
  const area = areaUnderCurve(times.disabled, times.free);
  expect(area).toBeGreaterThan(0.35);
  expect(area).toBeLessThan(0.65);
});
