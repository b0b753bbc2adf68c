/** Files in unusual forms of their format, imported by the command. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { type FakeTus, startFakeTus } from '../helpers/tus-server.ts';

let tus: FakeTus;
let place: Place;

beforeEach(async () => {
  [tus, place] = await Promise.all([startFakeTus(), makePlace()]);
});

afterEach(async () => {
  await Promise.all([tus.stop().catch(() => undefined), place.remove()]);
});

const importing = (...args: string[]): string[] => ['import', '--yes', ...args, '--url', tus.url];
const sent = (): string => tus.jobs.at(-1)?.committed.toString('utf8') ?? '';
const users = (): unknown[] =>
  sent()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
const sample = (name: string): string =>
  path.join(fileURLToPath(new URL('../exports/files/', import.meta.url)), name);

describe('--dates', () => {
  const laravel =
    'id,name,email,email_verified_at,password,remember_token,created_at\n1,n,a@example.com,,,,3/4/2023\n';
  const own = 'id,mail,since,ban\n1,a@example.com,3/4/2023,1/2/2999\n';
  const mapped = ['--map', 'externalUserId=id,email=mail,timeJoinedInMSSinceEpoch=since,bannedUntil=ban'];
  const joined = () =>
    (users() as { loginMethods: { timeJoinedInMSSinceEpoch?: number }[] }[])[0]?.loginMethods[0]
      ?.timeJoinedInMSSinceEpoch;

  it.each([
    ['dmy', '2023-04-03', '2999-02-01'],
    ['mdy', '2023-03-04', '2999-01-02'],
  ])('%s says which comes first, in a known table and in one of your own', async (order, day, ban) => {
    await place.write('laravel.csv', laravel);
    await place.run(importing('laravel.csv', '--dates', order));
    expect(joined()).toBe(Date.parse(day));
    await place.write('own.csv', own);
    await place.run(importing('own.csv', ...mapped, '--dates', order));
    expect(joined()).toBe(Date.parse(day));
    expect(users()[0]).toMatchObject({ isDisabled: true, disabledUntil: Date.parse(ban) });
  });

  it('is named as the exact command where nothing shows the order, and nothing is sent', async () => {
    await place.write('laravel.csv', laravel);
    const { code, stderr } = await place.run(importing('laravel.csv'));
    expect(code).toBe(2);
    expect(stderr).toContain('no value shows which, in column created_at (first in record 1)');
    const does =
      /One of these does it:\n.* import --yes laravel.csv .* --dates dmy\n.* import .* --dates mdy\n/;
    expect(stderr).toMatch(does);
    expect(tus.jobs).toEqual([]);
    const { stdout } = await place.run(importing('laravel.csv', '--json'));
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'AMBIGUOUS_DATES',
      next: ['dmy', 'mdy'].map((order) => ({
        command: expect.stringMatching(`--json .*--dates ${order}$`) as unknown,
      })),
    });
    expect((await place.run(importing('laravel.csv', '--dates', 'ymd'))).code).toBe(2);
  });

  it('is not needed where the column shows the order, and inspect says what it would be', async () => {
    await place.write('laravel.csv', `${laravel}2,n,b@example.com,,,,25/4/2023\n`);
    const { code, stdout } = await place.run(importing('laravel.csv'));
    expect({ code, joined: joined() }).toEqual({ code: 0, joined: Date.parse('2023-04-03') });
    expect(stdout).toContain('dates such as 3/4/2023 in created_at were read with the day first');
    await place.write('laravel.csv', laravel);
    const looked = await place.run(['inspect', 'laravel.csv']);
    expect(looked.stdout).toMatch(/of created_at cannot be read .* an import needs --dates dmy/);
  });
});

describe('the native format', () => {
  it('as CSV with the names of the record is converted, named or not', async () => {
    const expected = ['kin0@example.com', 'kin1@example.com'].map(
      (email, n) =>
        expect.objectContaining({
          externalUserId: `kp_${n}`,
          loginMethods: [expect.objectContaining({ email, isVerified: true })],
        }) as unknown,
    );
    for (const named of [[], ['--from', 'native']]) {
      const { code } = await place.run(importing(sample('native.csv'), ...named));
      expect({ code, users: users() }).toEqual({ code: 0, users: expected });
    }
  });

  it('as lines goes out as it is, also where the first line is damaged', async () => {
    for (const text of ['{"loginMethods":[}\n{"loginMethods":[]}\n', 'nonsense\n{"loginMethods":[]}\n']) {
      await place.write('lines.ndjson', text);
      await place.run(importing('lines.ndjson', '--from', 'native'));
      expect(sent()).toBe(text);
    }
  });
});

describe('columns of two formats', () => {
  const table =
    'id,username,password,email,enabled,is_active,date_joined,last_login\n1,ada,!,ada@example.com,1,1,2023-01-05,2023-01-06\n';

  it('are refused with the command for each, and read as the one that is said', async () => {
    await place.write('users.csv', table);
    const { code, stderr } = await place.run(importing('users.csv'));
    expect(code).toBe(2);
    expect(stderr).toContain('users.csv: the columns are as much those of Django');
    for (const format of ['spring', 'django'])
      expect(stderr).toMatch(new RegExp(`\\n.* import --yes users.csv .* --from ${format}\\n`));
    expect(tus.jobs).toEqual([]);
    const { stdout } = await place.run(importing('users.csv', '--json'));
    expect(JSON.parse(stdout)).toMatchObject({ code: 'AMBIGUOUS_FORMAT', field: '--from' });
    expect((await place.run(importing('users.csv', '--from', 'django'))).stderr).not.toContain('as much');
  });

  it('are refused of several files, too', async () => {
    await place.write('a.csv', table);
    await place.write('b.csv', table.replaceAll('ada', 'bo'));
    const { code, stderr } = await place.run(importing('a.csv', 'b.csv'));
    expect(code).toBe(2);
    expect(stderr).toContain('a.csv and 1 more file: the columns are as much those of');
    expect(stderr).toMatch(/\n.* import --yes a.csv b.csv .* --from django\n/);
  });
});
