/** The smaller commands: jobs, status, undo, export, providers, and properties common to all. */
import { execFile } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { inputOf, runHere } from '../helpers/command.ts';
import { fakeKey, type FakeTus, startFakeTus } from '../helpers/tus-server.ts';

let tus: FakeTus;
let place: Place;

beforeEach(async () => {
  [tus, place] = await Promise.all([startFakeTus(), makePlace()]);
});

afterEach(async () => {
  await Promise.all([tus.stop().catch(() => undefined), place.remove()]);
});

const at = (...args: string[]): string[] => [...args, '--url', tus.url];
const line = '{"loginMethods":[{"recipeId":"passwordless","email":"a@example.com"}]}\n';
async function importTwo(): Promise<void> {
  await place.write('users.ndjson', line);
  await place.run(at('import', '--yes', 'users.ndjson', '--name', 'first'));
  await place.run(at('import', '--yes', 'users.ndjson', '--name', 'second \x1b[31m', '--dry-run'));
}

describe('jobs and status', () => {
  it('lists imports, then dry runs, and lets no name move the cursor', async () => {
    await importTwo();
    const { code, stdout } = await place.run(at('jobs'));
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^job +begun[^\n]+\njob-1 [^\n]+ {2}first\n\nDry runs, which changed nothing:\njob +begun[^\n]+\njob-2 [^\n]+ done, dry run +1 +\d+ +\d+ +0 +0 +0 +0 {2}second \ufffd\[31m\n$/,
    );
  });

  it('shows one import, the newest unless it is named', async () => {
    await importTwo();
    expect((await place.run(at('status'))).stdout).toContain('(job job-2): done, dry run');
    expect((await place.run(at('status', 'job-1'))).stdout).toMatch(
      /first \(job job-1\): done.*\n +created +1\n/,
    );
    const { stdout } = await place.run(at('status', 'job-1', '--json'));
    expect(JSON.parse(stdout)).toMatchObject({ status: 'OK', job: { id: 'job-1' } });
  });

  it('reports that there are no jobs', async () => {
    expect(await place.run(at('jobs'))).toMatchObject({ code: 0, stdout: 'No imports yet\n' });
    expect(await place.run(at('status'))).toMatchObject({ code: 2, stdout: '' });
  });
});

describe('undo', () => {
  const foreseen = { removed: 12, restored: 1, left: { SIGNED_IN: 3, CHANGED_SINCE: 0, IDENTITY_TAKEN: 0 } };
  const undos = (): number => tus.requests.filter((each) => /^POST .*\/undo$/.test(each)).length;

  it('says what was removed and put back', async () => {
    await importTwo();
    tus.undone = { removed: 12, restored: 1, left: [] };
    expect(await place.run(at('undo', 'job-1', '--yes'))).toMatchObject({
      code: 0,
      stdout: 'Undone: 12 users removed, 1 user put back\n',
    });
  });

  it('ends with 1 when users are left, and says how to undo these too', async () => {
    await importTwo();
    tus.undone = {
      removed: 0,
      restored: 0,
      left: [{ userId: 'user-0001', email: 'ada@example.com', reason: 'signed in since' }],
    };
    const { code, stdout } = await place.run(at('undo', 'job-1', '--yes'));
    expect(code).toBe(1);
    const shown = await place.run(at('undo', 'job-1', '--yes', '--show-samples'));
    expect(shown.stdout).toContain('  user-0001 (ada@example.com): ');
    expect(stdout).toContain(
      `Left: 1 user\n  us…01 (a…@e….com): signed in since\nTo undo these too: npx --no carryover undo job-1 --url ${tus.url} --force`,
    );
  });

  it('shows first how many users that is, and does nothing where no person can be asked', async () => {
    await importTwo();
    tus.foreseen = foreseen;
    const { code, stderr } = await place.run(at('undo', 'job-1'));
    expect({ code, undos: undos() }).toEqual({ code: 2, undos: 0 });
    expect(stderr).toContain(
      '(job job-1)\n  12 users would be removed\n  1 user would be put back as before\n  3 users would stay as they are\n    3 signed in since: --force takes them too\n',
    );
    expect(stderr).toContain(`carryover undo job-1 --url ${tus.url} --yes\n`);
  });

  it.each([
    ['y\n', 0, 1],
    ['yes\n', 0, 1],
    ['n\n', 130, 0],
    ['\n', 130, 0],
  ])('asks at a terminal: %j', async (answer, code, asked) => {
    await importTwo();
    tus.foreseen = foreseen;
    const stdin = Object.assign(inputOf(answer), { isTTY: true });
    const environment = { CARRYOVER_API_KEY: fakeKey };
    const ended = await runHere(at('undo', 'job-1'), { folder: place.folder, stdin, environment });
    expect({ code: ended.code, undos: undos() }).toEqual({ code, undos: asked });
    expect(ended.stderr).toContain('Undo it? [y/N] ');
  });

  it('only says it with --dry-run, and does not ask where there is nothing to undo', async () => {
    await importTwo();
    tus.foreseen = foreseen;
    const dry = await place.run(at('undo', 'job-1', '--dry-run', '--json'));
    expect([dry.code, JSON.parse(dry.stdout)]).toMatchObject([
      0,
      { type: 'undo', dryRun: true, ...foreseen },
    ]);
    expect(undos()).toBe(0);
    tus.foreseen = { ...foreseen, removed: 0, restored: 0 };
    expect((await place.run(at('undo', 'job-1'))).code).toBe(0);
  });
});

