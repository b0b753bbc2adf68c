/** Several files as one job of a whole core. */
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

const head = 'id,name,email,email_verified_at,password,remember_token,created_at,updated_at';
const row = (id: number, email: string): string => `${id},X,${email},,${knownHash},,2024-01-01 00:00:00,`;
const at = (...args: string[]): string[] => [...args, '--url', core.url];
const signIn = async (email: string): Promise<unknown> =>
  (await core.post('/recipe/signin', { email, password: knownPassword })).body.status;

interface Summary {
  readonly rejected: number;
  readonly job: { readonly id: string; readonly created: number };
  readonly jobs: readonly unknown[];
}

it('finds who is in two of the files, is one job in lists, and one undo takes all back', async () => {
  await place.write(
    'export/users-2.csv',
    `${head}\n${row(1, 'a@example.com')}\n${row(2, 'b@example.com')}\n`,
  );
  await place.write(
    'export/users-10.csv',
    `${head}\n${row(3, 'c@example.com')}\n${row(4, 'B@example.com')}\n`,
  );
  const imported = await place.run(at('import', '--yes', 'export', '--rejects', 'bad.ndjson', '--json'), key);
  const { rejected, job } = JSON.parse(imported.stdout) as Summary;
  expect({ code: imported.code, rejected, created: job.created }).toEqual({
    code: 1,
    rejected: 1,
    created: 3,
  });
  expect(JSON.parse(await place.read('bad.ndjson'))).toMatchObject({
    file: 'users-10.csv',
    line: 2,
    lineInJob: 4,
    externalUserId: '4',
    code: 'DUPLICATE_IN_JOB',
  });
  expect(await Promise.all(['a@example.com', 'b@example.com', 'c@example.com'].map(signIn))).toEqual([
    'OK',
    'OK',
    'OK',
  ]);
  const listed = await place.run(at('jobs', '--json'), key);
  expect((JSON.parse(listed.stdout) as Summary).jobs).toHaveLength(1);
  // They have signed in since.
  expect((await place.run(at('undo', job.id, '--force', '--yes'), key)).code).toBe(0);
  expect(await signIn('c@example.com')).toBe('WRONG_CREDENTIALS_ERROR');
});
