import { once } from '../../exports/readers/input.ts';
import { type Command, Option } from 'commander';
import { carryover } from '../../process/called.ts';
import { providers } from '../../exports/providers/index.ts';
import { defaultSecondFactor, secondFactorRules } from '../../imports/model.ts';
import { addServerOptions, type Core, flagsFor, type ServerOptions, withCore } from '../client/server.ts';
import { CommandError, type ExitCode, exitCodes, type Step } from '../command-error.ts';
import { compareWith, type CompareOptions } from '../compare/compare.ts';
import { pageOf } from '../compare/page.ts';
import { type ComparedSource, type SourceOptions, withSource } from '../compare/source.ts';
import { type ComparisonSummary, summaryText } from '../compare/summary.ts';
import { quoted } from '../confirm/exact.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';
import { addIdPrefix, addInputOptions } from '../input/input.ts';
import { addTableOptions } from '../input/old-database.ts';
import { asJson } from '../output/answer.ts';
import { refuseSameFile, writeOut } from '../output/sink.ts';
import { tell } from '../output/terminal.ts';
import type { Surroundings } from '../surroundings.ts';
import { type AddCommand, addJsonOption, filesArgument, type Frame } from './command.ts';
import { addShortHelp, coreGroup, type HelpGroup, readingGroup } from './short-help.ts';

interface CompareCommandOptions extends ServerOptions, SourceOptions, CompareOptions {
  /** The file of a page for people. */
  readonly page?: string;
  readonly json?: boolean;
}

const exampleLines = [
  `${carryover} compare "$DATABASE_URL" --from laravel -o differences.ndjson`,
  `${carryover} compare users.ndjson --repair-to repair.ndjson --json`,
];

/** The options that `compare --help` shows without `--all`. */
const mainOptions: readonly HelpGroup[] = [
  readingGroup,
  [
    'Comparing:',
    {
      out: 'file of the differences, as NDJSON',
      'repair-to': 'file of the records that settle them',
      page: 'file of the counts, as HTML',
      source: 'label of the source, as its imports had it',
      'second-factor': 'as the imports had it',
      'same-ids': 'as the imports had it',
      json: 'print one JSON object at the end, and nothing else',
    },
  ],
  coreGroup,
];

export const addCompare: AddCommand = (program, frame) => {
  const command = program
    .command('compare')
    .summary('compare an old system with the users here')
    .description(
      'Finds what is not the same at the source and here, and changes nothing. Ends with 0 if every difference is explained.',
    )
    .addArgument(
      filesArgument(
        'the address of a database, as for export-from; or a whole export, or NDJSON of native records',
      ),
    )
    .option('-o, --out <file>', 'where the differences go, as NDJSON; left out: they are only counted')
    .option(
      '--repair-to <file>',
      'where the records go whose import settles what is unexplained here; they hold password hashes',
    );
  command.option('--page <file>', 'where the counts go, as a page of HTML');
  addComparedOptions(command);
  addServerOptions(addTableOptions(addIdPrefix(addInputOptions(addJsonOption(command)))));
  addProviderFlags(command, providers);
  addShortHelp(command, { groups: mainOptions, examples: exampleLines, args: frame.args }).action(
    frame.action((given: readonly string[], options: CompareCommandOptions) =>
      compare(given, options, frame),
    ),
  );
};

function addComparedOptions(command: Command): void {
  command
    .option('--source <label>', 'label of the source, if its imports had one (import --source)')
    .option('--same-ids', 'as its imports had it: an external id alone means the same person')
    .addOption(
      new Option('--second-factor <how>', 'as its imports had it')
        .choices(secondFactorRules)
        .default(defaultSecondFactor),
    );
}

async function compare(
  given: readonly string[],
  options: CompareCommandOptions,
  { surroundings }: Frame,
): Promise<ExitCode> {
  const { summary, title, flags } = await withCore(options, surroundings, async (core) => {
    await requireSource(core, options, surroundings);
    // The core adds the prefix, as it does for an import.
    const reading = { ...options, idPrefix: undefined };
    return withSource(given, reading, surroundings, async (source: ComparedSource) => {
      for (const file of [options.out, options.repairTo, options.page])
        refuseSameFile(file, source.files, surroundings);
      const summary = await compareWith(core, source, options, surroundings);
      return { summary, title: source.title, flags: flagsFor(core.server) };
    });
  });
  if (options.page !== undefined)
    await writeOut(once(Buffer.from(pageOf(summary, title))), options.page, surroundings);
  const next = stepsAfter(summary, options, flags);
  if (options.json === true) surroundings.stdout.write(asJson('compare', summary, next));
  else tell(surroundings, `${summaryText(summary, title)}${next.map(stepText).join('')}`);
  return summary.unexplained === 0 ? exitCodes.ok : exitCodes.rejects;
}

/** With a wrong label all imported users would seem to be made here. @throws CommandError */
async function requireSource(
  { client }: Core,
  { source = '' }: CompareCommandOptions,
  { interrupt }: Surroundings,
): Promise<void> {
  const imports = (await client.jobs(interrupt)).filter(({ dryRun }) => !dryRun);
  const labels = new Set(imports.map((job) => job.source ?? ''));
  if (labels.size === 0 || labels.has(source)) return;
  const named = [...labels].filter((label) => label !== '').map((label) => JSON.stringify(label));
  const known = [...named, ...(labels.has('') ? ['none'] : [])].join(', ');
  throw new CommandError(
    `No import here had ${source === '' ? 'no --source' : `--source ${JSON.stringify(source)}`}. The labels of imports here: ${known}. Give the one of these users`,
    { code: 'UNKNOWN_SOURCE', field: '--source' },
  );
}

function stepsAfter(
  { unexplained, users }: ComparisonSummary,
  { repairTo, source, idPrefix, secondFactor, sameIds }: CompareCommandOptions,
  flags: string,
): Step[] {
  if (unexplained === 0) return [];
  const own = [
    source === undefined ? '' : ` --source ${quoted(source)}`,
    idPrefix === undefined ? '' : ` --id-prefix ${quoted(idPrefix)}`,
    secondFactor === defaultSecondFactor ? '' : ` --second-factor ${secondFactor}`,
    sameIds === true ? ' --same-ids' : '',
  ].join('');
  const settles = {
    command: `${carryover} import ${quoted(repairTo ?? '')}${own}${flags} --yes`,
    reason: 'settles what is missing here or was changed there',
  };
  return repairTo !== undefined && users.missingHere + users.different > users.changedHere ? [settles] : [];
}

function stepText({ command, reason }: Step): string {
  return `To go on: ${command}\n  ${reason}\n`;
}
