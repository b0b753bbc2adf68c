/** Commands on databases: all places in one go, each with its outcome. */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { backUpDatabase, foreseeRestore, restoreDatabase } from '../../src/core/backup/run.ts';
import { examineDatabase } from '../../src/core/examine-database.ts';
import { foreseeMigration, migrateDatabase } from '../../src/core/migrate-database.ts';
import { uriOf } from '../helpers/bulk-client.ts';
import { type Ended, runHere } from '../helpers/command.ts';
import { startTestCore } from '../helpers/core.ts';
import { importUser, knownPassword, newEmail, signIn } from '../helpers/people.ts';
import { inDatabase, newAppIn, type TwoPlaces, useTwoPlaces } from '../helpers/places.ts';
import { createDatabase, type TestDatabase } from '../helpers/postgres.ts';

let used: TwoPlaces;
useTwoPlaces((places) => {
  used = places;
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-places-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const made: TestDatabase[] = [];
afterEach(async () => {
  await Promise.all(made.splice(0).map((database) => database.drop()));
});
async function emptyDatabase(): Promise<TestDatabase> {
  const database = await createDatabase();
  made.push(database);
  return database;
}

const away = 'postgresql://core:secret@127.0.0.1:1/carryover';
const key = Buffer.alloc(32, 7).toString('base64');

/** @param places the addresses of the first place and of those after it, by name */
function run(
  args: readonly string[],
  { first, ...others }: Readonly<Record<string, string>>,
): Promise<Ended> {
  const places = Object.entries(others).map(([name, uri]) => ({ name, uri }));
  return runHere(args, {
    folder,
    environment: {
      HOME: folder,
      POSTGRESQL_CONNECTION_URI: first,
      PLACES: JSON.stringify(places),
      ENCRYPTION_KEYS: key,
    },
    migrate: migrateDatabase,
    foreseeMigration,
    examineDatabase,
    backup: (sources) => backUpDatabase({ ...sources, version: '0.1.0' }),
    foreseeRestore,
    restore: restoreDatabase,
  });
}

const both = () => ({ first: uriOf(used.first.connection), second: uriOf(used.second.connection) });
const isThere = (name: string): Promise<boolean> =>
  stat(path.join(folder, name)).then(
    () => true,
    () => false,
  );

describe('carryover migrate', () => {
  it('updates every place, and one that is named alone', async () => {
    const [first, second] = [await emptyDatabase(), await emptyDatabase()];
    const addresses = { first: uriOf(first.connection), second: uriOf(second.connection) };
    const one = await run(['migrate', '--yes', '--place', 'second'], addresses);
    expect([one.code, one.stdout]).toEqual([
      0,
      expect.stringMatching(/^The database is at version \d+: applied 1 to \d+\n$/),
    ]);
    const all = await run(['migrate', '--yes'], addresses);
    expect([all.code, all.stderr]).toEqual([0, '']);
    expect(all.stdout).toMatch(
      /^first: The database is at version \d+: applied 1 to \d+\nsecond: The database is at version \d+: nothing to change\n$/,
    );
  });

  it('names a place that is away, and does the others', async () => {
    const first = await emptyDatabase();
    const addresses = { first: uriOf(first.connection), dublin: away, second: both().second };
    const foreseen = await run(['migrate'], addresses);
    expect(foreseen.code).toBe(2);
    expect(foreseen.stderr).toMatch(
      /^first: Would bring the database to version \d+: would apply 1 to \d+\ndublin: The database cannot be reached: /,
    );
    const { code, stdout, stderr } = await run(['migrate', '--yes', '--json'], addresses);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^dublin: The database cannot be reached: [^\n]*ECONNREFUSED[^\n]*\n$/),
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'migrate',
      status: 'ERROR',
      places: [
        { place: 'first', status: 'OK' },
        { place: 'dublin', status: 'ERROR', message: expect.stringContaining('ECONNREFUSED') as string },
        { place: 'second', status: 'OK', applied: [] },
      ],
    });
    expect(`${stdout}${stderr}${foreseen.stderr}`).not.toContain('secret');
  });

  it('prints the SQL of one database only', async () => {
    const refused = await run(['migrate', '--print-sql'], both());
    expect([refused.code, refused.stderr]).toEqual([
      2,
      '--print-sql: the SQL is that of one database: name a place with --place\n',
    ]);
    expect((await run(['migrate', '--print-sql', '--place', 'second'], both())).code).toBe(0);
  });
});

