/**
 * Runs the tests of random faults and histories with large numbers: npm run faults [-- <name>…] Exit code 1: one of them failed;
 * 2: a name is unknown; 130: it was stopped.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type LongRun, longRuns } from '../helpers/long-runs.ts';
import { endGroup, stoppable } from '../helpers/stoppable.ts';

/** Those of package.json's `test:all` except the one that repeats files over another front end. */
const projects = ['core', 'one-process', 'long'].flatMap((name) => ['--project', name]);

const all: readonly LongRun[] = Object.values(longRuns);
const names = process.argv.slice(2);
const unknown = names.filter((name) => !all.some((run) => run.name === name));

process.exitCode = await stoppable(main);

async function main(signal: AbortSignal): Promise<number> {
  if (unknown.length > 0) {
    const known = all.map(({ name }) => name).join(', ');
    process.stderr.write(`${unknown.join(', ')}: unknown. Known: ${known}\n`);
    return 2;
  }
  const chosen = names.length === 0 ? all : all.filter(({ name }) => names.includes(name));
  const failed: LongRun[] = [];
  for (const run of chosen) if (!(await passes(run, signal))) failed.push(run);
  for (const run of chosen)
    process.stdout.write(`${failed.includes(run) ? 'FAILED' : 'passed'}  ${run.long} ${run.what}\n`);
  return failed.length > 0 ? 1 : 0;
}

/** Vitest and the cores of its tests are a group, which a stop reaches as a whole. @throws the reason of `signal` */
async function passes({ file, variable, long, what }: LongRun, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  process.stdout.write(`${long} ${what} (${variable}=${long}, ${file})\n`);
  const vitest = spawn('vitest', ['run', file, ...projects, '--testTimeout', String(2 * 3_600_000)], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, [variable]: String(long) },
    detached: true,
  });
  const end = (): void => {
    endGroup(vitest, 'SIGTERM');
  };
  signal.addEventListener('abort', end, { once: true });
  try {
    const [code] = (await once(vitest, 'close')) as [number | null];
    signal.throwIfAborted();
    return code === 0;
  } finally {
    signal.removeEventListener('abort', end);
  }
}
