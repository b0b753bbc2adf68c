/** The real follower of the log of a real PostgreSQL, and what goes wrong around it. */
import postgres from 'postgres';
import { databaseProviders } from '../../src/exports/providers/index.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Place } from '../helpers/carryover.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { type Followed, insertUser, makeFollowed, userTable } from '../helpers/followed.ts';
import { type Logged, logReader, makeLogged } from '../helpers/logged.ts';
import { knownPassword, signIn } from '../helpers/people.ts';
import { type Alone, installedPostgres, startAlone } from '../helpers/replicated.ts';
import { tablesOf } from '../helpers/sources.ts';
import { useCoreAndPlace, withTestKey as key } from '../helpers/use-core.ts';

let core: TestCore;
let place: Place;
useCoreAndPlace((used) => {
  ({ core, place } = used);
});

let old: Logged;
let followed: Followed;

async function follow(server: Alone, system = 'laravel', statements = userTable()): Promise<void> {
  old = await makeLogged(server, system, statements);
  followed = await makeFollowed('PostgreSQL', { core, place, old });
  await followed.move.toFollowing();
}

/** One look, by the log alone. @returns what it said */
async function look(...more: string[]): Promise<string> {
  const { code, stderr } = await followed.once('--log', 'require', ...more);
  expect([code, stderr]).toEqual([0, stderr]);
  return stderr;
}

/** No time of these rows shows the change. */
const setEmail = (id: number, email: string) => `update users set email = '${email}' where id = ${id};`;

const emailOf = async (userId: string): Promise<unknown> => {
  const { body } = await core.get(`${followed.app}/user/id`, { userId });
  return (body.user as { emails?: string[] } | undefined)?.emails?.[0];
};

/** Jobs that sent users. */
const imports = async (): Promise<number> => (await followed.jobs()).length;