/** A report without the clocks, whose difference is measured each time. */
const withoutClocks = (report: string): string => report.replaceAll(/^clock .*$/gm, 'clock');

describe('carryover doctor database', () => {
  it('examines every place, and ends with 2 where one is away', async () => {
    const safe = await run(['doctor', 'database'], both());
    expect(safe.code).toBeLessThan(2);
    expect(safe.stdout).toMatch(/^first:\n[^]*^tables +version \d+$[^]*^second:\n[^]*^tables +version \d+$/m);
    const { code, stdout, stderr } = await run(['doctor', 'database'], { ...both(), dublin: away });
    expect([code, withoutClocks(stdout)]).toEqual([2, withoutClocks(safe.stdout)]);
    expect(stderr).toMatch(/^dublin: The database cannot be reached: [^\n]*\n$/);
    const one = await run(['doctor', 'database', '--place', 'second', '--json'], { ...both(), dublin: away });
    expect(JSON.parse(one.stdout)).toMatchObject({ tables: { pending: [] } });
  });

  it('refuses the name of a place that the settings lack', async () => {
    const { code, stderr } = await run(['doctor', 'database', '--place', 'paris'], both());
    expect([code, stderr]).toEqual([
      2,
      "--place: there is no place 'paris': the settings have first, second\n",
    ]);
  });
});

