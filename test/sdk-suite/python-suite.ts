import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CommandError } from './arguments.ts';
import { runBounded } from './bounded.ts';
import { noResults, type Outcome, type Result } from './judge.ts';
import { makeInstallation } from './installation.ts';
import { exists, type Part, type Suite, top, versionIn } from './suite.ts';

/** A line of results_as_lines.py's output. */
interface Line {
  readonly id: string;
  readonly outcome: 'passed' | 'failed' | 'skipped' | 'rerun';
  readonly error: string;
}

interface Checkout {
  readonly root: string;
  readonly python: string;
  /** Its helpers start a core for each test, by `java`. */
  readonly startsCores: boolean;
  readonly files: ReadonlyMap<string, readonly string[]>;
}

/** The folder where Python finds results_as_lines.py. */
const plugins = fileURLToPath(new URL('.', import.meta.url));

/** @throws CommandError when the named Python does not exist */
export async function pythonSuite(root: string, named?: string): Promise<Suite> {
  const python = named ?? (await usualPython(root));
  if (path.isAbsolute(python) && !(await exists(python))) throw new CommandError(`There is no ${python}`);
  const files = await filesByDirectory(root);
  const setup = await readFile(path.join(root, 'setup.py'), 'utf8');
  const helpers = await readFile(path.join(root, 'tests/utils.py'), 'utf8');
  const checkout = { root, python, files, startsCores: helpers.includes('SUPERTOKENS_PATH') };
  return {
    name: 'python',
    version: versionIn(setup, /version="(\d+\.\d+)/),
    directories: [...files.keys()].sort(),
    run: (part) => run(checkout, part),
  };
}

async function usualPython(root: string): Promise<string> {
  const own = path.join(root, '.venv/bin/python');
  return (await exists(own)) ? own : 'python3';
}

/** The files that pytest examines; in the server for the suites of front ends, one file has such a name but no test. */
async function filesByDirectory(root: string): Promise<Map<string, string[]>> {
  const files = new Map<string, string[]>();
  for await (const file of glob('tests/**/test_*.py', { cwd: root, exclude: ['tests/test-server/**'] })) {
    const directory = directoryOf(file);
    files.set(directory, [...(files.get(directory) ?? []), file]);
  }
  return files;
}

async function run(
  { root, python, files, startsCores }: Checkout,
  { directory, core, limitMs, signal }: Part,
): Promise<Result[]> {
  const installation = startsCores ? await makeInstallation(core) : undefined;
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-suite-'));
  const report = path.join(folder, 'results');
  try {
    const ended = await runBounded({
      file: python,
      arguments: [
        '-m',
        'pytest',
        '-p',
        'results_as_lines',
        '-p',
        'no:cacheprovider',
        '--reruns',
        '0',
        ...[...(files.get(directory) ?? [])].sort(),
      ],
      cwd: root,
      environment: {
        PYTHONPATH: plugins,
        PYTHONDONTWRITEBYTECODE: '1',
        RESULTS_FILE: report,
        SUPERTOKENS_ENV: 'testing',
        // Some tests block all requests but those to this name.
        SUPERTOKENS_CORE_HOST: 'localhost',
        SUPERTOKENS_CORE_PORT: core.port,
        ...(installation !== undefined && {
          ...installation.environment,
          SUPERTOKENS_PATH: installation.folder,
        }),
      },
      limitMs,
      signal,
    });
    const results = (await exists(report)) ? resultsOf(await readFile(report, 'utf8')) : [];
    return results.length === 0 || ended.isOverdue ? [...results, noResults(directory, ended)] : results;
  } finally {
    await rm(folder, { recursive: true, force: true });
    await installation?.remove();
  }
}

/** A test has a line for each of its steps: one failed step makes it a failure. */
function resultsOf(text: string): Result[] {
  const results = new Map<string, Result>();
  for (const line of text.split('\n').filter((each) => each !== '')) {
    const { id, outcome, error } = JSON.parse(line) as Line;
    if (outcome === 'rerun' || results.get(id)?.outcome === 'failed') continue;
    results.set(id, resultOf(id, outcome, error));
  }
  return [...results.values()];
}

function resultOf(id: string, outcome: Outcome, error: string): Result {
  const [file = id, ...names] = id.split('::');
  return { directory: directoryOf(file), file, name: names.join('::'), outcome, error };
}

/** `tests/sessions/test_x.py` belongs to `sessions`, `tests/test_x.py` to the top. */
function directoryOf(file: string): string {
  const [, directory = top, ...below] = file.split('/');
  return below.length === 0 ? top : directory;
}
