/** Two commits of a small repository, with benchmarks whose results are in files. */
import { execFile } from 'node:child_process';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError } from '../../bench/arguments.ts';
import { type AgainstOptions, runAgainst } from '../../bench/compare/against.ts';
import { bench } from '../../bench/bench.ts';
import { benchContext, machine, scenario } from '../helpers/bench.ts';

let folder: string;
let repository: string;
let log: string;
let printed: string[];

const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: repository });
const commit = async (message: string) => {
  await git('add', '--all');
  const author = ['-c', 'user.name=Test', '-c', 'user.email=test@example.com', '-c', 'commit.gpgsign=false'];
  await git(...author, 'commit', '--quiet', '-m', message);
};
const put = (name: string, text: string) => writeFile(path.join(repository, name), text);

/** As bench/main.ts: knows the scenarios of a file, exits with 2 for others, and notes where it ran. */
const fakeMain = () => `
  import { spawn } from 'node:child_process';
  import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
  const [name, option, file, quick] = process.argv.slice(2);
  if (option !== '--json') throw new Error('not as --against calls it');
  const known = JSON.parse(readFileSync('ratios.json', 'utf8'));
  if (!(name in known)) process.exit(2);
  const packages = existsSync('node_modules/marker');
  appendFileSync(${JSON.stringify(log)}, JSON.stringify({ folder: process.cwd(), name, quick, packages }) + '\\n');
  if (name === 'endless') {
    // Holds the output open: a reader that waits for its end waits for this process too.
    spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'inherit' });
    await new Promise(() => undefined);
  }
  if (known[name] === 'broken') throw new Error('this one is broken');
  const ratio = known[name];
  const measurement = { name, reference: 'r', unit: 'x', value: ratio, referenceValue: 1, ratio, spread: [ratio, ratio] };
  writeFileSync(file, JSON.stringify({ machine: {}, scenarios: [measurement] }));
`;

interface Run {
  readonly folder: string;
  readonly name: string;
  readonly quick?: string;
  readonly packages: boolean;
}

async function runs(): Promise<Run[]> {
  const text = await readFile(log, 'utf8');
  return text
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Run);
}

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-against-test-'));
  repository = path.join(folder, 'repository');
  log = path.join(folder, 'log');
  printed = [];
  await mkdir(path.join(repository, 'bench'), { recursive: true });
  await mkdir(path.join(repository, 'node_modules'));
  await appendFile(log, '');
  await put('node_modules/marker', '');
  await put('.gitignore', 'node_modules\n');
  await put('package.json', '{"name":"small","version":"1.0.0","type":"module"}');
  await put('package-lock.json', lock('1.0.0'));
  await git('init', '--quiet', '-b', 'main');
  await commit('no benchmarks yet');
  await put('bench/main.ts', fakeMain());
  await put('ratios.json', JSON.stringify({ same: 2, faster: 2, broken: 'broken', endless: 1, gone: 1 }));
  await commit('the other tree');
  // Not committed: this tree is used as it is.
  await put('ratios.json', JSON.stringify({ same: 2, faster: 3, broken: 1, endless: 1, new: 1 }));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const lock = (version: string) =>
  JSON.stringify({
    name: 'small',
    version,
    lockfileVersion: 3,
    packages: { '': { name: 'small', version } },
  });

function against(options: Partial<AgainstOptions>) {
  return runAgainst({
    machine,
    root: repository,
    ref: 'HEAD',
    names: ['same'],
    rounds: 1,
    quick: false,
    print: (line) => {
      printed.push(line);
    },
    ...options,
  });
}

/** Neither a folder nor git's record of it. */
async function expectNothingLeft(): Promise<void> {
  const { stdout } = await git('worktree', 'list', '--porcelain');
  expect(stdout.match(/^worktree /gm)).toHaveLength(1);
  const others = (await runs()).filter((run) => run.folder !== repository);
  for (const other of others) await expect(stat(path.dirname(other.folder))).rejects.toThrow('ENOENT');
  expect(await readdir(path.join(repository, 'node_modules'))).toEqual(['marker']);
}

