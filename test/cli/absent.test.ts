/** The real command: users that the source no longer has. */
import { expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;

useCoreAndPlace((used) => {
  ({ core, place } = used);
});

const at = (...args: string[]): string[] => [...args, '--url', core.url];
const run = (...args: string[]) => place.run(at(...args), key);
const emailOf = (n: number): string => `user-${n}@example.com`;
const lines = (numbers: readonly number[]): string =>
  numbers
    .map((n) => ({ recipeId: 'emailpassword', email: emailOf(n), passwordHash: knownHash }))
    .map(
      (method, at) => `${JSON.stringify({ externalUserId: `id-${numbers[at]}`, loginMethods: [method] })}\n`,
    )
    .join('');
const signIn = async (n: number): Promise<unknown> =>
  (await core.post('/recipe/signin', { email: emailOf(n), password: knownPassword })).body.status;
const jobOf = (stdout: string) => (JSON.parse(stdout) as { job: { id: string } }).job;

it('refuses half a file, rehearses, disables, removes, lists, and takes all of it back', async () => {
  const all = [0, 1, 2, 3, 4, 5, 6, 7];
  await place.write('all.ndjson', lines(all));
  await place.write('half.ndjson', lines(all.slice(4)));
  await place.write('most.ndjson', lines(all.slice(2)));
  expect((await run('import', '--yes', 'all.ndjson')).code).toBe(0);
  expect(await signIn(0)).toBe('OK');

  const refused = await run('import', '--yes', 'half.ndjson', '--absent', 'remove');
  expect(refused.code).toBe(2);
  expect(refused.stdout).toContain('not in the file: 4 of 8 users who came by imports of this source');
  expect(refused.stdout).toContain('import it again with --force-absent');
  expect(await signIn(3)).toBe('OK');

  const dry = await run('import', '--yes', 'most.ndjson', '--absent', 'remove', '--dry-run');
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining('would be removed: 2')]);
  expect(await signIn(1)).toBe('OK');

  const disabled = await run('import', '--yes', 'most.ndjson', '--absent', 'disable', '--json');
  expect(disabled.code).toBe(0);
  const job = jobOf(disabled.stdout);
  const counts = { absentAction: 'disable', absent: 2, absentKnown: 8, absentActive: 1, absentDone: 2 };
  expect(job).toMatchObject(counts);
  expect([await signIn(0), await signIn(2)]).toEqual(['WRONG_CREDENTIALS_ERROR', 'OK']);
  const listed = await run('absent', job.id, '--show-samples');
  expect(listed.stdout.trim().split('\n').sort()).toEqual([
    'id-0: disabled',
    'id-1: disabled (signed in here since the import before)',
  ]);
  expect((await run('undo', job.id, '--yes')).stdout).toContain('2 users put back');
  expect(await signIn(0)).toBe('OK');

  const removed = await run(
    'import',
    '--yes',
    'half.ndjson',
    '--absent',
    'remove',
    '--force-absent',
    '--json',
  );
  expect([removed.code, jobOf(removed.stdout)]).toMatchObject([0, { absent: 4, absentDone: 4 }]);
  expect([await signIn(1), await signIn(4)]).toEqual(['WRONG_CREDENTIALS_ERROR', 'OK']);
  const asJson = await run('absent', jobOf(removed.stdout).id, '--json');
  const entries = asJson.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
  expect(entries).toMatchObject([
    ...Array.from({ length: 4 }, () => ({ type: 'absent user', done: 'removed' })),
    { type: 'absent', count: 4, next: [] },
  ]);
  expect((await run('undo', jobOf(removed.stdout).id, '--yes')).stdout).toContain('4 users put back');
  expect(await signIn(1)).toBe('OK');
});

it('refuses an unknown --absent, over HTTP with the reason', async () => {
  expect((await run('import', '--yes', 'all.ndjson', '--absent', 'erase')).code).toBe(2);
  const answer = await core.post('/bulk-import/jobs?absent=erase', {});
  expect(answer.http).toBe(400);
});