describe.each(installedPostgres)('the log of PostgreSQL $version', ({ version, binaries }) => {
  let server: Alone;
  beforeAll(async () => {
    server = await startAlone(binaries);
  });
  afterAll(() => server.remove());
  afterEach(() => old.drop());

  it('shows what no time in the tables shows, and reads nothing where nothing changed', async () => {
    await follow(server);
    expect(await look()).toMatch(/Follows the log .*\n.*All users were read\. 2 created/);
    const before = await imports();
    expect(await look()).toBe('');
    await old.change(`${setEmail(1, 'ada@example.com')} ${setEmail(2, 'b@example.com')} ${insertUser(3)}`);
    expect(await look()).toContain('3 users changed there. 1 created, 2 updated');
    expect([await emailOf('1'), await emailOf('2'), await followed.users()]).toEqual([
      'ada@example.com',
      'b@example.com',
      3,
    ]);
    expect(await imports()).toBe(before + 1);
  });

  it('shows users by the rows of other tables, through others still', async () => {
    await follow(server, 'kratos', await tablesOf('kratos'));
    await old.change(`update identity_verifiable_addresses set verified = false, status = 'pending'`);
    expect(await look()).toMatch(
      /rows removed from identity_credentials, .*rows removed from identity_verifiable_addresses/,
    );
    await old.change(`update identity_verifiable_addresses set verified = true, status = 'completed'`);
    expect(await look()).toContain('1 user changed there. 1 updated');
    // Only its credential names the identity.
    await old.change(
      `update identity_credential_identifiers set identifier = 'countess' where identifier = 'ada'`,
    );
    expect(await look()).toContain('1 user changed there');
    expect(await look()).not.toContain('changed there');
  });

  it('loses no transaction that commits late, and repeats none', async () => {
    await follow(server);
    await look();
    await old.during(`${insertUser(3)} ${setEmail(1, 'late@example.com')}`, async () => {
      await old.change(insertUser(4));
      expect(await look()).toContain('1 user changed there. 1 created');
      await old.change(insertUser(5));
      expect(await look()).toContain('1 user changed there. 1 created');
      expect(await look()).toBe('');
    });
    expect(await look()).toContain('2 users changed there. 1 created, 1 updated');
    expect([await look(), await followed.users(), await emailOf('1')]).toEqual(['', 5, 'late@example.com']);
  });

  it('is read on from a transaction that is larger than a look, once', async () => {
    const accounts = `create table social_accounts (id int primary key, user_id bigint);
      alter table social_accounts replica identity full;`;
    await follow(server, 'laravel', userTable() + accounts);
    await look();
    // All of a user who does not exist.
    await old.change(
      `insert into social_accounts select n, 999 from generate_series(1, 50100) n; ${setEmail(1, 'ada@example.com')}`,
    );
    await old.change(insertUser(3));
    expect(await look()).toMatch(
      /^1 user changed there\. 1 updated .*\n1 user changed there\. 1 created .*\n$/,
    );
    expect([await look(), await emailOf('1')]).toEqual(['', 'ada@example.com']);
  });

  it('does not stay behind where other tables alone change', async () => {
    await follow(server);
    await look();
    await old.change('create table other (id int primary key);');
    const confirmed = async () => (await old.slots())[0]?.confirmed ?? '';
    const before = await confirmed();
    for (const id of [1, 2]) {
      await old.change(`insert into other values (${id});`);
      expect(await look()).toBe('');
    }
    const [row] = await old.sql<{ passed: boolean }>(
      `select '${await confirmed()}'::pg_lsn > '${before}'::pg_lsn as passed`,
    );
    expect(row).toEqual({ passed: true });
    await old.change(insertUser(3));
    expect(await look()).toContain('1 created');
  });

  it('shows commits that were not on the disk at once', async () => {
    await follow(server);
    await look();
    for (const id of [3, 4, 5]) {
      await old.change(`set synchronous_commit = off; ${insertUser(id)}`);
      await look();
    }
    await expect.poll(async () => (await look(), await followed.users())).toBe(5);
  });

  it('waits for a commit that other sessions do not see yet', async () => {
    await follow(server);
    await look();
    await server.sql(`alter system set synchronous_standby_names = 'none_of_these'`);
    await server.sql('select pg_reload_conf()');
    const waits = old.change(`set synchronous_commit = on; ${setEmail(1, 'hidden@example.com')}`);
    await expect
      .poll(() => server.sql(`select from pg_stat_activity where wait_event = 'SyncRep'`))
      .toHaveLength(1);
    expect(await look('--full-every', '1h')).toBe('');
    await server.sql(`alter system reset synchronous_standby_names`);
    await server.sql('select pg_reload_conf()');
    await waits;
    expect(await look()).toContain('1 user changed there. 1 updated');
    expect(await emailOf('1')).toBe('hidden@example.com');
  });

  it('is read again after a kill between the import and its confirmation: nothing is lost or done twice', async () => {
    await follow(server);
    await look();
    const stored = await positionOf();
    // The follower cannot move the slot.
    const mover =
      version < 11
        ? 'pg_logical_slot_get_binary_changes(name, pg_lsn, integer, text[])'
        : 'pg_replication_slot_advance(name, pg_lsn)';
    await old.sql(`revoke execute on function ${mover} from public`);
    const running = followed.start('--log', 'require');
    await old.change(`${insertUser(3)} ${setEmail(1, 'ada@example.com')}`);
    await running.said(/changed there\. 1 created, 1 updated/);
    await running.said(/; trying again/);
    running.kill();
    await running.ended;
    await followed.expire();
    await old.sql(`grant execute on function ${mover} to public`);
    // As if it had been killed before its position was stored, too.
    await setPosition(stored);
    await old.change(insertUser(4));
    expect(await look()).toContain('3 users changed there. 1 created, 2 unchanged');
    expect([await look(), await followed.users(), await emailOf('1')]).toEqual(['', 4, 'ada@example.com']);
  });

  it('is begun again with all users when the slot or the publication is gone, or was moved by others', async () => {
    await follow(server);
    await look();
    const [slot] = await old.slots();
    const readByAnother = `select count(*) from pg_logical_slot_get_binary_changes('${slot?.name ?? ''}', null, null,
      'proto_version', '1', 'publication_names', '${slot?.name ?? ''}')`;
    await old.sql(`select pg_drop_replication_slot('${slot?.name ?? ''}')`);
    await old.change(setEmail(1, 'first@example.com'));
    expect(await look()).toMatch(/The slot was removed .*\n.*1 updated/);
    await old.change(setEmail(1, 'second@example.com'));
    await old.sql(`${readByAnother}; drop publication ${slot?.name ?? ''}`);
    expect(await look()).toMatch(/The publication was removed .*\n.*1 updated/);
    await old.change(setEmail(1, 'third@example.com'));
    await old.sql(readByAnother);
    expect(await look()).toMatch(/The slot is ahead .*\n.*1 updated/);
    await old.change(setEmail(1, 'fourth@example.com'));
    const stored = JSON.parse(await positionOf()) as { log: object };
    await setPosition(JSON.stringify({ ...stored, log: { ...stored.log, at: 'FFFF/0' } }));
    expect(await look()).toMatch(/The log of the old database was set back.*\n.*1 updated/);
    await old.change(setEmail(1, 'fifth@example.com'));
    expect(await look()).toContain('1 user changed there. 1 updated');
    expect([await emailOf('1'), await old.slots()]).toMatchObject([
      'fifth@example.com',
      [slot && { name: slot.name }],
    ]);
  });

  // Older servers keep all of it.
  it.runIf(version >= 13)('is begun again when the server has removed what the slot needs', async () => {
    await follow(server);
    await look();
    await server.sql(`alter system set max_slot_wal_keep_size = '1MB'`);
    await server.sql('select pg_reload_conf()');
    await old.change(setEmail(1, 'lost@example.com'));
    for (let segment = 0; segment < 3; segment++) await server.sql('select pg_switch_wal()');
    await old.change(
      'create table filler as select repeat($$x$$, 1000) as t from generate_series(1, 50000); drop table filler;',
    );
    for (let segment = 0; segment < 3; segment++) await server.sql('select pg_switch_wal()');
    await server.sql('checkpoint');
    expect(
      await server.sql(`select wal_status from pg_replication_slots where database = '${old.database}'`),
    ).toEqual([{ wal_status: 'lost' }]);
    await server.sql(`alter system reset max_slot_wal_keep_size`);
    await server.sql('select pg_reload_conf()');
    expect(await look()).toMatch(/removed the log that the slot needs .*\n.*1 updated/);
    await old.change(insertUser(3));
    expect(await look()).toContain('1 user changed there. 1 created');
  });

  it('is begun again when the database keeps more of it than is allowed', async () => {
    await follow(server);
    await look();
    await old.change(
      `create table filler as select repeat('x', 1000) as t from generate_series(1, 5000); ${setEmail(1, 'x@example.com')}`,
    );
    expect(await look('--max-log', '1MB')).toMatch(/keeps .* more than --max-log allows.*\n.*1 updated/);
    expect(await look()).toBe('');
  });

  it('leads to a reading of all users when a table was emptied or rewritten', async () => {
    await follow(server);
    await look();
    await old.change(`truncate users; ${insertUser(7)}`);
    expect(await look('--absent', 'disable', '--force-absent')).toMatch(
      /The table users was .*emptied.*: all users are read\n.*1 created, 2 absent/s,
    );
    await old.change(`alter table users alter column email type varchar(300) using 'x' || email;`);
    await old.change(
      `alter table users alter column email type text using 'y' || email, alter column id type int;`,
    );
    expect(await look()).toMatch(/The table users was rewritten .*: all users are read\n.*1 updated/);
    expect([await look(), await emailOf('7')]).toEqual(['', 'yxu7@example.com']);
  });

  it('goes on with a table that got a column, and a new table', async () => {
    await follow(server);
    await look();
    await old.change(
      `alter table users add column name text; ${setEmail(2, 'b@example.com')} update users set name = 'Ada' where id = 1;`,
    );
    expect(await look()).toContain('2 users changed there. 2 updated');
    const running = followed.start();
    await old.change(setEmail(2, 'c@example.com'));
    await running.said(/1 user changed there\. 1 updated/);
    await old.change(
      `create table social_accounts (id int primary key, user_id bigint, provider text, provider_user_id text);
       alter table social_accounts owner to ${logReader};
       insert into social_accounts values (1, 1, 'google', 'g-1'), (2, null, 'google', 'g-0');
       ${setEmail(2, 'd@example.com')}`,
    );
    await running.said(
      /The publication .* lacks a table[^]*rows removed from social_accounts[^]*All users were read/,
    );
    await old.change(`update social_accounts set provider_user_id = 'g-2' where id = 1;`);
    await running.said(/All users were read[^]*1 user changed there\. 1 updated/);
    running.interrupt();
    await running.ended;
  });

  it('brings the next reading of all users forward when a user was removed', async () => {
    await follow(server);
    await old.change(`${insertUser(3)} ${insertUser(4)}`);
    await look('--absent', 'disable');
    await old.change('delete from users where id = 2;');
    expect(await look('--absent', 'disable')).toMatch(
      /1 user removed there: --absent applies when all users are read, in (\d\d s|1 min)/,
    );
    const stored = JSON.parse(await positionOf()) as { full: number };
    await setPosition(JSON.stringify({ ...stored, full: stored.full - 61_000 }));
    expect(await look('--absent', 'disable')).toMatch(/All users were read\. 3 unchanged, 1 absent/);
    expect(await signIn(core, 'u2@example.com', knownPassword, followed.app)).toBe('WRONG_CREDENTIALS_ERROR');
    expect(await look('--absent', 'disable')).toBe('');
  });

  it('is removed when the move is closed, and by hand', async () => {
    await follow(server);
    const running = followed.start();
    await running.said(/All users were read/);
    await old.change(setEmail(1, 'ada@example.com'));
    await running.said(/1 user changed there\. 1 updated/);
    const name = expect.stringMatching(/^carryover_[0-9a-f]{16}$/) as string;
    expect([await old.slots(), await old.publications()]).toMatchObject([[{ name }], [name]]);
    running.interrupt();
    expect((await running.ended).stderr).toMatch(/keeps its log for the slot carryover_/);
    const byHand = await followed.once('--remove-log');
    expect([byHand.code, byHand.stderr]).toEqual([0, expect.stringMatching(/were removed from/)]);
    expect([await old.slots(), await old.publications()]).toEqual([[], []]);
    const again = followed.start();
    await again.said(/The slot was removed .*\n.*All users were read/);
    expect(await old.slots()).toHaveLength(1);
    expect(await followed.move.post('/close', { abandon: true })).toMatchObject({ status: 'OK' });
    const { code, stderr } = await again.ended;
    expect([code, stderr]).toEqual([3, expect.stringMatching(/were removed from the old database/)]);
    expect([await old.slots(), await old.publications()]).toEqual([[], []]);
  });
});

