/** A program runs the command: nothing is changed without --yes, and the answer has the exact command that does it. */
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCarryover } from '../../src/cli/program.ts';
import type { Surroundings } from '../../src/cli/surroundings.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { type Ended, inputOf, quietSurroundings } from '../helpers/command.ts';
import { fakeKey, type FakeTus, startFakeTus } from '../helpers/tus-server.ts';

let tus: FakeTus;
let place: Place;
/** Operations on databases. */
let done: string[];

beforeEach(async () => {
  [tus, place] = await Promise.all([startFakeTus(), makePlace()]);
  done = [];
  await place.write(
    'users.ndjson',
    '{"loginMethods":[{"recipeId":"passwordless","email":"a@example.com"}]}\n',
  );
  await place.write('tokens.ndjson', `{"userId":"u","token":"t","expiresAt":4102444800000}\n`);
  await place.write('backup.carryover', 'a backup');
});

afterEach(async () => {
  await Promise.all([tus.stop(), place.remove()]);
});

const note = <Result>(what: string, result: Result) => {
  return (): Promise<Result> => {
    done.push(what);
    return Promise.resolve(result);
  };
};

interface Given {
  readonly input?: string;
  /** Which streams are a terminal. */
  readonly terminal?: 'all' | 'output' | 'none';
}

async function run(
  args: readonly string[],
  { input = '', terminal = 'none' }: Given = {},
): Promise<Ended & { readonly answer: Answer }> {
  const stdout = new PassThrough();
  const stderr = Object.assign(new PassThrough(), { isTTY: terminal !== 'none' });
  const written = Promise.all([text(stdout), text(stderr)]);
  const rows = new Map<string, number>();
  const given: Partial<Surroundings> = {
    environment: {
      HOME: place.folder,
      XDG_STATE_HOME: `${place.folder}/../state`,
      CARRYOVER_API_KEY: fakeKey,
      POSTGRESQL_CONNECTION_URI: 'postgresql://owner@db.example.com/app',
    },
    stdin: Object.assign(inputOf(input), { isTTY: terminal === 'all' }),
    stdout,
    stderr,
    foreseeMigration: () => Promise.resolve({ versions: [1, 2], version: 2, sql: 'begin;\ncommit;\n' }),
    migrate: note('migrate', { applied: [1, 2], version: 2 }),
    moveApp: note('moveApp', { stoppedMs: 600 }),
    backup: note('backup', { version: 2, rows, sha256: '', apps: [], dataDir: undefined }),
    restore: note('restore', {
      header: { madeAt: '2026-01-31' },
      rows,
      leftOut: [],
      hasKeys: true,
      dataDir: undefined,
    }),
  };
  const code = await runCarryover(args, 'test', quietSurroundings(place.folder, given));
  stdout.end();
  stderr.end();
  const [out, err] = await written;
  return { code, stdout: out, stderr: err, answer: answerOf(out) };
}

interface Answer {
  readonly type?: string;
  readonly status?: string;
  readonly next?: readonly { readonly command: string; readonly reason: string }[];
}

/** The last line: lists are a line for each of their entries, followed by a total. */
function answerOf(out: string): Answer {
  const [last = ''] = out.trim().split('\n').slice(-1);
  return last.startsWith('{') ? (JSON.parse(last) as Answer) : {};
}

async function jobOf(state: 'done' | 'receiving'): Promise<void> {
  if (state === 'receiving') tus.mishaps.PATCH = [{ status: 400, code: 'BAD_REQUEST' }];
  await run(['import', 'users.ndjson', '--url', tus.url, '--yes']);
  if (state === 'done') tus.foreseen = { removed: 1, restored: 0, left: noReasons };
  tus.requests.length = 0;
}

const noReasons = { SIGNED_IN: 0, CHANGED_SINCE: 0, IDENTITY_TAKEN: 0 };

