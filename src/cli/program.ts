import { Command, CommanderError } from 'commander';
import { ExportFault } from '../exports/providers/provider.ts';
import { StartupError } from '../process/startup-error.ts';
import type { AddCommand, Frame } from './commands/command.ts';
import { addAbsent } from './commands/absent.ts';
import { addConflicts } from './commands/conflicts.ts';
import { addConvert } from './commands/convert.ts';
import { addDoctor } from './commands/doctor.ts';
import { addExport } from './commands/export.ts';
import { addHashes } from './commands/hashes.ts';
import { addImport } from './commands/import.ts';
import { addInspect } from './commands/inspect.ts';
import { addJobs } from './commands/jobs.ts';
import { addPlan } from './commands/plan.ts';
import { addProviders } from './commands/providers.ts';
import { addReseal } from './commands/core/reseal.ts';
import { addResume } from './commands/resume.ts';
import { addServe } from './commands/core/serve.ts';
import { addUndo } from './commands/undo.ts';
import { CommandError, type ExitCode, exitCodes, Interrupted } from './command-error.ts';
import { printable } from './output/format.ts';
import type { Surroundings } from './surroundings.ts';

/** In the order of the help. */
const commands: readonly AddCommand[] = [
  addInspect,
  addDoctor,
  addPlan,
  addServe,
  addImport,
  addResume,
  addJobs,
  addConflicts,
  addAbsent,
  addUndo,
  addHashes,
  addConvert,
  addExport,
  addReseal,
  addProviders,
];

/**
 * Runs the command.
 * @param args without node and the file
 * @returns the exit code; everything there is to say has been written
 */
export async function runCarryover(
  args: readonly string[],
  version: string,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const ended: { code: ExitCode } = { code: exitCodes.ok };
  const frame: Frame = {
    surroundings,
    action:
      (run) =>
      async (...given) => {
        ended.code = await run(...given);
      },
  };
  try {
    await createProgram(version, frame).parseAsync(args, { from: 'user' });
    return ended.code;
  } catch (error) {
    return tell(error, surroundings, args.includes('--json'));
  }
}

function createProgram(version: string, frame: Frame): Command {
  const { stdout, stderr } = frame.surroundings;
  const program = new Command('carryover')
    .description('Carries existing users over into a carryover core.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help says more)')
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // A mistyped flag is repeated, the value behind it is not: it may be a key.
      outputError: (text, write) => {
        write(text.replace(/(unknown option '--?[\w-]+)=[^]*'/, "$1'"));
      },
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      'after',
      '\nExit codes: 0 done, 1 done and some records were rejected, 2 refused, 130 interrupted.',
    );
  for (const add of commands) add(program, frame);
  return program;
}

/** One line for whatever went wrong, and as JSON too where that was asked for. */
function tell(error: unknown, { stdout, stderr, interrupt }: Surroundings, json: boolean): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.ok : exitCodes.refused;
  const isInterrupted = interrupt.aborted || error instanceof Interrupted;
  const message = isInterrupted && !(error instanceof Interrupted) ? 'Stopped.' : messageOf(error);
  stderr.write(`${message}\n`);
  if (json) stdout.write(`${JSON.stringify({ status: isInterrupted ? 'INTERRUPTED' : 'ERROR', message })}\n`);
  return isInterrupted ? exitCodes.interrupted : exitCodes.refused;
}

function messageOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof Interrupted) return printable(error.message);
  if (error instanceof ExportFault || error instanceof StartupError) return printable(error.message);
  // A bug. Its message may hold anything, so only its place is reported.
  const place = /\/((?:src|workers)\/[\w/.-]+:\d+)/.exec(
    error instanceof Error ? (error.stack ?? '') : '',
  )?.[1];
  const name = error instanceof Error ? error.name : typeof error;
  return `Something unexpected happened (${name}${place === undefined ? '' : ` at ${place}`}): please report it`;
}
