/** Exports that are converted on their way: `import`, `convert` and `inspect`. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownHash } from '../helpers/people.ts';
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

const head = 'id,name,email,email_verified_at,password,remember_token,created_at,updated_at\n';
const row = (n: number, at = '@'): string =>
  `${n},User ${n},user${n}${at}example.com,2024-01-01 00:05:00,${knownHash},,2024-01-01 00:00:00,2024-01-01 00:00:00\n`;
/** Every hundredth record has an invalid email. */
const laravel = (count: number): string =>
  head +
  Array.from({ length: count }, (_, n) => row(n + 1, (n + 1) % 100 === 0 ? ' at ' : undefined)).join('');
const importing = (...args: string[]): string[] => ['import', '--yes', ...args, '--url', tus.url];
const json = ({ stdout }: Ended): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;
const uploadedLines = (): string[] => (tus.jobs.at(-1)?.committed.toString('utf8') ?? '').split('\n');
const externalIds = (lines: readonly string[]): (string | undefined)[] =>
  lines.map((line) =>
    line === '' ? undefined : (JSON.parse(line) as { externalUserId: string }).externalUserId,
  );
const expectedIds = (count: number): (string | undefined)[] =>
  Array.from({ length: count }, (_, n) => ((n + 1) % 100 === 0 ? undefined : String(n + 1)));

describe('import of an export', () => {
  it('says what it recognised, sends record n as line n and states the length at the end', async () => {
    await place.write('users.csv', laravel(250));
    const { code, stderr, stdout } = await place.run(importing('users.csv', '--rejects', 'bad.ndjson'));
    expect(stderr).toContain('Reading as laravel (Laravel (users table))');
    expect(externalIds(uploadedLines().slice(0, -1))).toEqual(expectedIds(250));
    expect(tus.patches[0]).toMatchObject({ 'transfer-encoding': 'chunked' });
    expect(tus.patches[0]).not.toHaveProperty('upload-length');
    expect(tus.jobs[0]).toMatchObject({ state: 'done', length: tus.jobs[0]?.committed.length });
    expect(code).toBe(1);
    expect(stdout).toMatch(/rejected +2\n/);
    expect(stdout).toMatch(/in all +250\n/);
    expect(stdout).toContain('record 100 at email');
    const written = (await place.read('bad.ndjson')).trim().split('\n');
    expect(written.map((line) => JSON.parse(line) as object)).toMatchObject([{ line: 100 }, { line: 200 }]);
  });

  it('sends what was not committed when the connection breaks, and reports each reject once', async () => {
    await place.write('users.csv', laravel(20_000));
    tus.breakAfterBytes = 2_000_000;
    const ended = await place.run(importing('users.csv', '--json'));
    expect(tus.patches).toHaveLength(3);
    expect(externalIds(uploadedLines().slice(0, -1))).toEqual(expectedIds(20_000));
    expect(json(ended)).toMatchObject({ records: 20_000, rejected: 200, rejectedByConversion: 200 });
  });

  it('goes on in another process, with all of the rejects', async () => {
    await place.write('users.csv', laravel(3000));
    tus.holdPatches = true;
    const running = place.start(importing('users.csv', '--tenant', 'shop', '--rejects', 'bad.ndjson'));
    await tus.begun;
    running.interrupt();
    expect((await running.ended).code).toBe(130);
    tus.holdPatches = false;
    const { code, stdout } = await place.run(['resume', '--yes', '--json']);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ records: 3000, rejected: 30 });
    expect(externalIds(uploadedLines().slice(0, -1))).toEqual(expectedIds(3000));
    expect(uploadedLines()[0]).toContain('"tenantIds":["shop"]');
    expect((await place.read('bad.ndjson')).trim().split('\n')).toHaveLength(30);
  });

  it('goes on in another process with what was said of how the file is written', async () => {
    const md5 = '5f4dcc3b5aa765d61d8327deb882cf99';
    const rows = Array.from({ length: 3000 }, (_, n) => `${n + 1};J\xf6rg${n + 1}@example.com;${md5}\n`);
    await place.write('users.txt', Buffer.from(rows.join(''), 'latin1'));
    const said = ['--encoding', 'latin1', '--columns', 'key,mail,pwd', '--hash-as', 'md5'];
    const names = ['--map', 'email=mail,passwordHash=pwd', '--map', 'externalUserId=key'];
    tus.holdPatches = true;
    const running = place.start(importing('users.txt', ...said, ...names));
    await tus.begun;
    running.interrupt();
    expect((await running.ended).code).toBe(130);
    tus.holdPatches = false;
    expect((await place.run(['resume', '--yes', '--json'])).code).toBe(0);
    expect(uploadedLines()).toHaveLength(3001);
    expect(JSON.parse(uploadedLines()[2999] ?? '')).toMatchObject({
      externalUserId: '3000',
      loginMethods: [{ email: 'Jörg3000@example.com', passwordHash: md5, hashingAlgorithm: 'md5' }],
    });
  });

  it.each([
    [['--encoding', 'ebcdic'], 'It takes one of utf-8, latin1'],
    [['--columns', 'id,,email'], 'It takes names with one comma between them'],
    [['--columns', 'id,id'], 'It names a column twice'],
    [['--map', 'email'], 'It takes pairs such as email=mail'],
    [['--map', 'email=a', '--map', 'email=b'], 'It maps email twice'],
    [['--map', 'email=mail,passwordHash=mail'], 'It uses the column mail twice, for email and passwordHash'],
    [['--map', 'isDisabled=off,deleted=!off'], 'It uses the column off twice'],
    [['--hash-as', 'md5(password.sault)'], 'It is not a construction'],
    [['--hash-as', 'rot13'], 'It takes one of '],
  ])('refuses %j with what it takes', async (flags, message) => {
    await place.write('users.csv', laravel(1));
    const { code, stderr } = await place.run(['convert', 'users.csv', ...flags]);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
  });

  it('hands on how ids are to be taken, and leaves them as they are', async () => {
    await place.write('users.csv', laravel(3));
    const flags = ['--id-prefix', 'shop:', '--same-ids', '--restore-removed'];
    expect(await place.run(importing('users.csv', ...flags))).toMatchObject({ code: 0 });
    expect(Object.fromEntries(tus.jobs[0]?.query ?? [])).toMatchObject({
      idPrefix: 'shop:',
      sameIds: 'true',
      restoreRemoved: 'true',
    });
    expect(externalIds(uploadedLines().slice(0, -1))).toEqual(['1', '2', '3']);
  });

  it('asks for secrets again when it goes on', async () => {
    await place.write(
      'users.csv',
      `id,email,encrypted_password,confirmed_at\n1,a@example.com,${knownHash},\n`,
    );
    tus.holdPatches = true;
    const args = importing('users.csv', '--from', 'devise', '--pepper', 'pepper-of-ours');
    const running = place.start(args);
    await tus.begun;
    running.interrupt();
    await running.ended;
    tus.holdPatches = false;
    const [file = ''] = await place.list(place.stateFolder);
    expect(await place.read(`../state/carryover/${file}`)).not.toContain('pepper-of-ours');
    const refused = await place.run(['resume', '--yes']);
    expect(refused).toMatchObject({ code: 2, stderr: 'Give again what is not kept here: --pepper\n' });
    const resumed = await place.run(['resume', '--yes'], {
      environment: { CARRYOVER_PEPPER: 'pepper-of-ours' },
    });
    expect(resumed.code).toBe(0);
  });

  it('ends the job of an export that cannot be used', async () => {
    await place.write('users.csv', laravel(1));
    const { code, stderr } = await place.run(importing('users.csv', '--without-password', 'nothing'));
    expect(code).toBe(2);
    expect(stderr).toContain('--without-password must be one of');
    expect(stderr).not.toContain('resume');
    expect(tus.jobs.every(({ state }) => state === 'cancelled')).toBe(true);
    expect(await place.list(place.stateFolder)).toEqual([]);
  });
});