describe('a follower', () => {
  let server: Alone;
  beforeAll(async () => {
    server = await startAlone();
  });
  afterAll(() => server.remove());
  beforeEach(() => follow(server));
  afterEach(() => old.drop());

  it('makes nothing there for a single look, or without the log', async () => {
    expect((await followed.once()).stderr).toContain('2 created');
    expect((await followed.once('--log', 'off')).code).toBe(0);
    expect([await old.slots(), await old.publications()]).toEqual([[], []]);
  });

  it('reads the log in a single look where another has begun, until it is not to', async () => {
    await look();
    await old.change(setEmail(1, 'ada@example.com'));
    expect((await followed.once()).stderr).toContain('1 user changed there. 1 updated');
    expect((await followed.once('--log', 'off')).stderr).toMatch(
      /The slot of an earlier follower stays.*--remove-log\nAll users were read/,
    );
    expect(await old.slots()).toHaveLength(1);
    expect(await look()).toContain('An earlier follower left a slot');
  });

  it('waits for a session that reads the slot', async () => {
    await look();
    const [slot] = await old.slots();
    const release = await holdSlot(slot?.name ?? '');
    const running = followed.start('--log', 'require');
    await running.said(/Another session reads the slot.*; trying again/);
    await release();
    await old.change(setEmail(1, 'ada@example.com'));
    await running.said(/1 user changed there\. 1 updated/);
    running.interrupt();
    await running.ended;
  });

  it('waits for transactions that are open when a slot is made, for half a minute, and makes none when it is stopped', async () => {
    const waiting = `select pid from pg_stat_activity where datname = '${old.database}' and wait_event_type = 'Lock'
      and query like '%pg_create_logical_replication_slot%'`;
    await old.during(insertUser(3), async () => {
      const stopped = followed.start();
      await expect.poll(() => server.sql(waiting)).toHaveLength(1);
      stopped.interrupt();
      const { code, stderr } = await stopped.ended;
      expect([code, stderr]).toEqual([130, expect.not.stringContaining('by their times')]);
      await expect.poll(old.slots).toEqual([]);
      const running = followed.start('--full-every', '2s');
      await expect.poll(() => server.sql(waiting)).toHaveLength(1);
      // As the limit does.
      await server.sql(`select pg_cancel_backend(pid) from (${waiting}) w`);
      await running.said(/seen by their times.*Transactions have been open there/);
      await running.said(/All users were read\. 2 created/);
      running.interrupt();
      await running.ended;
    });
    expect(await look()).toMatch(/Follows the log .*\n.*1 created/);
  });

  it('sees changes by their times where its role may not read the log, and says what to do', async () => {
    await server.sql(`alter role ${logReader} noreplication`);
    const running = followed.start();
    await running.said(
      /seen by their times.*alter role "log_reader" replication; create publication "carryover_[0-9a-f]{16}" for table "public"."users"/,
    );
    await running.said(/All users were read/);
    await old.change(insertUser(3));
    await running.said(/changed there\. 1 created/);
    await server.sql(`alter role ${logReader} replication`);
    running.interrupt();
    await running.ended;
    const strict = await followed.once('--log', 'require');
    expect([strict.code, strict.stderr]).toEqual([0, expect.stringContaining('Follows the log')]);
  });

  it('that loses the right sees changes by their times, and says that the slot stays', async () => {
    const running = followed.start('--full-every', '2s');
    await running.said(/All users were read/);
    await server.sql(`alter role ${logReader} noreplication`);
    await old.change(setEmail(1, 'ada@example.com'));
    await running.said(/seen by their times.* The slot carryover_\w+ stays.*replication/);
    await expect.poll(() => emailOf('1')).toBe('ada@example.com');
    await server.sql(`alter role ${logReader} replication`);
    await running.said(/An earlier follower left a slot/);
    await old.change(setEmail(1, 'again@example.com'));
    await expect.poll(() => emailOf('1')).toBe('again@example.com');
    running.interrupt();
    await running.ended;
  });

  it('ends with what is wrong where the log is required and cannot be read', async () => {
    await server.sql(`alter role ${logReader} noreplication`);
    const { code, stderr } = await followed.once('--log', 'require');
    await server.sql(`alter role ${logReader} replication`);
    expect([code, stderr]).toEqual([2, expect.stringContaining('alter role "log_reader" replication')]);
    const mysql = ['follow', 'mysql://db.example.com/shop', '--from', 'laravel', '--yes', '--log', 'require'];
    const other = await place.run(mysql, key);
    expect([other.code, other.stderr]).toEqual([
      2,
      expect.stringContaining('--log require: only the log of PostgreSQL'),
    ]);
  });

  it('sees a row of another table that was removed, if the log has the user of it', async () => {
    await old.change(`create table social_accounts (id int primary key, user_id bigint, provider text, provider_user_id text);
      insert into social_accounts values (1, 1, 'google', 'g-1'), (2, 2, 'google', 'g-2');`);
    await old.sql(`alter table social_accounts owner to ${logReader}`);
    expect(await look()).toContain('rows removed from social_accounts');
    await old.change('delete from social_accounts where id = 1');
    expect(await look()).toMatch(
      /^Seen only when all users are read again, .*: rows removed from social_accounts\n$/,
    );
    await old.change(
      'alter table social_accounts replica identity full; delete from social_accounts where id = 2;',
    );
    expect(await look()).toMatch(/^1 user changed there/);
  });

  it('removes the slot when the move goes back', async () => {
    const running = followed.start();
    await running.said(/All users were read/);
    expect(await old.slots()).toHaveLength(1);
    expect(await followed.move.post('/back')).toMatchObject({ status: 'OK' });
    const { code, stderr } = await running.ended;
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/were removed from the old database[^]*rehearsing/),
    ]);
    expect([await old.slots(), await old.publications()]).toEqual([[], []]);
  });

  it('goes on when a table has its name again, with what changed meanwhile', async () => {
    const running = followed.start();
    await running.said(/All users were read/);
    await old.change('alter table users rename to people;');
    await running.said(/The table users is gone from the old database; trying again/);
    await old.change(`update people set email = 'meanwhile@example.com' where id = 1;`);
    await old.change(`alter table people rename to users; ${insertUser(3)}`);
    await running.said(/2 users changed there\. 1 created, 1 updated/);
    running.interrupt();
    await running.ended;
  });

  it('sees a joined row that was removed, by the value that was compared', async () => {
    await old.drop();
    await follow(server, 'supertokens', await tablesOf('supertokens'));
    await look();
    await old.change('delete from user_metadata;');
    expect(await look()).toMatch(/1 user changed there\. 1 (updated|unchanged)/);
  });

  it('breaks no update of the old system, whatever identity its tables get', async () => {
    await old.change('create table social_accounts (user_id bigint, provider text, provider_user_id text);');
    await old.sql(`alter table social_accounts owner to ${logReader}`);
    expect(await look()).toContain('changes of social_accounts');
    await old.change(
      `insert into social_accounts values (1, 'google', 'g-1'); update social_accounts set provider = 'github';`,
    );
    await old.change(`alter table users replica identity full; ${setEmail(1, 'full@example.com')}`);
    expect(await look()).toContain('1 user changed there');
    await old.change(
      `alter table users replica identity default; alter table users drop constraint users_pkey, add primary key (email); ${setEmail(2, 'other@example.com')}`,
    );
    expect(await look()).toContain('1 user changed there. 1 updated');
  });
});

