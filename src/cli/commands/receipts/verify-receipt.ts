import path from 'node:path';
import { carryover } from '../../../process/called.ts';
import { keyNameOf } from '../../../receipts/envelope.ts';
import { ReceiptFault } from '../../../receipts/fault.ts';
import { type OpenedReceipt, openReceipt } from '../../../receipts/statement.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { asJson } from '../../output/answer.ts';
import { count, printable } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type AddCommand, addJsonOption, examples } from '../command.ts';
import {
  checkedFile,
  type CheckedLine,
  checkedLine,
  checkedLines,
  type CheckOptions,
  keyFor,
  readJson,
  type SignersKey,
} from './check.ts';

interface VerifyOptions extends CheckOptions {
  readonly json?: boolean;
}

/** `verify-receipt`: checks a receipt, and what it states of a file or a line, without a core. */
export const addVerifyReceipt: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('verify-receipt')
    .summary('check the receipt of an import, without a core')
    .description(
      'Checks the signatures of a receipt; with --file, whether that file was imported; with --proof, the outcome of one line; with --outcomes, all lines of the file and the outcome of each.',
    )
    .argument('<receipt>', 'the file that carryover receipt wrote')
    .option(
      '--key <key|file>',
      "the signer's public key in base64, or what carryover receipt-keys --json printed; left out: the key that the receipt itself names, which shows changes but not who signed",
    )
    .option(
      '--file <file>',
      'the file that was imported: of an export, what carryover convert makes of it for --proof and --outcomes',
    )
    .option('--proof <file>', 'the proof of one line: the line is read from --file or --line')
    .option('--line <file>', 'a file with that line alone; - for the standard input')
    .option('--outcomes <file>', 'what carryover receipt --outcomes wrote: every line of --file is checked');
  addJsonOption(command)
    .addHelpText(
      'after',
      examples(
        `${carryover} verify-receipt receipt.json --key keys.json`,
        `${carryover} verify-receipt receipt.json --key keys.json --proof line-7.proof --file users.ndjson`,
        `${carryover} verify-receipt receipt.json --file users.ndjson --outcomes outcomes.ndjson`,
      ),
    )
    .action(action((file: string, options: VerifyOptions) => verify(file, options, surroundings)));
};

async function verify(file: string, options: VerifyOptions, surroundings: Surroundings): Promise<ExitCode> {
  requireTogether(options);
  const where = { ...surroundings, at: (name: string) => path.resolve(surroundings.folder, name) };
  try {
    const receipt = await readJson(where.at(file));
    const { key, isTrusted } = await keyFor(receipt, options.key, where);
    const opened = openReceipt(receipt, key);
    const found = {
      file: await checkedFile(opened, options, where),
      line: await checkedLine(opened, options, where),
      lines: await checkedLines(opened, options, where),
    };
    const { stdout } = surroundings;
    const { facts, files } = opened;
    const answer = { key: keyNameOf(key), isKeyTrusted: isTrusted, ...found, files, receipt: facts };
    stdout.write(
      options.json === true
        ? asJson('verify-receipt', answer)
        : described(opened, { ...found, key, isTrusted }),
    );
    return exitCodes.ok;
  } catch (error) {
    if (!(error instanceof ReceiptFault)) throw error;
    throw new CommandError(`${file}: ${error.message}`, { cause: error, code: 'RECEIPT_WRONG', field: file });
  }
}

function requireTogether({ proof, line, file, outcomes }: VerifyOptions): void {
  const cure = (message: string, field: string): CommandError => new CommandError(message, { field });
  if (proof !== undefined && line === undefined && file === undefined)
    throw cure(
      '--proof: name the line that it proves: --file with all lines, or --line with that one',
      '--proof',
    );
  if (line !== undefined && proof === undefined) throw cure('--line: name its proof with --proof', '--line');
  if (outcomes !== undefined && file === undefined)
    throw cure('--outcomes: name the lines with --file', '--outcomes');
}

interface Found extends SignersKey {
  readonly file: string | undefined;
  readonly line: CheckedLine | undefined;
  readonly lines: number | undefined;
}

function described({ facts, files }: OpenedReceipt, { key, isTrusted, file, line, lines }: Found): string {
  const { job, app, counts, madeAt } = facts;
  const title = job.name === '' ? '' : ` (${printable(job.name)})`;
  const outcomes = Object.entries(counts).map(([outcome, number]) => `${outcome} ${count(number)}`);
  const name = Buffer.from(key).toString('base64');
  const signer = isTrusted
    ? ''
    : '; the receipt itself names this key: compare it with those of receipt-keys';
  return [
    `The receipt is as it was signed: job ${job.id}${title}, app ${app}, ${job.state}, receipt made ${madeAt}`,
    `  Key: ${name}${signer}`,
    `  Lines: ${count(facts.lines)}: ${outcomes.join(', ')}`,
    ...files.map((each) => `  File, as the sender stated: ${printable(each.name)}, SHA-256 ${each.sha256}`),
    ...(file === undefined ? [] : [`The file is the one that the receipt states as ${printable(file)}`]),
    ...(line === undefined ? [] : [`Line ${count(line.line)} was in the import: ${line.outcome}`]),
    ...(lines === undefined
      ? []
      : [`All ${count(lines)} lines, and the outcome of each, are those of the receipt`]),
    '',
  ].join('\n');
}
