import path from 'node:path';
import { carryover } from '../../../process/called.ts';
import { keyNameOf } from '../../../receipts/envelope.ts';
import { ReceiptFault } from '../../../receipts/fault.ts';
import { type OpenedReceipt, openReceipt } from '../../../receipts/import-receipt.ts';
import { moveReceipt, type OpenedMoveReceipt, openMoveReceipt } from '../../../receipts/move-receipt.ts';
import { unverified } from '../../../receipts/statement.ts';
import { CommandError, type ExitCode, exitCodes } from '../../command-error.ts';
import { asJson } from '../../output/answer.ts';
import { count, printable } from '../../output/format.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type AddCommand, addJsonOption, examples } from '../command.ts';
import {
  checkedEntries,
  checkedFile,
  type CheckedLine,
  checkedLine,
  checkedLines,
  type CheckOptions,
  keyFor,
  readJson,
  type SignersKey,
  type Where,
} from './check.ts';

interface VerifyOptions extends CheckOptions {
  readonly json?: boolean;
}

/** `verify-receipt`: checks a receipt, and what it states of a file, a line or a move, without a core. */
export const addVerifyReceipt: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('verify-receipt')
    .summary('check the receipt of an import or a move, without a core')
    .description(
      'Checks the signatures of a receipt; with --file, whether that file was imported; with --proof, the outcome of one line; with --outcomes, all lines of the file and the outcome of each; with --entries, the history and the imports of a move.',
    )
    .argument('<receipt>', 'the file that carryover receipt, or move receipt, wrote')
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
    .option('--outcomes <file>', 'what carryover receipt --outcomes wrote: every line of --file is checked')
    .option('--entries <file>', 'what carryover move receipt --entries wrote');
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
    const signer = await keyFor(receipt, options.key, where);
    const isOfMove = unverified(receipt).type === moveReceipt.type;
    const { answer, text } = await (isOfMove ? verifiedMove : verifiedImport)(
      receipt,
      signer,
      options,
      where,
    );
    const { key, isTrusted } = signer;
    surroundings.stdout.write(
      options.json === true
        ? asJson('verify-receipt', { key: keyNameOf(key), isKeyTrusted: isTrusted, ...answer })
        : text,
    );
    return exitCodes.ok;
  } catch (error) {
    if (!(error instanceof ReceiptFault)) throw error;
    throw new CommandError(`${file}: ${error.message}`, { cause: error, code: 'RECEIPT_WRONG', field: file });
  }
}

interface Verified {
  /** For --json. */
  readonly answer: object;
  readonly text: string;
}

async function verifiedImport(
  receipt: unknown,
  signer: SignersKey,
  options: VerifyOptions,
  where: Where,
): Promise<Verified> {
  requireOptions(options, ['entries'], 'an import');
  const opened = openReceipt(receipt, signer.key);
  const found = {
    file: await checkedFile(opened, options, where),
    line: await checkedLine(opened, options, where),
    lines: await checkedLines(opened, options, where),
  };
  const { facts, files } = opened;
  return { answer: { ...found, files, receipt: facts }, text: described(opened, { ...found, ...signer }) };
}

async function verifiedMove(
  receipt: unknown,
  signer: SignersKey,
  options: VerifyOptions,
  where: Where,
): Promise<Verified> {
  requireOptions(options, ['file', 'proof', 'line', 'outcomes'], 'a move');
  const opened = openMoveReceipt(receipt, signer.key);
  const entries = await checkedEntries(opened, options, where);
  return { answer: { entries, receipt: opened.facts }, text: describedMove(opened, { ...signer, entries }) };
}

/** @throws CommandError for an option of another kind of receipt */
function requireOptions(
  options: VerifyOptions,
  others: readonly Exclude<keyof CheckOptions, 'key'>[],
  name: string,
): void {
  const given = others.find((each) => options[each] !== undefined);
  if (given !== undefined)
    throw new CommandError(`--${given}: this is the receipt of ${name}, which has none`, {
      field: `--${given}`,
    });
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

function signedBy({ key, isTrusted }: SignersKey): string {
  const name = Buffer.from(key).toString('base64');
  const signer = isTrusted
    ? ''
    : '; the receipt itself names this key: compare it with those of receipt-keys';
  return `  Key: ${name}${signer}`;
}

function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([outcome, number]) => `${outcome} ${count(number)}`)
    .join(', ');
}

function described({ facts, files }: OpenedReceipt, { file, line, lines, ...signer }: Found): string {
  const { job, app, counts, madeAt } = facts;
  const title = job.name === '' ? '' : ` (${printable(job.name)})`;
  return [
    `The receipt is as it was signed: job ${job.id}${title}, app ${app}, ${job.state}, receipt made ${madeAt}`,
    signedBy(signer),
    `  Lines: ${count(facts.lines)}: ${countsText(counts)}`,
    ...files.map((each) => `  File, as the sender stated: ${printable(each.name)}, SHA-256 ${each.sha256}`),
    ...(file === undefined ? [] : [`The file is the one that the receipt states as ${printable(file)}`]),
    ...(line === undefined ? [] : [`Line ${count(line.line)} was in the import: ${line.outcome}`]),
    ...(lines === undefined
      ? []
      : [`All ${count(lines)} lines, and the outcome of each, are those of the receipt`]),
    '',
  ].join('\n');
}

function describedMove(
  { facts }: OpenedMoveReceipt,
  { entries, ...signer }: SignersKey & { readonly entries: number | undefined },
): string {
  const { move, app, events, imports, counts, madeAt } = facts;
  const { system, address, number, startedAt, closedAt, isAbandoned } = move;
  const source = [system, address ?? 'files'].map(printable).join(', ');
  const end = isAbandoned ? 'abandoned' : 'closed';
  return [
    `The receipt is as it was signed: move ${number} of the app ${app} from ${source}, begun ${startedAt}, ${end} ${closedAt}, receipt made ${madeAt}`,
    signedBy(signer),
    `  Events: ${count(events)}`,
    `  Imports: ${count(imports)}; their lines: ${countsText(counts)}`,
    ...(entries === undefined ? [] : [`All ${count(entries)} events and imports are those of the receipt`]),
    '',
  ].join('\n');
}
