import { Command, CommanderError } from 'commander';
import { ExportFault, NeedsChoice } from '../exports/providers/provider.ts';
import { StartupError } from '../process/startup-error.ts';
import { SourceFault } from '../exports/sources/fault.ts';
import { LoadError } from '../threads/load-error.ts';
import type { AddCommand, Frame } from './commands/command.ts';
import {
  CommandError,
  type ExitCode,
  exitCodes,
  InputIncomplete,
  Interrupted,
  type Step,
} from './command-error.ts';
import { NeedsYes } from './confirm/confirm.ts';
import { exactCommand } from './confirm/exact.ts';
import { printable } from './output/format.ts';
import { forTerminal } from './output/terminal.ts';
import type { Surroundings } from './surroundings.ts';

const loadJobs = async (): Promise<AddCommand> => (await import('./commands/jobs.ts')).addJobs;

/** A heading of the help, and the commands under it. */
type CommandGroup = readonly [title: string, commands: Readonly<Record<string, () => Promise<AddCommand>>>];

/** In the order of the help. Each is loaded on demand: loading all takes longer than most of them run. */
const groups: readonly CommandGroup[] = [
  [
    'Before an import:',
    {
      providers: async () => (await import('./commands/providers.ts')).addProviders,
      'export-from': async () => (await import('./commands/exports/export-from.ts')).addExportFrom,
      inspect: async () => (await import('./commands/inspect.ts')).addInspect,
      doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
      convert: async () => (await import('./commands/convert.ts')).addConvert,
      plan: async () => (await import('./commands/plan.ts')).addPlan,
      twin: async () => (await import('./commands/twin.ts')).addTwin,
      load: async () => (await import('./commands/load/load.ts')).addLoad,
    },
  ],
  [
    'Import:',
    {
      import: async () => (await import('./commands/import.ts')).addImport,
      resume: async () => (await import('./commands/resume.ts')).addResume,
      sessions: async () => (await import('./commands/core/sessions.ts')).addSessions,
    },
  ],
  [
    'After an import:',
    {
      jobs: loadJobs,
      status: loadJobs,
      conflicts: async () => (await import('./commands/conflicts.ts')).addConflicts,
      compare: async () => (await import('./commands/compare.ts')).addCompare,
      absent: async () => (await import('./commands/absent.ts')).addAbsent,
      restrictions: async () => (await import('./commands/restrictions.ts')).addRestrictions,
      hashes: async () => (await import('./commands/hashes.ts')).addHashes,
      legacy: async () => (await import('./commands/core/legacy.ts')).addLegacy,
      undo: async () => (await import('./commands/undo.ts')).addUndo,
      purge: loadJobs,
      receipt: async () => (await import('./commands/receipts/receipt.ts')).addReceipt,
      'verify-receipt': async () => (await import('./commands/receipts/verify-receipt.ts')).addVerifyReceipt,
      export: async () => (await import('./commands/exports/export.ts')).addExport,
    },
  ],
  [
    'Move from an old system, over weeks:',
    {
      move: async () => (await import('./commands/core/move.ts')).addMove,
      follow: async () => (await import('./commands/follow.ts')).addFollow,
      'write-back': async () => (await import('./commands/write-back.ts')).addWriteBack,
    },
  ],
  [
    'Operate a core:',
    {
      serve: async () => (await import('./commands/core/serve.ts')).addServe,
      migrate: async () => (await import('./commands/core/migrate.ts')).addMigrate,
      backup: async () => (await import('./commands/core/backup.ts')).addBackup,
      restore: async () => (await import('./commands/core/restore.ts')).addRestore,
      apps: async () => (await import('./commands/core/apps.ts')).addApps,
      reseal: async () => (await import('./commands/core/reseal.ts')).addReseal,
      'receipt-keys': async () => (await import('./commands/receipts/receipt-keys.ts')).addReceiptKeys,
      audit: async () => (await import('./commands/core/audit.ts')).addAudit,
      'dashboard-user': async () => (await import('./commands/core/dashboard-user.ts')).addDashboardUser,
    },
  ],
];

const commands: ReadonlyMap<string, () => Promise<AddCommand>> = new Map(
  groups.flatMap(([, members]) => Object.entries(members)),
);

/**
 * Runs the command.
 * @param args without node and the file
 * @returns the exit code; all output has been written
 */
export async function runCarryover(
  args: readonly string[],
  version: string,
  surroundings: Surroundings,
): Promise<ExitCode> {
  const ended: { code: ExitCode } = { code: exitCodes.ok };
  const frame: Frame = {
    args,
    version,
    surroundings,
    action:
      (run) =>
      async (...given) => {
        ended.code = await run(...given);
      },
  };
  try {
    const program = createProgram(version, frame.surroundings);
    for (const add of await load(args[0])) add(program, frame);
    arrange(program);
    await program.parseAsync(args, { from: 'user' });
    return ended.code;
  } catch (error) {
    return tell(error, args, surroundings);
  }
}

/** The command of this name; without a name all of them, for the help or to suggest one. */
async function load(name = ''): Promise<AddCommand[]> {
  if (name === '--version' || name === '-V') return [];
  const named = commands.get(name);
  const loaders = new Set(named ? [named] : commands.values());
  return Promise.all(Array.from(loaders, (each) => each()));
}

