/** The output for a terminal, and for programs. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCarryover } from '../../src/cli/program.ts';
import { createProgress } from '../../src/cli/output/progress.ts';
import { forTerminal, hasColours, wrapped } from '../../src/cli/output/terminal.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { quietSurroundings } from '../helpers/command.ts';
import { fakeKey, type FakeTus, startFakeTus } from '../helpers/tus-server.ts';

const terminal = (columns = 80) => Object.assign(new PassThrough(), { isTTY: true, columns });
const pipe = new PassThrough();

describe('colours', () => {
  it.each([
    ['a terminal', terminal(), {}, true],
    ['a pipe', pipe, {}, false],
    ['a terminal with NO_COLOR', terminal(), { NO_COLOR: '1' }, false],
    ['a terminal with an empty NO_COLOR', terminal(), { NO_COLOR: '' }, true],
    ['a dumb terminal', terminal(), { TERM: 'dumb' }, false],
    ['a pipe with FORCE_COLOR', pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    ['a terminal with FORCE_COLOR=0', terminal(), { FORCE_COLOR: '0' }, false],
  ])('of %s', (_, output, environment, expected) => {
    expect(hasColours(output, environment)).toBe(expected);
  });

  it('belong to classes, and not to counts of zero', () => {
    const shown = forTerminal(
      '  5 not imported\n  0 restricted: imported, and cannot sign in yet\n',
      terminal(),
      {},
    );
    expect(shown).toBe(
      '\x1b[31m  5 not imported\x1b[39m\n  0 restricted: imported, and cannot sign in yet\n',
    );
  });
});

describe('lines', () => {
  it('are wrapped between words, a little to the right, and no word is cut', () => {
    expect(wrapped('  12 users have a name that is long', 20)).toEqual([
      '  12 users have a',
      '    name that is',
      '    long',
    ]);
    expect(wrapped(`see ${'x'.repeat(40)} there`, 20)).toEqual(['see', `  ${'x'.repeat(40)}`, '  there']);
  });

  it('can still be pasted where they are commands', () => {
    const line = 'To undo it: npx --no carryover undo 01a207a1-f8d2-732e-91a9-6222e26074f1 --app shop';
    const pieces = wrapped(line, 60);
    expect(pieces).toEqual([
      'To undo it: npx --no carryover undo \\',
      '  01a207a1-f8d2-732e-91a9-6222e26074f1 --app shop',
    ]);
  });

  it('are left alone for programs', () => {
    const line = 'word '.repeat(50);
    expect(forTerminal(line, pipe, {})).toBe(line);
  });
});

describe('a bar', () => {
  it('shows a count from its beginning', async () => {
    const output = terminal();
    const progress = createProgress({ output, totalBytes: 1000, now: () => 0 });
    progress.stop();
    output.end();
    expect(await text(output)).toMatch(/0%.*0 users/);
  });
});

describe('lines of progress', () => {
  it('end with one that all is read; notes report the rest, and nothing is left', async () => {
    const output = new PassThrough();
    let now = 0;
    const progress = createProgress({ output, totalBytes: 1000, now: () => now });
    const after = (ms: number, bytes: number): void => {
      now += ms;
      progress.update({ bytes, records: bytes / 10, rejected: 0 });
    };
    after(1000, 250);
    after(5000, 500);
    after(5000, 1000);
    progress.note('All records are in. Looking for users who are gone from the source');
    for (let n = 0; n < 6; n++) after(6000, 1000);
    progress.stop();
    output.end();
    expect(await text(output)).toBe(
      [
        '50% of 1000 B, 50 users, 5/s, 10 s left',
        '100% of 1000 B, 100 users, 8/s',
        'All records are in. Looking for users who are gone from the source\n',
      ].join('\n'),
    );
  });
});

describe('the command', () => {
  let tus: FakeTus;
  let place: Place;
  beforeEach(async () => {
    [tus, place] = await Promise.all([startFakeTus(), makePlace()]);
  });
  afterEach(async () => {
    await Promise.all([tus.stop(), place.remove()]);
  });
  const line = '{"loginMethods":[{"recipeId":"passwordless","email":"a@example.com"}]}\n';

  it('colours a summary where it is asked to, and never what goes to a file', async () => {
    await place.write('users.ndjson', line);
    const importing = (environment: Record<string, string>) =>
      place.run(['import', '--yes', 'users.ndjson', '--url', tus.url], { environment });
    expect((await importing({})).stdout).not.toContain('\x1b');
    expect((await importing({ FORCE_COLOR: '1' })).stdout).toContain('\x1b[');
    expect(await place.read('.carryover/job-2/report.txt')).not.toContain('\x1b');
  });

  it('says once that it looks for absent users, when the core has all records and is not done', async () => {
    const search = Promise.withResolvers<undefined>();
    tus.search = search.promise;
    await place.write('users.ndjson', line);
    const options = ['--absent', 'report', '--url', tus.url];
    const running = place.start(['import', '--yes', 'users.ndjson', ...options]);
    await running.said(/Looking for users who are gone/);
    const looked = (): number => tus.requests.filter((each) => each === 'GET /bulk-import/jobs/job-1').length;
    const before = looked();
    await expect.poll(looked).toBeGreaterThan(before);
    search.resolve(undefined);
    const { code, stderr } = await running.ended;
    expect([code, stderr.match(/Looking for users who are gone|100%/g)]).toEqual([
      0,
      ['Looking for users who are gone'],
    ]);
  });

  it('shows jobs as blocks where the table is wider than the terminal', async () => {
    await place.write('users.ndjson', line);
    await place.run(['import', '--yes', 'users.ndjson', '--url', tus.url]);
    const listed = async (columns: number): Promise<string> => {
      const stdout = terminal(columns);
      const environment = { CARRYOVER_API_KEY: fakeKey, NO_COLOR: '1' };
      const surroundings = quietSurroundings(place.folder, { stdout, environment });
      await runCarryover(['jobs', '--url', tus.url], 'test', surroundings);
      stdout.end();
      return text(stdout);
    };
    expect(await listed(60)).toMatch(/^job-1\n {2}begun \(UTC\) +\d.*\n {2}state +done\n/);
    expect(await listed(200)).toMatch(/^job +begun \(UTC\)/);
  });
});
