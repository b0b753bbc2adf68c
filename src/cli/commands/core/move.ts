import { type Command, InvalidArgumentError, Option } from 'commander';
import { carryover } from '../../../process/called.ts';
import { moveStatus } from '../../client/moves.ts';
import { addServerOptions, flagsFor, withCore } from '../../client/server.ts';
import { type ExitCode, exitCodes } from '../../command-error.ts';
import { addYesOption } from '../../confirm/confirm.ts';
import { type MoveOptions, noMove, type StartOptions, type StepOptions } from '../../move/options.ts';
import { record } from '../../move/record.ts';
import { startMove } from '../../move/start.ts';
import { type ReceiptOptions, writeReceipt } from '../../move/receipt.ts';
import { takeStep } from '../../move/step.ts';
import { statusText } from '../../move/text.ts';
import { asJson } from '../../output/answer.ts';
import { tell } from '../../output/terminal.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type AddCommand, addJsonOption, examples, type Frame } from '../command.ts';

/** `move`: the stages of a move from an old system. */
export const addMove: AddCommand = (program, { surroundings, action }) => {
  const parent = program
    .command('move')
    .summary('move from an old system in stages, each with a way back')
    .description(
      'The move of an app from an old system, over weeks: rehearsing, following, leading for a share of the users, closed. Each step is one command that prints what it does first; it is refused while something is against it. docs/guide/move.md',
    );
  const add: Add = (name, summary) =>
    addServerOptions(addJsonOption(parent.command(name).summary(summary).description(`${summary}.`)));
  addSteps(add, { surroundings, action });
  add('status', 'show the stage, what is against the next step, and the history').action(
    action((options: MoveOptions) => showStatus(options, surroundings)),
  );
  add(
    'record <file>',
    "record what 'plan --json' or 'compare --json' has printed, or that the files of 'export --as' are in the old system (written.ndjson)",
  ).action(action((file: string, options: MoveOptions) => record(file, options, surroundings)));
  add(
    'receipt',
    'write the signed receipt of the last closed move: its history, and the imports of its source',
  )
    .option('-o, --out <file>', 'left out: the standard output')
    .option('--entries <file>', 'also write what the receipt is about: an event or an import in each line')
    .addHelpText(
      'after',
      examples(
        `${carryover} move receipt -o receipt.json --entries entries.ndjson`,
        `${carryover} verify-receipt receipt.json --key keys.json --entries entries.ndjson`,
      ),
    )
    .action(action((options: ReceiptOptions) => writeReceipt(options, surroundings)));
};

type Add = (name: string, summary: string) => Command;

/** What changes the stage. */
function addSteps(add: Add, { surroundings, action }: Pick<Frame, 'surroundings' | 'action'>): void {
  const addStep: Add = (name, summary) =>
    addYesOption(add(name, summary)).option('--dry-run', 'print the steps and what is against them, only');

  addYesOption(add('start [address]', 'start the move: the old system leads, and this core rehearses'))
    .requiredOption('--from <system>', 'the old system, as for import')
    .option('--source <name>', 'the label of its imports, if they have one')
    .addHelpText(
      'after',
      examples(
        `${carryover} move start mysql://db.example.com/shop --from laravel`,
        `${carryover} move start --from auth0`,
      ),
    )
    .action(
      action((address: string | undefined, options: StartOptions) =>
        startMove(address, options, surroundings),
      ),
    );
  addStep('next', 'go to the next stage, or to a greater share')
    .addOption(
      shareOption('percentage of the users who sign in here; left out: 5, 25, 50, 100, one after the other'),
    )
    .addOption(
      new Option(
        '--refused-before <percent>',
        'users who gave two wrong passwords in a row at the old system; left out: by the sign-ins that were reported',
      ).argParser((text) => numberIn(text, 0, 50)),
    )
    .action(action((options: StepOptions) => takeStep('next', options, surroundings)));
  addStep('back', 'go to the stage before, or to a smaller share')
    .addOption(shareOption('a smaller share; left out: no user'))
    .action(action((options: StepOptions) => takeStep('back', options, surroundings)));
  addStep('close', 'end the move when all users sign in here')
    .option('--abandon', 'end it before: the old system stays')
    .action(action((options: StepOptions) => takeStep('close', options, surroundings)));
}

function shareOption(description: string): Option {
  return new Option('--share <percent>', description).argParser((text) => {
    const share = numberIn(text, 1, 100);
    if (Number.isInteger(share)) return share;
    throw new InvalidArgumentError('It takes a whole number from 1 to 100.');
  });
}

function numberIn(text: string, least: number, most: number): number {
  const value = /^\d{1,3}(\.\d{1,3})?$/.test(text) ? Number(text) : NaN;
  if (value >= least && value <= most) return value;
  throw new InvalidArgumentError(`It takes a number from ${least} to ${most}.`);
}

async function showStatus(options: MoveOptions, surroundings: Surroundings): Promise<ExitCode> {
  return withCore(options, surroundings, async ({ client, server }) => {
    const move = await moveStatus(client, surroundings.interrupt);
    if (move === undefined) throw noMove();
    const verb = move.share === 100 ? 'close' : 'next';
    const next = {
      command: `${carryover} move ${verb}${flagsFor(server)} --dry-run`,
      reason: 'shows what the next step does',
    };
    if (options.json === true) {
      const { stage, share, ...rest } = move;
      surroundings.stdout.write(
        asJson('move status', { stage, share, ...rest }, stage === 'closed' ? [] : [next]),
      );
    } else tell(surroundings, statusText(move));
    return exitCodes.ok;
  });
}
