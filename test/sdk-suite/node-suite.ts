import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CommandError } from './arguments.ts';
import { type Bounded, runBounded } from './bounded.ts';
import { noResults, type Result } from './judge.ts';
import { makeInstallation } from './installation.ts';
import { exists, type Part, type Suite, top, versionIn } from './suite.ts';

interface MochaTest {
  readonly title: string;
  readonly file?: string;
  readonly err: { readonly message?: string; readonly stack?: string };
}

interface MochaReport {
  readonly passes: readonly MochaTest[];
  readonly pending: readonly MochaTest[];
  readonly failures: readonly MochaTest[];
}

/** The configuration of a release's own `npm test`. */
interface Checkout {
  readonly root: string;
  readonly mocha: string;
  /** Results are written to a file instead of the screen. */
  readonly mochaArguments: readonly string[];
  /** Its helpers start a core for each test, by `java`. */
  readonly startsCores: boolean;
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/** @throws CommandError when its packages are not installed */
export async function nodeSuite(root: string): Promise<Suite> {
  const { version, scripts } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly scripts: { readonly test: string };
  };
  const usesTypes = scripts.test.includes('ts-mocha');
  const mocha = path.join(root, 'node_modules/.bin', usesTypes ? 'ts-mocha' : 'mocha');
  if (!(await exists(mocha))) throw new CommandError(`Run npm install in ${root} first`);
  const files = await filesByDirectory(root);
  const checkout = {
    root,
    mocha,
    mochaArguments: await argumentsOf(root, usesTypes),
    files,
    startsCores: !(await exists(path.join(root, 'test/hooks.js'))),
  };
  return {
    name: 'node',
    version: versionIn(version, /^(\d+)/),
    directories: [...files.keys()].sort(),
    run: (part) => run(checkout, part),
  };
}

async function argumentsOf(root: string, usesTypes: boolean): Promise<readonly string[]> {
  const required = ['test/fetch-polyfill.mjs', 'test/hooks.js'];
  const present = await Promise.all(required.map((file) => exists(path.join(root, file))));
  return [
    ...(usesTypes ? ['-p', 'lib/tsconfig.json', '-n', 'loader=ts-node/esm'] : []),
    ...required.filter((_file, n) => present[n]).flatMap((file) => ['-r', file]),
    '--node-option',
    'no-experimental-fetch',
    '--no-config',
    '--exit',
    '--timeout',
    '40000',
  ];
}

/** The tests that its configuration names: `test/**` `/*.test.*`. */
async function filesByDirectory(root: string): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>();
  for await (const file of glob('test/**/*.test.{js,ts}', { cwd: root, exclude: ['**/node_modules/**'] })) {
    const directory = directoryOf(file);
    files.set(directory, [...(files.get(directory) ?? []), file]);
  }
  return files;
}

async function run(
  { root, mocha, mochaArguments, startsCores, files }: Checkout,
  { directory, core, limitMs, signal }: Part,
): Promise<Result[]> {
  const installation = startsCores ? await makeInstallation(core) : undefined;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-suite-'));
  const report = path.join(folder, 'results.json');
  const program: Bounded = {
    file: mocha,
    arguments: [
      ...mochaArguments,
      '--reporter',
      'json',
      '--reporter-option',
      `output=${report}`,
      ...[...(files.get(directory) ?? [])].sort(),
    ],
    cwd: root,
    environment: {
      TEST_MODE: 'testing',
      SUPERTOKENS_CORE_HOST: core.hostname,
      SUPERTOKENS_CORE_PORT: core.port,
      ...(installation !== undefined && { ...installation.environment, INSTALL_PATH: installation.folder }),
    },
    limitMs,
    signal,
  };
  try {
    const ended = await runBounded(program);
    if (!(await exists(report))) return [noResults(directory, ended)];
    return resultsOf(JSON.parse(await readFile(report, 'utf8')) as MochaReport, root);
  } finally {
    await rm(folder, { recursive: true, force: true });
    await installation?.remove();
  }
}

function resultsOf({ passes, pending, failures }: MochaReport, root: string): Result[] {
  const resultOf =
    (outcome: Result['outcome']) =>
    (test: MochaTest): Result => {
      const file = path.relative(root, test.file ?? root);
      const error = `${test.err.message ?? ''}\n${test.err.stack ?? ''}`;
      return { directory: directoryOf(file), file, name: test.title, outcome, error };
    };
  return [
    ...passes.map(resultOf('passed')),
    ...pending.map(resultOf('skipped')),
    ...failures.map(resultOf('failed')),
  ];
}

/** `test/session/x.test.js` belongs to `session`, `test/x.test.js` to the top. */
function directoryOf(file: string): string {
  const [, directory = top, ...below] = file.split(path.sep);
  return below.length === 0 ? top : directory;
}
