/** The process that writes back is killed again and again, between its commits there and its confirmations here. */
import { expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { eventually } from '../helpers/eventually.ts';
import { newApp } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';
import { openWritten, tallyOf, writingBack } from '../helpers/write-back.ts';

let core: TestCore;
let place: Place;
useCoreAndPlace(
  (used) => {
    ({ core, place } = used);
  },
  { settings: { ALLOW_HASH_EXPORT: 'true' } },
);

/** Each row takes a while, so that a process dies within a page of changes. */
const slowly = (table: string) => `
  create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(0.03); return new; end $$;
  create trigger slowly before insert on ${table} for each row execute function wait();`;

const count = 40;

it.each([
  ['laravel', 'users', "select setval('users_id_seq', 100);"],
  ['django', 'auth_user', "select setval('auth_user_id_seq', 100);"],
  // The app makes the keys.
  ['better-auth', '"user"', ''],
])('nothing is written twice to %s, and nothing is lost', async (system, table, prepare) => {
  const app = await newApp(core);
  const old = await openWritten(system, undefined);
  try {
    await old.run(prepare + slowly(table));
    const move = writingBack({ core, place, app, system, old });
    await move.lead();
    for (let n = 0; n < count; n++) {
      const email = `user${n}@example.com`;
      // Every other one has no password: nothing but the row itself says that it was written.
      const account = {
        thirdPartyId: 'google',
        thirdPartyUserId: email,
        email: { id: email, isVerified: true },
      };
      if (n % 2 === 0) await move.signUp(email, 'a password of a user');
      else await move.ok('/recipe/signinup', account);
    }
    const written = async () =>
      (
        await old.rows<{ email: string }>(
          `select email from ${table} where email like 'user%@example.com' order by email`,
        )
      ).map(({ email }) => email);
    const args = [
      ...['write-back', old.address, '--from', system, '--once', '--yes', '--json'],
      ...['--url', core.url, '--app', app.replace('/appid-', '')],
    ];
    for (const until of [8, 24]) {
      const process = place.start(args, key);
      await eventually(async () => {
        expect((await written()).length).toBeGreaterThanOrEqual(until);
      }, 10);
      process.kill();
      await process.ended;
      expect((await written()).length).toBeLessThan(count);
      await withSql(
        core.database.connection,
        (sql) => sql`update carryover.move_leases set leased_until = 0`,
      );
    }
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: count, conflicts: 0 });
    const emails = await written();
    expect(emails).toHaveLength(count);
    expect(new Set(emails).size).toBe(count);
    expect(tallyOf(await move.writeBack('--once'))).toMatchObject({ written: 0, conflicts: 0 });
  } finally {
    await old.drop();
  }
});
