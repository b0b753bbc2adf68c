import { carryover } from '../../process/called.ts';
import { providers } from '../../exports/providers/index.ts';
import { type AddCommand, addJsonOption, addSampleOption, filesArgument } from './command.ts';
import { addShortHelp, type HelpGroup, readingGroup } from './short-help.ts';
import { quoted } from '../confirm/exact.ts';
import { asJson } from '../output/answer.ts';
import { requireOut } from '../output/sink.ts';
import type { SampleOptions } from '../output/mask.ts';
import { readInput, withInput } from '../input/read-input.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { plural, printable } from '../output/format.ts';
import { addIdPrefix, addInputOptions, filesOf, type Input, type InputOptions } from '../input/input.ts';
import { addPartialOption, type PartialOptions, requireComplete } from '../input/incomplete.ts';
import { hasLosses } from '../../exports/fields/account.ts';
import { describeAccount } from '../output/accounting.ts';
import { describeIncomplete } from '../output/incomplete.ts';
import { linesOf, lineTooLong } from '../input/lines.ts';
import { lineBytesLimit } from '../../domain/line-limit.ts';
import { createProgress } from '../output/progress.ts';
import { addProviderFlags } from '../input/flags/provider-flags.ts';
import { describeRejects } from '../output/outcome.ts';
import type { RejectLog } from '../output/reject-log.ts';
import { refuseSameFile, writeOut } from '../output/sink.ts';
import type { UploadSource } from '../input/source.ts';
import type { Surroundings } from '../surroundings.ts';

interface ConvertOptions extends InputOptions, SampleOptions, PartialOptions {
  readonly json?: boolean;
  readonly out?: string;
  readonly rejects: string;
}

export const addConvert: AddCommand = (program, frame) => {
  const command = program
    .command('convert')
    .summary('write an export as native records')
    .description('Writes what import would send: one native record a line. Asks no core.')
    .addArgument(filesArgument('an export'))
    .option('-o, --out <file>', 'left out: the standard output')
    .option('--rejects <file>', 'where records go that cannot be converted', 'carryover-rejects.ndjson');
  addProviderFlags(
    addPartialOption(addIdPrefix(addInputOptions(addSampleOption(addJsonOption(command))))),
    providers,
  );
  addShortHelp(command, { groups: mainOptions, examples: exampleLines, args: frame.args }).action(
    frame.action((files: readonly string[], options: ConvertOptions) => {
      requireOut(options);
      return withInput(files, options, frame.surroundings, (input) =>
        convertInput(input, options, frame.surroundings),
      );
    }),
  );
};

const exampleLines = [
  `${carryover} convert auth0-users.ndjson --auth0-hashes hashes.ndjson`,
  `${carryover} convert laravel.csv -o users.ndjson`,
];

/** The options that `convert --help` shows without `--all`. */
const mainOptions: readonly HelpGroup[] = [
  readingGroup,
  [
    'Writing:',
    {
      out: 'the file to write; left out: the standard output',
      rejects: 'where records go that cannot be converted',
      json: 'print one JSON object at the end, and nothing else',
      'show-samples': 'show emails and ids in full',
    },
  ],
];

async function convertInput(
  input: Input,
  options: ConvertOptions,
  surroundings: Surroundings,
): Promise<ExitCode> {
  for (const written of [options.out, options.rejects]) refuseSameFile(written, filesOf(input), surroundings);
  const { stdout, stderr } = surroundings;
  const acceptsPart = options.partial === true;
  await requireComplete(input, { isPartial: acceptsPart, checksTotals: false }, surroundings);
  const {
    result: converted,
    log,
    account,
    incomplete,
  } = await readInput(input, { rejects: options.rejects, acceptsPart }, surroundings, (source, rejects) =>
    convertSource(source, { log: rejects, out: options.out, surroundings }),
  );
  await log.close();
  const lines = [
    `${plural(converted, 'record')} converted${options.out === undefined ? '' : `, written to ${printable(options.out)}`}`,
    ...(log.count > 0
      ? [`${plural(log.count, 'record')} rejected:`, ...describeRejects(log.groups, 'record', options)]
      : []),
    ...(log.count > 0 ? [`All that was not converted: ${options.rejects}`] : []),
    ...describeAccount(account, 'record'),
    ...describeIncomplete(incomplete),
  ];
  stderr.write(`${lines.join('\n')}\n`);
  if (options.json === true) {
    const { out = '', rejects } = options;
    const next = {
      command: `${carryover} import ${quoted(out)} --dry-run`,
      reason: 'shows what an import of these records would do',
    };
    const view = { converted, out, incomplete, account, rejected: log.count };
    stdout.write(asJson('convert', { ...view, ...(log.count > 0 && { rejects }) }, [next]));
  }
  return log.count > 0 || hasLosses(account) ? exitCodes.rejects : exitCodes.ok;
}

interface Converting {
  readonly log: RejectLog;
  readonly out: string | undefined;
  readonly surroundings: Surroundings;
}

/** @returns the number of written records */
async function convertSource(source: UploadSource, { log, out, surroundings }: Converting): Promise<number> {
  const { stderr, now, interrupt } = surroundings;
  const progress = createProgress({ output: stderr, totalBytes: source.fileBytes, now });
  const tally = { records: 0, bytes: 0 };
  const batches = recordsOf(source.open(0, interrupt), log, tally);
  const shown = async function* (): AsyncGenerator<Uint8Array> {
    for await (const batch of batches) {
      yield batch;
      const bytes = source.fileBytesAt(tally.bytes);
      progress.update({ bytes, records: tally.records, rejected: log.count });
    }
  };
  try {
    await writeOut(shown(), out, surroundings);
  } finally {
    progress.stop();
  }
  return tally.records;
}

const newline = Uint8Array.of(10);
const batchBytes = 65_536;

/** Without the empty lines that represent rejected records: a reader of NDJSON need not expect them. */
async function* recordsOf(
  chunks: AsyncIterable<Uint8Array>,
  log: RejectLog,
  tally: { records: number; bytes: number },
): AsyncGenerator<Uint8Array> {
  let batch: Uint8Array[] = [];
  let waiting = 0;
  let lines = 0;
  for await (const line of linesOf(chunks)) {
    lines += 1;
    tally.bytes += line.length + 1;
    if (line.length === 0) continue;
    if (line.length > lineBytesLimit) {
      await log.add([lineTooLong(lines)]);
      continue;
    }
    tally.records += 1;
    batch.push(line.slice(), newline);
    waiting += line.length + 1;
    if (waiting < batchBytes) continue;
    yield Buffer.concat(batch);
    batch = [];
    waiting = 0;
  }
  yield Buffer.concat(batch);
}
