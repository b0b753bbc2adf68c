import { Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { type AddCommand, examples, addJsonOption, addSampleOption } from './command.ts';
import { CoreRefusal } from '../client/core-client.ts';
import type { JobView } from '../client/views.ts';
import { CommandError, type ExitCode, exitCodes, type Step } from '../command-error.ts';
import { addYesOption, confirm } from '../confirm/confirm.ts';
import { duringUndo } from '../job/undo-progress.ts';
import { plural, printable } from '../output/format.ts';
import { asJson } from '../output/answer.ts';
import { tell } from '../output/terminal.ts';
import { describeForeseen, undoneUsers } from '../job/foreseen.ts';
import { parseSince, seriesOption, type Since } from '../job/series.ts';
import { shownUsers, type UndoOptions, undoneText } from '../job/undone.ts';
import { undoSeries } from '../job/undo-series.ts';
import { addServerOptions, type Core, flagsFor, withImport } from '../client/server.ts';
import type { UndoForeseen } from '../../imports/model.ts';
import type { Surroundings } from '../surroundings.ts';

interface Options extends UndoOptions {
  readonly series?: string;
  readonly since?: Since;
}

export const addUndo: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('undo')
    .summary('undo an import')
    .description(
      'Removes the users that an import created and restores what it replaced. Users who have signed in since stay and are listed. It first shows how many users that is, and asks.',
    )
    .argument('[job]', 'id of the import, as carryover jobs lists it')
    .addOption(seriesOption('in place of <job>: the imports of this series, such as those of a follower'))
    .addOption(
      new Option(
        '--since <time>',
        'with --series: those that began at or after this moment, such as 2026-11-27T10:30:00Z, or 2h for the last two hours',
      ).argParser(parseSince),
    )
    .option('--force', 'also users who have signed in since')
    .option('--dry-run', 'show how many users that would be, and change nothing');
  addServerOptions(addSampleOption(addJsonOption(addYesOption(command))))
    .addHelpText(
      'after',
      examples(
        `${carryover} undo 0198c0de-… --dry-run`,
        `${carryover} undo 0198c0de-… --yes`,
        `${carryover} undo --series follow-1 --since 2h --dry-run`,
      ),
    )
    .action(action((id: string | undefined, options: Options) => run(id, options, surroundings)));
};

/** @throws CommandError unless it is one job, or a series with its moment */
async function run(
  id: string | undefined,
  { series, since, ...options }: Options,
  surroundings: Surroundings,
): Promise<ExitCode> {
  if (series === undefined && since !== undefined)
    throw new CommandError('--since belongs to --series: name the series, as carryover jobs lists it', {
      field: '--since',
    });
  if (series !== undefined) {
    if (id !== undefined)
      throw new CommandError('An import and --series exclude each other: give one of them', {
        field: '--series',
      });
    if (since === undefined)
      throw new CommandError(
        '--series needs --since: the moment whose users are wanted back, such as 2026-11-27T10:30:00Z or 2h',
        { field: '--since' },
      );
    return undoSeries({ name: series, since }, options, surroundings);
  }
  if (id === undefined)
    throw new CommandError('Name the import to undo, or a series with --series and --since', {
      field: 'job',
    });
  return undo(id, options, surroundings);
}

interface Undoing {
  readonly id: string;
  readonly options: UndoOptions;
  readonly core: Core;
  readonly surroundings: Surroundings;
}

async function undo(id: string, options: UndoOptions, surroundings: Surroundings): Promise<ExitCode> {
  return withImport(id, { ...options, writes: true }, surroundings, async (core) => {
    const undoing = { id, options, core, surroundings };
    const { job, foreseen } = await foresee(undoing);
    if (options.dryRun === true) return showForeseen(undoing, job, foreseen);
    if (isUndone(job, foreseen)) return sayUndone(undoing, foreseen);
    if (isAnything(foreseen)) await confirm(changeOf(job, foreseen), options, surroundings);
    return carryOut(undoing, foreseen);
  });
}

function changeOf(job: JobView, foreseen: UndoForeseen | undefined): Parameters<typeof confirm>[0] {
  const lines =
    foreseen === undefined
      ? [`Undo of ${printable(job.name)} (job ${job.id})`]
      : describeForeseen(job, foreseen);
  return { lines, would: { job: job.id, ...foreseen }, question: 'Undo it?' };
}

