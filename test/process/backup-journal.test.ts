/** A backup that was taken while a move led: the core on what is restored notes what changes, as before. */
import { rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { expect, it } from 'vitest';
import { backUpDatabase, restoreDatabase } from '../../src/core/backup/run.ts';
import { uriOf } from '../helpers/bulk-client.ts';
import { runHere } from '../helpers/command.ts';
import { startTestCore, type TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { moveClient } from '../helpers/moves.ts';
import { knownPassword, newApp, newEmail, userOf } from '../helpers/people.ts';
import { createDatabase } from '../helpers/postgres.ts';

const folder = os.tmpdir();

it('goes on noting what changes from the first request on', async () => {
  const file = path.join(folder, `carryover-journal-${process.pid}`);
  const run = (args: readonly string[], uri: string) =>
    runHere(args, {
      folder,
      environment: { HOME: folder, POSTGRESQL_CONNECTION_URI: uri },
      backup: (sources) => backUpDatabase({ ...sources, version: '0.1.0' }),
      restore: restoreDatabase,
    });
  const core = await startTestCore();
  const database = await createDatabase();
  let other: TestCore | undefined;
  try {
    const [leading, following] = [await newApp(core), await newApp(core)];
    await moveClient(core, leading).toLeading(100);
    await moveClient(core, following).toFollowing();
    const signUp = async (on: TestCore, app: string) =>
      userOf(await on.post(`${app}/recipe/signup`, { email: newEmail(), password: knownPassword }));
    await signUp(core, leading);
    const backup = await run(['backup', file], uriOf(core.database.connection));
    expect([backup.code, backup.stderr]).toEqual([0, backup.stderr]);
    const restored = await run(['restore', file, '--yes'], uriOf(database.connection));
    expect([restored.code, restored.stderr]).toEqual([0, restored.stderr]);

    // Before a core is there, whose sweep would make them, too.
    const made = await withSql(
      database.connection,
      (sql) => sql`select tgname from pg_trigger where tgname like 'move_journal_%'`,
    );
    expect(made).toHaveLength(5);
    other = await startTestCore({ database });
    await signUp(other, leading);
    await signUp(other, following);
    const waiting = async (app: string) =>
      ((await other?.get(`${app}/move/status`))?.body.waiting as { users: number }).users;
    expect([await waiting(leading), await waiting(following)]).toEqual([2, 0]);
  } finally {
    await other?.close();
    await Promise.all([core.stop(), database.drop(), rm(file, { force: true })]);
  }
});
