/** The log of an old PostgreSQL, with the statements that its version has: those for older ones work on newer ones, too. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readAddress } from '../../src/exports/sources/engines/address.ts';
import { namingColumns } from '../../src/exports/sources/log/named.ts';
import { lsnText, type Lsn, parseLsn } from '../../src/exports/sources/log/pgoutput.ts';
import { type LogState, openSourceLog, type SourceLog } from '../../src/exports/sources/log/source-log.ts';
import type { FoundTable } from '../../src/exports/sources/statements.ts';
import { type Logged, logReader, makeLogged } from '../helpers/logged.ts';
import { type Alone, installedPostgres, startAlone } from '../helpers/replicated.ts';

const users: FoundTable = {
  name: 'users',
  schema: 'public',
  table: 'users',
  key: 'id',
  hasIntegerKey: true,
  takes: {},
  joins: [],
};
const columns = namingColumns([users]);
const name = 'carryover_0123456789abcdef';

describe.each(installedPostgres)('the log of PostgreSQL $version', ({ version, binaries }) => {
  let server: Alone;
  let old: Logged;
  let log: SourceLog;
  beforeAll(async () => {
    server = await startAlone(binaries);
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    old = await makeLogged(server, 'laravel', 'create table users (id int primary key);');
    log = await openSourceLog(readAddress(old.address, undefined), {}, name);
  });
  afterEach(async () => {
    await log.close();
    await old.drop();
  });

  async function changed(): Promise<LogState> {
    await log.begin(await log.state(columns), columns);
    await old.change('insert into users values (1)');
    return log.state(columns);
  }

  const confirmed = async (): Promise<string | null | undefined> => (await old.slots())[0]?.confirmed;

  const ways = [10, 11].filter((each) => each <= version);
  it.each(ways)('is confirmed up to a position, as PostgreSQL %i and newer can', async (older) => {
    const state = ofVersion(older, await changed());
    const end = await endOfTheCommit();
    expect(await log.confirm(state, end)).toBe(end);
    expect(await confirmed()).toBe(lsnText(end));
    expect((await log.changes(await log.state(columns), columns)).isEmpty).toBe(true);
    // Not back.
    expect(await log.confirm(state, end - 1n)).toBeGreaterThanOrEqual(end - 1n);
    expect(await confirmed()).toBe(lsnText(end));
  });

  it('is confirmed up to the end of the record that has the position, as PostgreSQL 10 can', async () => {
    const state = ofVersion(10, await changed());
    const end = await endOfTheCommit();
    expect(await log.confirm(state, end - 1n)).toBe(end);
    expect(await confirmed()).toBe(lsnText(end));
  });

  async function endOfTheCommit(): Promise<Lsn> {
    const [row] = await old.sql<{ end: string }>(
      `select lsn::text as end from pg_logical_slot_peek_binary_changes('${name}', null, null,
        'proto_version', '1', 'publication_names', '${name}') order by lsn desc limit 1`,
    );
    return parseLsn(row?.end ?? '');
  }

  const partitioned = `set role ${logReader}; drop table users; create table users (id int${version >= 11 ? ' primary key' : ''}) partition by range (id);
    create table users_1 partition of users for values from (1) to (10)`;

  it.runIf(version >= 13)('shows the users of a partitioned table', async () => {
    await old.change(partitioned);
    const state = await changed();
    const { named } = (await log.changes(state, columns)).all;
    expect([...named.values()]).toEqual([['1']]);
  });

  it.runIf(version < 13)('is refused for a partitioned table', async () => {
    await old.change(partitioned);
    await expect(log.state(columns)).rejects.toThrow(
      'users is partitioned, and such tables can be published from PostgreSQL 13 on',
    );
  });
});

const ofVersion = (version: number, state: LogState): LogState => ({
  ...state,
  server: { ...state.server, version: version * 10_000 },
});
