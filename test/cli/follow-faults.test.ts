/** The real follower, and what goes wrong around it: late commits, pauses, restarts, clocks, rights. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import {
  type Followed,
  type FollowedEngine,
  insertUser,
  makeFollowed,
  setPassword,
} from '../helpers/followed.ts';
import { freePort } from '../helpers/free-port.ts';
import { hasMariadb, type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { knownHash, knownPassword, signIn } from '../helpers/people.ts';
import { createMigratedDatabase } from '../helpers/postgres.ts';

let core: TestCore;
let place: Place;
let mariadb: Mariadb | undefined;
beforeAll(async () => {
  [core, place] = await Promise.all([startTestCore(), makePlace()]);
  if (hasMariadb) mariadb = await startMariadb();
});
afterAll(async () => {
  await Promise.all([core.stop(), place.remove(), mariadb?.stop()]);
});

let followed: Followed;
afterEach(() => followed.drop());

const later = (engine: FollowedEngine, hours: number): string =>
  engine === 'PostgreSQL'
    ? `current_timestamp + interval '${hours} hours'`
    : `current_timestamp + interval ${hours} hour`;

describe.each(hasMariadb ? (['PostgreSQL', 'MariaDB'] as const) : (['PostgreSQL'] as const))(
  'a follower of %s',
  (engine) => {
    beforeEach(async () => {
      followed = await makeFollowed(engine, { core, place, mariadb });
      await followed.move.toFollowing();
    });

    it('loses no user of a transaction that commits after the watermark has passed it', async () => {
      const { once, during, change, users, app } = followed;
      await once();
      await during(`${insertUser(3)} ${setPassword(1)}`, async () => {
        await change(insertUser(4));
        expect((await once()).stderr).toContain('1 created');
        expect(await users()).toBe(3);
      });
      expect((await once()).stderr).toMatch(/1 created, 1 updated/);
      expect([await users(), await signIn(core, 'u3@example.com', knownPassword, app)]).toEqual([4, 'OK']);
    });

    it('follows a source whose clock is an hour ahead, or behind', async () => {
      const { once, change, users } = followed;
      await change(`update users set updated_at = ${later(engine, 1)} where id = 1;`);
      await once();
      await change(insertUser(3, later(engine, 1)));
      expect((await once()).stderr).toContain('1 created');
      await change('delete from users where id = 1;');
      await change(`update users set updated_at = ${later(engine, -1)};`);
      // The clock was set back: changes are behind the position until all users are read again.
      await change(insertUser(4, later(engine, -1)));
      for (let said = ''; !said.includes('All users were read');)
        said = (await once('--full-every', '1s')).stderr;
      await change(insertUser(5, later(engine, -1)));
      expect((await once()).stderr).toContain('1 created');
      expect(await users()).toBe(5);
    });

    it('bears a touch of 10,000 users who have not changed, and goes on', async () => {
      const { start, change, users, jobs } = followed;
      await change(manyUsers(engine, 10_000));
      const running = start();
      await running.said(/All users were read\. 10002 created/);
      await change(`update users set updated_at = current_timestamp;`);
      await running.said(/10,?000 users changed there\. 10000 unchanged/);
      await change(insertUser(3));
      await running.said(/ changed there\. 1 created/);
      expect(await users()).toBe(10_003);
      running.interrupt();
      await running.ended;
      // Looks in between had the same 10,000 users within their overlap, and sent none of them again.
      const names = (await jobs()).map(({ name }) => name);
      expect(names.filter((name) => name.includes('0,000'))).toHaveLength(1);
      expect(names.length).toBeLessThanOrEqual(5);
    });

    it('reads all users after a day off, or only who changed if it is not time for that', async () => {
      const { once, change, users } = followed;
      await once();
      const aDay = 86_400_000;
      await rewind(aDay);
      await change(`${insertUser(3)} ${insertUser(4, later(engine, -20))}`);
      const changed = await once('--full-every', '48h');
      expect(changed.stderr).toMatch(/ changed there\. 2 created/);
      await rewind(aDay);
      await change(`insert into users (id, email, password) values (5, 'u5@example.com', '${knownHash}');`);
      expect((await once()).stderr).toMatch(/All users were read\. 1 created/);
      expect(await users()).toBe(5);
    });
  },
);

const manyUsers = (engine: FollowedEngine, count: number): string => {
  const series =
    engine === 'PostgreSQL'
      ? `generate_series(1001, ${1000 + count}) s (n)`
      : `(select seq as n from seq_1001_to_${1000 + count}) s`;
  const email = engine === 'PostgreSQL' ? `'m' || s.n || '@example.com'` : `concat('m', s.n, '@example.com')`;
  return `insert into users (id, email, password, updated_at)
    select s.n, ${email}, '${knownHash}', '2020-01-01 00:00:00' from ${series};`;
};

/** The stored position, as a follower left it that long ago. */
async function rewind(ms: number): Promise<void> {
  await withSql(core.database.connection, async (sql) => {
    const [row] = await sql<{ position: string }[]>`
      select position from carryover.move_leases where position is not null and app_no =
        (select app_no from carryover.apps where app_id = ${followed.app.replace('/appid-', '')})`;
    const stored = JSON.parse(row?.position ?? '{}') as { full: number; position: Record<string, string> };
    // Without a zone, in one of two forms; the fraction of the second stays.
    const back = (time: string): string => {
      const at = new Date(Date.parse(`${time.slice(0, 19).replace(' ', 'T')}Z`) - ms);
      return `${at
        .toISOString()
        .slice(0, 19)
        .replace('T', time[10] ?? ' ')}${time.slice(19)}`;
    };
    const position = Object.fromEntries(
      Object.entries(stored.position).map(([table, time]) => [table, back(time)]),
    );
    const text = JSON.stringify({ full: stored.full - ms, position });
    await sql`update carryover.move_leases set position = ${text} where app_no =
      (select app_no from carryover.apps where app_id = ${followed.app.replace('/appid-', '')})`;
  });
}

