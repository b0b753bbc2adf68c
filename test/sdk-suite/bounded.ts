import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface Bounded {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** In addition to the variables that a program needs to be found and to store temporary files. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs: number;
}

/** The end of its output is stored. */
const keptCharacters = 4000;
const inherited = ['PATH', 'HOME', 'TMPDIR', 'LANG'];

export interface Ended {
  /** The end of its output. */
  readonly output: string;
  /** Whether it was killed. */
  readonly isOverdue: boolean;
  readonly code: number | null;
}

/** Runs a program to its end, or kills it with all its children. */
export async function runBounded(what: Bounded): Promise<Ended> {
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
    const [code] = (await once(child, 'close')) as [number | null];
    return { ...state, code };
  } finally {
    clearTimeout(timer);
  }
}

function inheritedValues(): Record<string, string> {
  return Object.fromEntries(
    inherited.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
