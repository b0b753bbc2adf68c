import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Bounded {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** Beside what a program needs to be found and to keep temporary files. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

/** Of what it says, the end is kept. */
const keptCharacters = 4000;
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LANG'];

/** Runs a program to its end, or kills it with all that it started. @returns the end of its output, and whether it was killed */
export async function runBounded(what: Bounded): Promise<{ output: string; isOverdue: boolean }> {
  const child = spawn(what.file, what.arguments, {
    cwd: what.cwd,
    env: { ...inheritedValues(), ...what.environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  const state = { output: '', isOverdue: false };
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      state.output = (state.output + text).slice(-keptCharacters);
    });
  const timer = setTimeout(() => {
    state.isOverdue = true;
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  }, what.limitMs);
  try {
    await once(child, 'close');
  } finally {
    clearTimeout(timer);
  }
  return state;
}

function inheritedValues(): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
