import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { CommandError } from './arguments.ts';
import { type Bounded, runBounded } from './bounded.ts';
import { noResults, type Result } from './judge.ts';
import { exists, type Part, type Suite, top } from './suite.ts';

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

/** As the SDK's own `npm test` calls it; results are written to a file instead of the screen. */
const mochaArguments = [
  ...['-p', 'lib/tsconfig.json', '-n', 'loader=ts-node/esm', '--node-option', 'no-experimental-fetch'],
  ...['-r', 'test/fetch-polyfill.mjs', '-r', 'test/hooks.js', '--no-config', '--exit', '--timeout', '40000'],
];

/** @throws CommandError when its packages are not installed */
export async function nodeSuite(root: string): Promise<Suite> {
  const mocha = path.join(root, 'node_modules/.bin/ts-mocha');
  if (!(await exists(mocha))) throw new CommandError(`Run npm install in ${root} first`);
  const files = await filesByDirectory(root);
  return {
    name: 'node',
    directories: [...files.keys()].sort(),
    run: (part) => run({ root, mocha, files: files.get(part.directory) ?? [] }, part),
  };
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
  { root, mocha, files }: { root: string; mocha: string; files: string[] },
  { directory, core, limitMs }: Part,
): Promise<Result[]> {
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
      ...files.sort(),
    ],
    cwd: root,
    environment: {
      TEST_MODE: 'testing',
      SUPERTOKENS_CORE_HOST: core.hostname,
      SUPERTOKENS_CORE_PORT: core.port,
    },
    limitMs,
  };
  try {
    const ended = await runBounded(program);
    if (!(await exists(report))) return [noResults(directory, ended)];
    return resultsOf(JSON.parse(await readFile(report, 'utf8')) as MochaReport, root);
  } finally {
    await rm(folder, { recursive: true, force: true });
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

/** `test/session/x.test.js` is of `session`, `test/x.test.js` of the top. */
function directoryOf(file: string): string {
  const [, directory = top, ...below] = file.split(path.sep);
  return below.length === 0 ? top : directory;
}
