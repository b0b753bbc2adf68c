import { type RunnerTestFile, type RunnerTestSuite, TestRunner } from 'vitest';

/**
 * Skips files that begin after `TESTS_UNTIL`, in s since the epoch, so that a run ends in time on a machine of any pace. They are
 * reported as skipped, and each is named on the error output. Without the variable nothing is skipped.
 */
export default class TimedRunner extends TestRunner {
  readonly #until = Number(process.env.TESTS_UNTIL ?? Infinity) * 1000;

  // Not a method: Vitest wraps the property.
  onCollected = (files: RunnerTestFile[] = []): void => {
    if (Date.now() < this.#until) return;
    for (const file of files) {
      skipAll(file);
      process.stderr.write(`No time left for ${file.name}\n`);
    }
  };
}

function skipAll(suite: RunnerTestSuite): void {
  suite.mode = 'skip';
  for (const task of suite.tasks) {
    if (task.type === 'suite') skipAll(task);
    else task.mode = 'skip';
  }
}
