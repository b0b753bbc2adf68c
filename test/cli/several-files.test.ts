/** A folder, several files and patterns as one import. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FilePlaces } from '../../src/cli/input/files/places.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import type { Ended } from '../helpers/command.ts';
import { type FakeTus, startFakeTus } from '../helpers/tus-server.ts';

let tus: FakeTus;
let place: Place;

beforeEach(async () => {
  [tus, place] = await Promise.all([startFakeTus(), makePlace()]);
});

afterEach(async () => {
  await Promise.all([tus.stop().catch(() => undefined), place.remove()]);
});

/** As Keycloak writes them; a user without email is rejected during conversion. */
const keycloakFile = (emails: readonly (string | null)[], of = 'shop'): string =>
  JSON.stringify({
    realm: of,
    users: emails.map((email, n) => ({
      id: `${email ?? 'nobody'}-${n}`,
      username: email ?? `nobody${n}`,
      emailVerified: true,
      enabled: true,
      createdTimestamp: 1_704_067_200_000,
      requiredActions: [],
      realmRoles: [],
      ...(email !== null && { email }),
    })),
  });
const realm = JSON.stringify({ id: 'x', realm: 'shop', roles: { realm: [] }, clients: [{ clientId: 'a' }] });
const laravel =
  'id,name,email,email_verified_at,password,remember_token,created_at,updated_at\n1,X,l@example.com,,,,,\n';

const importing = (...args: string[]): string[] => ['import', '--yes', ...args, '--url', tus.url];
const emails = (): unknown[] =>
  (tus.jobs.at(-1)?.committed.toString('utf8') ?? '')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { loginMethods: [{ email: string }] }).loginMethods[0].email);

/** Twelve files of two, one of which is compressed, among other files of a folder. */
async function writeExport(): Promise<void> {
  for (let n = 0; n < 12; n += 1) {
    const text = keycloakFile([`a${n}@example.com`, `b${n}@example.com`]);
    await place.write(`export/shop-users-${n}.json`, n === 7 ? gzipSync(text) : text);
  }
  await place.write('export/shop-realm.json', realm);
  await place.write('export/README', 'Users of the shop');
  await place.write('export/.DS_Store', '\0\0\0\u0001Bud1');
  await mkdir(path.join(place.folder, 'export/old'));
}

const inOrder = Array.from({ length: 12 }, (_, n) => [`a${n}@example.com`, `b${n}@example.com`]).flat();

describe('files that make one import', () => {
  it('a folder is one job, in natural order; what holds no users is passed over and named', async () => {
    await writeExport();
    const { code, stdout, stderr } = await place.run(importing('export/'));
    expect({ code, jobs: tus.jobs.length }).toEqual({ code: 0, jobs: 1 });
    expect(emails()).toEqual(inOrder);
    expect(stdout).toContain('export (job job-1)');
    expect(stderr).toContain('Passed over, as they hold no users: .DS_Store, README, shop-realm.json\n');
    expect(stderr).toContain('Passed over, as they are folders: old\n');
    expect(stderr).toContain('Reading 12 files as keycloak');
  });

  it('so are several names, and a pattern in quotes', async () => {
    await writeExport();
    await place.run(importing('export/shop-users-10.json', 'export/shop-users-9.json'));
    expect(emails()).toEqual(['a9@example.com', 'b9@example.com', 'a10@example.com', 'b10@example.com']);
    expect(tus.jobs[0]?.query.get('name')).toBe('shop-users-10.json and 1 more');
    await place.run(importing('export/shop-*.json'));
    expect(emails()).toEqual(inOrder);
    expect(tus.jobs).toHaveLength(2);
  });

  it('each reject names its file and the record in it, of the conversion as of the core', async () => {
    await place.write('export/shop-users-0.json', keycloakFile(['a@example.com', null]));
    await place.write('export/shop-users-1.json', keycloakFile([null, 'b@example.com', 'c@example.com']));
    tus.rejected = 1;
    tus.rejects = [{ line: 5, code: 'DUPLICATE_IN_JOB', field: '', message: 'is there twice' }];
    const { code, stdout } = await place.run(importing('export', '--rejects', 'bad.ndjson'));
    expect(code).toBe(1);
    expect(stdout).toMatch(/is there twice .*\n +shop-users-1\.json record 3\n/);
    const written = (await place.read('bad.ndjson')).trim().split('\n');
    expect(written.map((line) => JSON.parse(line) as object)).toMatchObject([
      { file: 'shop-users-0.json', line: 2, lineInJob: 2, code: 'NOT_IMPORTABLE' },
      { file: 'shop-users-1.json', line: 1, lineInJob: 3, code: 'NOT_IMPORTABLE' },
      { file: 'shop-users-1.json', line: 3, lineInJob: 5, code: 'DUPLICATE_IN_JOB' },
    ]);
  });

  it('a file that a flag names, and rejects of former imports, are not among the users', async () => {
    const user =
      '{"user_id":"auth0|1","email":"x@example.com","email_verified":true,"identities":[{"provider":"auth0","user_id":"1","connection":"db","isSocial":false}],"created_at":"2024-01-01T00:00:00.000Z","updated_at":"2024-01-01T00:00:00.000Z"}';
    await place.write('dump/users.ndjson', `${user}\n`);
    await place.write(
      'dump/hashes.ndjson',
      '{"_id":{"$oid":"1"},"email":"x@example.com","passwordHash":"$2b$10$x"}\n',
    );
    await place.write('dump/carryover-rejects-1.ndjson', '{"line":1,"code":"INVALID_FIELD"}\n');
    const { stderr } = await place.run(importing('dump', '--auth0-hashes', 'dump/hashes.ndjson'));
    expect(stderr).toContain('Passed over, as another flag names them: hashes.ndjson\n');
    expect(stderr).toContain('they hold no users: carryover-rejects-1.ndjson\n');
    expect(stderr).toContain('Reading 1 file as auth0');
  });

  it('inspect, plan and convert read them too: what is there twice is found across files', async () => {
    await place.write('export/shop-users-0.json', keycloakFile(['a@example.com', 'b@example.com']));
    await place.write('export/shop-users-1.json', keycloakFile(['c@example.com', 'A@example.com']));
    const inspected = await place.run(['inspect', 'export']);
    expect(inspected.stdout).toMatch(/^export: Keycloak .*, 2 files, /);
    expect(inspected.stdout).toMatch(
      /An earlier record .*\n +shop-users-1\.json record 2 at loginMethods\.0\.email \(as shop-users-0\.json record 1\)\n/,
    );
    const converted = await place.run(['convert', 'export']);
    expect(converted.stdout.trim().split('\n')).toHaveLength(4);
  });
});

