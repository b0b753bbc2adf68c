import path from 'node:path';
import { carryover } from '../../../process/called.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../../confirm/confirm.ts';
import { asJson } from '../../output/answer.ts';
import { printable } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { addJsonOption, type AddCommand, examples } from '../command.ts';

interface MoveOptions extends ConfirmOptions {
  readonly to?: string;
  readonly back?: boolean;
  readonly confirm?: boolean;
  readonly config?: string;
  readonly json?: boolean;
}

/** `apps move`: moves an app to another database, while it is served. */
export const addApps: AddCommand = (program, { surroundings, action }) => {
  const apps = program.command('apps').summary('move an app to another database, while it is served');
  const command = apps
    .command('move')
    .summary('move an app to another place')
    .description(
      "Copies an app to another of the places, follows its changes, compares both, and changes its home: writes of the app are refused in between, for less than a second and the time to compare a large app. Then the old place follows the new one, until --confirm removes the app's rows there, or --back returns. Can be interrupted at any point, and run again.",
    )
    .argument('<app>', 'its name')
    .option('--to <place>', "a place's name, or first")
    .option('--back', 'end the move with the app where it was, with all that has changed since')
    .option('--confirm', 'end the move with the app where it is now')
    .option('--config <file>', "the cores' config.yaml, for postgresql_connection_uri and places");
  addJsonOption(addYesOption(command))
    .addHelpText(
      'after',
      examples(
        `${carryover} apps move shop --to dublin --config config.yaml`,
        `${carryover} apps move shop --confirm --config config.yaml`,
      ),
    )
    .action(action((app: string, options: MoveOptions) => moveApp(app, options, surroundings)));
};

async function moveApp(appId: string, options: MoveOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { environment, folder, interrupt, stdout, stderr } = surroundings;
  const step = stepOf(options);
  await confirm({ lines: [sentenceOf(appId, step)], would: { moves: appId, step } }, options, surroundings);
  const moved = await surroundings.moveApp({
    file: options.config && path.resolve(folder, options.config),
    environment,
    appId,
    step,
    interrupt,
    note: (line) => void stderr.write(`${printable(line)}\n`),
  });
  if (options.json === true) stdout.write(asJson('apps move', { app: appId, step, ...moved }));
  else stdout.write(`${doneOf(appId, step)}\n`);
  return exitCodes.ok;
}

type Step = { readonly to: string } | 'back' | 'confirm';

/** @throws CommandError unless exactly one is given */
function stepOf({ to, back, confirm: isConfirmed }: MoveOptions): Step {
  const given: Step[] = [
    ...(to === undefined ? [] : [{ to }]),
    ...(back === true ? (['back'] as const) : []),
    ...(isConfirmed === true ? (['confirm'] as const) : []),
  ];
  const [step] = given;
  if (step !== undefined && given.length === 1) return step;
  throw new CommandError('Where the app goes: give one of --to, --back and --confirm', { field: '--to' });
}

function sentenceOf(appId: string, step: Step): string {
  if (step === 'back')
    return `Would return '${appId}' to where it was, and remove its rows in the place that it leaves`;
  if (step === 'confirm')
    return `Would remove the rows of '${appId}' in its old place: there is no way back then`;
  return `Would move '${appId}' to '${step.to}', with all of its users`;
}

function doneOf(appId: string, step: Step): string {
  const app = printable(appId);
  if (step === 'back') return `Returned: '${app}' is where it was`;
  if (step === 'confirm') return `Confirmed: the old place has nothing of '${app}'`;
  const next = `${carryover} apps move ${app}`;
  return `Moved: '${app}' is in '${printable(step.to)}', and its old place follows. End it with: ${next} --confirm (or --back)`;
}