describe('convert', () => {
  it('writes native records, without lines for those that were rejected', async () => {
    await place.write('users.csv', laravel(100));
    const { code, stderr, stdout } = await place.run(['convert', 'users.csv', '-o', 'users.ndjson']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(externalIds((await place.read('users.ndjson')).trim().split('\n'))).toEqual(expectedIds(99));
    expect(stderr).toContain('99 records converted, written to users.ndjson\n1 record rejected:');
    expect(await place.list()).toEqual(['carryover-rejects.ndjson', 'users.csv', 'users.ndjson']);
  });

  it('puts a prefix before ids, also of native records', async () => {
    await place.write('native.ndjson', `${JSON.stringify({ externalUserId: '7', loginMethods: [{}] })}\n`);
    await place.write('users.csv', laravel(2));
    for (const [file, ids] of [
      ['users.csv', ['shop:1', 'shop:2']],
      ['native.ndjson', ['shop:7']],
    ] as const) {
      const { code, stdout } = await place.run(['convert', file, '--id-prefix', 'shop:']);
      expect([code, externalIds(stdout.trim().split('\n'))]).toEqual([0, ids]);
    }
  });

  it('writes to the standard output, of an export from the standard input', async () => {
    const { code, stdout } = await place.run(['convert', '-', '--from', 'laravel'], { input: laravel(2) });
    expect(code).toBe(0);
    expect(externalIds(stdout.trim().split('\n'))).toEqual(['1', '2']);
    expect(await place.list(place.stateFolder)).toEqual([]);
  });
});

describe('inspect', () => {
  const password = (email: string, more: object = {}): string =>
    `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, passwordHash: knownHash, ...more }] })}\n`;

  const costly = knownHash.replace('$04$', '$10$');

  it('counts what an import would find, and why it would reject', async () => {
    const social = {
      recipeId: 'thirdparty',
      email: 'g@example.com',
      thirdPartyId: 'google',
      thirdPartyUserId: '7',
    };
    await place.write(
      'users.ndjson',
      [
        password('ada@example.com', { isVerified: true }),
        '\n',
        password('grace@example.com', { tenantIds: ['shop'] }),
        password(' Ada@Example.com '),
        password('grace@example.com', { tenantIds: ['shop'] }),
        password('ada@example.com', { passwordHash: '$2b$99$none' }),
        `${JSON.stringify({ loginMethods: [social] })}\n`,
        '{"loginMethods": 1}\n',
        'no json',
      ].join(''),
    );
    const ended = await place.run(['inspect', 'users.ndjson', '--json', '--url', tus.url]);
    expect(ended.code).toBe(1);
    expect(json(ended)).toMatchObject({
      format: 'native',
      records: 8,
      valid: 3,
      verified: 1,
      unverified: 2,
      duplicates: 2,
      duplicatesByCase: 1,
      rejected: 5,
      rejectedByCode: { DUPLICATE_IN_JOB: 2, INVALID_JSON: 1 },
      byKind: { bcrypt: 2 },
      social: { google: 1 },
      tenants: ['public', 'shop'],
    });
    expect(tus.jobs).toEqual([]);
  });

  it('says which ids a prefix makes too long', async () => {
    await place.write(
      'users.ndjson',
      password('a@example.com').replace('{', `{"externalUserId":"${'x'.repeat(100)}",`),
    );
    const inspect = (prefix: string) =>
      place.run(['inspect', 'users.ndjson', '--url', tus.url, '--id-prefix', prefix]);
    expect((await inspect('p'.repeat(28))).code).toBe(0);
    const { code, stdout } = await inspect('p'.repeat(29));
    expect(code).toBe(1);
    expect(stdout).toMatch(/externalUserId.*129 characters.*--id-prefix/s);
  });

  it.each(['', ' ', 'a b', 'p'.repeat(65)])('refuses the prefix %j at once', async (prefix) => {
    await place.write('users.csv', laravel(1));
    for (const command of [
      importing('users.csv'),
      ['inspect', 'users.csv'],
      ['convert', 'users.csv'],
      ['plan', 'users.csv'],
    ]) {
      const { code, stderr } = await place.run([...command, '--id-prefix', prefix]);
      expect([code, stderr]).toEqual([2, expect.stringMatching(/--id-prefix.*must be 1 to 64/s)]);
    }
    expect(tus.jobs).toEqual([]);
  });

  it('takes the speed of the last imports of the core', async () => {
    await place.write('users.ndjson', password('ada@example.com'));
    await place.run(importing('users.ndjson'));
    const { code, stdout } = await place.run(['inspect', 'users.ndjson', '--url', tus.url]);
    expect(code).toBe(0);
    expect(stdout).toContain(
      "An import takes about 1 s at 10,000 users/s (assumed: this core's last imports were too short: 1 user in less than 1 s)",
    );
  });

  it('takes the speed of the last imports of the core where they took long enough to tell', async () => {
    await place.write('many.ndjson', password('ada@example.com').repeat(50_000));
    await place.run(importing('many.ndjson'));
    await place.write('users.ndjson', password('ada@example.com'));
    const { stdout } = await place.run(['inspect', 'users.ndjson', '--url', tus.url]);
    expect(stdout).toContain(
      "An import takes about 1 s at 4,000 users/s (as this core's last imports: 50,000 users in 13 s)",
    );
  });

  it('does not speak of an API key that it does not send', async () => {
    await place.write('data/api-key', 'a-key-of-more-than-twenty-characters');
    await place.write('users.ndjson', password('ada@example.com'));
    const environment = { CARRYOVER_API_KEY: '' };
    const { stderr } = await place.run(['inspect', 'users.ndjson', '--url', tus.url], { environment });
    expect(stderr).not.toContain('API key');
  });

  it('says that it assumes a speed when no core can be asked', async () => {
    await place.write('users.csv', laravel(100));
    await tus.stop();
    const { code, stdout } = await place.run(['inspect', 'users.csv', '--url', tus.url]);
    expect(code).toBe(1);
    expect(stdout).toContain('users.csv: Laravel (users table), ');
    expect(stdout).toMatch(/can be imported +99\n/);
    expect(stdout).toMatch(/\n {2}login methods +99\n {4}verified +\d+\n {4}not verified +\d+\n/);
    expect(stdout).toContain('record 100 at email');
    expect(stdout).toContain('(assumed: no core could be asked)');
  });

  it("holds hashes against the core's configuration", async () => {
    await place.write('users.ndjson', password('ada@example.com', { passwordHash: costly }));
    const low = { environment: { BCRYPT_MAX_COST: '9', BCRYPT_LOG_ROUNDS: '9' } };
    const { code, stdout } = await place.run(['inspect', 'users.ndjson', '--url', tus.url], low);
    expect(code).toBe(1);
    expect(stdout).toContain('(HASH_OVER_CEILING)');
  });

  it('takes the pepper of the export for that of the core', async () => {
    const devise = await readFile(path.resolve(import.meta.dirname, '../exports/files/devise.csv'), 'utf8');
    await place.write('users.csv', devise);
    const inspect = ['inspect', 'users.csv', '--url', tus.url, '--pepper', 'demo-pepper'];
    const { code, stdout } = await place.run(inspect);
    expect(code, stdout).toBe(0);
    expect(stdout).toMatch(/can be imported +1\n/);
  });
});
