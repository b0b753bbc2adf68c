import path from 'node:path';
import { carryover } from '../../process/called.ts';
import { defaultSecondFactor } from '../../imports/model.ts';
import { providers } from '../../exports/providers/index.ts';
import { type AddCommand, addJsonOption, addSampleOption, filesArgument, type Frame } from './command.ts';
import { addShortHelp, coreGroup, type HelpGroup, readingGroup } from './short-help.ts';
import { type Account, hasLosses } from '../../exports/fields/account.ts';
import type { Reject } from '../../imports/model.ts';
import { withSource } from '../input/with-source.ts';
import { coreConfig, secretsOf } from '../input/core-config.ts';
import {
  estimateRate,
  type Inspected,
  inspectedAsJson,
  inspectedAsText,
} from '../inspect/inspection-report.ts';
import type { Incomplete } from '../../exports/readers/ending.ts';
import { shownOf } from '../output/incomplete.ts';
import { type ExitCode, exitCodes, type Step } from '../command-error.ts';
import { argumentsWithout, exactCommand } from '../confirm/exact.ts';
import type { SampleOptions } from '../output/mask.ts';
import {
  addIdPrefix,
  addInputOptions,
  filesOf,
  type Input,
  type InputOptions,
  openInput,
  removeSpooled,
} from '../input/input.ts';
import { proposeImport } from '../inspect/propose-import.ts';
import { Inspection, type InspectionRules } from '../inspect/inspection.ts';
import { linesOf } from '../input/lines.ts';
import { createProgress } from '../output/progress.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';
import { RejectLog } from '../output/reject-log.ts';
import { tell } from '../output/terminal.ts';
import { addServerOptions, type ServerOptions } from '../client/server.ts';
import { refuseSameFile } from '../output/sink.ts';
import type { UploadSource } from '../input/source.ts';
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
      options.propose === true ? proposeImport(files, options, frame) : inspectFile(files, options, frame),
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

async function inspectFile(
  files: readonly string[],
  options: InspectOptions,
  { args, surroundings }: Frame,
): Promise<ExitCode> {
  const input = await openInput(files, options, surroundings);
  try {
    refuseSameFile(options.rejects, filesOf(input), surroundings);
    const rejectsFile = options.rejects && path.resolve(surroundings.folder, options.rejects);
    const log = new RejectLog(rejectsFile, input.places);
    const inspection = new Inspection(rulesFor(input, options, surroundings));
    let account: Account | undefined;
    let incomplete: readonly Incomplete[] = [];
    const listeners = {
      onRejects: (rejects: readonly Reject[]) => log.add(rejects),
      onAccount: (found: Account) => void (account = found),
      onIncomplete: (found: readonly Incomplete[]) => void (incomplete = shownOf(input, found, surroundings)),
      countsAmbiguousDates: true,
    };
    await withSource(input, listeners, surroundings, (source) =>
      inspectAll(source, { inspection, log, surroundings }),
    );
    await log.close();
    const rate = await estimateRate(options, surroundings);
    const { showSamples } = options;
    const found = { input, inspection, log, account, rate, incomplete };
    const inspected: Inspected = { ...found, showSamples, next: stepsAfter(args) };
    if (options.json) surroundings.stdout.write(inspectedAsJson(inspected));
    else tell(surroundings, inspectedAsText(inspected));
    return log.count > 0 || hasLosses(account) || incomplete.length > 0 ? exitCodes.rejects : exitCodes.ok;
  } finally {
    await removeSpooled(input);
  }
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

interface Inspecting {
  readonly inspection: Inspection;
  readonly log: RejectLog;
  readonly surroundings: Surroundings;
}

async function inspectAll(
  source: UploadSource,
  { inspection, log, surroundings }: Inspecting,
): Promise<void> {
  const { stderr, now, interrupt } = surroundings;
  const progress = createProgress({ output: stderr, totalBytes: source.fileBytes, now });
  let bytes = 0;
  let lines = 0;
  try {
    for await (const line of linesOf(source.open(0, interrupt))) {
      lines += 1;
      bytes += line.length + 1;
      const reject = inspection.add(line, lines);
      if (reject) await log.add([reject]);
      if (lines % 2000 === 0)
        progress.update({
          bytes: source.fileBytesAt(bytes),
          records: inspection.findings.records,
          rejected: log.count,
        });
    }
  } finally {
    progress.stop();
  }
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
