/**
 * Runs the suite of an SDK's checkout against a core of this tree: npm run sdk-suite -- <checkout> [--only directory…]
 * Exit code 1: a test failed that is not expected to, or passed that is; 2: it could not be run; 130: it was stopped.
 */
import { CommandError, readArguments } from './arguments.ts';
import { startCore } from './core.ts';
import { judge, type Result } from './judge.ts';
import { stoppable } from '../helpers/stoppable.ts';
import { readExpected } from './expected.ts';
import type { Part, Suite } from './suite.ts';
import { directoriesOf, suiteOf } from './suites.ts';
import { listOf, rowOf, tableOf } from './table.ts';

try {
  process.exitCode = await stoppable((signal) => main(process.argv.slice(2), signal));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 2;
}

async function main(words: readonly string[], signal: AbortSignal): Promise<number> {
  const { checkout, only, minutes, python } = readArguments(words);
  const suite = await suiteOf(checkout, python);
  const directories = directoriesOf(suite, only);
  const results = await runAll(suite, directories, { limitMs: minutes * 60_000, signal });
  const verdict = judge(results, await readExpected(suite));
  process.stdout.write(`\n${tableOf(verdict)}\n${listOf(verdict)}`);
  return verdict.unexpected.length + verdict.unexpectedPasses.length === 0 ? 0 : 1;
}

/** One directory after the other: the suites measure time, and use fixed ports. */
async function runAll(
  suite: Suite,
  directories: readonly string[],
  limits: Pick<Part, 'limitMs' | 'signal'>,
): Promise<Result[]> {
  const core = await startCore(suite.corePort);
  try {
    const results: Result[] = [];
    for (const directory of directories) {
      const run = await suite.run({ directory, core: core.address, ...limits });
      results.push(...run);
      process.stdout.write(`${rowOf(directory, run)}\n`);
    }
    return results;
  } finally {
    await core.stop();
  }
}