/** Every command that changes something, with its preparation. */
const changing: readonly (readonly [args: readonly string[], before: 'done' | 'receiving' | undefined])[] = [
  [['import', 'users.ndjson'], undefined],
  [['resume', 'job-1'], 'receiving'],
  [['undo', 'job-1'], 'done'],
  [['purge', 'job-1'], 'done'],
  [['sessions', 'import', 'tokens.ndjson', '--source', 'store'], undefined],
  [['reseal'], undefined],
  [['restore', 'backup.carryover'], undefined],
  [['migrate', '--grant-to', 'core role'], undefined],
  [['apps', 'move', 'shop', '--to', 'dublin'], undefined],
  [['receipt-keys', '--rotate'], undefined],
  [['dashboard-user', 'add', 'ada@example.com'], undefined],
  [['dashboard-user', 'password', 'ada@example.com'], undefined],
  [['dashboard-user', 'remove', 'ada@example.com'], undefined],
];

/** Reads, measures, or writes a file; `serve` runs until it is stopped. */
const harmless = [
  'inspect',
  'doctor',
  'plan',
  'twin',
  'serve',
  'backup',
  'jobs',
  'status',
  'conflicts',
  'compare',
  'absent',
  'hashes',
  'legacy',
  'convert',
  'export',
  'export-from',
  'audit',
  'providers',
  'receipt',
  'verify-receipt',
];

/** Ask like the others, and need a core: restrictions.test.ts, move.test.ts, load.test.ts, follow.test.ts, write-back.test.ts. */
const elsewhere = ['restrictions', 'move', 'load', 'follow', 'write-back'];

const hasUrl = (name = ''): boolean => !['restore', 'migrate', 'resume', 'apps'].includes(name);
const complete = (args: readonly string[]): string[] => [
  ...args,
  ...(hasUrl(args[0]) ? ['--url', tus.url] : []),
];

/** Requests that change something, except for a dry run's job. */
const changes = (): string[] =>
  tus.requests.filter(
    (each) => !/^(GET|HEAD) /.test(each) && !/^(POST|PATCH) \/bulk-import\/jobs(\/job-\d+)?$/.test(each),
  );

it('knows of each command whether it changes something', async () => {
  const { stdout } = await run(['--help']);
  const names = [...stdout.matchAll(/^ {2}([a-z][a-z-]+) /gm)].map(([, name]) => name);
  expect([...new Set([...changing.map(([[name]]) => name), ...harmless, ...elsewhere])].toSorted()).toEqual(
    names.toSorted(),
  );
});

describe.each(changing)('carryover %j', (args: readonly string[], before) => {
  beforeEach(() => (before === undefined ? undefined : jobOf(before)));

  it('changes nothing, shows the exact command, and ends with 2', async () => {
    const given = complete(args);
    const { code, stderr } = await run(given, { input: 'correct horse 1\n' });
    expect([code, done, changes(), tus.jobs.filter(isReal).length]).toEqual([2, [], [], before ? 1 : 0]);
    const shown = given.map((arg) => (arg === 'core role' ? "'core role'" : arg)).join(' ');
    expect(stderr).toContain(
      `Nothing was changed, because there is no terminal to ask at. This does it:\n  npx --no carryover ${shown} --yes\n`,
    );
  });

  it('answers programs with what it would do and what comes next', async () => {
    const given = complete(args);
    const { code, answer } = await run([...given, '--json']);
    const [first] = answer.next ?? [];
    const type = ['sessions', 'dashboard-user'].includes(args[0] ?? '')
      ? args.slice(0, 2).join(' ')
      : args[0];
    expect(answer).toMatchObject({ type, status: 'NEEDS_YES', would: expect.anything() as object });
    expect([code, first?.command.endsWith(' --json --yes')]).toEqual([2, true]);
  });

  it('asks for nothing that --yes has answered', async () => {
    const { stderr } = await run([...complete(args), '--yes'], { input: 'correct horse 1\n' });
    expect(stderr).not.toContain('Nothing was changed');
    const isDone = done.length > 0 || changes().length > 0 || tus.jobs.some(isReal);
    expect(isDone).toBe(true);
  });
});

const isReal = ({ query }: FakeTus['jobs'][number]): boolean => query.get('dryRun') !== 'true';

