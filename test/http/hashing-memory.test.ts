/** Hashes that together take more memory than the budget: those that fit run, the others wait or are refused for now. */
import { setEnvironmentData } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { hashArgon2id } from '../../src/hashes/verify/argon2.ts';
import { type Answer, startTestCore, type TestCore, type TestCoreOptions } from '../helpers/core.ts';
import { Gate } from '../helpers/gate.ts';
import { gateName } from '../helpers/gated-worker.ts';
import { metric } from '../helpers/metrics.ts';
import { newEmail } from '../helpers/people.ts';

const gatedWorker = new URL('../helpers/gated-worker.ts', import.meta.url);
const mib = 1_048_576;
const budgetMib = 16;
/** Two of them fit into the budget, though there are threads for four. */
const hashMib = 8;
const signIns = 64;
const queueLimit = 20;
const settings = {
  HASHING_THREADS: '4',
  HASHING_MEMORY_BUDGET_MB: String(budgetMib),
  HASHING_QUEUE_LIMIT: String(queueLimit),
  ARGON2_MAX_MEMORY_KB: String(budgetMib * 1024),
  SCRYPT_MAX_MEMORY_MB: String(budgetMib),
  UPGRADE_PASSWORD_HASHES: 'false',
  GUESSES_PER_ACCOUNT: '0',
  GUESSES_PER_ADDRESS: '0',
};

let core: TestCore;
const gate = new Gate();

async function start(overrides?: TestCoreOptions['overrides']): Promise<string[]> {
  core = await startTestCore({ settings, ...(overrides && { overrides }) });
  const passwordHash = hashArgon2id(Buffer.from('right'), {
    memoryKb: hashMib * 1024,
    iterations: 1,
    parallelism: 1,
  });
  const emails = Array.from({ length: signIns }, newEmail);
  const path = '/recipe/user/passwordhash/import';
  const imported = await Promise.all(emails.map((email) => core.post(path, { email, passwordHash })));
  expect(imported.map(({ http }) => http)).toEqual(emails.map(() => 200));
  return emails;
}
afterEach(async () => {
  gate.open();
  await core.stop();
  setEnvironmentData(gateName, undefined);
});

function signInAll(emails: readonly string[], password: string): Promise<Answer>[] {
  return emails.map((email) => core.post('/recipe/signin', { email, password }));
}

function bytes(): Promise<number> {
  return metric(core, 'carryover_hashing_pool_bytes');
}

/** The number of answers OK, and of temporary refusals; anything else fails. */
function counted(answers: readonly Answer[]): { ok: number; overloaded: number } {
  const ok = answers.filter(({ http, body }) => http === 200 && body.status === 'OK').length;
  const overloaded = answers.filter(
    ({ http, headers }) => http === 503 && /^\d+$/.test(headers.get('retry-after') ?? ''),
  ).length;
  expect(ok + overloaded).toBe(answers.length);
  return { ok, overloaded };
}

async function expectServing(): Promise<void> {
  expect((await core.get('/health')).http).toBe(200);
  expect((await core.get('/hello')).text).toBe('Hello');
}

describe('64 sign-ins at once, each with half of the budget', () => {
  test('run two at a time, though there are more threads; a queue full wait, the rest is refused', async () => {
    setEnvironmentData(gateName, gate.asSignerKey.buffer);
    const emails = await start({ workerFile: gatedWorker });
    const answers = signInAll(emails, 'hold');
    await gate.arrivals(2);
    await expect.poll(() => metric(core, 'carryover_hashing_pool_waiting')).toBe(queueLimit);
    // A sign-in that finds the queue full is answered while the others are held.
    const refused = { route: '/recipe/signin', status: 503 };
    await expect.poll(() => metric(core, 'carryover_requests_total', refused)).toBe(signIns - 2 - queueLimit);
    expect(await metric(core, 'carryover_hashing_pool_running')).toBe(2);
    expect(await bytes()).toBe(budgetMib * mib);
    expect(gate.arrived).toBe(2);
    await expectServing();

    gate.open();
    expect(counted(await Promise.all(answers))).toEqual({
      ok: 2 + queueLimit,
      overloaded: signIns - 2 - queueLimit,
    });
    expect(await bytes()).toBe(0);
  });

  test('stay within the budget on the real algorithm, and everything else is served meanwhile', async () => {
    const emails = await start();
    const all = Promise.all(signInAll(emails, 'right'));
    const over = new AbortController();
    const watched = all.finally(() => {
      over.abort();
    });
    let most = 0;
    do {
      most = Math.max(most, await bytes());
      await expectServing();
    } while (!over.signal.aborted);
    expect(most).toBeLessThanOrEqual(budgetMib * mib);
    const { ok } = counted(await watched);
    // Two run and a full queue waits, whatever the outcome of the others.
    expect(ok).toBeGreaterThanOrEqual(2 + queueLimit);
    expect(await bytes()).toBe(0);
  });
});