describe('refused before a job is made', () => {
  const refused = async (...args: string[]): Promise<string> => {
    const { code, stderr } = await place.run(importing(...args));
    expect({ code, jobs: tus.jobs.length }).toEqual({ code: 2, jobs: 0 });
    return stderr;
  };

  it('users of two systems, by the names of both', async () => {
    await place.write('mixed/a.json', keycloakFile(['a@example.com']));
    await place.write('mixed/b.csv', laravel);
    for (const from of [[], ['--from', 'keycloak']])
      expect(await refused('mixed', ...from)).toMatch(
        /are of two systems: .*a\.json is of keycloak, .*b\.csv of laravel\. Import the files of each by themselves/,
      );
  });

  it('users of two realms of Keycloak, which an export of all has', async () => {
    await place.write('all/master-users-0.json', keycloakFile(['root@example.com'], 'master'));
    await place.write('all/shop-users-0.json', keycloakFile(['a@example.com']));
    expect(await refused('all')).toMatch(
      /two realms: .*master-users-0\.json is of master, .*shop-users-0\.json of shop\. Import those of one realm/,
    );
  });

  it('data without a user: it may belong to users who would be missing', async () => {
    await place.write('export/a.json', keycloakFile(['a@example.com']));
    await place.write('export/b.json', '{"x":1}');
    expect(await refused('export')).toMatch(/b\.json: its format is not recognised: take it out/);
  });

  it('a folder without users, a pattern that nothing is like, and the standard input among files', async () => {
    await place.write('export/shop-realm.json', realm);
    expect(await refused('export')).toContain('None of these files has users: shop-realm.json');
    expect(await refused('users-*.json')).toContain('users-*.json: there is no file whose name is like that');
    expect(await refused('-', 'export/shop-realm.json')).toContain('which is one file');
  });
});

describe('resumed', () => {
  const interrupted = async (): Promise<Ended> => {
    tus.holdPatches = true;
    const running = place.start(importing('export'));
    await tus.begun;
    running.kill();
    const ended = await running.ended;
    tus.holdPatches = false;
    return ended;
  };

  it('goes on with the same files after it was killed', async () => {
    await writeExport();
    await interrupted();
    const { code, stderr } = await place.run(['resume', '--yes']);
    expect({ code, jobs: tus.jobs.length }).toEqual({ code: 0, jobs: 1 });
    expect(stderr).toContain('Resuming the import of export (job job-1)');
    expect(emails()).toEqual(inOrder);
  });

  it('refuses a folder that has changed, and says what', async () => {
    await writeExport();
    await interrupted();
    await place.write('export/shop-users-3.json', keycloakFile(['changed@example.com']));
    await place.write('export/shop-users-99.json', keycloakFile(['new@example.com']));
    await place.write('export/notes.md', 'no users');
    const { code, stderr } = await place.run(['resume', '--yes']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /not those that this import began with: \S*shop-users-3\.json has changed; \S*shop-users-99\.json is new\. Make them/,
    );
  });
});

it('knows in which file a record is, also behind files without any', () => {
  const places = new FilePlaces(['/e/a.json', '/e/b.json', '/e/more/c.json']);
  expect(places.of(1)).toBeUndefined();
  places.add([{ file: 0, firstRecord: 1 }]);
  places.add([{ file: 2, firstRecord: 4 }]);
  places.add([{ file: 0, firstRecord: 1 }]);
  expect([places.of(3), places.of(4), places.of(9)]).toEqual([
    { file: 'a.json', line: 3 },
    { file: path.join('more', 'c.json'), line: 1 },
    { file: path.join('more', 'c.json'), line: 6 },
  ]);
});