describe('a follower', () => {
  beforeEach(async () => {
    followed = await makeFollowed('PostgreSQL', { core, place });
    await followed.move.toFollowing();
  });

  it.each(['1s', '60s'])(
    'that was asleep past its lease says so, and doubles nothing: %s',
    async (interval) => {
      const { start, change, users, jobs, expire } = followed;
      const asleep = start('--interval', interval);
      await asleep.said(/All users were read/);
      asleep.pause();
      await expire();
      const other = start();
      await change(`${insertUser(3)} ${setPassword(1)}`);
      await other.said(/1 created, 1 updated/);
      asleep.goOn();
      await asleep.said(/Another process has taken the lease over: waiting until it ends/);
      await asleep.said(/follows already: waiting until it ends/);
      const before = (await jobs()).length;
      other.interrupt();
      await other.ended;
      // It continues where the other one was.
      await change(insertUser(4));
      await asleep.said(/1 created/);
      expect(await users()).toBe(4);
      const all = await jobs();
      const since = all.slice(0, all.length - before).map(({ name }) => name);
      expect(since.every((name) => !name.endsWith('all users'))).toBe(true);
      asleep.interrupt();
      await asleep.ended;
    },
  );

  it('goes on with a table that got a column which it knows, and one that it does not', async () => {
    const { start, change, users, app } = followed;
    const running = start();
    await running.said(/All users were read/);
    await change(
      `alter table users add column nickname text, add column name text; ${insertUser(3)}
       update users set name = 'Ada', nickname = 'x', updated_at = now() where id = 1;`,
    );
    await running.said(/1 created, 1 updated/);
    expect(await users()).toBe(3);
    const { body } = await core.get(`${app}/recipe/user/metadata`, { userId: '1' });
    expect(body.metadata).toMatchObject({ name: 'Ada' });
    running.interrupt();
    await running.ended;
  });
});

it('a follower outlives a core that restarts', async () => {
  const database = await createMigratedDatabase();
  const settings = { PORT: String(await freePort()) };
  let own = await startTestCore({ database, settings });
  try {
    followed = await makeFollowed('PostgreSQL', { core: own, place });
    const { move, start, change } = followed;
    await move.toFollowing();
    const running = start('--patience', '0');
    await running.said(/All users were read/);
    await own.close();
    await change(`${insertUser(3)} ${setPassword(1)}`);
    // The second one met the changes.
    await running.said(/; trying again in 2/);
    own = await startTestCore({ database, settings });
    await running.said(/1 created, 1 updated/);
    expect(await followed.users()).toBe(3);
    expect((await move.status()).processes).toMatchObject([{ role: 'follow', isHeld: true }]);
    running.interrupt();
    await running.ended;
  } finally {
    await own.close();
    await database.drop();
  }
});

it('a follower whose role may not read any more says so, and goes on when it may', async () => {
  const role = { user: 'reader_of_followed', password: 'reads' };
  followed = await makeFollowed('PostgreSQL', { core, place, role });
  const { move, start, change, users } = followed;
  await change(
    `drop role if exists ${role.user}; create role ${role.user} login password '${role.password}';
     grant select on users to ${role.user};`,
  );
  await move.toFollowing();
  const running = start();
  await running.said(/All users were read/);
  await change(`revoke select on users from ${role.user}; ${insertUser(3)}`);
  await running.said(/(permission|may not|right).*; trying again/i);
  expect(await users()).toBe(2);
  await change(`grant select on users to ${role.user};`);
  await running.said(/ changed there\. 1 created/);
  running.interrupt();
  await running.ended;
  await change(`drop owned by ${role.user}; drop role ${role.user};`);
});