describe('at a terminal', () => {
  it('an import is what was asked for', async () => {
    expect((await run(['import', 'users.ndjson', '--url', tus.url], { terminal: 'all' })).code).toBe(0);
    expect(tus.jobs.map(isReal)).toEqual([true]);
  });

  it('an import of a pipe is, too', async () => {
    const line = await place.read('users.ndjson');
    const args = ['import', '-', '--from', 'native', '--url', tus.url];
    expect((await run(args, { terminal: 'output', input: line })).code).toBe(0);
    expect(tus.jobs.map(isReal)).toEqual([true]);
  });

  it('what cannot be reversed is asked about, and not done where the answer cannot be typed', async () => {
    await jobOf('done');
    const args = ['purge', 'job-1', '--url', tus.url];
    expect((await run(args, { terminal: 'output' })).code).toBe(2);
    expect((await run(args, { terminal: 'all', input: 'n\n' })).code).toBe(130);
    expect(changes()).toEqual([]);
    const { stderr } = await run(args, { terminal: 'all', input: 'y\n' });
    expect(stderr).toContain('Purge it? [y/N] ');
    expect(changes()).toEqual(['DELETE /bulk-import/jobs/job-1']);
  });
});

it('shows no secret in the exact command', async () => {
  const args = ['import', 'users.ndjson', '--url', tus.url, '--api-key', fakeKey];
  const { stdout, stderr } = await run([...args, '--json']);
  expect(`${stdout}${stderr}`).not.toContain(fakeKey);
  expect(stderr).toContain(' --api-key "$CARRYOVER_API_KEY" --json --yes');
  const joined = await run(['import', 'users.ndjson', '--url', tus.url, `--api-key=${fakeKey}`]);
  expect(joined.stderr).not.toContain(fakeKey);
});

it('undoes once: asked again, the same undo is done already', async () => {
  await jobOf('done');
  tus.undone = { removed: 1, restored: 0, left: [] };
  expect((await run(['undo', 'job-1', '--url', tus.url, '--yes'])).code).toBe(0);
  const [job] = tus.jobs;
  if (job) job.state = 'undone';
  const again = await run(['undo', 'job-1', '--url', tus.url, '--json']);
  expect([again.code, again.answer]).toMatchObject([0, { type: 'undo', alreadyUndone: true, next: [] }]);
});

describe('--json', () => {
  it.each([
    [['import', 'none.ndjson'], 2, 'FILE_ERROR', 'none.ndjson'],
    [['import', 'users.ndjson', '--no-such'], 2, 'USAGE', '--no-such'],
    [['import', 'users.ndjson', '--url', 'http://127.0.0.1:1', '--patience', '0'], 2, 'NO_CORE', '--url'],
    [['status', 'job-9'], 2, 'UNKNOWN_JOB', 'job'],
    [['export'], 2, 'REFUSED', '--out'],
  ])('has the code and the field of an error of %j', async (args, code, name, field) => {
    const url = args.includes('--url') ? [] : ['--url', tus.url];
    const ended = await run([...args, ...url, '--json']);
    expect(ended.answer).toMatchObject({ type: 'error', command: args[0], code: name });
    expect(JSON.stringify(ended.answer)).toContain(field);
    expect([ended.code, ended.answer.next !== undefined]).toEqual([code, true]);
  });

  it.each([
    ['jobs'],
    ['status'],
    ['inspect', 'users.ndjson'],
    ['import', 'users.ndjson', '--dry-run'],
    ['undo', 'job-1', '--dry-run'],
    ['convert', 'users.ndjson', '-o', 'out.ndjson'],
    ['export', '-o', 'out.ndjson'],
    ['providers'],
    ['backup', 'new.carryover'],
    ['migrate', '--print-sql'],
  ])('of %s %s has its type and what comes next', async (name, ...args) => {
    await jobOf('done');
    const isLocal = ['providers', 'convert', 'backup', 'migrate'].includes(name);
    const { code, answer } = await run([name, ...args, ...(isLocal ? [] : ['--url', tus.url]), '--json']);
    expect(answer).toMatchObject({ type: name, status: 'OK' });
    expect([code, Array.isArray(answer.next)]).toEqual([0, true]);
  });
});
