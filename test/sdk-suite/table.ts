import type { Count, Result, Verdict } from './judge.ts';

const columns: readonly (readonly [Count, string])[] = [
  ['passed', 'passed'],
  ['expected', 'known to fail'],
  ['internet', 'need the internet'],
  ['unexpected', 'failed'],
  ['skipped', 'skipped'],
];
const firstWidth = 22;
const errorLines = 4;

/** One line while the suite runs: a directory is complete. */
export function rowOf(directory: string, results: readonly Result[]): string {
  const passed = results.filter(({ outcome }) => outcome === 'passed').length;
  return `${directory.padEnd(firstWidth)} ${passed} of ${results.length} passed`;
}

/** The counts of each directory, and their sums. */
export function tableOf({ counts }: Verdict): string {
  const rows = [...counts].map(([directory, row]) => lineOf(directory, (count) => row[count]));
  const sum = (count: Count): number => [...counts.values()].reduce((all, row) => all + row[count], 0);
  const head = `${'directory'.padEnd(firstWidth)}${columns.map(([, title]) => `  ${title}`).join('')}`;
  return [head, ...rows, lineOf('all', sum)].map((line) => `${line}\n`).join('');
}

function lineOf(first: string, valueOf: (count: Count) => number): string {
  const cells = columns.map(([count, title]) => `  ${String(valueOf(count)).padStart(title.length)}`);
  return `${first.padEnd(firstWidth)}${cells.join('')}`;
}

/** The results that make the run fail; empty for a run that passes. */
export function listOf({ unexpected, unexpectedPasses }: Verdict): string {
  const failed = unexpected.map(({ file, name, error }) => `FAILED  ${file}: ${name}\n${indented(error)}\n`);
  const passed = unexpectedPasses.map(
    ({ file, test }) => `PASSED  ${file}: ${test}\n        Take it out of expected-failures.json.\n`,
  );
  return [...failed, ...passed].join('');
}

function indented(error: string): string {
  const lines = error.split('\n').filter((line) => line.trim() !== '');
  return lines
    .slice(0, errorLines)
    .map((line) => `        ${line}`)
    .join('\n');
}
