import { carryover } from '../../process/called.ts';
import { type AddCommand, examples, addJsonOption } from './command.ts';
import { CoreRefusal, type JobView, type UndoView } from '../client/core-client.ts';
import { CommandError, type ExitCode, exitCodes, Interrupted } from '../command-error.ts';
import { isYes } from '../input/stdin-text.ts';
import { duringUndo } from '../job/undo-progress.ts';
import { plural, printable } from '../output/format.ts';
import { forTerminal, tell } from '../output/terminal.ts';
import { describeForeseen, undoneUsers } from '../job/foreseen.ts';
import { addServerOptions, type Core, flagsFor, type ServerOptions, withImport } from '../client/server.ts';
import type { UndoForeseen } from '../../imports/model.ts';
import type { Surroundings } from '../surroundings.ts';

interface UndoOptions extends ServerOptions {
  readonly force?: boolean;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

const shownUsers = 20;

export const addUndo: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('undo')
    .summary('take an import back')
    .description(
      'Removes the users that an import created and puts back what it replaced. Users who signed in since are left and listed. Says first how many users that is, and asks.',
    )
    .argument('<job>', 'id of the import: carryover jobs lists them')
    .option('--force', 'also those who signed in since')
    .option('--yes', 'without a question; needed where nobody can answer it')
    .option('--dry-run', 'say how many users that would be, and change nothing');
  addServerOptions(addJsonOption(command))
    .addHelpText(
      'after',
      examples(`${carryover} undo 0198c0de-… --dry-run`, `${carryover} undo 0198c0de-… --yes`),
    )
    .action(action((id: string, options: UndoOptions) => undo(id, options, surroundings)));
};

interface Undoing {
  readonly id: string;
  readonly options: UndoOptions;
  readonly core: Core;
  readonly surroundings: Surroundings;
}

async function undo(id: string, options: UndoOptions, surroundings: Surroundings): Promise<ExitCode> {
  return withImport(id, options, surroundings, async (core) => {
    const undoing = { id, options, core, surroundings };
    const { job, foreseen } = await foresee(undoing);
    if (options.dryRun === true) return tellForeseen(undoing, job, foreseen);
    if (options.yes !== true && isAnything(foreseen)) await requireYes(undoing, job, foreseen);
    return carryOut(undoing, foreseen);
  });
}

async function foresee({ id, options, core, surroundings }: Undoing): Promise<Foreseeing> {
  const { force = false } = options;
  const { interrupt } = surroundings;
  const job = await core.client.job(id, interrupt);
  const path = `/bulk-import/jobs/${encodeURIComponent(id)}/undo?force=${force}`;
  const asked = core.client.call<UndoForeseen>({ method: 'GET', path, signal: interrupt });
  return { job, foreseen: await asked.catch(nothingOfOldCores) };
}

/** Of one that does not tell. */
function nothingOfOldCores(error: unknown): undefined {
  if (error instanceof CoreRefusal && error.http === 405) return;
  throw error;
}

interface Foreseeing {
  readonly job: JobView;
  /** undefined: the core does not tell. */
  readonly foreseen: UndoForeseen | undefined;
}

function isAnything(foreseen: UndoForeseen | undefined): boolean {
  return foreseen === undefined || undoneUsers(foreseen) > 0;
}

function tellForeseen(
  { options, surroundings: { stdout } }: Undoing,
  job: JobView,
  foreseen: UndoForeseen | undefined,
): ExitCode {
  if (foreseen === undefined)
    throw new CommandError('This core is too old to say what an undo would do: update it first');
  const { removed, restored, left } = foreseen;
  stdout.write(
    options.json
      ? `${JSON.stringify({ status: 'OK', dryRun: true, removed, restored, left })}\n`
      : `Dry run, nothing is changed: ${describeForeseen(job, foreseen).join('\n')}\n`,
  );
  return exitCodes.ok;
}

/** @throws CommandError where nobody can be asked, Interrupted for a no */
async function requireYes(
  { id, core, surroundings }: Undoing,
  job: JobView,
  foreseen: UndoForeseen | undefined,
): Promise<void> {
  const { stdin, stderr, environment } = surroundings;
  const what =
    foreseen === undefined ? [`Undo of ${printable(job.name)} (job ${id})`] : describeForeseen(job, foreseen);
  stderr.write(forTerminal(`${what.join('\n')}\n`, stderr, environment));
  if (stdin.isTTY !== true)
    throw new CommandError(
      `Nothing was undone, because nobody can be asked here: ${carryover} undo ${id}${flagsFor(core.server)} --yes does it`,
    );
  if (!(await isYes('Undo it?', surroundings))) throw new Interrupted('Nothing was undone.');
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
  const view = { removed, restored, held, left };
  const flags = flagsFor(core.server);
  if (json) stdout.write(`${JSON.stringify({ status: 'OK', ...view })}\n`);
  else tell(surroundings, description(`${id}${flags}`, view));
  return left.length > 0 ? exitCodes.rejects : exitCodes.ok;
}

/** @param job its id, and what finds its core */
function description(job: string, { removed, restored, held = 0, left }: UndoView): string {
  const lines = [`Undone: ${plural(removed, 'user')} removed, ${plural(restored, 'user')} put back`];
  if (held > 0)
    lines.push(
      `Held: ${plural(held, 'user')} whose second factor could not be brought back. Import their records again, or lift it by PUT /user/restrictions`,
    );
  if (left.length > 0)
    lines.push(
      `Left: ${plural(left.length, 'user')}`,
      ...left
        .slice(0, shownUsers)
        .map(({ userId, reason }) => `  ${printable(userId)}: ${printable(reason)}`),
      ...(left.length > shownUsers
        ? [`  and ${plural(left.length - shownUsers, 'more user')}: --json lists all`]
        : []),
      `To undo these too: ${carryover} undo ${job} --force`,
    );
  return `${lines.join('\n')}\n`;
}
