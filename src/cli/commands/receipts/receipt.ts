import path from 'node:path';
import { InvalidArgumentError } from 'commander';
import { once } from '../../../exports/readers/input.ts';
import { carryover } from '../../../process/called.ts';
import { encodedProof } from '../../../receipts/proof.ts';
import { makeReceipt, type ProofView, receiptPath } from '../../client/receipts.ts';
import { addServerOptions, type Core, type ServerOptions, withImport } from '../../client/server.ts';
import { CommandError, type ExitCode, exitCodes, type Step } from '../../command-error.ts';
import { quoted } from '../../confirm/exact.ts';
import { asJson } from '../../output/answer.ts';
import { count, printable } from '../../output/format.ts';
import { writeOut } from '../../output/sink.ts';
import type { Surroundings } from '../../surroundings.ts';
import { type AddCommand, addJsonOption, examples } from '../command.ts';

interface ReceiptOptions extends ServerOptions {
  readonly out?: string;
  readonly file: readonly string[];
  readonly line?: number;
  readonly outcomes?: string;
  readonly json?: boolean;
}

/** `receipt`: the signed receipt of an import, the proof of one of its lines, and what an audit of the whole file needs. */
export const addReceipt: AddCommand = (program, { surroundings, action }) => {
  const command = program
    .command('receipt')
    .summary('write the signed receipt of an import')
    .description(
      'Writes the signed receipt of an import that was begun with --receipt: the outcome of its lines, by which settings and versions. It is made once; carryover verify-receipt checks it without a core.',
    )
    .argument('<job>', 'id of the import, as carryover jobs lists it')
    .option('-o, --out <file>', 'left out: the standard output')
    .option(
      '--file <file>',
      'a file that was imported, whose SHA-256 the receipt shall state; only when it is made; may be repeated',
      (file: string, before: readonly string[]) => [...before, file],
      [],
    )
    .option(
      '--line <number>',
      'write the proof of this line in place of the receipt: under a kilobyte, and it reveals no other line',
      parseLine,
    )
    .option(
      '--outcomes <file>',
      'also write the outcome of every line, with the secret that an audit of the whole file needs: only for people who may have the file',
    );
  addServerOptions(addJsonOption(command))
    .addHelpText(
      'after',
      examples(
        `${carryover} receipt 0198c0de-… -o receipt.json`,
        `${carryover} receipt 0198c0de-… --line 1234 -o line-1234.proof`,
        `${carryover} verify-receipt receipt.json --proof line-1234.proof --file users.ndjson`,
      ),
    )
    .action(action((id: string, options: ReceiptOptions) => write(id, options, surroundings)));
};

function parseLine(text: string): number {
  const line = Number(text);
  if (/^\d{1,15}$/.test(text) && line >= 1) return line;
  throw new InvalidArgumentError('It takes the number of a line, from 1.');
}

async function write(id: string, options: ReceiptOptions, surroundings: Surroundings): Promise<ExitCode> {
  const { out, json, outcomes } = options;
  if (json === true && out === undefined)
    throw new CommandError('--json: the standard output is for the answer: name a file with --out', {
      field: '--out',
    });
  const written = await withImport(id, options, surroundings, async (core) => {
    if (outcomes !== undefined)
      await writeOut(await core.client.outcomes(id, surroundings.interrupt), outcomes, surroundings);
    return options.line === undefined
      ? writeReceipt(id, options, core, surroundings)
      : writeProof(id, options.line, options, core, surroundings);
  });
  if (json === true)
    surroundings.stdout.write(asJson('receipt', { job: id, out, outcomes, ...written.what }, written.next));
  else if (out !== undefined) surroundings.stderr.write(`${written.text}\n`);
  return exitCodes.ok;
}

interface Written {
  readonly text: string;
  readonly what: object;
  readonly next: readonly Step[];
}

async function writeReceipt(
  id: string,
  { file: files, out = '' }: ReceiptOptions,
  { client }: Core,
  surroundings: Surroundings,
): Promise<Written> {
  const { folder, interrupt } = surroundings;
  const named = files.map((file) => path.resolve(folder, file));
  const receipt = await makeReceipt(client, id, named, interrupt);
  await writeOut(
    once(Buffer.from(`${JSON.stringify(receipt)}\n`)),
    out === '' ? undefined : out,
    surroundings,
  );
  const command = `${carryover} verify-receipt ${quoted(out)}`;
  return {
    text: `The receipt is in ${printable(out)}. To check it: ${command}`,
    what: {},
    next: [{ command, reason: 'checks the receipt without a core' }],
  };
}

async function writeProof(
  id: string,
  line: number,
  { out }: ReceiptOptions,
  { client }: Core,
  surroundings: Surroundings,
): Promise<Written> {
  const proof = await client.call<ProofView>({
    method: 'GET',
    path: `${receiptPath(id)}/proof?line=${line}`,
    signal: surroundings.interrupt,
  });
  const { of, outcome } = proof;
  const salt = Buffer.from(proof.salt, 'base64');
  const bytes = encodedProof({ line, of, outcome, salt, path: Buffer.from(proof.path, 'base64') });
  await writeOut(once(bytes), out, surroundings);
  return {
    text: `Line ${count(line)} of ${count(of)}: ${outcome}. Its proof is in ${printable(out ?? '')}`,
    what: { line, of, outcome },
    next: [],
  };
}
