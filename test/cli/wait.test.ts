/** A command that finds no core, or one that is not ready, waits from its first request on. */
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ExportProgress } from '../../src/cli/commands/exports/export-progress.ts';
import { noteListening } from '../../src/process/listening-note.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { fakeKey, type FakeTus, startFakeTus } from '../helpers/tus-server.ts';

let tus: FakeTus;
let place: Place;
beforeEach(async () => {
  [tus, place] = await Promise.all([startFakeTus(), makePlace()]);
  await place.write(
    'users.ndjson',
    '{"loginMethods":[{"recipeId":"passwordless","email":"a@example.com"}]}\n',
  );
});
afterEach(async () => {
  await Promise.all([tus.stop().catch(() => undefined), place.remove()]);
});

const importing = (...args: string[]): string[] => ['import', '--yes', 'users.ndjson', ...args];

describe('a core that does not listen yet', () => {
  beforeEach(() => tus.stop());

  it('is waited for, with one line that names the address and the reason', async () => {
    const running = place.start(importing('--url', tus.url));
    await running.said(/nothing listens there/);
    await tus.start();
    const { code, stderr } = await running.ended;
    expect(code).toBe(0);
    expect(stderr.match(/Waiting for the core.*/g)).toEqual([
      `Waiting for the core at ${tus.url}: nothing listens there. Up to 5 min 0 s, or as --patience says; Ctrl-C ends it`,
    ]);
  });

  it('gives its key when it listens', async () => {
    const environment = { CARRYOVER_API_KEY: '' };
    const running = place.start(importing('--url', tus.url), { environment });
    await running.said(/nothing listens there/);
    await place.write('data/api-key', `${fakeKey}\n`);
    const forget = await noteListening(`${place.folder}/data`, tus.port);
    await tus.start();
    expect((await running.ended).code).toBe(0);
    await forget();
  });

  it('is not waited for after Ctrl-C', async () => {
    const running = place.start(['jobs', '--url', tus.url]);
    await running.said(/nothing listens there/);
    running.interrupt();
    expect((await running.ended).code).toBe(130);
  });

  it.each([['import', 'users.ndjson', '--yes'], ['jobs'], ['export'], ['hashes'], ['undo', 'job-1']])(
    'is not waited for without patience by %s',
    async (...args) => {
      const { code, stderr } = await place.run([...args, '--url', tus.url, '--patience', '0']);
      expect(code).toBe(2);
      expect(stderr).toBe(
        `No core answers at ${tus.url}: nothing listens there. Start it with 'npm start', or give its address with --url\n`,
      );
    },
  );
});

describe('a core that is not ready', () => {
  it.each([
    ['STARTING_POSTGRESQL', 'its PostgreSQL is starting'],
    ['MIGRATING', 'it brings its database to its version'],
    ['DATABASE_UNREACHABLE', 'it cannot reach its database'],
    ['DATABASE_READ_ONLY', 'its database takes no writes'],
    ['STOPPING', 'it is about to stop'],
  ])('for %s is waited for by an import', async (reason, words) => {
    tus.notReady = reason;
    const running = place.start(importing('--url', tus.url));
    await running.said(new RegExp(`Waiting for the core at .*: ${words}`));
    tus.notReady = undefined;
    expect((await running.ended).code).toBe(0);
  });

  it('because nothing can be written is asked by a command that only reads', async () => {
    tus.notReady = 'DATABASE_READ_ONLY';
    const { code, stderr } = await place.run(['export', '--url', tus.url]);
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Waiting')]);
  });
});

describe('the address of the core', () => {
  it('is taken from CARRYOVER_URL, and shown', async () => {
    const ended = await place.run(['jobs'], { environment: { CARRYOVER_URL: `${tus.url}/` } });
    expect([ended.code, ended.stderr]).toEqual([0, `Core: ${tus.url} (CARRYOVER_URL)\n`]);
    expect(tus.requests).toEqual(['GET /bulk-import/jobs']);
  });

  it('is that of --url before it', async () => {
    const environment = { CARRYOVER_URL: 'http://127.0.0.1:9' };
    const ended = await place.run(['jobs', '--url', tus.url], { environment });
    expect([ended.code, ended.stderr]).toEqual([0, '']);
  });

  it('has to be one, wherever it comes from', async () => {
    const ended = await place.run(['jobs'], { environment: { CARRYOVER_URL: 'core' } });
    expect([ended.code, ended.stderr]).toEqual([
      2,
      'CARRYOVER_URL takes an address such as http://127.0.0.1:3567\n',
    ]);
  });
});

describe('an export', () => {
  it('says how far it is, and how many users it wrote, to people and to programs', async () => {
    tus.users = '{}\n{}\n{}\n';
    const args = ['export', '--url', tus.url, '--out', 'all.ndjson', '--json'];
    const { code, stdout, stderr } = await place.run(args);
    expect([code, stderr]).toEqual([0, 'Exported 3 users to all.ndjson (9 B)\n']);
    expect(JSON.parse(stdout)).toMatchObject({ type: 'export', out: 'all.ndjson', users: 3, bytes: 9 });
  });

  it('has a line for each five seconds', async () => {
    let ms = 0;
    const stderr = new PassThrough();
    const progress = new ExportProgress({ stderr, now: () => (ms += 2500) });
    const chunks = Readable.from([Buffer.from('{}\n'), Buffer.from('{}\n{'), Buffer.from('}\n')]);
    for await (const chunk of progress.counted(chunks)) expect(chunk.length).toBeGreaterThan(0);
    progress.end(undefined);
    stderr.end();
    expect(await text(stderr)).toMatch(
      /^1 user, 3 B\n2 users, [\d,]+\/s, 7 B\n(3 users.*\n)?Exported 3 users \(9 B\)\n$/,
    );
  });
});

describe('the end of a command', () => {
  it('comes with all of its output, into a pipe that is read late', async () => {
    tus.users = `${'x'.repeat(199)}\n`.repeat(5000);
    const runs = Array.from({ length: 4 }, () => place.start(['export', '--url', tus.url]).ended);
    for (const { code, stdout, stderr } of await Promise.all(runs)) {
      expect([code, stderr]).toEqual([0, 'Exported 5,000 users (976.6 KiB)\n']);
      expect(stdout === tus.users).toBe(true);
    }
  });
});
