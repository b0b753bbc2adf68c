import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { endGroup } from '../helpers/stoppable.ts';

export interface Bounded {
  readonly file: string;
  readonly arguments: readonly string[];
  readonly cwd: string;
  /** In addition to the variables that a program needs to be found and to store temporary files. */
  readonly environment: Readonly<Record<string, string>>;
  readonly limitMs: number;
  /** Kills it, too. */
  readonly signal?: AbortSignal | undefined;
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

/** Runs a program to its end, or kills it with all its children. @throws the reason of `signal` */
export async function runBounded(what: Bounded): Promise<Ended> {
  what.signal?.throwIfAborted();
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
  const kill = (): void => {
    endGroup(child, 'SIGKILL');
  };
  const timer = setTimeout(() => {
    state.isOverdue = true;
    kill();
  }, what.limitMs);
  what.signal?.addEventListener('abort', kill, { once: true });
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    what.signal?.throwIfAborted();
    return { ...state, code };
  } finally {
    clearTimeout(timer);
    what.signal?.removeEventListener('abort', kill);
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
