/** The script that compose.yaml makes the image of PostgreSQL run on a new cluster, on a PostgreSQL of this machine. */
import { execFile, spawnSync } from 'node:child_process';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import postgres from 'postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { uriOf } from '../helpers/bulk-client.ts';
import { runMain } from '../helpers/process.ts';
import { olderPrograms, type OlderPostgres, startOlderPostgres } from '../helpers/store.ts';

const script = fileURLToPath(new URL('../../container/create-role.sh', import.meta.url));
const hasPsql = spawnSync('psql', ['--version']).status === 0;
/** A quote and a backslash, which the script must escape. */
const password = String.raw`it's \of the core`;

// Runs if the machine has psql and PostgreSQL 15 (Debian 12: the package `postgresql-15`); otherwise it is shown as skipped.
describe.runIf(olderPrograms !== undefined && hasPsql)('the script for a new cluster', () => {
  let server: OlderPostgres;
  let secrets: string;

  beforeAll(async () => {
    secrets = await mkdtemp(path.join(os.tmpdir(), 'carryover-secrets-'));
    await writeFile(path.join(secrets, 'core'), `${password}\n`);
    server = await startOlderPostgres(olderPrograms ?? '', async ({ folder, owner }) => {
      const file = path.join(folder, 'hba.conf');
      await writeFile(file, 'local all postgres trust\nlocal all all scram-sha-256\n');
      if (owner.uid !== undefined && owner.gid !== undefined) await chown(file, owner.uid, owner.gid);
      return { hba_file: file };
    });
    const environment = { PGHOST: server.target.host, CORE_PASSWORD_FILE: path.join(secrets, 'core') };
    await promisify(execFile)(script, [], { env: { PATH: process.env.PATH, ...environment } });
  });
  afterAll(async () => {
    await server.stop();
    await rm(secrets, { recursive: true, force: true });
  });

  it('makes a role that is no superuser and owns its database', async () => {
    const sql = postgres({ ...server.target, max: 1 });
    const rows = await sql`
      select rolsuper, rolcreatedb, rolcreaterole, pg_get_userbyid(datdba) as owner, pg_encoding_to_char(encoding) as encoding
      from pg_roles, pg_database where rolname = 'carryover' and datname = 'carryover'`;
    await sql.end();
    expect([...rows]).toEqual([
      { rolsuper: false, rolcreatedb: false, rolcreaterole: false, owner: 'carryover', encoding: 'UTF8' },
    ]);
  });

  it('gives the core all that it needs', async () => {
    const { host, port } = server.target;
    const uri = uriOf({ host, port, user: 'carryover', password, database: 'carryover' });
    const core = runMain({
      environment: { API_KEYS: 'a-key-of-enough-characters', POSTGRESQL_CONNECTION_URI: uri },
    });
    await core.printed(/"msg":"ready"/);
    expect(core.stdout()).toContain('migrated to this version');
    expect(await core.end()).toEqual([0, null]);
  });

  it('stops at the first thing that fails, without the password in the complaint', async () => {
    const environment = { PGHOST: server.target.host, CORE_PASSWORD_FILE: path.join(secrets, 'core') };
    const again = promisify(execFile)(script, [], { env: { PATH: process.env.PATH, ...environment } });
    await expect(again).rejects.toMatchObject({
      stderr: expect.not.stringContaining('of the core') as string,
    });
  });
});
