/** The imports of a follower: one entry in the list of jobs, undone back to a moment. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { type Followed, insertUser, makeFollowed, setPassword } from '../helpers/followed.ts';
import { knownPassword, signIn } from '../helpers/people.ts';
import { withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
let stage: Followed;
beforeAll(async () => {
  [core, place] = await Promise.all([startTestCore(), makePlace()]);
});
afterAll(async () => {
  await Promise.all([core.stop(), place.remove()]);
});
beforeEach(async () => {
  stage = await makeFollowed('PostgreSQL', { core, place });
  await stage.move.toFollowing();
});
afterEach(() => stage.drop());

const at = (app: string) => ['--url', core.url, '--app', app.replace('/appid-', '')];
const run = (...args: string[]) => place.run([...args, ...at(stage.app)], key);
const answer = ({ stdout }: { readonly stdout: string }) => JSON.parse(stdout) as Record<string, unknown>;
const undo = (since: string, ...more: string[]) =>
  run('undo', '--series', 'follow-1', '--since', since, ...more);

/** One look at all users, then two at those who changed. @returns the moments at which they began, as text */
async function lookThrice(): Promise<[string, string, string]> {
  const { once, change, jobs } = stage;
  await once();
  await change(`${insertUser(3)} ${setPassword(1)}`);
  await once();
  await change(
    `${insertUser(4)} update users set email = 'new3@example.com', updated_at = current_timestamp where id = 3;`,
  );
  await once();
  const begun = (await jobs()).map(({ startedAt }) => new Date(startedAt).toISOString());
  expect(begun).toHaveLength(3);
  return [begun[2] ?? '', begun[1] ?? '', begun[0] ?? ''];
}

describe('jobs', () => {
  it('show a follower as one line, and its imports with --series', async () => {
    const [first] = await lookThrice();
    const all = await run('jobs');
    expect(all.stdout).toMatch(
      /^Series of imports[^\n]+\nseries +since[^\n]+\nfollow-1 [^\n]+ done +3 +4 +2 +0\n$/,
    );
    expect(all.stdout).toContain(first.slice(0, 16).replace('T', ' '));
    const one = await run('jobs', '--series', 'follow-1');
    expect(one.stdout.match(/ follow laravel: /g)).toHaveLength(3);
    expect(answer(await run('jobs', '--json'))).toMatchObject({
      jobs: [{ series: { name: 'follow-1', jobs: 3, created: 4, updated: 2 } }],
      next: [{}, { command: expect.stringContaining('jobs --series follow-1') as string }],
    });
    expect((await run('status')).stdout).toMatch(/^follow laravel: \d changed users \(job /);
  });

  it('count the rejects of the last reading of all users, not those of each', async () => {
    const { once, change } = stage;
    await change(
      `insert into users (id, email, password, updated_at) values (9, 'no email', 'no hash', '2024-01-01');`,
    );
    await once();
    for (const id of [3, 4]) {
      await change(insertUser(id));
      await once('--full-every', '1s');
    }
    const { jobs } = answer(await run('jobs', '--json')) as {
      jobs: { series: { rejected: number; lastWhole: { rejected: number } } }[];
    };
    expect(jobs[0]?.series.lastWhole.rejected).toBe(1);
    expect(jobs[0]?.series.rejected).toBeGreaterThan(1);
    const listed = await run('jobs');
    expect(listed.stdout).toMatch(/ 1\nWhy records of follow-1 are rejected: [^\n]+\n$/);
    const [, whole = ''] = /carryover status (\S+)/.exec(listed.stdout) ?? [];
    expect((await run('status', whole)).stdout).toMatch(
      /^follow laravel: all users [^\n]+\n(.*\n)* +rejected +1\n/,
    );
  });

  it.each(['jobs', 'undo'])('%s of an unknown series names the command that lists them', async (command) => {
    const since = command === 'undo' ? ['--since', '1h'] : [];
    const { code, stderr } = await run(command, '--series', 'follow-9', ...since);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^There is no series "follow-9" .* jobs .*lists them\n$/),
    ]);
  });
});

