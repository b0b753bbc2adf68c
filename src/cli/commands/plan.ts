import { InvalidArgumentError, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { providers } from '../../exports/providers/index.ts';
import { type AddCommand, addJsonOption, filesArgument, type Frame } from './command.ts';
import { addShortHelp, type HelpGroup, readingGroup } from './short-help.ts';
import { coreConfig, secretsOf } from '../input/core-config.ts';
import { type ExitCode, exitCodes, type Step } from '../command-error.ts';
import { argumentsWithout, exactCommand } from '../confirm/exact.ts';
import { addIdPrefix, addInputOptions, type InputOptions } from '../input/input.ts';
import { withInput } from '../input/read-input.ts';
import { tell } from '../output/terminal.ts';
import { makePlan } from '../plan/plan.ts';
import { plannedAsText, plannedAsJson } from '../plan/report.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';

interface PlanCommandOptions extends InputOptions {
  readonly config?: string;
  readonly arrivals?: number;
  readonly calibrate: number;
  readonly json?: boolean;
}

export const addPlan: AddCommand = (program, frame) => {
  const command = program
    .command('plan')
    .summary('measure how long an import will take')
    .description(
      'Measures for about a minute on this machine, with a core and a PostgreSQL of its own in a temporary folder (TMPDIR: best on the disk that the database will be on). No other core is asked or changed, and nothing is left behind.',
    )
    .addArgument(filesArgument('an export, or NDJSON of native records'))
    .addOption(
      new Option(
        '--arrivals <N/s>',
        'password sign-ins a second on the first morning; left out: a tenth of the users within an hour',
      ).argParser(parseArrivals),
    )
    .addOption(
      new Option('--calibrate <seconds>', 'for how long to measure: shorter is rougher')
        .default(60)
        .argParser(parseCalibrate),
    )
    .option(
      '--config <file>',
      "the core's config.yaml, for its ceilings, keys and policy; its environment variables count too",
    );
  addIdPrefix(addInputOptions(addJsonOption(command)));
  addProviderFlags(command, providers);
  addShortHelp(command, { groups: mainOptions, examples: exampleLines, args: frame.args }).action(
    frame.action((files: readonly string[], options: PlanCommandOptions) => planFile(files, options, frame)),
  );
};

const exampleLines = [
  `${carryover} plan firebase.json`,
  `${carryover} plan users.ndjson --arrivals 40/s --json`,
];

/** The options that `plan --help` shows without `--all`. */
const mainOptions: readonly HelpGroup[] = [
  readingGroup,
  [
    'Measuring:',
    {
      arrivals: 'password sign-ins a second on the first morning',
      calibrate: 'for how many seconds to measure; 60 if left out',
      config: "the core's config.yaml, for its ceilings and keys",
      json: 'print one JSON object at the end, and nothing else',
    },
  ],
];

function planFile(
  files: readonly string[],
  options: PlanCommandOptions,
  { args, surroundings }: Frame,
): Promise<ExitCode> {
  return withInput(files, options, surroundings, async (input) => {
    const config = coreConfig(options.config, secretsOf(input.settings.options), surroundings);
    const { arrivals, calibrate: calibrateSeconds } = options;
    const plan = await makePlan({ input, config, arrivals, calibrateSeconds }, surroundings);
    const planned = { input, plan, calibrateSeconds, next: stepsAfter(args) };
    if (options.json) surroundings.stdout.write(plannedAsJson(planned));
    else tell(surroundings, plannedAsText(planned));
    return exitCodes.ok;
  });
}

/** For the same file, read in the same way. */
function stepsAfter(args: readonly string[]): Step[] {
  const own = { switches: ['--json'], valued: ['--arrivals', '--calibrate', '--config'] };
  return [
    {
      command: exactCommand(['import', ...argumentsWithout(args, own), '--dry-run']),
      reason: 'shows what an import would do, in the core, and changes nothing',
    },
  ];
}

function parseArrivals(text: string): number {
  const number = Number(/^(\d{1,6}(?:\.\d{1,6})?)(?:\/s)?$/.exec(text.trim())?.[1] ?? NaN);
  if (!(number > 0)) throw new InvalidArgumentError('It takes sign-ins a second, such as 40/s.');
  return number;
}

const maxCalibrateSeconds = 600;

function parseCalibrate(text: string): number {
  const seconds = /^\d{1,3}$/.test(text) ? Number(text) : NaN;
  if (!(seconds >= 2 && seconds <= maxCalibrateSeconds))
    throw new InvalidArgumentError(`It takes whole seconds from 2 to ${maxCalibrateSeconds}.`);
  return seconds;
}
