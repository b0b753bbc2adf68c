import './process/node-20.ts';
import { readFileSync } from 'node:fs';
import { runCarryover } from './cli/program.ts';
import { exitCodes } from './cli/command-error.ts';
import type { Surroundings } from './cli/surroundings.ts';
import { allWritten } from './cli/output/written.ts';
import { takeEnvironment } from './process/environment.ts';
import { onStopSignals } from './process/stop-signals.ts';

/** The command `carryover`: passes the process to `cli/program.ts` and ends with its exit code. */
async function main(): Promise<void> {
  const interrupt = new AbortController();
  const leaveSignals = onStopSignals({
    stop: () => {
      interrupt.abort();
    },
    endNow,
  });
  // The reader of the output has closed it, as `head` does.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return;
    process.stderr.write(
      `The output cannot be written (${error.code ?? error.message}): make room, or send it elsewhere\n`,
    );
    process.exit(exitCodes.refused);
  });
  // A command that reads its file twice, to check it and then to send it, starts threads once.
  let converting: ReturnType<Surroundings['convertPool']> | undefined;
  const code = await runCarryover(process.argv.slice(2), version(), {
    environment: takeEnvironment(process.env),
    folder: process.cwd(),
    // Not opened by commands that do not read it.
    get stdin() {
      return process.stdin;
    },
    stdout: process.stdout,
    stderr: process.stderr,
    interrupt: interrupt.signal,
    now: Date.now,
    convertPool() {
      converting ??= import('./cli/input/convert-threads.ts').then(({ startConvertThreads }) =>
        startConvertThreads(),
      );
      return converting;
    },
    ...onDatabase,
    // Loaded by the one command that runs a core, which handles signals itself.
    async serve(sources) {
      const { runCore } = await import('./core/run-core.ts');
      interrupt.signal.throwIfAborted();
      leaveSignals();
      await runCore({ ...sources, version: version(), endsWithInput: false });
    },
  });
  await end(code);
}

/** Commands on the database of the settings: each loads the parts of the core that it needs. */
const onDatabase: Pick<
  Surroundings,
  'migrate' | 'foreseeMigration' | 'examineDatabase' | 'moveApp' | 'backup' | 'foreseeRestore' | 'restore'
> = {
  async migrate(options) {
    const { migrateDatabase } = await import('./core/migrate-database.ts');
    return migrateDatabase(options);
  },
  async foreseeMigration(options) {
    const { foreseeMigration } = await import('./core/migrate-database.ts');
    return foreseeMigration(options);
  },
  async examineDatabase(sources) {
    const { examineDatabase } = await import('./core/examine-database.ts');
    return examineDatabase(sources);
  },
  async moveApp(options) {
    const { moveApp } = await import('./core/move/run.ts');
    return moveApp(options);
  },
  async backup(options) {
    const { backUpDatabase } = await import('./core/backup/run.ts');
    return backUpDatabase({ ...options, version: version() });
  },
  async foreseeRestore(options) {
    const { foreseeRestore } = await import('./core/backup/run.ts');
    return foreseeRestore(options);
  },
  async restore(options) {
    const { restoreDatabase } = await import('./core/backup/run.ts');
    return restoreDatabase(options);
  },
};

/**
 * Ends the process when all output has been passed on. Otherwise Node was seen to loop for ever in closing a socket that was
 * still open; and ending at once would lose output that a pipe has not accepted yet.
 */
async function end(code: number): Promise<never> {
  await allWritten([process.stdout, process.stderr]);
  process.exit(code);
}

/** Shows the terminal's cursor again, which the bar has hidden. */
function endNow(): never {
  if (process.stderr.isTTY) process.stderr.write('\x1b[?25h\n');
  process.exit(exitCodes.interrupted);
}

function version(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

await main();
