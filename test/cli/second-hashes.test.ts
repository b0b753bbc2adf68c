/** Passwords set while a move leads are hashed once more as the old system does, so a core with its usual settings can write them back. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { eventually } from '../helpers/eventually.ts';
import { metric } from '../helpers/metrics.ts';
import { knownHash, knownPassword, newApp, userOf } from '../helpers/people.ts';
import { askPhp, hasPhp } from '../helpers/php.ts';
import { openWritten, tallyOf, writingBack, type WrittenDatabase } from '../helpers/write-back.ts';
import { useCoreAndPlace } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
useCoreAndPlace(
  (used) => {
    ({ core, place } = used);
  },
  { settings: { ALLOW_HASH_EXPORT: 'true', UPGRADE_PASSWORD_HASHES: 'true' } },
);

interface OldRow {
  readonly id: number;
  readonly email: string;
  readonly password: string;
}

/** As Laravel wrote it, at the cost of its tests. */
const oldHash = knownHash.replace('$2b$', '$2y$');
const email = 'ada@example.com';

let app: string;
let old: WrittenDatabase;
let move: ReturnType<typeof writingBack>;
beforeEach(async () => {
  app = await newApp(core);
  old = await openWritten('laravel', undefined);
  await old.run(
    `select setval('users_id_seq', 100); update users set password = '${oldHash}', updated_at = '2000-01-01'`,
  );
  move = writingBack({ core, place, app, system: 'laravel', old });
  const method = { recipeId: 'emailpassword', email, passwordHash: oldHash, isVerified: true };
  await move.ok('/bulk-import/import', { externalUserId: '42', loginMethods: [method] });
  return () => old.drop();
});

const row = async (which: string) =>
  (await old.rows<OldRow>(`select * from users where email = '${which}'`))[0];
const hashHere = async (): Promise<string> => {
  const { text } = await core.get(`${app}/bulk-export/users`);
  const [record] = text.split('\n').filter((line) => line.includes(`"${email}"`));
  const { loginMethods } = JSON.parse(record ?? '') as { loginMethods: { passwordHash: string }[] };
  return loginMethods[0]?.passwordHash ?? '';
};
const written = async () =>
  tallyOf(await move.writeBack('--once')) as { written: number; conflicts: number; mustReset: number };
/** Of the app, in the tables of the move. */
const kept = async (): Promise<number> => {
  const [found] = await withSql(
    core.database.connection,
    (sql) => sql<{ n: number }[]>`
      select count(p.mark)::int as n from carryover.apps a
      left join carryover.move_passwords p on p.app_no = a.app_no
      where a.app_id = ${app.replace('/appid-', '')}`,
  );
  return found?.n ?? 0;
};
const judge = (hash: string | undefined, password: string) => {
  expect(hash).toMatch(/^\$2y\$04\$/);
  if (hasPhp) expect(askPhp(hash ?? '', password)).toEqual({ name: 'bcrypt', isRight: true });
};

it('are written back, at the cost of the old system, and stay until the move ends', async () => {
  await move.lead();
  await move.signUp('new@example.com', 'a new password');
  await move.changed('42', { password: 'a changed password' });
  expect(await hashHere()).toMatch(/^\$argon2id\$/);
  expect(await written()).toMatchObject({ written: 2, conflicts: 0, mustReset: 0 });
  judge((await row(email))?.password, 'a changed password');
  judge((await row('new@example.com'))?.password, 'a new password');
  const signIn = { email, password: 'a changed password' };
  expect((await core.post(`${app}/recipe/signin`, signIn)).body.status).toBe('OK');
  expect(await kept()).toBe(2);

  // A password that is replaced leaves nothing.
  await move.changed('42', { password: 'the third password' });
  expect(await written()).toMatchObject({ written: 1, conflicts: 0, mustReset: 0 });
  judge((await row(email))?.password, 'the third password');
  await move.changed('42', { email: 'ada.lovelace@example.com' });
  await move.changed('42', { password: 'replaced before it was written' });
  await move.changed('42', { password: 'the fifth password' });
  expect(await written()).toMatchObject({ written: 1, conflicts: 0, mustReset: 0 });
  judge((await row('ada.lovelace@example.com'))?.password, 'the fifth password');
  expect(await kept()).toBe(2);
  await move.ok('/user/remove', { userId: '42', removeAllLinkedAccounts: true });
  expect(await written()).toMatchObject({ written: 1, conflicts: 0 });
  expect(await kept()).toBe(1);

  await move.ok('/move/back', {});
  await move.signUp('late@example.com', 'a late password');
  expect(await written()).toMatchObject({ written: 1, conflicts: 0, mustReset: 0 });
  judge((await row('late@example.com'))?.password, 'a late password');
  await move.ok('/move/close', { abandon: true });
  expect(await kept()).toBe(0);
  await move.signUp('after@example.com', 'a password after the move');
  expect(await kept()).toBe(0);
});

