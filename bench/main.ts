import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { bench } from './bench.ts';
import { durationsIn } from './durations.ts';
import { keep, readKept } from './kept/kept.ts';
import { describeMachine } from './machine.ts';
import { defaultFolder, writeReport } from './report-page/report.ts';
import { scenarios } from './scenarios/index.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Of the measured tree; undefined outside of a clone. */
function version(): { readonly version: string } | undefined {
  try {
    const args = ['describe', '--always', '--dirty'];
    return { version: execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim() };
  } catch {
    return undefined;
  }
}

function today(): string {
  return new Date().toISOString().slice(0, 10);
}

const code = await bench({
  argv: process.argv.slice(2),
  scenarios,
  root,
  describeMachine,
  apiKey: process.env.CARRYOVER_API_KEY,
  print: (line) => {
    process.stdout.write(`${line}\n`);
  },
  keep: (results) => keep({ ...results, commit: version()?.version ?? 'unknown', date: today() }),
  durations: durationsIn(`${root}node_modules/.cache/bench/durations.json`, readKept().seconds ?? {}),
  report: {
    defaultFolder,
    write: (results, folder) => writeReport({ ...results, ...version(), date: today() }, folder),
  },
});
// Remaining handles of a stopped scenario, such as a timer, must not keep the program alive.
if (code === 130) process.exit(code);
process.exitCode = code;
