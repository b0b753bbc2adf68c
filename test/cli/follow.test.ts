/** The real command: what changes at an old system is imported here. */
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import {
  type Followed,
  insertUser as insert,
  makeFollowed,
  setPassword,
  userTable,
} from '../helpers/followed.ts';
import { hasMariadb, type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { knownPassword, signIn } from '../helpers/people.ts';
import { withTestKey as key } from '../helpers/use-core.ts';

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

describe.each(hasMariadb ? (['PostgreSQL', 'MariaDB'] as const) : (['PostgreSQL'] as const))(
  'a follower of %s',
  (engine) => {
    let stage: Followed;
    beforeEach(async () => {
      stage = await makeFollowed(engine, { core, place, mariadb });
    });
    afterEach(() => stage.drop());

    /** Reads all users, once it is time for that. @returns what it said */
    const all = async (...more: string[]): Promise<string> => {
      for (;;) {
        const { code, stderr } = await stage.once('--full-every', '1s', ...more);
        expect([code, stderr]).toEqual([0, stderr]);
        if (stderr.includes('All users were read')) return stderr;
      }
    };

    it('brings all users here, then who changed, and leaves the rest alone', async () => {
      const { move, once, change, users, app, jobs } = stage;
      await move.toFollowing();
      const first = await once();
      expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining('2 created') as string });
      await change(
        `${insert(3)} ${setPassword(1)} update users set email = 'other@example.com' where id = 2;`,
      );
      const second = await once();
      expect(second).toMatchObject({
        code: 0,
        stderr: expect.stringMatching(/2 users changed there\. 1 created, 1 updated/) as string,
      });
      expect(await users()).toBe(3);
      expect(await signIn(core, 'u3@example.com', knownPassword, app)).toBe('OK');
      // What no time shows is found when all users are read.
      expect(await all()).toMatch(/All users were read\. 1 updated, 2 unchanged/);
      expect((await jobs()).every(({ name }) => name.startsWith('follow laravel: '))).toBe(true);
      const status = await move.status();
      expect(status.processes).toMatchObject([{ role: 'follow', isHeld: false, lagRecords: 0 }]);
    });

    it('finds a change that was committed late, behind others', async () => {
      const { move, once, change, users } = stage;
      await move.toFollowing();
      await once();
      await change(insert(3));
      await once();
      const earlier = engine === 'PostgreSQL' ? `interval '1 minute'` : 'interval 1 minute';
      await change(insert(4, `current_timestamp - ${earlier}`));
      expect((await once()).stderr).toContain('1 created');
      expect(await users()).toBe(4);
    });

    it('disables who is gone there, if asked to', async () => {
      const { move, once, change, app } = stage;
      await move.toFollowing();
      await change(`${insert(3)} ${insert(4)}`);
      await once();
      await change('delete from users where id = 2;');
      expect(await all('--absent', 'disable')).toContain('1 absent');
      expect(await signIn(core, 'u2@example.com', knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
    });
  },
);

describe('a follower', () => {
  let stage: Followed;
  beforeEach(async () => {
    stage = await makeFollowed('PostgreSQL', { core, place });
  });
  afterEach(() => stage.drop());

  it('goes on after a kill where it was, and ends at an interrupt', async () => {
    const { move, start, change, users } = stage;
    await move.toFollowing();
    const first = start();
    // Once its position is stored.
    await expect.poll(move.status).toMatchObject({ processes: [{ lagMs: expect.any(Number) as number }] });
    first.kill();
    await first.ended;
    await change(insert(3));
    await stage.expire();
    const second = start();
    await second.said(/changed there\. 1 created/);
    await change(insert(4));
    await expect.poll(users).toBe(4);
    second.interrupt();
    const { code, stderr } = await second.ended;
    expect([code, stderr]).toEqual([130, expect.not.stringContaining('All users')]);
    expect((await move.status()).processes).toMatchObject([{ isHeld: false }]);
  });

  it('waits while another follows', async () => {
    const { move, start, change, users } = stage;
    await move.toFollowing();
    const first = start();
    await first.said(/All users were read/);
    const second = start();
    await second.said(/follows already/);
    first.interrupt();
    await first.ended;
    await change(insert(3));
    await second.said(/changed there\. 1 created/);
    expect(await users()).toBe(3);
    second.interrupt();
    await second.ended;
  });

  it('says what is wrong with the source, and goes on when it is mended', async () => {
    const { move, start, change, users } = stage;
    await move.toFollowing();
    const running = start();
    await running.said(/All users were read/);
    await change('alter table users rename to people;');
    await running.said(/There is no table users.*; trying again/);
    await change(
      `alter table people rename to users; alter table users add column nickname text; ${insert(3)}`,
    );
    await running.said(/changed there\. 1 created/);
    expect(await users()).toBe(3);
    running.interrupt();
    await running.ended;
  });

  /** A holder by hand, that has begun an import. */
  async function holder() {
    const { move, app, jobs } = stage;
    await move.toFollowing();
    const { source } = await move.status();
    const { system, address } = source as { system: string; address: string };
    const claim = () => move.post('/lease', { role: 'follow', holder: 'a machine', system, address });
    const { fence } = await claim();
    const headers = { 'api-key': core.apiKey, 'tus-resumable': '1.0.0' };
    const url = `${core.url}${app}/bulk-import/jobs`;
    const created = await fetch(`${url}?series=follow-1`, {
      method: 'POST',
      headers: { ...headers, 'upload-length': '1000' },
    });
    expect(created.status).toBe(201);
    const [job] = await jobs();
    const renew = (more: object) => core.put(`${app}/move/lease`, { role: 'follow', fence, ...more });
    expect((await renew({ jobId: job?.id })).body).toMatchObject({ status: 'OK' });
    const record = { loginMethods: [{ recipeId: 'passwordless', email: 'late@example.com' }] };
    const send = async () => {
      const own = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
      const body = `${JSON.stringify(record)}\n`;
      const sent = await fetch(`${url}/${job?.id ?? ''}`, {
        method: 'PATCH',
        headers: { ...headers, ...own },
        body,
      });
      return sent.status;
    };
    return { claim, renew, send };
  }

  it('loses its lease to another, which ends its import', async () => {
    const { claim, renew, send } = await holder();
    await stage.expire();
    expect(await claim()).toMatchObject({ status: 'OK' });
    expect([await send(), (await renew({})).body]).toEqual([410, { status: 'LEASE_LOST_ERROR' }]);
  });

  it('ends with 3 when the move is closed, so that a service is not started again', async () => {
    const { move, start } = stage;
    await move.toFollowing();
    const running = start();
    await running.said(/All users were read/);
    expect(await move.post('/close', { abandon: true })).toMatchObject({ status: 'OK' });
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([3, expect.stringContaining('The move is closed')]);
    for (const process of ['follow', 'write-back']) {
      const unit = await readFile(`deploy/systemd/carryover-${process}.service`, 'utf8');
      expect(unit).toMatch(/^RestartPreventExitStatus=3$/m);
      expect(unit).toContain(` ${process} `);
    }
  });

  it('loses it to the step that ends the move, too', async () => {
    const { send } = await holder();
    expect(await stage.move.post('/close', { abandon: true })).toMatchObject({ status: 'OK' });
    expect([await send(), await stage.users()]).toEqual([410, 0]);
  });

  it('follows a table of logins whose user is gone', async () => {
    const { move, once, change } = stage;
    await move.toFollowing();
    await once();
    await change(
      `create table social_accounts (user_id bigint, provider text, provider_user_id text, updated_at timestamp);
       insert into social_accounts values (null, 'google', 'g-0', now()), (1, 'google', 'g-1', now());`,
    );
    expect((await once()).stderr).toContain('1 updated');
  });

  it('asks for --yes without a terminal, with the exact command', async () => {
    const { code, stderr } = await place.run(['follow', stage.address, '--from', 'laravel', '--once'], key);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/Would import what changes at laravel[^]*--once --yes/),
    ]);
  });

  it('is refused before the move follows, for another source, and at a wrong address', async () => {
    const { move, once } = stage;
    const early = await once();
    expect([early.code, early.stderr]).toEqual([2, expect.stringContaining('move next')]);
    await move.toFollowing();
    const other = await once('--source', 'forum');
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('the app moves from laravel')]);
    await stage.change('drop table users;');
    const gone = await once();
    expect([gone.code, gone.stderr]).toEqual([2, expect.stringContaining('There is no table users')]);
    await stage.change(userTable());
  });
});