it.each(['status', 'undo', 'purge', 'conflicts', 'absent'])(
  '%s says which command lists the imports when there is none of that id',
  async (command) => {
    await importTwo();
    const { code, stdout, stderr } = await place.run(at(command, 'job-9'));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      `There is no import "job-9" in this core: 'npx --no carryover jobs --url ${tus.url}' lists them\n`,
    );
  },
);

describe('export', () => {
  it('writes the file whole, readable for its owner only', async () => {
    tus.users = line.repeat(3);
    expect((await place.run(at('export', '-o', 'out.ndjson'))).code).toBe(0);
    expect(await place.read('out.ndjson')).toBe(line.repeat(3));
    expect(await place.list()).toEqual(['out.ndjson']);
  });

  it('leaves the file as it was when the core refuses', async () => {
    await place.write('out.ndjson', 'older');
    tus.mishaps.GET = [{ status: 503 }];
    expect((await place.run(at('export', '-o', 'out.ndjson'))).code).toBe(2);
    expect(await place.list()).toEqual(['out.ndjson']);
    expect(await place.read('out.ndjson')).toBe('older');
  });
});

describe('the program', () => {
  it('lists the formats with their options', async () => {
    const { code, stdout } = await place.run(['providers']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^laravel: Laravel/m);
    expect(stdout).toContain('  --devise-identities FILE');
  });

  it.each([
    [['--help'], 0],
    [['import', '--yes', '--help'], 0],
    [['--version'], 0],
    [['import'], 2],
    [['improt'], 2],
    [['import', '--yes', 'x', '--on-conflict', 'merge'], 2],
    [['import', '--yes', 'x', '--patience', 'long'], 2],
    [['import', '--yes', 'x', '--url', 'localhost'], 2],
  ])('ends %j with %d', async (args, code) => {
    expect((await place.run(args)).code).toBe(code);
  });

  it('loads no command but the one that is asked for', async () => {
    const folder = path.join(place.folder, 'coverage');
    const environment = { NODE_V8_COVERAGE: folder };
    const { code } = await place.start(['jobs', '--help'], { environment }).ended;
    const [report = ''] = await place.list(folder);
    const loaded = await place.read(path.join('coverage', report));
    expect(code).toBe(0);
    expect(loaded).toContain('/src/cli/commands/jobs.ts');
    expect(loaded).not.toMatch(/\/src\/(cli\/commands\/import\.ts|exports\/providers\/hosted|hashes)/);
  });

  it('runs by its launcher through links, with the Node of the project', async () => {
    const launcher = fileURLToPath(new URL('../../bin/carryover', import.meta.url));
    const folder = path.join(place.folder, 'node_modules', '.bin');
    await mkdir(folder, { recursive: true });
    await symlink(launcher, path.join(folder, 'carryover'));
    const { stdout } = await promisify(execFile)(path.join(folder, 'carryover'), ['--version'], { cwd: '/' });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('keeps the young heap of a command small, and leaves that of a core alone', async () => {
    const launcher = fileURLToPath(new URL('../../bin/carryover', import.meta.url));
    const told = 'data:text/javascript,console.log(JSON.stringify(process.execArgv));process.exit()';
    const env = { ...process.env, NODE_OPTIONS: `--import ${told}` };
    const argumentsOf = async (command: string): Promise<unknown> =>
      JSON.parse((await promisify(execFile)(launcher, [command], { env })).stdout);
    expect(await argumentsOf('convert')).toEqual(['--max-semi-space-size=2']);
    expect(await argumentsOf('serve')).toEqual([]);
  });
});
