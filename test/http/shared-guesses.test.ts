/** Three cores on one database, as behind a load balancer: a guesser gains nothing by trying all of them. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { eventually } from '../helpers/eventually.ts';
import { metric } from '../helpers/metrics.ts';
import { importUser, knownPassword, newApp, newEmail } from '../helpers/people.ts';

let cores: readonly [TestCore, TestCore, TestCore];
let app: string;
beforeAll(async () => {
  const first = await startTestCore();
  const others = { database: first.database };
  cores = [first, await startTestCore(others), await startTestCore(others)];
  // The first ones see the last one at their next beat.
  await eventually(async () => {
    expect(await Promise.all(cores.map(coresKnownTo))).toEqual([3, 3, 3]);
  });
});
afterAll(async () => {
  for (const core of cores.toReversed()) await core.stop();
});
beforeEach(async () => {
  app = await newApp(cores[0]);
});

const coresKnownTo = (core: TestCore): Promise<number> => metric(core, 'carryover_cores');

async function attempt(core: TestCore, email: string, password: string, from: string): Promise<string> {
  const answer = await fetch(`${core.url}${app}/recipe/signin`, {
    method: 'POST',
    headers: { 'api-key': testApiKey, 'carryover-client-address': from },
    body: JSON.stringify({ email, password }),
  });
  return ((await answer.json()) as { status: string }).status;
}

let last = 0;
const newAddress = (): string => `192.0.2.${++last}`;
const pick = (n: number): TestCore => cores[n % cores.length] ?? cores[0];

const perAccount = 10;
/** One guess comes back in this time. */
const refillMs = 30_000;
/** Each further core may be verifying one while all are spent. */
const further = (): number => cores.length - 1;

test('thirty clients at three cores get ten guesses at an account, and one more of each further core at most', async () => {
  for (const email of [newEmail(), newEmail()]) {
    const from = newAddress();
    const begunMs = performance.now();
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, client) => {
        const seen: string[] = [];
        for (let n = 0; n < 4; n++) seen.push(await attempt(pick(client + n), email, 'wrong', from));
        return seen;
      }),
    );
    const wrong = answers.flat().filter((status) => status === 'WRONG_CREDENTIALS_ERROR').length;
    const refilled = Math.ceil((performance.now() - begunMs) / refillMs);
    expect(wrong).toBeGreaterThanOrEqual(perAccount);
    expect(wrong).toBeLessThanOrEqual(perAccount + further() + refilled);
    await importUser(cores[0], email, app); // the second round is without one
  }
});

test('a guesser is refused by a core that has seen none of the guesses, and other clients are not', async () => {
  const [email, from] = [newEmail(), newAddress()];
  await importUser(cores[0], email, app);
  for (let n = 0; n < 10; n++)
    expect(await attempt(cores[0], email, 'wrong', from)).toBe('WRONG_CREDENTIALS_ERROR');
  expect(await attempt(cores[1], email, knownPassword, from)).toBe('TOO_MANY_GUESSES');
  expect(await attempt(cores[2], email, knownPassword, newAddress())).toBe('OK');
});

test('an address of many people has more guesses, and its wrong passwords are counted like others', async () => {
  const [from, email] = [newAddress(), newEmail()];
  // The guesses of seven clients: each comes back in a seventh of the time, which is no whole number of milliseconds.
  for (let n = 0; n < 60; n++) {
    const other = newEmail();
    await importUser(cores[0], other, app);
    expect(await attempt(cores[0], other, knownPassword, from)).toBe('OK');
  }
  expect(await attempt(cores[0], email, 'wrong', from)).toBe('WRONG_CREDENTIALS_ERROR');
});

test('the right password gives all guesses back, at each core', async () => {
  const [email, from] = [newEmail(), newAddress()];
  await importUser(cores[0], email, app);
  for (let n = 0; n < 9; n++)
    expect(await attempt(pick(n), email, 'wrong', from)).toBe('WRONG_CREDENTIALS_ERROR');
  expect(await attempt(cores[0], email, knownPassword, from)).toBe('OK');
  await expect.poll(() => attempt(cores[1], email, 'wrong', from)).toBe('WRONG_CREDENTIALS_ERROR');
  for (let n = 0; n < 5; n++)
    expect(await attempt(pick(n), email, 'wrong', from)).toBe('WRONG_CREDENTIALS_ERROR');
});

test('a core that starts again has not forgotten', async () => {
  const [email, from] = [newEmail(), newAddress()];
  await importUser(cores[0], email, app);
  for (let n = 0; n < 10; n++) await attempt(cores[0], email, 'wrong', from);
  const started = await startTestCore({ database: cores[0].database });
  expect(await attempt(started, email, knownPassword, from)).toBe('TOO_MANY_GUESSES');
  await started.stop();
});

test('a right password costs no further statement, also when many people come at once', async () => {
  const [emails, from] = [Array.from({ length: 6 }, newEmail), newAddress()];
  for (const email of emails) await importUser(cores[0], email, app);
  const statements = (core: TestCore): Promise<number[]> =>
    Promise.all(
      ['look-at-guesses', 'add-guesses', 'clear-guesses'].map((operation) =>
        metric(core, 'carryover_batch_size_count', { operation }),
      ),
    );
  const before = await Promise.all(cores.map(statements));
  const answers = await Promise.all(
    emails.flatMap((email) => cores.map((core) => attempt(core, email, knownPassword, from))),
  );
  expect(new Set(answers)).toEqual(new Set(['OK']));
  expect(await Promise.all(cores.map(statements))).toEqual(before);
});

test('right passwords of one person that come at once are all right, and leave no guess counted', async () => {
  const [email, from] = [newEmail(), newAddress()];
  await importUser(cores[0], email, app);
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, n) => attempt(pick(n), email, knownPassword, from)),
  );
  expect(new Set(answers)).toEqual(new Set(['OK']));
  // They are taken back after their answers.
  for (let n = 0; n < perAccount; n++)
    await expect.poll(() => attempt(pick(n), email, 'wrong', from)).toBe('WRONG_CREDENTIALS_ERROR');
});

test('the database has neither the email nor the address', async () => {
  const [email, from] = [newEmail(), newAddress()];
  await attempt(cores[0], email, 'wrong', from);
  const rows = await withSql(
    cores[0].database.connection,
    (sql) => sql<{ row: string }[]>`select b::text as row from carryover.guess_buckets b`,
  );
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ row }) => row.includes(email) || row.includes(from))).toEqual([]);
});
