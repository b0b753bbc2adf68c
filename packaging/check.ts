/**
 * Checks before the tests: types first, because their errors explain the others, then generated code, lint and format in
 * parallel. `--quick`: types, and lint and format of the files that git reports as changed.
 */

import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';

interface Outcome {
  readonly command: string;
  readonly code: number;
  readonly output: string;
}

const isQuick = process.argv.includes('--quick');

function run(command: string, args: readonly string[]): Promise<Outcome> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  child.stderr.on('data', (part: Buffer) => parts.push(part));
  const shown = `${command} ${args.slice(0, 3).join(' ')}`;
  return new Promise((resolve) => {
    child.on('error', ({ message }) => {
      resolve({ command: shown, code: 1, output: `${message}\n` });
    });
    child.on('close', (code) => {
      resolve({ command: shown, code: code ?? 1, output: Buffer.concat(parts).toString() });
    });
  });
}

/** Prints the output of failed checks; ends the process if any failed. */
async function require(outcomes: readonly Promise<Outcome>[]): Promise<void> {
  const failed = (await Promise.all(outcomes)).filter(({ code }) => code !== 0);
  for (const { command, output } of failed) process.stderr.write(`${command}\n${output}\n`);
  if (failed.length > 0) process.exit(1);
}

/** Changed since the last commit, and new. */
function changedFiles(): string[] {
  const lines = (args: readonly string[]): string[] =>
    execFileSync('git', args, { encoding: 'utf8' })
      .split('\n')
      .filter((file) => file !== '');
  const changed = lines(['diff', '--name-only', '--diff-filter=d', 'HEAD']);
  return [...changed, ...lines(['ls-files', '--others', '--exclude-standard'])].filter(existsSync);
}

/** Incremental, because --quick is run before every commit. */
const types = (project: string, name: string): Promise<Outcome> =>
  run('tsc', ['-p', project, '--incremental', '--tsBuildInfoFile', `node_modules/.cache/tsc/${name}.json`]);

await require([
  types('.', 'all'),
  types('examples/app/pages', 'pages'),
  types('src/features/console/pages', 'console'),
]);
if (isQuick) {
  const files = changedFiles();
  const code = files.filter((file) => /\.[cm]?[jt]sx?$/.test(file));
  await require([
    ...(code.length === 0 ? [] : [run('eslint', ['--no-warn-ignored', ...code])]),
    ...(files.length === 0 ? [] : [run('prettier', ['--check', '--ignore-unknown', ...files])]),
  ]);
} else {
  const generated = run(process.execPath, ['generate/main.ts', '--check']);
  // The package runs on Node 20, whose library has less than that of the clone.
  const packaged = run('tsc', ['--project', 'tsconfig.build.json', '--noEmit']);
  await require([generated, packaged, run('eslint', ['.']), run('prettier', ['--check', '.'])]);
}
