/**
 * Runs the tests of random faults and histories with large numbers: npm run faults [-- <name>…] Exit code 1: one of them failed;
 * 2: a name is unknown.
 */
import { spawn } from 'node:child_process';
import { type LongRun, longRuns } from '../helpers/long-runs.ts';

/** Those of package.json's `test:all` except the one that repeats files over another front end. */
const projects = ['core', 'one-process', 'long'].flatMap((name) => ['--project', name]);

const all: readonly LongRun[] = Object.values(longRuns);
const names = process.argv.slice(2);
const unknown = names.filter((name) => !all.some((run) => run.name === name));

if (unknown.length > 0) {
  const known = all.map(({ name }) => name).join(', ');
  process.stderr.write(`${unknown.join(', ')}: unknown. Known: ${known}\n`);
  process.exitCode = 2;
} else {
  const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const failed: LongRun[] = [];
  for (const run of chosen) if (!(await passes(run))) failed.push(run);
  for (const run of chosen)
    process.stdout.write(`${failed.includes(run) ? 'FAILED' : 'passed'}  ${run.long} ${run.what}\n`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

function passes({ file, variable, long, what }: LongRun): Promise<boolean> {
  process.stdout.write(`${long} ${what} (${variable}=${long}, ${file})\n`);
  const vitest = spawn('vitest', ['run', file, ...projects, '--testTimeout', String(2 * 3_600_000)], {
    stdio: 'inherit',
    env: { ...process.env, [variable]: String(long) },
  });
  return new Promise((resolve, reject) => {
    vitest.on('error', reject);
    vitest.on('close', (code) => {
      resolve(code === 0);
    });
  });
}