describe('every system in PostgreSQL', () => {
  let server: Alone;
  beforeAll(async () => {
    server = await startAlone();
  });
  afterAll(() => server.remove());
  afterEach(() => old.drop());

  const systems = databaseProviders.filter(({ database }) => database.engines.includes('postgres'));
  it.each(systems.map(({ name }) => name))('%s: users are found from each of its tables', async (system) => {
    await follow(server, system, await tablesOf(system));
    await look();
    const published = await old.sql<{ name: string; column: string }>(
      `select format('%I.%I', t.schemaname, t.tablename) as name, quote_ident(t.attnames[1]) as column from pg_publication_tables t`,
    );
    expect(published.length).toBeGreaterThan(0);
    for (const { name, column } of published) {
      await old.change(`update ${name} set ${column} = ${column}`);
      const [row] = await old.sql<{ rows: number }>(`select count(*)::int as rows from ${name}`);
      if (row?.rows === 0) continue;
      expect([name, await look()]).toEqual([name, expect.stringContaining(' changed there. ')]);
    }
  });
});

it('a follower of a PostgreSQL without logical decoding sees changes by their times, and says how to get the log', async () => {
  const usual = await makeFollowed('PostgreSQL', { core, place });
  await usual.move.toFollowing();
  const running = usual.start();
  await running.said(/seen by their times.*wal_level = replica.*alter system set wal_level = logical/);
  await usual.change(insertUser(3));
  await running.said(/changed there\. 1 created|All users were read\. 3 created/);
  running.interrupt();
  await running.ended;
  await usual.drop();
});

