/** Imports of people who sign up, sign in, change and leave at the same time. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { NativeUser } from '../../../src/imports/record/native-record.ts';
import { refusedWith, uploadClient } from '../../helpers/bulk-client.ts';
import { randomNumbers } from '../../helpers/bulk-files.ts';
import { faultsOf } from '../../helpers/bulk-tables.ts';
import { type Answer, startTestCore, type TestCore } from '../../helpers/core.ts';
import { bcryptHash, person, textOf } from '../../helpers/imports.ts';
import { knownHash } from '../../helpers/people.ts';

let core: TestCore;
beforeEach(async () => {
  core = await startTestCore({ settings: { IMPORT_CHUNK_BYTES: '65536' } });
});
afterEach(() => core.stop());

const count = 1500;
const email = (n: number) => `person-${n}@example.com`;
const social = (n: number) => ({ thirdPartyId: 'google', thirdPartyUserId: `g-${n}` });

/** All users in three files with different content: plain, social and linked users. */
function fileOf(round: number): Buffer {
  const users = Array.from({ length: count }, (_, n): NativeUser => {
    const passwordHash = bcryptHash(n * 3 + round);
    const password = { recipeId: 'emailpassword', email: email(n), passwordHash } as const;
    const google = { recipeId: 'thirdparty', email: email(n), ...social(n) } as const;
    const externalUserId = `legacy-${n}`;
    if (n % 4 === 0) return { externalUserId, loginMethods: [{ ...password, isPrimary: true }, google] };
    if (n % 4 === 1) return { externalUserId, loginMethods: [google] };
    return { ...person(n), userMetadata: { round }, loginMethods: [password] };
  });
  return Buffer.from(textOf(users));
}

/** Actions on a person of the file. */
const deeds: readonly ((n: number) => Promise<Answer>)[] = [
  (n) => core.post('/recipe/user/passwordhash/import', { email: email(n), passwordHash: knownHash }),
  (n) => core.post('/recipe/signup', { email: email(n), password: 'abc' }),
  (n) => core.post('/recipe/signin', { email: email(n), password: 'abc' }),
  (n) => core.post('/recipe/signinup', { ...social(n), email: { id: email(n), isVerified: true } }),
  (n) => core.put('/recipe/user', { recipeUserId: `legacy-${n}`, email: `moved-${n}@example.com` }),
  (n) => core.put('/recipe/user', { recipeUserId: `legacy-${n}`, email: email(n) }),
  (n) => core.post('/user/remove', { userId: `legacy-${n}` }),
  (n) => core.post('/recipe/user/email/verify/token', { userId: `legacy-${n}`, email: email(n) }),
];

test('an import races everything else that can happen to its people', async () => {
  const client = uploadClient(core.port, core.apiKey);
  const random = randomNumbers(7);
  const answers = new Map<string, number>();
  let isOver = false;
  const live = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      // Near each other, so that they meet.
      const n = Math.floor(random() * count);
      const deed = Math.floor(random() * deeds.length);
      const { http, text } = (await deeds[deed]?.(n)) ?? { http: 0, text: '' };
      answers.set(`${deed} ${http}`, (answers.get(`${deed} ${http}`) ?? 0) + 1);
      expect(http, text).toBe(200);
    }
  });
  const jobs: string[] = [];
  for (const round of [0, 1, 2]) {
    // Two clients at once, one of them with the previous file.
    const sent = [fileOf(round), fileOf(Math.max(round - 1, 0))].map(async (file) => {
      const path = await client.create('', file.length);
      jobs.push(path);
      const wire = await client.patch(path, 0, file.length);
      expect(refusedWith(await wire.send(file).answer())).toEqual([204, undefined]);
      wire.hangUp();
    });
    await Promise.all(sent);
  }
  isOver = true;
  await Promise.all(live);
  for (const path of jobs) {
    const { job } = (await core.get(path)).body as { job: { state: string; lines: number } };
    expect([job.state, job.lines]).toEqual(['done', count]);
  }
  // Every action was carried out, often enough that some of them met the import.
  expect([...answers.keys()].sort()).toEqual(deeds.map((_, deed) => `${deed} 200`));
  expect(await faultsOf(core.database.connection)).toEqual([]);
  expect(core.log.join('')).not.toContain('failed unexpectedly');
});
