/** `carryover dashboard-user` against a whole core. */
import { describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import { inputOf, runHere } from '../helpers/command.ts';
import { testApiKey, type TestCore } from '../helpers/core.ts';
import { useCoreAndPlace, withTestKey } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
useCoreAndPlace((used) => {
  ({ core, place } = used);
});

const run = (args: readonly string[], input = '') =>
  place.run(['dashboard-user', ...args, ...yesFor(args), '--url', core.url], { ...withTestKey, input });
/** A list changes nothing. */
const yesFor = ([verb]: readonly string[]): string[] => (verb === 'list' ? [] : ['--yes']);
const signIn = async (email: string, password: string) =>
  (await core.post('/recipe/dashboard/signin', { email, password })).body.status;

it('adds a user with a password of the standard input, changes it, and removes the user', async () => {
  const email = 'operator@example.com';
  expect(await run(['list'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^There are no dashboard users yet/) as string,
  });
  const added = await run(['add', email], 'correct horse 1\nanother line');
  expect(added).toMatchObject({ code: 0, stdout: `May sign in to the dashboard: ${email}\n` });
  expect(await signIn(email, 'correct horse 1')).toBe('OK');
  expect(await run(['list'])).toMatchObject({
    stdout: expect.stringMatching(/^operator@example.com +since 20.* UTC\n$/) as string,
  });
  const again = await run(['add', email], 'correct horse 2');
  expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already') as string });
  expect(await run(['password', email], 'correct horse 3')).toMatchObject({ code: 0 });
  expect(await signIn(email, 'correct horse 1')).toBe('INVALID_CREDENTIALS_ERROR');
  expect(await signIn(email, 'correct horse 3')).toBe('OK');
  expect(await run(['remove', email])).toMatchObject({ code: 0, stdout: `Removed: ${email}\n` });
  expect(await signIn(email, 'correct horse 3')).toBe('INVALID_CREDENTIALS_ERROR');
});

it.each([
  ['a weak password', ['add', 'a@example.com'], 'short', /at least 8 characters/],
  ['no password', ['add', 'a@example.com'], '', /No password was given/],
  ['no email', ['add', 'nobody'], 'correct horse 1', /The email is not valid/],
  ['an unknown one', ['password', 'nobody@example.com'], 'correct horse 1', /No dashboard user has this/],
  ['nobody to remove', ['remove', 'nobody@example.com'], '', /No dashboard user has this/],
])('says what is wrong with %s', async (_what, args, input, message) => {
  const { code, stdout, stderr } = await run(args, input);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toMatch(message);
});

describe('at a terminal', () => {
  const keys = async (args: readonly string[], ...typed: string[]) => {
    const modes: boolean[] = [];
    const stdin = Object.assign(inputOf(...typed), {
      isTTY: true,
      setRawMode: (mode: boolean) => void modes.push(mode),
    });
    const { code, stdout, stderr } = await runHere(['dashboard-user', ...args, '--url', core.url], {
      environment: { CARRYOVER_API_KEY: testApiKey },
      folder: place.folder,
      stdin,
    });
    return { code, modes, said: `${stdout}${stderr}` };
  };

  it('takes what is typed, without showing it', async () => {
    const email = 'typist@example.com';
    const { code, modes, said } = await keys(['add', email], 'correx', '\u007fct horse ', '1\r');
    expect([code, modes]).toEqual([0, [true, false]]);
    expect(said).toContain('Password');
    expect(said).not.toContain('horse');
    expect(await signIn(email, 'correct horse 1')).toBe('OK');
  });

  it('ends by Ctrl-C, and the terminal is as it was', async () => {
    expect(await keys(['add', 'typist@example.com'], 'corr\u0003')).toMatchObject({
      code: 130,
      modes: [true, false],
      said: expect.stringContaining('Stopped.') as string,
    });
  });
});