async function foresee({ id, options, core, surroundings }: Undoing): Promise<Foreseeing> {
  const { force = false } = options;
  const { interrupt } = surroundings;
  const job = await core.client.job(id, interrupt);
  const path = `/bulk-import/jobs/${encodeURIComponent(id)}/undo?force=${force}`;
  const asked = core.client.call<UndoForeseen>({ method: 'GET', path, signal: interrupt });
  return { job, foreseen: await asked.catch(nothingOfOldCores) };
}

/** An older core cannot foresee an undo. */
function nothingOfOldCores(error: unknown): undefined {
  if (error instanceof CoreRefusal && error.http === 405) return;
  throw error;
}

interface Foreseeing {
  readonly job: JobView;
  /** undefined: the core is too old to foresee it. */
  readonly foreseen: UndoForeseen | undefined;
}

function isAnything(foreseen: UndoForeseen | undefined): boolean {
  return foreseen === undefined || undoneUsers(foreseen) > 0;
}

/** Whether an undo of the job has ended: the users it left were left on purpose, and repeating it changes nothing. */
function isUndone({ state, undone = 0 }: JobView, foreseen: UndoForeseen | undefined): boolean {
  return state === 'undone' || (undone > 0 && foreseen !== undefined && undoneUsers(foreseen) === 0);
}

function sayUndone(
  { id, options, core, surroundings }: Undoing,
  foreseen: UndoForeseen | undefined,
): ExitCode {
  const { SIGNED_IN = 0, CHANGED_SINCE = 0, IDENTITY_TAKEN = 0 } = foreseen?.left ?? {};
  const left = SIGNED_IN + CHANGED_SINCE + IDENTITY_TAKEN;
  const next = left - IDENTITY_TAKEN > 0 && options.force !== true ? [forceStep(id, core)] : [];
  if (options.json) {
    const view = { job: id, alreadyUndone: true, removed: 0, restored: 0, left: foreseen?.left };
    surroundings.stdout.write(asJson('undo', view, next));
    return exitCodes.ok;
  }
  const rest = left > 0 ? [`${plural(left, 'user')} stayed as they were`] : [];
  const force = next.map(({ command, reason }) => `To ${reason}: ${command}`);
  tell(surroundings, `${[`Already undone: job ${printable(id)}`, ...rest, ...force].join('\n')}\n`);
  return exitCodes.ok;
}

function forceStep(id: string, { server }: Core): Step {
  return { command: `${carryover} undo ${id}${flagsFor(server)} --force`, reason: 'undo these too' };
}

function showForeseen(
  { id, options, core, surroundings: { stdout } }: Undoing,
  job: JobView,
  foreseen: UndoForeseen | undefined,
): ExitCode {
  if (foreseen === undefined)
    throw new CommandError('This core is too old to show what an undo would do: update it first');
  const { removed, restored, left } = foreseen;
  const force = options.force === true ? ' --force' : '';
  const command = `${carryover} undo ${id}${flagsFor(core.server)}${force} --yes`;
  const next = isAnything(foreseen) ? [{ command, reason: 'undoes it' }] : [];
  stdout.write(
    options.json
      ? asJson('undo', { job: id, dryRun: true, removed, restored, left }, next)
      : `Dry run, nothing is changed: ${describeForeseen(job, foreseen).join('\n')}\n`,
  );
  return exitCodes.ok;
}

async function carryOut(undoing: Undoing, foreseen: UndoForeseen | undefined): Promise<ExitCode> {
  const { id, options, core, surroundings } = undoing;
  const { force = false, json } = options;
  const { interrupt, stdout } = surroundings;
  const {
    removed,
    restored,
    left,
    held = 0,
  } = await duringUndo({ id, core, foreseen, surroundings }, () => core.client.undo(id, force, interrupt));
  const view = { removed, restored, held, left: shownUsers(left, options) };
  const next = left.length > 0 && !force ? [forceStep(id, core)] : [];
  if (json) stdout.write(asJson('undo', { job: id, ...view }, next));
  else tell(surroundings, undoneText(view, next));
  return left.length > 0 ? exitCodes.rejects : exitCodes.ok;
}
