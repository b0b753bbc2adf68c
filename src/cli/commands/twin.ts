import { randomFillSync } from 'node:crypto';
import { InvalidArgumentError, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { providers } from '../../exports/providers/index.ts';
import type { TwinKey } from '../../exports/twin/keyed.ts';
import { type AddCommand, addJsonOption, filesArgument, type Frame } from './command.ts';
import { addShortHelp, type HelpGroup, readingGroup } from './short-help.ts';
import { coreConfig, secretsOf } from '../input/core-config.ts';
import { type ExitCode, exitCodes, type Step } from '../command-error.ts';
import { quoted } from '../confirm/exact.ts';
import { addIdPrefix, addInputOptions, filesOf, type InputOptions } from '../input/input.ts';
import { withInput } from '../input/read-input.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';
import { refuseSameFile } from '../output/sink.ts';
import { tell } from '../output/terminal.ts';
import { filesOf as filesOfTwin, refuseExisting, type TwinFiles } from '../twin/files.ts';
import { makeTwin } from '../twin/make-twin.ts';
import { twinAsJson, twinAsText } from '../twin/report.ts';

interface TwinOptions extends InputOptions {
  readonly out: string;
  readonly config?: string;
  readonly hashing: number;
  readonly force?: boolean;
  readonly json?: boolean;
}

export const addTwin: AddCommand = (program, frame) => {
  const command = program
    .command('twin')
    .summary('write a made-up export of the same shape, to rehearse with')
    .description(
      "Writes native records with the kinds and costs of hashes, the lengths, scripts, duplicates, links, bad rows and order of an export, and none of its values; next to them a file of known passwords. Each value is replaced by a key that is thrown away, and the result is searched for the original's values. Asks no core.",
    )
    .addArgument(filesArgument('an export, or NDJSON of native records'))
    .requiredOption(
      '-o, --out <file>',
      'the file to write, such as twin.ndjson; the others get its name; one that ends with .gz is compressed',
    )
    .addOption(
      new Option(
        '--hashing <seconds>',
        'for how long to make hashes: of expensive ones there are then fewer different ones',
      )
        .default(30)
        .argParser(parseSeconds),
    )
    .option(
      '--config <file>',
      "the core's config.yaml, for its ceilings and keys; its environment variables count too",
    )
    .option('--force', 'replace files of these names');
  addIdPrefix(addInputOptions(addJsonOption(command)));
  addProviderFlags(command, providers);
  addShortHelp(command, { groups: mainOptions, examples: exampleLines, args: frame.args }).action(
    frame.action((files: readonly string[], options: TwinOptions) => writeTwin(files, options, frame)),
  );
};

const exampleLines = [
  `${carryover} twin firebase.json -o twin.ndjson`,
  `${carryover} twin auth0-users.ndjson --auth0-hashes hashes.ndjson -o twin.ndjson`,
];

/** The options that `twin --help` shows without `--all`. */
const mainOptions: readonly HelpGroup[] = [
  readingGroup,
  [
    'Writing:',
    {
      out: 'the file to write; the others get its name',
      hashing: 'for how many seconds to make hashes; 30 if left out',
      config: "the core's config.yaml, for its ceilings and keys",
      force: 'replace files of these names',
      json: 'print one JSON object at the end, and nothing else',
    },
  ],
];

function writeTwin(
  given: readonly string[],
  options: TwinOptions,
  { surroundings }: Pick<Frame, 'surroundings'>,
): Promise<ExitCode> {
  const files = filesOfTwin(options.out);
  refuseExisting(files, options.force === true, surroundings);
  return withInput(given, options, surroundings, async (input) => {
    for (const file of [files.records, files.passwords, files.config])
      refuseSameFile(file, filesOf(input), surroundings);
    const config = coreConfig(options.config, secretsOf(input.settings.options), surroundings);
    const twin = await makeTwin(
      { input, config, files, seconds: options.hashing, key: newKey() },
      surroundings,
    );
    const made = { twin, files, next: stepsAfter(files, twin.hasConfig) };
    if (options.json === true) surroundings.stdout.write(twinAsJson(made));
    else tell(surroundings, twinAsText(made));
    return exitCodes.ok;
  });
}

/** Never stored: it ends with the process. */
function newKey(): TwinKey {
  const words = new Uint32Array(4);
  return randomFillSync(words);
}

function stepsAfter({ records, config }: TwinFiles, hasConfig: boolean): Step[] {
  const settings = hasConfig ? ` --config ${quoted(config)}` : '';
  return [
    {
      command: `${carryover} inspect ${quoted(records)}${settings}`,
      reason: 'shows what is in the twin',
    },
    {
      command: `${carryover} plan ${quoted(records)}${settings}`,
      reason: 'measures how long its import takes',
    },
  ];
}

const maxSeconds = 3600;

function parseSeconds(text: string): number {
  const seconds = /^\d{1,4}$/.test(text) ? Number(text) : NaN;
  if (!(seconds >= 1 && seconds <= maxSeconds))
    throw new InvalidArgumentError(`It takes whole seconds from 1 to ${maxSeconds}.`);
  return seconds;
}
