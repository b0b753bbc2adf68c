/** Files and runs of the console: the real command, as processes of a core. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { hashSync } from 'bcrypt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCore, type TestCore, testApiKey } from '../helpers/core.ts';
import { StagedFiles } from '../../src/features/console/files.ts';
import { ofCorrected, ofNative } from '../../src/features/console/pages/import/again.ts';
import type { RunInput } from '../../src/features/console/pages/import/run-model.ts';
import { createOldDatabase } from '../helpers/sources.ts';
import { type ConsoleClient, type Run, signIn } from './client.ts';
import { clockOf } from './clock.ts';

const hash = '$2b$10$oCMUe0TXvCSGjlGT.6BjWOZ14WovNjg3HCl2rKyTCGf5buWWPnVm.';
const password = 'correct horse battery staple';
const record = (n: number, rest: object = {}) =>
  JSON.stringify({
    externalUserId: `u${n}`,
    loginMethods: [{ recipeId: 'emailpassword', email: `u${n}@example.com`, passwordHash: hash, ...rest }],
  });
const importKey = 'a-key-that-may-only-import-here';

const newFolder = () => mkdtemp(path.join(os.tmpdir(), 'carryover-console-'));

let folder: string;
let core: TestCore;
let page: ConsoleClient;
beforeAll(async () => {
  folder = await newFolder();
  core = await startTestCore({
    settings: {
      DATA_DIR: folder,
      NAMED_KEYS: JSON.stringify([{ name: 'importer', scopes: ['import'], key: importKey }]),
    },
  });
  page = await signIn(core);
});
afterAll(async () => {
  await core.stop();
  await rm(folder, { recursive: true });
});

describe('a file', () => {
  it('goes on where its upload broke off', async () => {
    const bytes = Buffer.from(`${record(1)}\n`);
    const headers = { 'upload-length': String(bytes.length), 'upload-metadata': 'filename dQ==' };
    const made = await page.send('/console/files', { method: 'POST', headers });
    expect(made.http).toBe(201);
    const path = `/console/${made.headers.get('location') ?? ''}`;
    const part = (from: number, to: number) =>
      page.send(path, {
        method: 'PATCH',
        body: new Uint8Array(bytes.subarray(from, to)),
        headers: { 'upload-offset': String(from), 'content-type': 'application/offset+octet-stream' },
      });
    expect((await part(0, 10)).headers.get('upload-offset')).toBe('10');
    expect((await part(5, 20)).body).toMatchObject({ status: 'UPLOAD_OFFSET_CONFLICT' });
    expect((await page.send(path, { method: 'HEAD' })).headers.get('upload-offset')).toBe('10');
    const id = path.split('/').at(-1);
    const early = await page.send('/console/runs', {
      method: 'POST',
      body: { kind: 'inspect', files: [id] },
    });
    expect(early.body.message).toBe(`files: u is not complete: 10 of ${bytes.length} bytes are here`);
    expect((await part(10, bytes.length)).http).toBe(204);
    const more = await page.send(path, {
      method: 'PATCH',
      body: 'x',
      headers: { 'upload-offset': String(bytes.length), 'content-type': 'application/offset+octet-stream' },
    });
    expect(more.body).toMatchObject({ status: 'UPLOAD_TOO_LONG' });
    const { body } = await page.send('/console/files');
    expect(body.files).toMatchObject([{ name: 'u', offset: bytes.length, size: bytes.length }]);
    expect((await page.send(path, { method: 'DELETE' })).http).toBe(204);
    expect((await page.send('/console/files')).body.files).toEqual([]);
  });

  it.each(['../../etc/passwd', 'a/b/c.csv', '..', 'x;rm -rf ~.csv', 'meta.json', '\u001b[31mred.csv'])(
    'named %j stays in its folder',
    async (name) => {
      const id = await page.upload(name, 'x');
      const files = (await page.send('/console/files')).body.files as { id: string; name: string }[];
      const found = files.find((file) => file.id === id);
      expect(found?.name).toMatch(/^[\p{L}\p{N}._ -]+$/u);
      expect(await readFile(`${folder}/console/files/${id}/${found?.name ?? ''}`, 'utf8')).toBe('x');
      await page.send(`/console/files/${id}`, { method: 'DELETE' });
    },
  );

  it('that is larger than the room for it is refused, with the numbers', async () => {
    const { room } = (await page.send('/console/files')).body as { room: number };
    expect(room).toBeGreaterThan(0);
    expect(room).toBeLessThan(900_000_000_000_000);
    const headers = { 'upload-length': '900000000000000', 'upload-metadata': 'filename dQ==' };
    const { http, body } = await page.send('/console/files', { method: 'POST', headers });
    expect([http, body.status]).toEqual([413, 'NO_ROOM_FOR_FILE']);
  });

  it('of a made-up old system is there at once, the same each time', async () => {
    const make = async () => {
      const { body } = await page.send('/console/demo', { method: 'POST' });
      const { file } = body as unknown as { file: { id: string; offset: number; size: number } };
      expect(file.offset).toBe(file.size);
      return readFile(`${folder}/console/files/${file.id}/demo-laravel-users.csv`, 'utf8');
    };
    const content = await make();
    expect(content.trim().split('\n')).toHaveLength(20_001);
    expect(new Set(content.trim().split('\n')).size).toBe(20_001);
    expect(await make()).toBe(content);
  });

  it('is for keys that may import', async () => {
    const importer = await signIn(core, { key: importKey });
    expect((await importer.send('/console/files')).http).toBe(200);
    expect((await importer.send('/console/users')).body).toMatchObject({ status: 'KEY_SCOPE_MISSING' });
  });
});

describe('a run', () => {
  it('inspects, tries and imports a file, as the command does', async () => {
    const id = await page.upload('users.ndjson', [1, 2, 3].map((n) => `${record(n)}\n`).join(''));
    const canaries = await page.upload('known.csv', `email,password\nu1@example.com,${password}\n`);
    const seen = await page.run({ kind: 'inspect', files: [id] });
    expect(seen).toMatchObject({
      exitCode: 0,
      result: { type: 'inspect', format: 'native', records: 3, valid: 3 },
    });
    expect(seen.command).toBe(`carryover inspect users.ndjson --url ${core.url}`);
    const tried = await page.run({ kind: 'dry-run', files: [id], canaries });
    expect(tried).toMatchObject({ exitCode: 0, result: { dryRun: true, records: 3 } });
    const done = await page.run({ kind: 'import', files: [id], canaries });
    expect(done).toMatchObject({ exitCode: 0, result: { dryRun: false, records: 3, rejected: 0 } });
    const { body } = await page.send(`/bulk-import/jobs/${done.jobId ?? ''}`);
    expect(body.job).toMatchObject({ state: 'done', created: 3 });
    const signedIn = await core.post('/recipe/signin', { email: 'u2@example.com', password });
    expect(signedIn.body.status).toBe('OK');
  });

  it('shows no folder, no key and no secret, anywhere', async () => {
    const id = await page.upload('broken.csv', 'this,is\nno,export\n');
    const secrets = { pepper: 'a-pepper-that-stays-secret' };
    const run = await page.run({ kind: 'import', files: [id], from: 'devise', secrets });
    expect(run.exitCode).not.toBe(0);
    const { text } = await page.send('/console/runs');
    for (const shown of [JSON.stringify(run), text, core.log.join('')]) {
      expect(shown).not.toContain(folder);
      expect(shown).not.toContain(secrets.pepper);
      expect(shown).not.toContain(testApiKey);
    }
  });

  it('refuses a file of no known format in words that name the cure', async () => {
    const id = await page.upload('photo.jpg', Buffer.from([255, 216, 255, 224, 0, 16]));
    const { exitCode, result } = await page.run({ kind: 'inspect', files: [id] });
    expect(exitCode).toBe(2);
    expect(result).toMatchObject({ type: 'error' });
    expect(String(result.message)).toMatch(/^photo\.jpg/);
  });

  it('says of a cut file that it is cut, and takes what is there only if asked to', async () => {
    const whole = gzipSync(Array.from({ length: 500 }, (_, n) => `${record(50_000 + n)}\n`).join(''));
    const id = await page.upload('half.ndjson.gz', whole.subarray(0, whole.length - 20));
    const { exitCode, result } = await page.run({ kind: 'import', files: [id] });
    expect(exitCode).toBe(2);
    expect(result).toMatchObject({ code: 'INPUT_INCOMPLETE' });
    expect(result.message).toContain('half.ndjson.gz: the compressed file ends early');
    expect((await page.run({ kind: 'dry-run', files: [id], partial: true })).exitCode).not.toBe(2);
  });

  it('says which file is missing in addition to that of the users', async () => {
    const export_ = await readFile(new URL('../exports/files/auth0-users.ndjson', import.meta.url));
    const hashes = await readFile(new URL('../exports/files/auth0-hashes.ndjson', import.meta.url));
    const id = await page.upload('users.ndjson', export_);
    expect((await page.run({ kind: 'inspect', files: [id] })).said).toContain('Without --auth0-hashes FILE');
    const related = { 'auth0-hashes': await page.upload('hashes.ndjson', hashes) };
    expect((await page.run({ kind: 'inspect', files: [id], related })).said).not.toContain(
      'Without --auth0-hashes',
    );
  });

  it('says why a database was not read, without its password', async () => {
    const address = 'postgres://reader:a-password-that-stays-secret@127.0.0.1:1/shop';
    const run = await page.run({ kind: 'read-database', from: 'django', address });
    expect(run.exitCode).toBe(2);
    expect(String(run.result.message)).toContain('127.0.0.1');
    expect(JSON.stringify(run)).not.toContain('a-password-that-stays-secret');
    expect(run.input).toMatchObject({ address: 'postgres://127.0.0.1:1/shop' });
  });

  it('reads the database of an old system into a file, which is imported as any other', async () => {
    const old = await createOldDatabase(`
      create table users (id bigint primary key, email varchar(255) not null, email_verified_at timestamp null,
        password varchar(255) not null, updated_at timestamp null);
      insert into users values (7, 'ada@old.test', now(), '${hash.replace('$2b$', '$2y$')}', now());`);
    const read = await page.run({ kind: 'read-database', from: 'laravel', address: old.address });
    expect(read).toMatchObject({ exitCode: 0 });
    const done = await page.run({ kind: 'import', files: [read.fileId] });
    expect(done).toMatchObject({ exitCode: 0, result: { records: 1 } });
    const signedIn = await core.post('/recipe/signin', { email: 'ada@old.test', password });
    expect(signedIn.body.status).toBe('OK');
    await old.drop();
  });

  it('lets rejected records be corrected, with the hashes that they have', async () => {
    const lines = [
      record(11),
      record(12, { email: 'no email' }),
      record(13, { passwordHash: 'what is this' }),
    ];
    const id = await page.upload('bad.ndjson', `${lines.join('\n')}\n`);
    const run = await page.run({ kind: 'import', files: [id] });
    expect(run.exitCode).toBe(1);
    const { text } = await page.send(`/console/runs/${run.id}/rejects`);
    const rejects = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { mend: number; record: object; code: string });
    expect(rejects).toMatchObject([{ mend: 0 }, { mend: 1, code: 'INVALID_PASSWORD_HASH' }]);
    expect(text).not.toContain(hash);
    const corrected = JSON.stringify(rejects[0]?.record).replace('no email', 'u12@example.com');
    const mend = (records: object) =>
      page.send(`/console/runs/${run.id}/mend`, { method: 'POST', body: { records } });
    expect((await mend([{ mend: 7, record: '{}' }])).body).toMatchObject({ status: 'INVALID_FIELD' });
    expect((await mend([{ mend: 0, record: '[]' }])).body.message).toContain('must be a JSON object');
    const { body } = await mend([{ mend: 0, record: corrected }]);
    const again = await page.run({ kind: 'import', files: [(body.file as { id: string }).id] });
    expect(again).toMatchObject({ exitCode: 0, result: { records: 1, rejected: 0 } });
    const signedIn = await core.post('/recipe/signin', { email: 'u12@example.com', password });
    expect(signedIn.body.status).toBe('OK');
  });

  it('takes hashes of corrected records from the further file that has them', async () => {
    const user = (n: number, email: string) =>
      JSON.stringify({
        user_id: `auth0|${n}`,
        email,
        email_verified: true,
        identities: [{ connection: 'db', provider: 'auth0', user_id: String(n), isSocial: false }],
      });
    const hashOf = (n: number) => JSON.stringify({ _id: { $oid: String(n) }, passwordHash: hash });
    const users = `${user(501, 'u501@example.com')}\n${user(502, 'no email')}\n`;
    const id = await page.upload('users.ndjson', users);
    const hashes = await page.upload('hashes.ndjson', `${hashOf(501)}\n${hashOf(502)}\n`);
    const canaries = await page.upload('known.csv', `email,password\nu501@example.com,${password}\n`);
    const related = { 'auth0-hashes': hashes };
    const run = await page.run({ kind: 'import', files: [id], related, canaries });
    const { text } = await page.send(`/console/runs/${run.id}/rejects`);
    const { record: rejected } = JSON.parse(text) as { record: object };
    const corrected = JSON.stringify(rejected).replace('no email', 'u502@example.com');
    const body = { records: [{ mend: 0, record: corrected }] };
    const made = await page.send(`/console/runs/${run.id}/mend`, { method: 'POST', body });
    const { id: file } = made.body.file as { id: string };
    const again = await page.run(ofCorrected(run.input as unknown as RunInput, file));
    expect(again).toMatchObject({ exitCode: 0, result: { records: 1, rejected: 0 } });
    const signedIn = await core.post('/recipe/signin', { email: 'u502@example.com', password });
    expect(signedIn.body.status).toBe('OK');
  });

  it('lets conflicts be decided individually, each record as here or as in the file', async () => {
    const here = 'Changed-here-1';
    const newHash = hashSync('Changed-there-1', 4);
    const ids = [401, 402, 403];
    const first = await page.upload('people.ndjson', ids.map((n) => `${record(n)}\n`).join(''));
    await page.run({ kind: 'import', files: [first] });
    for (const n of ids) await core.put('/recipe/user', { recipeUserId: `u${n}`, password: here });
    const changed = ids.map((n) => `${record(n, { passwordHash: newHash })}\n`).join('');
    const next = await page.upload('people.ndjson', changed);
    const tried = await page.run({ kind: 'dry-run', files: [next] });
    const listed = await page.send(`/bulk-import/jobs/${tried.jobId ?? ''}/conflicts`);
    expect(listed.text.trim().split('\n')).toHaveLength(3);
    const decide = (lines: readonly number[]) =>
      page.send(`/console/runs/${tried.id}/decide`, { method: 'POST', body: { lines } });
    expect((await decide([1, 7])).body).toMatchObject({ status: 'INVALID_FIELD' });
    for (const [line, onConflict] of [
      [1, 'theirs'],
      [3, 'ours'],
    ] as const) {
      const { body } = await decide([line]);
      const { id, name } = body.file as { id: string; name: string };
      expect(name).toBe('decided-people.ndjson.ndjson');
      const done = await page.run(ofNative(tried.input as unknown as RunInput, id, onConflict));
      expect(done).toMatchObject({ exitCode: 0, result: { records: 1, rejected: 0 } });
    }
    await page.run({ kind: 'import', files: [next], onConflict: 'theirs' });
    const signIn = async (n: number, password: string) =>
      (await core.post('/recipe/signin', { email: `u${n}@example.com`, password })).body.status;
    expect(await signIn(401, 'Changed-there-1')).toBe('OK');
    expect(await signIn(402, 'Changed-there-1')).toBe('OK');
    expect(await signIn(403, here)).toBe('OK');
  });

  it('has nothing to decide, to correct or to settle before its end', async () => {
    const id = await page.upload('people.ndjson', `${record(411)}\n`);
    const begun = await page.send('/console/runs', {
      method: 'POST',
      body: { kind: 'dry-run', files: [id] },
    });
    const run = begun.body.run as Run;
    const ask = async (what: string, body?: object) => {
      const sent = body === undefined ? {} : { method: 'POST', body };
      const { http, body: answer } = await page.send(`/console/runs/${run.id}/${what}`, sent);
      return [http, answer.status];
    };
    expect([
      await ask('decide', { lines: [1] }),
      await ask('mend', { records: [{ mend: 0, record: '{}' }] }),
      await ask('settle', { kind: 'all', choice: 'theirs' }),
      await ask('settle'),
    ]).toEqual(Array.from({ length: 4 }, () => [409, 'RUN_NOT_ENDED']));
    await page.send(`/console/runs/${run.id}`, { method: 'DELETE' });
  });

  it('compares a file with the users here, and imports what settles it', async () => {
    await core.put('/recipe/multitenancy/app/v2', { appId: 'compared' });
    const own = await signIn({ url: `${core.url}/appid-compared` });
    const before = await own.upload('old.ndjson', [601, 602].map((n) => `${record(n)}\n`).join(''));
    await own.run({ kind: 'import', files: [before], source: 'shop', idPrefix: 'shop:' });
    const lines = [record(601), record(602, { email: 'other@example.com' }), record(603)];
    const now = await own.upload('new.ndjson', `${lines.join('\n')}\n`);
    const unnamed = await own.run({ kind: 'compare', files: [now] });
    expect(unnamed).toMatchObject({ exitCode: 2, result: { code: 'UNKNOWN_SOURCE' } });
    const input = { kind: 'compare', files: [now], source: 'shop', idPrefix: 'shop:' };
    const run = await own.run(input);
    expect(run).toMatchObject({
      exitCode: 1,
      result: {
        type: 'compare',
        records: 3,
        equal: 1,
        unexplained: 2,
        users: { missingHere: 1, different: 1 },
      },
      jobId: run.result.job,
    });
    expect(run.command).toBe(
      `carryover compare new.ndjson --id-prefix=shop: --source=shop --app=compared --url ${core.url}`,
    );
    const ofRun = `/console/runs/${run.id}/settle`;
    expect((await own.send(ofRun)).body).toEqual({
      status: 'OK',
      users: { missingHere: 1, there: 1, both: 0, unknown: 0 },
    });
    for (const kind of ['missingHere', 'there']) {
      const { body, text } = await own.send(ofRun, { method: 'POST', body: { kind, choice: 'theirs' } });
      expect(text).not.toContain(hash);
      const { file, records } = body as { file: { id: string; name: string }; records: number };
      expect([file.name, records]).toEqual([`settled-${kind}-theirs.ndjson`, 1]);
      const settling = ofNative(run.input as unknown as RunInput, file.id, 'theirs');
      const counts = kind === 'there' ? { updated: 1 } : { created: 1 };
      expect(await own.run({ ...settling, kind: 'dry-run' })).toMatchObject({
        exitCode: 0,
        result: { dryRun: true, records: 1, job: counts },
      });
      expect(await own.run(settling)).toMatchObject({ exitCode: 0, result: { records: 1, job: counts } });
    }
    expect(await own.run(input)).toMatchObject({ exitCode: 0, result: { unexplained: 0 } });
    const audit = await core.get('/appid-compared/config/audit', { what: 'console.settle', limit: '1' });
    expect(audit.body.entries).toMatchObject([
      { outcome: 'OK', count: 1, details: { kind: 'there', choice: 'theirs', run: run.id } },
    ]);
  });

  describe('that compared', () => {
    const ids = [701, 702, 703];
    const here = 'Changed-here-1';
    const there = 'Changed-there-1';
    const compared = async (appId: string) => {
      await core.put('/recipe/multitenancy/app/v2', { appId });
      const app = `/appid-${appId}`;
      const own = await signIn({ url: `${core.url}${app}` });
      const first = await own.upload('old.ndjson', ids.map((n) => `${record(n)}\n`).join(''));
      await own.run({ kind: 'import', files: [first] });
      for (const n of ids.slice(0, 2))
        await core.put(`${app}/recipe/user`, { recipeUserId: `u${n}`, password: here });
      const changed = ids.map((n) => `${record(n, { passwordHash: hashSync(there, 4) })}\n`);
      const next = await own.upload('new.ndjson', changed.join(''));
      const run = await own.run({ kind: 'compare', files: [next] });
      const settle = (body: object, by = own, sent: object = {}) =>
        by.send(`/console/runs/${run.id}/settle`, { method: 'POST', body, ...sent });
      const passwordOf = async (n: number) => {
        const statusOf = async (password: string) =>
          (await core.post(`${app}/recipe/signin`, { email: `u${n}@example.com`, password })).body.status;
        return (await statusOf(there)) === 'OK'
          ? 'there'
          : (await statusOf(here)) === 'OK'
            ? 'here'
            : 'neither';
      };
      return { app, own, run, settle, passwordOf };
    };

    it.each([
      ['theirs', ['there', 'there', 'neither']],
      ['ours', ['here', 'here', 'neither']],
    ] as const)(
      'settles what was changed on both sides by %s, and no other class',
      async (choice, passwords) => {
        const { own, run, settle, passwordOf } = await compared(`settles-${choice}`);
        expect((await own.send(`/console/runs/${run.id}/settle`)).body).toMatchObject({
          users: { missingHere: 0, there: 1, both: 2, unknown: 0 },
        });
        const { body } = await settle({ kind: 'both', choice });
        const { id } = body.file as { id: string };
        const done = await own.run(ofNative(run.input as unknown as RunInput, id, choice));
        expect(done).toMatchObject({ exitCode: 0, result: { records: 2, rejected: 0 } });
        expect(await Promise.all(ids.map(passwordOf))).toEqual(passwords);
      },
    );

    it('says what is wrong with a choice, and needs both scopes', async () => {
      const { app, own, run, settle } = await compared('refuses');
      const refused = async (body: object) => (await settle(body)).body;
      expect(await refused({ kind: 'there', choice: 'ours' })).toMatchObject({
        status: 'INVALID_FIELD',
        message: expect.stringContaining("Field name 'choice'") as string,
      });
      expect(await refused({ kind: 'unknown', choice: 'theirs' })).toMatchObject({
        status: 'INVALID_FIELD',
        message: expect.stringContaining("Field name 'kind'") as string,
      });
      expect(await refused({ kind: 'here', choice: 'theirs' })).toMatchObject({ status: 'INVALID_FIELD' });
      const importer = await signIn({ url: `${core.url}${app}` }, { key: importKey });
      const lacking = await settle({ kind: 'both', choice: 'ours' }, importer);
      expect(lacking.body).toMatchObject({
        status: 'KEY_SCOPE_MISSING',
        message: expect.stringContaining(
          "lacks the scope 'move', which settling differences needs",
        ) as string,
      });
      const ofAnotherSite = await settle({ kind: 'both', choice: 'ours' }, own, { csrf: undefined });
      expect(ofAnotherSite.http).toBe(401);
      expect((await importer.send(`/console/runs/${run.id}/settle`)).http).toBe(200);
    });

    it('is the only one that has something to settle', async () => {
      const id = await page.upload('users.ndjson', `${record(711)}\n`);
      const run = await page.run({ kind: 'dry-run', files: [id] });
      for (const sent of [{}, { method: 'POST', body: { kind: 'all', choice: 'theirs' } }])
        expect((await page.send(`/console/runs/${run.id}/settle`, sent)).body).toMatchObject({
          status: 'NOT_FOUND',
          message: 'The run is not a comparison that has ended',
        });
    });
  });

  it('compares the database of an old system with the users here, without its password', async () => {
    const address = 'mysql://reader:a-password-that-stays-secret@127.0.0.1:1/shop';
    const run = await page.run({ kind: 'compare', from: 'laravel', address });
    expect(run).toMatchObject({ exitCode: 2, input: { address: 'mysql://127.0.0.1:1/shop' } });
    expect(String(run.result.message)).toContain('127.0.0.1');
    expect(JSON.stringify(run)).not.toContain('a-password-that-stays-secret');
  });

  it('has the rights of the key that began it, and no more', async () => {
    const importer = await signIn(core, { key: importKey });
    const id = await importer.upload('own.ndjson', `${record(21)}\n`);
    const run = await importer.run({ kind: 'import', files: [id] });
    expect(run.exitCode).toBe(0);
    const { body } = await core.get('/config/audit', { what: 'import', limit: '50' });
    const by = (body.entries as { who: string }[]).map(({ who }) => who);
    expect(by).toContain('importer');
    const begun = await core.get('/config/audit', { what: 'console.run', limit: '1' });
    expect(begun.body.entries).toMatchObject([
      { who: 'importer', details: { kind: 'import', files: ['own.ndjson'] } },
    ]);
  });

  it('has no rights any more once that key is revoked', async () => {
    const leaked = JSON.stringify([{ name: 'leaked', scopes: ['import'], key: importKey }]);
    const data = await newFolder();
    const own = await startTestCore({ settings: { DATA_DIR: data, NAMED_KEYS: leaked } });
    const importer = await signIn(own, { key: importKey });
    const id = await importer.upload('own.ndjson', `${record(41)}\n`);
    const begin = () =>
      importer.send('/console/runs', { method: 'POST', body: { kind: 'import', files: [id] } });
    await begin();
    const { run: waiting } = (await begin()).body as unknown as { run: Run };
    expect(waiting.state).toBe('waiting');
    own.replaceKeys({ apiKeys: [testApiKey], named: [] });
    expect((await importer.send('/console/runs')).http).toBe(401);
    const owner = await signIn(own);
    const now = async () => (await owner.send(`/console/runs/${waiting.id}`)).body.run;
    await expect.poll(now).toMatchObject({ state: 'ended', exitCode: 2 });
    expect((await own.get('/users/count')).body).toMatchObject({ count: 0 });
    await own.stop();
    await rm(data, { recursive: true });
  });

  it.each([
    [{ kind: 'inspect' }, "Field name 'files'"],
    [{ kind: 'doctor', files: ['00000000-0000-0000-0000-000000000000'] }, "Field name 'canaries'"],
    [
      {
        kind: 'doctor',
        files: ['00000000-0000-0000-0000-000000000000', '00000000-0000-0000-0000-000000000001'],
        canaries: '00000000-0000-0000-0000-000000000002',
      },
      "Field name 'files'",
    ],
    [{ kind: 'compare' }, "Field name 'files'"],
    [{ kind: 'compare', address: 'mysql://db.example.com/shop' }, "Field name 'from'"],
    [{ kind: 'read-database', from: 'laravel' }, "Field name 'address'"],
    [{ kind: 'read-database', address: 'file:///etc/passwd', from: 'laravel' }, "Field name 'address'"],
    [{ kind: 'import', files: ['00000000-0000-0000-0000-000000000000'] }, 'This core does not have the file'],
    [{ kind: 'import', files: ['../../api-key'] }, "Field name 'files'"],
    [{ kind: 'import', files: [], related: { config: 'x' } }, 'files'],
  ])('is refused: %j', async (input, message) => {
    const { http, text } = await page.send('/console/runs', { method: 'POST', body: input });
    expect(http).toBeGreaterThanOrEqual(400);
    expect(text).toContain(message);
  });

  it('treats a value as a value, whatever it begins with', async () => {
    const id = await page.upload('users.ndjson', `${record(31)}\n`);
    const run = await page.run({ kind: 'dry-run', files: [id], idPrefix: '--yes' });
    expect(run).toMatchObject({ exitCode: 0, result: { dryRun: true, records: 1 } });
    expect(run.command).toContain('--id-prefix=--yes');
  });

  it('can be stopped while it waits or runs, and those that wait have an end', async () => {
    const many = Array.from({ length: 60_000 }, (_, n) => record(100 + n)).join('\n');
    const id = await page.upload('many.ndjson', `${many}\n`);
    const begin = () =>
      page.send('/console/runs', { method: 'POST', body: { kind: 'dry-run', files: [id] } });
    const begun = [];
    for (let n = 0; n < 9; n++) begun.push(await begin());
    const atOnce = await Promise.all(Array.from({ length: 4 }, begin));
    expect(atOnce.map(({ body }) => body.status)).toEqual(Array(4).fill('OVERLOADED'));
    const ids = begun.map(({ body }) => (body.run as { id: string }).id);
    expect((await begin()).body).toMatchObject({ status: 'OVERLOADED' });
    for (const each of ids.toReversed()) await page.send(`/console/runs/${each}`, { method: 'DELETE' });
    await expect
      .poll(async () => {
        const { body } = await page.send('/console/runs');
        return (body.runs as { id: string; state: string }[]).filter(
          (run) => ids.includes(run.id) && run.state !== 'ended',
        );
      })
      .toEqual([]);
  });

  it('of another app is not there, nor are its files', async () => {
    await core.put('/recipe/multitenancy/app/v2', { appId: 'other' });
    const id = await page.upload('users.ndjson', `${record(41)}\n`);
    const run = await page.run({ kind: 'inspect', files: [id] });
    expect((await page.send(`/appid-other/console/runs/${run.id}`)).http).toBe(404);
    expect((await page.send('/appid-other/console/runs')).body.runs).toEqual([]);
    expect((await page.send('/appid-other/console/files')).body.files).toEqual([]);
    const there = { method: 'POST', body: { kind: 'inspect', files: [id] } };
    expect((await page.send('/appid-other/console/runs', there)).body.status).toBe('NOT_FOUND');
    expect((await page.send(`/appid-other/console/files/${id}`, { method: 'DELETE' })).http).toBe(404);
  });
});

describe('a day later', () => {
  it('files and folders are gone, but for those of runs that have not ended', async () => {
    const own = await newFolder();
    const clock = clockOf();
    const other = await startTestCore({ settings: { DATA_DIR: own }, overrides: { now: clock.now } });
    const its = await signIn(other);
    const used = await its.upload('used.ndjson', `${record(1)}\n`);
    await its.run({ kind: 'inspect', files: [used] });
    const files = new StagedFiles(path.join(own, 'console', 'files'));
    const day = 24 * 3_600_000;
    expect(await files.removeOld(Date.now() + day - 60_000, new Set())).toBe(0);
    expect(await files.removeOld(Date.now() + day + 60_000, new Set([used]))).toBe(0);
    expect(await files.removeOld(Date.now() + day + 60_000, new Set())).toBe(1);
    expect((await its.send('/console/files')).body.files).toEqual([]);
    await other.stop();
    await rm(own, { recursive: true });
  });
});

describe('the end of the core', () => {
  it('ends its runs, keeps its files, and says so afterwards', async () => {
    const own = await newFolder();
    const settings = { DATA_DIR: own };
    const first = await startTestCore({ settings });
    const before = await signIn(first);
    const many = Array.from({ length: 60_000 }, (_, n) => record(n)).join('\n');
    const id = await before.upload('many.ndjson', `${many}\n`);
    const { body } = await before.send('/console/runs', {
      method: 'POST',
      body: { kind: 'import', files: [id] },
    });
    await first.close();
    const second = await startTestCore({ settings, database: first.database });
    const after = await signIn(second);
    const gone = await after.send(`/console/runs/${(body.run as { id: string }).id}`);
    expect(gone.body.message).toContain('the core was restarted since');
    const done = await after.run({ kind: 'import', files: [id] });
    expect(done).toMatchObject({ exitCode: 0, result: { records: 60_000, rejected: 0 } });
    await second.stop();
    await first.stop();
    await rm(own, { recursive: true });
  });
});
