/** The command `carryover` as a process of its own. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { CommandLine } from './command-line.ts';

const mostResult = 4 * 2 ** 20;
/** Then it is killed: what it has committed stays in either case. */
const stopMs = 10_000;

export interface RunningCommand {
  /** As by Ctrl-C. Resolves when it has ended. */
  stop(): Promise<void>;
}

interface Started {
  readonly line: CommandLine;
  /** Where it works, and keeps its temporary files. */
  readonly folder: string;
  readonly key: string;
}

interface Calls {
  /** Text for people, as it comes. */
  readonly onSaid: (text: string) => void;
  /** @param printed its results, at most 4 MiB of them @param exitCode undefined if a signal ended it */
  readonly onEnd: (printed: string, exitCode: number | undefined) => void;
}

/** @param program the program's file, and what Node needs before it */
export function startCommand(
  program: readonly string[],
  { line, folder, key }: Started,
  { onSaid, onEnd }: Calls,
): RunningCommand {
  const child = spawn(process.execPath, [...program, ...line.args], {
    cwd: folder,
    // Nothing of the core's own environment, which may have secrets.
    env: {
      HOME: folder,
      XDG_STATE_HOME: folder,
      TMPDIR: folder,
      CARRYOVER_API_KEY: key,
      ...line.environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const printed: Buffer[] = [];
  let bytes = 0;
  child.stdout.on('data', (part: Buffer) => {
    bytes += part.length;
    if (bytes <= mostResult) printed.push(part);
  });
  child.stderr.setEncoding('utf8').on('data', onSaid);
  child.once('error', ({ message }) => {
    onSaid(`The command could not be started: ${message}\n`);
  });
  const closed = once(child, 'close');
  void closed.then(
    ([code]) => {
      onEnd(Buffer.concat(printed).toString(), typeof code === 'number' ? code : undefined);
    },
    () => {
      // 'error' without a process: `close` follows it, too.
      onEnd('', undefined);
    },
  );
  return {
    async stop() {
      const ended = child.exitCode !== null || child.signalCode !== null ? undefined : once(child, 'exit');
      child.kill('SIGTERM');
      const kill = setTimeout(() => child.kill('SIGKILL'), stopMs);
      await ended?.catch(() => undefined);
      clearTimeout(kill);
    },
  };
}
