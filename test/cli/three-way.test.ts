/** The real command over users who were active in the core since the previous import. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { hashSync } from 'bcrypt';
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
const google = {
  recipeId: 'thirdparty',
  thirdPartyId: 'google',
};
const record = (id: string, email: string, passwordHash = knownHash): string =>
  `${JSON.stringify({
    externalUserId: id,
    loginMethods: [
      { recipeId: 'emailpassword', email, passwordHash, isPrimary: true },
      { ...google, thirdPartyUserId: id, email: `${id}@gmail.test` },
    ],
  })}\n`;
const signIn = async (email: string, password: string): Promise<unknown> =>
  (await core.post('/recipe/signin', { email, password })).body.status;

it('leaves what was changed here, replaces what was changed at the source, and lists what was both', async () => {
  const newPassword = 'Changed-at-source-1';
  const newHash = hashSync(newPassword, 4);
  const first = ['kept', 'moved', 'both'].map((id) => record(id, `${id}@example.com`)).join('');
  await place.write('first.ndjson', first);
  expect((await place.run(at('import', '--yes', 'first.ndjson'), key)).code).toBe(0);
  for (const recipeUserId of ['kept', 'both']) {
    const changed = await core.put('/recipe/user', { recipeUserId, password: 'Changed-here-1' });
    expect(changed.body.status).toBe('OK');
  }
  const next = [
    record('kept', 'kept@example.com'),
    record('moved', 'moved-on@example.com', newHash),
    record('both', 'both@example.com', newHash),
  ].join('');
  await place.write('next.ndjson', next);
  const imported = await place.run(at('import', '--yes', 'next.ndjson', '--json'), key);
  const { job } = JSON.parse(imported.stdout) as { job: { id: string } };
  expect(job).toMatchObject({ unchanged: 2, updated: 1, conflicts: 1 });
  expect(await signIn('kept@example.com', 'Changed-here-1')).toBe('OK');
  expect(await signIn('kept@example.com', knownPassword)).toBe('WRONG_CREDENTIALS_ERROR');
  expect(await signIn('moved-on@example.com', newPassword)).toBe('OK');
  expect(await signIn('moved@example.com', knownPassword)).toBe('WRONG_CREDENTIALS_ERROR');
  expect(await signIn('both@example.com', 'Changed-here-1')).toBe('OK');

  const listed = await place.run(at('conflicts', job.id, '--show-samples'), key);
  expect(listed.stdout).toMatch(/^line 3: both: loginMethods\.0\.passwordHash kept \(here: changed here at /);
  expect((await place.run(at('status', job.id), key)).stdout).toContain(
    'changed here and at the source: 1 field',
  );
  const asJson = await place.run(at('conflicts', job.id, '--json'), key);
  const [conflict = '', last = ''] = asJson.stdout.split('\n');
  expect(JSON.parse(last)).toMatchObject({ type: 'conflicts', count: 1, next: [] });
  expect(JSON.parse(conflict)).toMatchObject({
    type: 'conflict',
    line: 3,
    userId: '…',
    group: 'password',
    done: 'kept',
  });
  expect((await place.run(at('jobs'), key)).stdout).toContain('conflicts');

  const forced = await place.run(
    at('import', '--yes', 'first.ndjson', '--on-conflict', 'theirs', '--json'),
    key,
  );
  expect(JSON.parse(forced.stdout)).toMatchObject({ job: { conflicts: 1 } });
  expect(await signIn('both@example.com', knownPassword)).toBe('OK');
  expect(await signIn('kept@example.com', 'Changed-here-1')).toBe('OK');
  expect((await place.run(at('conflicts', 'no-job'), key)).code).toBe(2);
});

it('writes the records whose conflicts are not decided, to be imported with a decision for each', async () => {
  const newPassword = 'Changed-at-source-2';
  const newHash = hashSync(newPassword, 4);
  const ids = ['open-1', 'open-2', 'open-3'];
  const csv = (hash: string): string =>
    [
      'externalUserId,email,passwordHash,isEmailVerified',
      ...ids.map((id) => `${id},${id}@example.com,${hash},true`),
    ].join('\n');
  await place.write('open-1.csv', csv(knownHash));
  expect((await place.run(at('import', '--yes', 'open-1.csv'), key)).code).toBe(0);
  for (const recipeUserId of ['open-1', 'open-3'])
    await core.put('/recipe/user', { recipeUserId, password: 'Changed-here-2' });
  await place.write('open-2.csv', csv(newHash));
  const looked = await place.run(at('import', '--dry-run', 'open-2.csv', '--json'), key);
  const { decideFile, next } = JSON.parse(looked.stdout) as {
    decideFile: string;
    next: { command: string }[];
  };
  expect(next.map(({ command }) => command)).toContainEqual(
    expect.stringMatching(
      /^npx --no carryover import \S+decide\.ndjson --from native --on-conflict theirs .*--yes$/,
    ),
  );
  const records = (await readFile(decideFile, 'utf8')).trim().split('\n');
  expect(records.map((line) => (JSON.parse(line) as { externalUserId: string }).externalUserId)).toEqual([
    'open-1',
    'open-3',
  ]);
  expect(((await stat(decideFile)).mode & 0o777).toString(8)).toBe('600');
  const [, last = ''] = records;
  await writeFile(decideFile, `${last}\n`);
  const decided = await place.run(
    at('import', '--yes', decideFile, '--from', 'native', '--on-conflict', 'theirs', '--json'),
    key,
  );
  expect(JSON.parse(decided.stdout)).toMatchObject({ job: { updated: 1 } });
  expect(JSON.parse(decided.stdout)).not.toHaveProperty('decideFile');
  expect(await signIn('open-3@example.com', newPassword)).toBe('OK');
  expect((await place.run(at('import', '--yes', 'open-2.csv', '--on-conflict', 'ours'), key)).code).toBe(0);
  expect(await signIn('open-1@example.com', 'Changed-here-2')).toBe('OK');
  expect(await signIn('open-2@example.com', newPassword)).toBe('OK');
  expect(await signIn('open-3@example.com', newPassword)).toBe('OK');
});