describe('a run against another commit', () => {
  it('runs both trees by turns, and compares their ratios', async () => {
    const results = await against({ names: ['same', 'faster'], rounds: 2 });
    const { stdout } = await git('rev-parse', 'HEAD');
    expect(results).toEqual({
      machine,
      against: { ref: 'HEAD', commit: stdout.trim() },
      rounds: 2,
      scenarios: [
        { name: 'same', reference: 'r', here: 2, there: 2, ratio: 1, spread: [1, 1] },
        { name: 'faster', reference: 'r', here: 3, there: 2, ratio: 1.5, spread: [1.5, 1.5] },
      ],
      missing: [],
    });
    const sides = (await runs()).map((run) => (run.folder === repository ? 'here' : 'there'));
    const turns = ['here', 'there', 'there', 'here'];
    expect(sides).toEqual([...turns, ...turns]);
    expect(printed).toContain(
      '  faster: here/there 1.50 (1.50 to 1.50, higher in every round); 3.00 here, 2.00 there, of r',
    );
    await expectNothingLeft();
  });

  it('has the packages of this tree where both lock the same, and passes --quick on', async () => {
    await against({ quick: true });
    expect(await runs()).toEqual([
      { folder: repository, name: 'same', quick: '--quick', packages: true },
      { folder: expect.stringContaining('tree') as string, name: 'same', quick: '--quick', packages: true },
    ]);
  });

  it('installs packages there where the lock is another', async () => {
    await put('package-lock.json', lock('1.0.1'));
    await against({});
    expect((await runs()).map(({ packages }) => packages)).toEqual([true, false]);
    expect(printed).toContain('that commit locks other packages: installing them');
    await expectNothingLeft();
  });

  it('says which scenario exists in one tree only, and asks once', async () => {
    const results = await against({ names: ['new', 'gone', 'same'], rounds: 3 });
    expect(results.missing).toEqual([
      { name: 'new', missing: 'there' },
      { name: 'gone', missing: 'here' },
    ]);
    expect(results.scenarios.map(({ name }) => name)).toEqual(['same']);
    expect(printed).toContain('  new: does not exist there');
    expect((await runs()).filter(({ name }) => name !== 'same')).toHaveLength(2);
  });

  it('goes on after a scenario that fails, says where it did, and leaves nothing behind', async () => {
    const results = await against({ names: ['broken', 'same'] });
    expect(results.failed).toMatchObject([{ name: 'broken' }]);
    expect(results.failed?.[0]?.error).toMatch(/^broken failed there:\n[^]*this one is broken/);
    expect(results.scenarios.map(({ name }) => name)).toEqual(['same']);
    await expectNothingLeft();
  });

  it('stopped in the middle, ends the processes that run and leaves nothing behind', async () => {
    const stop = new AbortController();
    const running = against({ names: ['endless'], signal: stop.signal });
    const rejected = expect(running).rejects.toThrow('by a person');
    await expect.poll(runs).toHaveLength(1);
    stop.abort(new Error('stopped by a person'));
    await rejected;
    expect(await runs()).toHaveLength(1);
    await expectNothingLeft();
  });

  it('stopped before it begins, runs nothing and leaves nothing behind', async () => {
    await expect(against({ signal: AbortSignal.abort(new Error('by a person')) })).rejects.toThrow(
      'by a person',
    );
    expect(await runs()).toEqual([]);
    await expectNothingLeft();
  });

  it.each(['nonsense', '--all', 'HEAD:package.json', ''])('refuses %j, which is no commit', async (ref) => {
    await expect(against({ ref })).rejects.toThrow(UsageError);
    expect(await runs()).toEqual([]);
    await expectNothingLeft();
  });

  it('refuses a commit without benchmarks', async () => {
    await expect(against({ ref: 'HEAD~1' })).rejects.toThrow(/^'HEAD~1' has no bench\/main\.ts\.$/);
    await expectNothingLeft();
  });

  it('is asked for by the command, which writes the comparison as JSON', async () => {
    const file = path.join(folder, 'compared.json');
    const scenarios = ['same', 'faster'].map((name) => scenario(name, () => Promise.resolve([])));
    const { context, lines } = benchContext(scenarios, [
      'faster',
      '--against',
      'HEAD',
      '--rounds=1',
      '--json',
      file,
    ]);
    expect(await bench({ ...context, root: repository })).toBe(0);
    expect(JSON.parse(await readFile(file, 'utf8'))).toMatchObject({
      machine,
      against: { ref: 'HEAD' },
      rounds: 1,
      scenarios: [{ name: 'faster', ratio: 1.5, spread: [1.5, 1.5] }],
      missing: [],
    });
    expect(lines).toContain(`\nwritten to ${file}`);
  });

  it.each([
    ['a scenario that fails', 'broken', 'HEAD', 1, 'FAILED: broken failed there:'],
    ['a ref that is none', 'same', 'nonsense', 2, "git knows no commit 'nonsense' here."],
  ])('fails the command for %s', async (_, name, ...[ref, code, text]) => {
    const { context, lines } = benchContext([scenario(name, () => Promise.resolve([]))], ['--against', ref]);
    expect(await bench({ ...context, root: repository })).toBe(code);
    expect(lines.join('\n')).toContain(text);
  });

  it('removes its tree without following what leads out of it', async () => {
    await symlink(path.join(repository, 'node_modules'), path.join(repository, 'leads-out'));
    await commit('a link to the packages');
    await against({});
    await expectNothingLeft();
  });
});