describe('a backup of two places', () => {
  let app: string;
  let appId: string;
  const [here, there] = [newEmail(), newEmail()];

  beforeAll(async () => {
    ({ app, appId } = await newAppIn(used.core, 'second'));
    await importUser(used.core, here);
    await importUser(used.core, there, app);
    const backup = await run(['backup', 'whole'], both());
    expect([backup.code, backup.stderr]).toEqual([0, '']);
    expect(backup.stdout).toMatch(
      /^first: Backed up: 1 login method, [^\n]+\nsecond: Backed up: 1 login method, [^\n]+\nStore encryption_keys too, [^\n]+\n$/,
    );
  });

  it('is a folder for its owner only, with a file of each and a manifest', async () => {
    expect((await readdir(path.join(folder, 'whole'))).sort()).toEqual([
      'first.carryover',
      'manifest.json',
      'second.carryover',
    ]);
    expect((await stat(path.join(folder, 'whole'))).mode & 0o777).toBe(0o700);
    const again = await run(['backup', 'whole'], both());
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('whole: has files: name a new')]);
  });

  it('is restored into two empty databases, and a core serves both', async () => {
    const [first, second] = [await emptyDatabase(), await emptyDatabase()];
    const addresses = { first: uriOf(first.connection), second: uriOf(second.connection) };
    const restored = await run(['restore', 'whole', '--yes'], addresses);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    expect(restored.stdout).toMatch(
      /^first: Restored: 1 login method, [^\n]+\nsecond: Restored: 1 login method, [^\n]+\n$/,
    );
    const core = await startTestCore({ database: first, otherPlace: second });
    try {
      expect(await signIn(core, here, knownPassword)).toBe('OK');
      expect(await signIn(core, there, knownPassword, app)).toBe('OK');
    } finally {
      await core.close();
    }
  });

  it('is restored nowhere while one place has data, and place by place afterwards', async () => {
    const [first, second] = [await emptyDatabase(), await emptyDatabase()];
    const addresses = { first: uriOf(first.connection), second: both().second };
    const refused = await run(['restore', 'whole', '--yes'], addresses);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringMatching(
        /^Nothing was restored\. second: The database holds tables in the schema carryover/,
      ),
    ]);
    const tables = await inDatabase(
      first,
      (sql) => sql`select from pg_tables where schemaname = 'carryover'`,
    );
    expect(tables).toHaveLength(0);
    const alone = await run(['restore', 'whole', '--yes', '--place', 'second'], {
      ...addresses,
      second: uriOf(second.connection),
    });
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringMatching(/^Restored: 1 login method/)]);
  });

  it('is restored where it can be, if one place is away', async () => {
    const second = await emptyDatabase();
    const { code, stdout, stderr } = await run(['restore', 'whole', '--yes', '--json'], {
      first: away,
      second: uriOf(second.connection),
    });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^first: The database cannot be reached: /)]);
    expect(JSON.parse(stdout)).toMatchObject({
      status: 'ERROR',
      places: [
        { place: 'first', status: 'ERROR' },
        { place: 'second', status: 'OK', rows: { users: 1 } },
      ],
    });
  });

  it('is refused with a file of another backup, with one that is missing, and without its manifest', async () => {
    await run(['backup', 'other'], both());
    const second = await emptyDatabase();
    const addresses = { ...both(), second: uriOf(second.connection) };
    const of = (name: string) => path.join(folder, 'other', name);
    const restore = async (...more: string[]) =>
      (await run(['restore', 'other', '--yes', ...more], addresses)).stderr;
    await writeFile(of('second.carryover'), await readFile(of('first.carryover')));
    expect(await restore('--place', 'second')).toMatch(
      /it is not the file that the manifest of its folder names/,
    );
    await rm(of('second.carryover'));
    expect(await restore()).toMatch(/^other\/second\.carryover: there is no such file\n$/);
    await writeFile(of('manifest.json'), '{"format":"carryover backup of places","formatVersion":1}');
    expect(await restore()).toMatch(/its manifest\.json is not one that this carryover backup writes/);
    await rm(of('manifest.json'));
    expect(await restore()).toMatch(/it has no manifest\.json, so it is not finished/);
  });

  it('is refused by settings without one of its places', async () => {
    const first = await emptyDatabase();
    const { code, stderr } = await run(['restore', 'whole', '--yes'], { first: uriOf(first.connection) });
    expect([code, stderr]).toEqual([2, expect.stringContaining("the setting 'places' lacks 'second'")]);
  });

  it('with a place that was away is written, and not restored as a whole', async () => {
    const { code, stdout, stderr } = await run(['backup', 'part'], { ...both(), dublin: away });
    expect([code, stdout]).toEqual([
      2,
      expect.stringMatching(/^first: Backed up: [^]*^second: Backed up: /m),
    ]);
    expect(stderr).toMatch(/^dublin: The database cannot be reached: [^\n]*\n$/);
    const refused = await run(['restore', 'part', '--yes'], { ...both(), dublin: away });
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining('it lacks dublin, which')]);
  });

  it('names an app that its place lacks, because it moved or was made meanwhile', async () => {
    const [first, second] = [await emptyDatabase(), await emptyDatabase()];
    const addresses = { first: uriOf(first.connection), second: uriOf(second.connection) };
    await run(['restore', 'whole', '--yes'], addresses);
    await inDatabase(second, (sql) => sql`update apps set held = true where app_id = ${appId}`);
    await inDatabase(first, (sql) => sql`insert into apps (app_id, home) values ('new', 'second')`);
    const { code, stdout, stderr } = await run(['backup', 'torn', '--json'], addresses);
    expect([code, (JSON.parse(stdout) as { tornApps: string[] }).tornApps]).toEqual([1, [appId, 'new']]);
    expect(stderr.match(/^The app '/gm)).toHaveLength(2);
  });

  it('is not for the standard output, but that of one place is', async () => {
    const refused = await run(['backup', '-'], both());
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/^There are 2 places, /)]);
    const one = await run(['backup', 'one.carryover', '--place', 'second'], both());
    expect([one.code, one.stdout]).toEqual([0, expect.stringMatching(/^Backed up: 1 login method/)]);
    expect(await isThere('one.carryover')).toBe(true);
  });
});