describe('undo --since', () => {
  it('undoes the looks since a moment, and what they changed in turn', async () => {
    const [, second] = await lookThrice();
    const { users, app, jobs } = stage;
    const dry = await undo(second, '--dry-run', '--json');
    expect(answer(dry)).toMatchObject({
      type: 'undo',
      dryRun: true,
      jobs: 2,
      next: [{ command: expect.stringContaining(`--series follow-1 --since ${second}`) as string }],
    });
    const asked = await undo(second);
    expect([asked.code, asked.stderr]).toEqual([
      2,
      expect.stringContaining('Undo of 2 imports of follow-1 since '),
    ]);
    expect(await users()).toBe(4);
    const done = await undo(second, '--yes');
    expect([done.code, done.stdout]).toEqual([
      0,
      '2 imports of follow-1. Undone: 2 users removed, 2 users put back\n',
    ]);
    expect(await users()).toBe(2);
    expect(await signIn(core, 'u1@example.com', knownPassword, app)).toBe('OK');
    expect((await jobs()).map(({ state }) => state)).toEqual(['undone', 'undone', 'done']);
    const again = await undo(second, '--yes', '--json');
    expect([again.code, answer(again)]).toMatchObject([0, { jobs: 0, removed: 0, restored: 0, left: [] }]);
  });

  it('leaves users who were active since, lists them, and takes them with --force', async () => {
    const [, second] = await lookThrice();
    const { users, app } = stage;
    expect(await signIn(core, 'new3@example.com', knownPassword, app)).toBe('OK');
    const { code, stdout } = await undo(second, '--yes', '--json', '--show-samples');
    expect([code, JSON.parse(stdout)]).toMatchObject([
      1,
      { removed: 1, restored: 1, left: [{ userId: '3', email: 'new3@example.com', reason: 'SIGNED_IN' }] },
    ]);
    expect(await users()).toBe(3);
    expect((await undo(second, '--yes', '--force')).code).toBe(0);
    expect(await users()).toBe(2);
  });

  it('continues where another run was interrupted', async () => {
    const [, second] = await lookThrice();
    const [newest] = await stage.jobs();
    expect((await run('undo', newest?.id ?? '', '--yes')).code).toBe(0);
    expect((await undo(second, '--yes')).stdout).toBe(
      '1 import of follow-1. Undone: 1 user removed, 1 user put back\n',
    );
    expect(await stage.users()).toBe(2);
  });

  it('names the moment that it began with when it is interrupted, and continues from there', async () => {
    await lookThrice();
    const { app, jobs, users } = stage;
    const states = async () => (await jobs()).map(({ state }) => state);
    const [, middle] = await jobs();
    const ended = await withSql(core.database.connection, (sql) =>
      sql.begin(async (transaction) => {
        // The undo of the older import waits for this user.
        await transaction`select from carryover.users where email = 'u1@example.com' for update`;
        const running = place.start(
          [...['undo', '--series', 'follow-1', '--since', '2h', '--yes'], ...at(app)],
          key,
        );
        await expect.poll(states).toEqual(['undone', 'done', 'done']);
        running.interrupt();
        return running.ended;
      }),
    );
    expect([ended.code, ended.stderr]).toEqual([
      130,
      expect.stringMatching(
        /Stopped\. 1 of 3 imports are undone\. Continue with: .*undo --series follow-1 --since \S+Z .*--yes\n/,
      ),
    ]);
    const [, since = ''] = /--since (\S+)/.exec(ended.stderr) ?? [];
    expect(Date.parse(since)).toBeLessThan(middle?.startedAt ?? 0);
    expect((await undo(since, '--yes')).code).toBe(0);
    expect([await users(), await states()]).toEqual([0, ['undone', 'undone', 'undone']]);
  });

  it('refuses a moment before a purge, and names the earliest', async () => {
    const [first, second, third] = await lookThrice();
    const [, middle] = await stage.jobs();
    expect((await run('purge', middle?.id ?? '', '--yes')).code).toBe(0);
    const refused = await undo(first, '--yes', '--json');
    const earliest = new Date(Date.parse(second) + 1).toISOString();
    expect([refused.code, answer(refused)]).toMatchObject([
      2,
      { code: 'JOB_PURGED', next: [{ command: expect.stringContaining(`--since ${earliest}`) as string }] },
    ]);
    expect(await stage.users()).toBe(4);
    expect((await undo(third, '--yes')).code).toBe(0);
  });

  it('takes a duration, and refuses while an import is on the way', async () => {
    await stage.once();
    await withSql(core.database.connection, async (sql) => {
      await sql`update carryover.import_jobs set state = 1 where series = 'follow-1'`;
    });
    expect((await undo('2h', '--yes')).stderr).toMatch(/is not over yet: stop the follower/);
    await withSql(core.database.connection, async (sql) => {
      await sql`update carryover.import_jobs set state = 2 where state = 1 and series = 'follow-1'`;
    });
    expect((await undo('2h', '--yes')).stdout).toMatch(/^1 import of follow-1\. Undone: 2 users removed/);
  });

  it.each([
    [['--series', 'follow-1'], '--series needs --since'],
    [['--since', '2h'], '--since belongs to --series'],
    [['--since', '2h', '--series', 'follow-1', 'job'], 'exclude each other'],
    [[], 'Name the import to undo'],
    [['--series', 'follow-1', '--since', '2999-01-01T00:00:00Z'], 'is in the future'],
    [['--series', 'follow-1', '--since', '2026-01-01'], 'It takes a time with its zone'],
    [['--series', 'follow-1', '--since', 'yesterday'], 'It takes a time with its zone'],
  ])('refuses %j', async (args, message) => {
    const { code, stderr } = await run('undo', ...args, '--yes');
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });
});
