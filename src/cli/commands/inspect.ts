import { carryover } from '../../process/called.ts';
import { defaultSecondFactor } from '../../imports/model.ts';
import { providers } from '../../exports/providers/index.ts';
import { type AddCommand, addJsonOption, addSampleOption, filesArgument, type Frame } from './command.ts';
import { addShortHelp, coreGroup, type HelpGroup, readingGroup } from './short-help.ts';
import { hasLosses } from '../../exports/fields/account.ts';
import { readInput, withInput } from '../input/read-input.ts';
import { coreConfig, secretsOf } from '../input/core-config.ts';
import {
  estimateRate,
  type Inspected,
  inspectedAsJson,
  inspectedAsText,
} from '../inspect/inspection-report.ts';
import { type ExitCode, exitCodes, type Step } from '../command-error.ts';
import { argumentsWithout, exactCommand } from '../confirm/exact.ts';
import type { SampleOptions } from '../output/mask.ts';
import { addIdPrefix, addInputOptions, filesOf, type Input, type InputOptions } from '../input/input.ts';
import { proposeImport } from '../inspect/propose-import.ts';
import { Inspection, type InspectionRules } from '../inspect/inspection.ts';
import { checkLines } from '../inspect/check-lines.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';
import { tell } from '../output/terminal.ts';
import { addServerOptions, type ServerOptions } from '../client/server.ts';
import { refuseSameFile } from '../output/sink.ts';
import type { Surroundings } from '../surroundings.ts';

interface InspectOptions extends ServerOptions, InputOptions, SampleOptions {
  readonly config?: string;
  readonly rejects?: string;
  readonly json?: boolean;
  readonly propose?: boolean;
}

export const addInspect: AddCommand = (program, frame) => {
  const command = program
    .command('inspect')
    .summary('show what is in a file, and what would be rejected')
    .description(
      'Counts hashes, verified emails, social providers and duplicates, and makes every check that needs no database. It changes nothing, and asks a core only how fast its last imports were.',
    )
    .addArgument(filesArgument('an export, or NDJSON of native records'))
    .option(
      '--config <file>',
      "the core's config.yaml, for its ceilings and keys; its environment variables count too",
    )
    .option('--rejects <file>', 'where the reasons go, as NDJSON; left out: only the first few are shown')
    .option(
      '--propose',
      'of a table of your own: print the import command with its --map, tried on the first 1000 records, and why each column is mapped; of a known format: its import command',
    );
  addServerOptions(addIdPrefix(addInputOptions(addSampleOption(addJsonOption(command)))));
  addProviderFlags(command, providers);
  addShortHelp(command, { groups: mainOptions, examples: exampleLines, args: frame.args }).action(
    frame.action((files: readonly string[], options: InspectOptions) =>
      options.propose === true
        ? proposeImport(files, options, frame)
        : withInput(files, options, frame.surroundings, (input) => inspectInput(input, options, frame)),
    ),
  );
};

const exampleLines = [
  `${carryover} inspect firebase.json`,
  `${carryover} inspect keycloak-export/`,
  `${carryover} inspect shop.csv --propose`,
];

/** The options that `inspect --help` shows without `--all`. */
const mainOptions: readonly HelpGroup[] = [
  readingGroup,
  [
    'Inspecting:',
    {
      config: "the core's config.yaml, for its ceilings and keys",
      rejects: 'where the reasons go, as NDJSON',
      propose: 'print the import command for a table of your own',
      json: 'print one JSON object at the end, and nothing else',
      'show-samples': 'show emails and ids in full',
    },
  ],
  coreGroup,
];

async function inspectInput(
  input: Input,
  options: InspectOptions,
  { args, surroundings }: Frame,
): Promise<ExitCode> {
  const { rejects, showSamples } = options;
  refuseSameFile(rejects, filesOf(input), surroundings);
  const inspection = new Inspection(rulesFor(input, options, surroundings));
  const rules = { rejects, acceptsPart: true, countsAmbiguousDates: true };
  const found = await readInput(input, rules, surroundings, (source, log) =>
    checkLines(source, inspection, log, surroundings),
  );
  const { log, account, incomplete } = found;
  await log.close();
  const rate = await estimateRate(options, surroundings);
  const next = stepsAfter(args);
  const inspected: Inspected = { input, inspection, log, account, rate, incomplete, showSamples, next };
  if (options.json) surroundings.stdout.write(inspectedAsJson(inspected));
  else tell(surroundings, inspectedAsText(inspected));
  return log.count > 0 || hasLosses(account) || incomplete.length > 0 ? exitCodes.rejects : exitCodes.ok;
}

/** For the same file, read in the same way. */
function stepsAfter(args: readonly string[]): Step[] {
  const own = { switches: ['--json', '--show-samples'], valued: ['--config', '--rejects'] };
  const [of, ofCore] = [
    argumentsWithout(args, {
      switches: [...own.switches, '--insecure-http'],
      valued: [...own.valued, '--url', '--api-key', '--app'],
    }),
    argumentsWithout(args, own),
  ];
  return [
    {
      command: exactCommand(['plan', ...of]),
      reason: 'measures how long an import takes, and what its hashes cost',
    },
    {
      command: exactCommand(['import', ...ofCore, '--dry-run']),
      reason: 'shows what an import would do, in the core, and changes nothing',
    },
  ];
}

/** The rules by which a core with this configuration would check records. */
function rulesFor(
  { settings }: Input,
  { config: file }: InspectOptions,
  surroundings: Surroundings,
): InspectionRules {
  const config = coreConfig(file, secretsOf(settings.options), surroundings);
  const { signerKey: key, pepper, hashLimits } = config.defaults;
  return {
    limits: hashLimits,
    signerKey: key,
    pepper,
    allowPlainText: config.allowPlainTextImport,
    onConflict: 'update',
    dryRun: true,
    secondFactor: defaultSecondFactor,
    now: surroundings.now(),
  };
}
