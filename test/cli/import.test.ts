/** `carryover import` of native records against a server that misbehaves as real ones do. */
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteListening } from '../../src/process/listening-note.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import type { Ended } from '../helpers/command.ts';
import { eventually } from '../helpers/eventually.ts';
import { fakeKey, type FakeTus, startFakeTus } from '../helpers/tus-server.ts';

let tus: FakeTus;
let place: Place;

beforeEach(async () => {
  [tus, place] = await Promise.all([startFakeTus(), makePlace()]);
});

afterEach(async () => {
  await Promise.all([tus.stop().catch(() => undefined), place.remove()]);
});

const user = (n: number): string =>
  JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email: `user${n}@example.com` }] });
const lines = (count: number): string => Array.from({ length: count }, (_, n) => `${user(n)}\n`).join('');
const importing = (...args: string[]): string[] => ['import', '--yes', ...args, '--url', tus.url];
const uploaded = (): string | undefined => tus.jobs.at(-1)?.committed.toString('utf8');
const json = ({ stdout }: Ended): Record<string, unknown> => JSON.parse(stdout) as Record<string, unknown>;

describe('import', () => {
  it('uploads a native file as it is, in one request of known length, and says what became of it', async () => {
    const text = `${lines(50)}${user(50)}`;
    await place.write('users.ndjson', text);
    const { code, stdout, stderr } = await place.run(importing('users.ndjson'));
    expect({ code, uploaded: uploaded() }).toEqual({ code: 0, uploaded: text });
    expect(tus.patches).toHaveLength(1);
    expect(tus.patches[0]).toMatchObject({ 'content-length': String(text.length), 'upload-offset': '0' });
    expect(stdout).toContain('users.ndjson (job job-1)');
    expect(stdout).toMatch(/created +51\n/);
    expect(stdout).toContain('51 bcrypt');
    expect(stdout).toContain(`To undo it: npx --no carryover undo job-1 --url ${tus.url}\n`);
    expect(stderr).toContain('Reading as native');
    expect(await place.list(place.stateFolder)).toEqual([]);
  });

  it('speaks to the app that was asked for', async () => {
    await place.write('users.ndjson', lines(1));
    await place.run(importing('users.ndjson', '--app', 'Shop'));
    expect(tus.requests[0]).toBe('GET /appid-shop/bulk-import/jobs');
  });

  it('makes the job with the options of the command', async () => {
    await place.write('users.ndjson', lines(1));
    const { stdout } = await place.run(
      importing('users.ndjson', '--dry-run', '--on-conflict', 'skip', '--name', 'trial'),
    );
    expect(Object.fromEntries(tus.jobs[0]?.query ?? [])).toEqual({
      onConflict: 'skip',
      dryRun: 'true',
      secondFactor: 'refuse',
      name: 'trial',
    });
    expect(stdout).toContain('Dry run, nothing is changed: trial');
    expect(stdout).not.toContain('undo');
  });

  it('prints one JSON object and nothing else with --json', async () => {
    await place.write('users.ndjson', lines(3));
    const ended = await place.run(importing('users.ndjson', '--json'));
    expect(json(ended)).toMatchObject({
      status: 'OK',
      records: 3,
      rejected: 0,
      job: { id: 'job-1', created: 3 },
    });
  });

  it('ends with 1 when there were rejects, shows the first by reason and writes all of them to a file', async () => {
    await place.write('users.ndjson', lines(9));
    tus.rejected = 5;
    tus.rejects = [1, 2, 3, 4]
      .map((line): object => ({
        line,
        code: 'INVALID_FIELD',
        field: 'loginMethods.0.email',
        message: 'is bad',
      }))
      .concat({ line: 7, code: 'UNKNOWN_TENANT', field: '', message: 'no such tenant' });
    const { code, stdout } = await place.run(importing('users.ndjson', '--rejects', 'bad.ndjson'));
    expect(code).toBe(1);
    expect(stdout).toContain(
      '  5 not imported\n    4 is bad (INVALID_FIELD)\n      line 1 at loginMethods.0.email, ',
    );
    expect(stdout).toContain(' and 1 more line\n');
    expect(stdout).toContain('    1 no such tenant (UNKNOWN_TENANT)\n      line 7\n');
    const written = (await place.read('bad.ndjson')).trim().split('\n');
    expect(written.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual([1, 2, 3, 4, 7]);
  });

  it('empties the requested file for rejects when all records are imported', async () => {
    await place.write('users.ndjson', lines(1));
    await place.write('bad.ndjson', 'of a former run');
    expect((await place.run(importing('users.ndjson', '--rejects', 'bad.ndjson'))).code).toBe(0);
    expect(await place.read('bad.ndjson')).toBe('');
  });

  it.each([
    ['compressed lines', gzipSync(lines(5))],
    ['a JSON array', `[${lines(5).trim().replaceAll('\n', ',')}]`],
  ])('reads %s too', async (_, content) => {
    await place.write('users', content);
    const { code } = await place.run(importing('users'));
    expect({ code, uploaded: uploaded() }).toEqual({ code: 0, uploaded: lines(5) });
  });

  it('copies the standard input to a file, and removes that at the end', async () => {
    const { code, stdout } = await place.run(importing('-', '--from', 'native'), { input: lines(4) });
    expect({ code, uploaded: uploaded() }).toEqual({ code: 0, uploaded: lines(4) });
    expect(stdout).toContain('standard input');
    expect(await place.list(place.stateFolder)).toEqual([]);
  });
});

describe('a core that is not always there', () => {
  it('goes on at the committed offset when the connection breaks in the middle', async () => {
    const text = lines(40_000);
    await place.write('users.ndjson', text);
    tus.breakAfterBytes = 1_000_000;
    const { code, stderr } = await place.run(importing('users.ndjson'));
    expect(code).toBe(0);
    expect(uploaded() === text).toBe(true);
    expect(tus.patches).toHaveLength(2);
    expect(Number(tus.patches[1]?.['upload-offset'])).toBeGreaterThanOrEqual(900_000);
    expect(stderr).toContain('Waiting for the core: the connection was closed');
  });

  it('waits for a core that restarts', async () => {
    const text = lines(2000);
    await place.write('users.ndjson', text);
    tus.holdPatches = true;
    const running = place.start(importing('users.ndjson'));
    await tus.begun;
    await tus.stop();
    await running.said(/nothing listens there/);
    tus.holdPatches = false;
    await tus.start();
    expect((await running.ended).code).toBe(0);
    expect(uploaded() === text).toBe(true);
  });

  it('waits for its search for absent users, which outlasts the connection', async () => {
    await place.write('users.ndjson', lines(9));
    const search = Promise.withResolvers<undefined>();
    tus.search = search.promise.then(() => undefined);
    tus.breaksInSearch = true;
    const running = place.start(
      importing('users.ndjson', '--source', 'shop', '--absent', 'report', '--json'),
    );
    await eventually(() => {
      const askedAgain = tus.requests.lastIndexOf('HEAD /bulk-import/jobs/job-1');
      expect(tus.patches).toHaveLength(1);
      expect(tus.requests.slice(askedAgain).length).toBeGreaterThan(3);
    });
    search.resolve(undefined);
    expect(json(await running.ended)).toMatchObject({ records: 9, job: { state: 'done' } });
  });

  it('waits for it at the end too, when all is committed, and reports each reject once', async () => {
    await place.write('users.ndjson', lines(9));
    tus.rejected = 1;
    tus.rejects = [{ line: 3, code: 'INVALID_FIELD', field: '', message: '' }];
    tus.mishaps.GET = ['pass', { status: 503 }, 'hang up', 'pass', 'hang up'];
    const ended = await place.run(importing('users.ndjson', '--json'));
    expect(ended.code).toBe(1);
    expect(json(ended)).toMatchObject({ records: 9, rejected: 1, rejects: { byCode: { INVALID_FIELD: 1 } } });
    expect(tus.mishaps.GET).toEqual([]);
  });

  it.each([
    ['a 503 with Retry-After', { status: 503, retryAfter: 1 }],
    ['a 409', { status: 409, code: 'UPLOAD_OFFSET_CONFLICT' }],
    ['a 423', { status: 423, code: 'UPLOAD_LOCKED' }],
    ['a connection that is hung up', 'hang up'],
  ] as const)('tries again after %s', async (_, mishap) => {
    await place.write('users.ndjson', lines(20));
    tus.mishaps.PATCH = [mishap];
    expect((await place.run(importing('users.ndjson'))).code).toBe(0);
    expect(uploaded()).toBe(lines(20));
    expect(tus.requests.filter((request) => request.startsWith('HEAD'))).toHaveLength(2);
  });

  it('gives up when its patience is over, and says how to go on', async () => {
    await place.write('users.ndjson', lines(20));
    tus.mishaps.PATCH = Array.from({ length: 20 }, () => ({ status: 500 }));
    const { code, stderr } = await place.run(importing('users.ndjson', '--patience', '0'));
    expect(code).toBe(2);
    expect(stderr).toContain('Go on with: npx --no carryover resume job-1');
    expect(stderr).toContain('Gave up waiting for the core: The core is busy');
    expect(await place.list(place.stateFolder)).toEqual(['job-1.json']);
  });

  it('does not wait for what waiting does not cure', async () => {
    await place.write('users.ndjson', lines(20));
    tus.mishaps.PATCH = [{ status: 410, code: 'UPLOAD_GONE' }];
    const { code } = await place.run(importing('users.ndjson'));
    expect({ code, patches: tus.patches.length }).toEqual({ code: 2, patches: 0 });
  });
});

describe('Ctrl-C', () => {
  const interrupted = async (text: string, ...args: string[]): Promise<Ended> => {
    await place.write('users.ndjson', text);
    tus.holdPatches = true;
    const running = place.start(importing('users.ndjson', ...args));
    await tus.begun;
    running.interruptTwice();
    const ended = await running.ended;
    tus.holdPatches = false;
    return ended;
  };

  it('stops, says what is committed and how to go on; resume goes on there', async () => {
    const text = lines(5000);
    const { code, stderr, stdout } = await interrupted(text);
    expect({ code, stdout }).toEqual({ code: 130, stdout: '' });
    expect(stderr).toMatch(
      /Stopped\. So far [\d,]+ records? committed and stay\. Go on with: npx --no carryover resume job-1\n/,
    );
    const resumed = await place.run(['resume', '--yes']);
    expect(resumed.code).toBe(0);
    expect(uploaded() === text).toBe(true);
    expect(Number(tus.patches[1]?.['upload-offset'])).toBeGreaterThan(0);
    expect(await place.list(place.stateFolder)).toEqual([]);
  });

  it('keeps no key on the disk', async () => {
    await interrupted(lines(10));
    const [file = ''] = await place.list(place.stateFolder);
    expect(await place.read(`../state/carryover/${file}`)).not.toContain(fakeKey);
  });

  it('says so in JSON where that was asked for', async () => {
    expect(json(await interrupted(lines(10), '--json'))).toMatchObject({ status: 'INTERRUPTED' });
  });

  it('resume refuses a file that has changed since', async () => {
    await interrupted(lines(10));
    await place.write('users.ndjson', lines(11));
    const { code, stderr } = await place.run(['resume', '--yes', 'job-1']);
    expect(code).toBe(2);
    expect(stderr).toContain('has changed since the import began: import it again');
  });

  it('resume goes on with a standard input too', async () => {
    tus.holdPatches = true;
    const running = place.start(importing('-', '--from', 'native'), { input: lines(3000) });
    await tus.begun;
    running.interrupt();
    expect((await running.ended).code).toBe(130);
    tus.holdPatches = false;
    expect((await place.run(['resume', '--yes'])).code).toBe(0);
    expect(uploaded() === lines(3000)).toBe(true);
    expect(await place.list(place.stateFolder)).toEqual([]);
  });
});

describe('refusals', () => {
  const refused = async (args: string[], environment: Record<string, string> = {}): Promise<string> => {
    const { code, stderr, stdout } = await place.run(args, { environment });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).not.toMatch(/\n +at /);
    return stderr;
  };

  it('says where it found no core', async () => {
    await place.write('users.ndjson', lines(1));
    await tus.stop();
    expect(await refused(importing('users.ndjson', '--patience', '0'))).toBe(
      `No core answers at ${tus.url}: nothing listens there. Start it with 'npm start', or give its address with --url\n`,
    );
  });

  it('says how to give the right key, and does not repeat the wrong one', async () => {
    await place.write('users.ndjson', lines(1));
    const stderr = await refused(importing('users.ndjson'), { CARRYOVER_API_KEY: 'wrong-secret' });
    expect(stderr).toContain('does not take this API key');
    expect(stderr).not.toContain('wrong-secret');
  });

  it('takes its key from a file', async () => {
    await place.write('users.ndjson', lines(1));
    const file = await place.write('key', `${fakeKey}\n`);
    const environment = { CARRYOVER_API_KEY: '', CARRYOVER_API_KEY_FILE: file };
    expect((await place.run(importing('users.ndjson'), { environment })).code).toBe(0);
    const both = await place.run(importing('users.ndjson'), {
      environment: { CARRYOVER_API_KEY_FILE: file },
    });
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('are both set')]);
  });

  it('sends nothing to another host in the clear, unless asked to', async () => {
    await place.write('users.ndjson', lines(1));
    const elsewhere = [
      'import',
      '--yes',
      'users.ndjson',
      '--url',
      'http://core.invalid:3567',
      '--patience',
      '0',
    ];
    const refused = await place.run(elsewhere);
    expect([refused.code, refused.stderr]).toEqual([
      2,
      expect.stringContaining('is another host, and http://'),
    ]);
    for (const asked of [
      await place.run([...elsewhere, '--insecure-http']),
      await place.run(elsewhere, { environment: { CARRYOVER_INSECURE_HTTP: 'true' } }),
    ])
      expect(asked.stderr).toContain('No core answers at http://core.invalid:3567');
  });

  it('takes the key of a core on this machine from ./data, and says so', async () => {
    await place.write('users.ndjson', lines(1));
    await place.write('data/api-key', `${fakeKey}\n`);
    const environment = { CARRYOVER_API_KEY: '' };
    const imported = () => place.run(importing('users.ndjson'), { environment });
    const unproven = await imported();
    expect([unproven.code, unproven.stderr]).toEqual([
      2,
      expect.stringContaining('API key: that of ./data/api-key is not sent'),
    ]);
    const forgetOther = await noteListening(path.join(place.folder, 'data'), 4999);
    expect((await imported()).stderr).toContain('it listens at port 4999: give --url http://127.0.0.1:4999');
    await forgetOther();
    const forget = await noteListening(path.join(place.folder, 'data'), Number(new URL(tus.url).port));
    const { code, stderr } = await imported();
    expect(code).toBe(0);
    expect(stderr).toContain('API key: from ./data/api-key');
    await forget();
    expect((await imported()).code).toBe(2);
  });

  it.each([
    ['a file that is not there', ['none.ndjson'], 'none.ndjson: there is no such file'],
    ['a folder with an empty file', ['.'], 'empty: is empty: export it again, or take it out'],
    ['a folder where a file is meant', ['users.ndjson', '--canaries', '.'], 'cannot be read: EISDIR'],
    ['an empty file', ['empty'], 'empty: is empty'],
    ['a file of nothing known', ['notes.txt'], 'say which with --from, one of'],
    ['a format that is none', ['users.ndjson', '--from', 'nobody'], '--from takes one of'],
    ['rejects over the input', ['users.ndjson', '--rejects', 'users.ndjson'], 'is what is read'],
    [
      'an option of others',
      ['users.ndjson', '--devise-identities', 'x'],
      '--devise-identities is for devise',
    ],
    ['a tenant that is none', ['users.ndjson', '--tenant', 'a/b'], '--tenant takes letters'],
  ])('refuses %s before a job is made', async (_, args, message) => {
    await Promise.all([
      place.write('users.ndjson', lines(1)),
      place.write('empty', ''),
      place.write('notes.txt', 'nothing of the kind\n'),
    ]);
    expect(await refused(importing(...args))).toContain(message);
    expect(tus.jobs).toEqual([]);
  });

  it('does not repeat the value of a mistyped flag: it may be a key', async () => {
    const stderr = await refused(['import', '--yes', 'users.ndjson', '--apikey=secret-of-mine']);
    expect(stderr).toContain("unknown option '--apikey'");
    expect(stderr).not.toContain('secret-of-mine');
  });

  it('says why in JSON too where that was asked for', async () => {
    const ended = await place.run(importing('none.ndjson', '--json'));
    expect(ended.code).toBe(2);
    expect(json(ended)).toEqual({
      type: 'error',
      command: 'import',
      status: 'ERROR',
      code: 'FILE_ERROR',
      next: [],
      field: expect.stringContaining('none.ndjson') as string,
      message: expect.stringContaining('there is no such file') as string,
    });
  });
});