/** Puts the loaded commands under the headings of the help, in its order. */
function arrange(program: Command): void {
  const placed = groups.flatMap(([title, members]) => Object.keys(members).map((name) => [name, title]));
  const titles = new Map(placed.map(([name = '', title = '']) => [name, title]));
  for (const command of program.commands) command.helpGroup(titles.get(command.name()) ?? 'More:');
  const order = [...titles.keys()];
  const placeOf = (command: Command): number => order.indexOf(command.name());
  program.configureHelp({
    subcommandTerm: (command) => command.name(),
    visibleCommands: ({ commands: all }) => all.toSorted((a, b) => placeOf(a) - placeOf(b)),
  });
}

function createProgram(version: string, { stdout, stderr }: Surroundings): Command {
  return new Command('carryover')
    .description('Imports users with their password hashes, and runs the core they sign in to.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(--help says more)')
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
      // A mistyped flag is repeated, the value after it is not: it may be a key.
      outputError: (text, write) => {
        write(text.replace(/(unknown option '--?[\w-]+)=[^]*'/, "$1'"));
      },
      getOutHasColors: () => false,
      getErrHasColors: () => false,
    })
    .addHelpText(
      'after',
      '\nHelp for a command: carryover <command> --help\nExit codes: 0 done, 1 done but some records were not imported, 2 refused or\n--yes is missing, 130 interrupted.',
    );
}

/** One line for any error, and as JSON too if requested. */
function tell(
  error: unknown,
  args: readonly string[],
  { stdout, stderr, interrupt, environment }: Surroundings,
): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.ok;
  const isInterrupted = interrupt.aborted || error instanceof Interrupted;
  const failure = isInterrupted && !(error instanceof Interrupted) ? new Interrupted('Stopped.') : error;
  const next = stepsAfter(failure, args);
  const does =
    failure instanceof NeedsYes
      ? `. This does it:\n  ${next[0]?.command ?? ''}`
      : choicesAfter(failure, next);
  // Commander has written its own message.
  if (!(failure instanceof CommanderError))
    stderr.write(forTerminal(`${messageOf(failure)}${does}\n`, stderr, environment));
  if (args.includes('--json')) stdout.write(`${JSON.stringify({ ...errorView(failure, args), next })}\n`);
  return isInterrupted ? exitCodes.interrupted : exitCodes.refused;
}

/** One of the commands resolves an ambiguity of the file. */
function choicesAfter(error: unknown, next: readonly Step[]): string {
  if (choiceIn(error) === undefined) return '';
  return ['. One of these does it:', ...next.map(({ command }) => `  ${command}`)].join('\n');
}

function choiceIn(error: unknown): NeedsChoice | undefined {
  const fault = error instanceof CommandError ? error.cause : error;
  return fault instanceof NeedsChoice ? fault : undefined;
}

function stepsAfter(error: unknown, args: readonly string[]): readonly Step[] {
  const choice = choiceIn(error);
  if (choice !== undefined)
    return choice.choices.map(({ flags, reason }) => ({ command: exactCommand(args, ...flags), reason }));
  if (error instanceof NeedsYes)
    return [{ command: exactCommand(args, '--yes'), reason: 'does what was only shown' }];
  return error instanceof CommandError || error instanceof Interrupted ? error.next : [];
}

/** The command as it is typed: `import`, `sessions import`, `load merge`. */
export function typeOf([name = '', verb = '']: readonly string[]): string {
  const hasVerb =
    name === 'load'
      ? verb === 'merge'
      : ['sessions', 'dashboard-user', 'move'].includes(name) && !verb.startsWith('-');
  return hasVerb ? `${name} ${verb}` : name;
}

function errorView(error: unknown, args: readonly string[]): object {
  const message = messageOf(error);
  if (error instanceof NeedsYes) {
    const { code, field, cure, would } = error;
    return { type: typeOf(args), status: code, message, field, cure, would };
  }
  const about = { type: 'error', command: typeOf(args) };
  if (error instanceof Interrupted) return { ...about, status: 'INTERRUPTED', code: 'INTERRUPTED', message };
  if (error instanceof CommandError) {
    const { code, field, cure } = error;
    const incomplete = error instanceof InputIncomplete ? error.incomplete : undefined;
    return { ...about, status: 'ERROR', code, field, message, cure, incomplete };
  }
  const field = error instanceof CommanderError ? /'(-[\w-]+|[\w-]+)/.exec(message)?.[1] : undefined;
  return { ...about, status: 'ERROR', code: codeOf(error), field, message };
}

function codeOf(error: unknown): string {
  if (error instanceof CommanderError) return 'USAGE';
  if (error instanceof ExportFault) return 'EXPORT_UNREADABLE';
  if (error instanceof SourceFault) return 'SOURCE_UNREADABLE';
  if (error instanceof LoadError) return 'INSTALLATION_DAMAGED';
  return error instanceof StartupError ? 'CORE_CANNOT_START' : 'UNEXPECTED';
}

function messageOf(error: unknown): string {
  if (error instanceof CommandError || error instanceof Interrupted) return printable(error.message);
  if (error instanceof ExportFault || error instanceof SourceFault || error instanceof StartupError)
    return printable(error.message);
  // A mistyped flag is repeated, the value after it is not.
  if (error instanceof CommanderError)
    return printable(
      error.message.replace(/^error: /, '').replace(/(unknown option '--?[\w-]+)=[^]*'/, "$1'"),
    );
  // A bug. Its message may contain anything, so only its place is reported.
  const place = /\/((?:src|workers)\/[\w/.-]+:\d+)/.exec(
    error instanceof Error ? (error.stack ?? '') : '',
  )?.[1];
  const name = error instanceof Error ? error.name : typeof error;
  return `Something unexpected happened (${name}${place === undefined ? '' : ` at ${place}`}): please report it`;
}
