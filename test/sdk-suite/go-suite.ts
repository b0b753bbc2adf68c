import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { type Ended, runBounded } from './bounded.ts';
import { noResults, type Outcome, type Result } from './judge.ts';
import { type Part, type Suite, versionIn } from './suite.ts';

/** A test and the file that declares it, from the checkout's root. */
interface GoTest {
  readonly file: string;
  readonly name: string;
}

interface GoPackage {
  /** From the checkout's root. */
  readonly folder: string;
  readonly tests: readonly GoTest[];
}

const declaration = /^func (Test\w*)\(\w+ \*testing\.T\)/gm;
/** Some tests block all requests but those to `http://localhost:3567/`. */
const corePort = 3567;
/** The longest test makes 48 apps, which takes 80 s on a quiet machine. */
const testLimitMs = 600_000;

export async function goSuite(root: string): Promise<Suite> {
  const packages = await packagesOf(root);
  const constants = await readFile(path.join(root, 'supertokens/constants.go'), 'utf8');
  return {
    name: 'go',
    version: versionIn(constants, /VERSION = "(\d+\.\d+)/),
    corePort,
    directories: [...packages.keys()].sort(),
    run: (part) => run(root, packages.get(part.directory), part),
  };
}

async function packagesOf(root: string): Promise<Map<string, GoPackage>> {
  const packages = new Map<string, GoPackage>();
  for await (const file of glob('{recipe,supertokens}/**/*_test.go', { cwd: root })) {
    const folder = path.dirname(file);
    const directory = folder.replace(/^recipe\//, '');
    const text = await readFile(path.join(root, file), 'utf8');
    const own = [...text.matchAll(declaration)].map(([, name = '']) => ({ file, name }));
    packages.set(directory, { folder, tests: [...(packages.get(directory)?.tests ?? []), ...own] });
  }
  return packages;
}

/** The package is compiled once. Each test is a process, because a panic in one would end all that follow. */
async function run(root: string, found: GoPackage | undefined, part: Part): Promise<Result[]> {
  const { folder, tests } = found ?? { folder: part.directory, tests: [] };
  const cwd = path.join(root, folder);
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'carryover-suite-'));
  const program = path.join(scratch, 'suite.test');
  const endsAt = performance.now() + part.limitMs;
  try {
    const build = { file: 'go', arguments: ['test', '-c', '-o', program, '.'], cwd, environment: {} };
    const built = await runBounded({ ...build, limitMs: part.limitMs, signal: part.signal });
    if (built.code !== 0) return [noResults(part.directory, built)];
    const results: Result[] = [];
    for (const test of tests) {
      const leftMs = endsAt - performance.now();
      if (leftMs <= 0) return [...results, noResults(part.directory, { output: '', isOverdue: true })];
      const ended = await runTest(program, { cwd, test, part }, Math.min(leftMs, testLimitMs));
      results.push(resultOf(part.directory, test, ended));
    }
    return results;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface TestRun {
  readonly cwd: string;
  readonly test: GoTest;
  readonly part: Part;
}

function runTest(file: string, { cwd, test, part }: TestRun, limitMs: number): Promise<Ended> {
  return runBounded({
    file,
    arguments: ['-test.v', '-test.count=1', '-test.run', `^${test.name}$`],
    cwd,
    environment: {
      TEST_MODE: 'testing',
      SUPERTOKENS_CORE_HOST: 'localhost',
      SUPERTOKENS_CORE_PORT: part.core.port,
    },
    limitMs,
    signal: part.signal,
  });
}

function resultOf(directory: string, { file, name }: GoTest, ended: Ended): Result {
  const error = ended.isOverdue ? 'ended after its time' : reasonIn(ended.output);
  return { directory, file, name, outcome: outcomeOf(name, ended), error };
}

function outcomeOf(name: string, { code, output }: Ended): Outcome {
  if (code !== 0) return 'failed';
  return output.includes(`--- SKIP: ${name} `) ? 'skipped' : 'passed';
}

/** Requests and their logs precede the first failed assertion or panic. */
function reasonIn(output: string): string {
  const start = output.search(/^\s*Error Trace:|^panic:|^\s+\w+_test\.go:\d+:/m);
  return start < 0 ? output : output.slice(start);
}