it('are recognised there after a writer was killed before its confirmation', async () => {
  await move.lead();
  await move.changed('42', { password: 'a changed password' });
  const { body } = await core.get(`${app}/move/changes`);
  const [change] = body.changes as { secondHashes: Record<string, string> }[];
  const [second = ''] = Object.values(change?.secondHashes ?? {});
  judge(second, 'a changed password');
  await old.run(`update users set password = '${second}' where id = 42`);
  await move.changed('42', { password: 'the third password' });
  expect(await written()).toMatchObject({ written: 1, conflicts: 0, mustReset: 0 });
  judge((await row(email))?.password, 'the third password');
});

it('are the same password for a follower, for a comparison, and for an import of a later export', async () => {
  await move.lead();
  const release = () =>
    withSql(core.database.connection, (sql) => sql`update carryover.move_leases set leased_until = 0`);
  await release();
  await move.changed('42', { password: 'a changed password' });
  await move.signUp('new@example.com', 'a new password');
  expect(await written()).toMatchObject({ written: 2, conflicts: 0, mustReset: 0 });
  const before = await hashHere();
  // The names of there are new here.
  await move.follow();
  await release();
  for (let said = ''; !said.includes('All users were read');) {
    said = (await move.follow('--full-every', '1s')).stderr;
    expect(said).not.toMatch(/\d (?:created|updated)|conflict|both sides/);
    await release();
  }
  expect(await hashHere()).toBe(before);
  const { code, stdout } = await move.compare();
  expect([code, stdout]).toEqual([0, expect.stringContaining(' 2 equal\n')]);
  expect(stdout).not.toContain('different');
  // What changes there again is taken only if it did not change here.
  await move.changed('42', { password: 'the third password' });
  await old.run(`update users set password = '${oldHash}', updated_at = now() where id = 42`);
  const { stderr: conflict } = await move.writeBack('--once');
  expect(conflict).toContain('42: CHANGED_THERE');
});

describe('hashes', () => {
  const upgrades = (outcome: string) => metric(core, 'carryover_hash_upgrades_total', { outcome });
  const signIn = async () =>
    userOf(await core.post(`${app}/recipe/signin`, { email, password: knownPassword }));

  it('that were upgraded before the move led are no new passwords', async () => {
    const upgraded = await upgrades('upgraded');
    await signIn();
    await eventually(async () => {
      expect(await upgrades('upgraded')).toBe(upgraded + 1);
    });
    await move.lead();
    await move.changed('42', { email: 'ada.lovelace@example.com' });
    expect(await written()).toMatchObject({ written: 1, conflicts: 0, mustReset: 0, leftOut: {} });
    expect((await row('ada.lovelace@example.com'))?.password).toBe(oldHash);
  });

  it('are not upgraded while the move of their app leads, and are again after it', async () => {
    await move.lead();
    const [dropped, upgraded] = [await upgrades('dropped'), await upgrades('upgraded')];
    await signIn();
    await eventually(async () => {
      expect(await upgrades('dropped')).toBe(dropped + 1);
    });
    expect([await hashHere(), await upgrades('upgraded')]).toEqual([oldHash, upgraded]);
    expect(await written()).toMatchObject({ written: 0 });
    await move.ok('/move/back', {});
    await move.ok('/move/close', { abandon: true });
    await signIn();
    await eventually(async () => {
      expect(await upgrades('upgraded')).toBe(upgraded + 1);
    });
    expect(await hashHere()).toMatch(/^\$argon2id\$/);
  });
});