/** As a session of the protocol for replication does. @returns ends it */
async function holdSlot(name: string): Promise<() => Promise<void>> {
  const sql = postgres({
    host: '127.0.0.1',
    port: Number(new URL(old.address).port),
    database: old.database,
    user: 'postgres',
    max: 1,
    fetch_types: false,
    connection: { replication: 'database' },
  });
  const stream = await sql
    .unsafe(`START_REPLICATION SLOT ${name} LOGICAL 0/0 (proto_version '1', publication_names '${name}')`)
    .writable();
  stream.on('error', () => undefined);
  return () => sql.end({ timeout: 0 });
}

async function positionOf(): Promise<string> {
  return withSql(core.database.connection, async (sql) => {
    const [row] = await sql<
      { position: string }[]
    >`select position from carryover.move_leases where ${ofApp(sql)}`;
    return row?.position ?? '';
  });
}

async function setPosition(text: string): Promise<void> {
  await withSql(core.database.connection, async (sql) => {
    await sql`update carryover.move_leases set position = ${text} where ${ofApp(sql)}`;
  });
}

type Sql = Parameters<Parameters<typeof withSql>[1]>[0];

function ofApp(sql: Sql) {
  return sql`app_no = (select app_no from carryover.apps where app_id = ${followed.app.replace('/appid-', '')})`;
}
