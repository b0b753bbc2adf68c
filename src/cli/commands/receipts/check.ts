/** What is checked of a receipt, each from files alone. */

import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { carryover } from '../../../process/called.ts';
import { treeOfLines } from '../../../receipts/audit.ts';
import { ReceiptFault } from '../../../receipts/fault.ts';
import type { OpenedReceipt } from '../../../receipts/import-receipt.ts';
import { digestOfLine } from '../../../receipts/leaf.ts';
import { type OutcomeRun, runIn, secretIn } from '../../../receipts/outcome-list.ts';
import { decodedProof, requireProven } from '../../../receipts/proof.ts';
import { EntryTree, type OpenedMoveReceipt } from '../../../receipts/move-receipt.ts';
import { unverified } from '../../../receipts/statement.ts';
import { sha256Of } from '../../client/receipts.ts';
import { CommandError, fileError } from '../../command-error.ts';
import { linesOf } from '../../input/lines.ts';
import type { Surroundings } from '../../surroundings.ts';

export interface CheckOptions {
  readonly key?: string;
  readonly file?: string;
  readonly line?: string;
  readonly proof?: string;
  readonly outcomes?: string;
  readonly entries?: string;
}

export interface Where extends Surroundings {
  readonly at: (name: string) => string;
}

export async function readJson(file: string): Promise<unknown> {
  const text = await read(file);
  try {
    return JSON.parse(text.toString('utf8'));
  } catch (error) {
    throw new ReceiptFault('is not JSON', { cause: error });
  }
}

async function read(file: string): Promise<Buffer> {
  return readFile(file).catch((error: unknown) => {
    throw fileError(file, error);
  });
}

export interface SignersKey {
  readonly key: Uint8Array;
  readonly isTrusted: boolean;
}

const base64Key = /^[A-Za-z0-9+/]{43}=$/;

export async function keyFor(
  receipt: unknown,
  given: string | undefined,
  { at }: Where,
): Promise<SignersKey> {
  const { key: named } = unverified(receipt);
  if (given === undefined) return { key: named, isTrusted: false };
  const texts = base64Key.test(given) ? [given] : await keysIn(at(given));
  const keys = texts.map((text) => Buffer.from(text, 'base64'));
  const key = keys.find((each) => each.equals(named)) ?? keys[0];
  if (key === undefined) throw new CommandError(`${given}: holds no key`, { field: '--key' });
  return { key, isTrusted: true };
}

async function keysIn(file: string): Promise<string[]> {
  const { keys = [] } = (await readJson(file)) as { readonly keys?: readonly { readonly ed25519: string }[] };
  const texts = keys.map(({ ed25519 }) => ed25519).filter((key) => base64Key.test(key));
  if (texts.length > 0) return texts;
  throw new CommandError(
    `${file}: holds no keys: give a public key in base64, or a file that '${carryover} receipt-keys --json' printed`,
    { field: '--key' },
  );
}

/** @returns the name under which the receipt states the file; undefined if it does not */
export async function checkedFile(
  { files }: OpenedReceipt,
  { file, proof, outcomes }: CheckOptions,
  { at, interrupt }: Where,
): Promise<string | undefined> {
  if (file === undefined) return undefined;
  const sha256 = await sha256Of(at(file), interrupt);
  const stated = files.find((each) => each.sha256 === sha256);
  if (stated !== undefined || proof !== undefined || outcomes !== undefined) return stated?.name;
  throw new ReceiptFault(
    files.length === 0
      ? `states no files: check the lines of ${file} with --outcomes`
      : `states another SHA-256 than that of ${file}, for ${files.map(({ name }) => name).join(', ')}`,
  );
}

export interface CheckedLine {
  readonly line: number;
  readonly outcome: string;
}

export async function checkedLine(
  { checkpoint }: OpenedReceipt,
  { file, line, proof: name }: CheckOptions,
  { at, stdin }: Where,
): Promise<CheckedLine | undefined> {
  if (name === undefined) return undefined;
  const proof = decodedProof(await read(at(name)));
  const source = line === '-' ? stdin : createReadStream(at(line ?? file ?? ''));
  const number = line === undefined ? proof.line : 1;
  requireProven(proof, digestOfLine(await lineAt(source, number)), checkpoint);
  return { line: proof.line, outcome: proof.outcome };
}

async function lineAt(source: AsyncIterable<Uint8Array>, number: number): Promise<Uint8Array> {
  let place = 0;
  for await (const line of uploadedLines(source)) if (++place === number) return Buffer.from(line);
  throw new ReceiptFault(`there is no line ${number} in the file of the line, which has ${place}`);
}

/** @returns their number, if they were checked */
export async function checkedLines(
  { checkpoint }: OpenedReceipt,
  { file, outcomes }: CheckOptions,
  { at }: Where,
): Promise<number | undefined> {
  if (file === undefined || outcomes === undefined) return undefined;
  const list = linesOf(createReadStream(at(outcomes)))[Symbol.asyncIterator]();
  const head = await list.next();
  const secret = secretIn(textOf(head.done === true ? Buffer.of() : head.value));
  const lines = uploadedLines(createReadStream(at(file)));
  const { size, root } = await treeOfLines(lines, runsIn(list), secret);
  if (size !== checkpoint.size) throw new ReceiptFault(`is of ${checkpoint.size} lines, ${file} has ${size}`);
  if (!Buffer.from(root).equals(checkpoint.root))
    throw new ReceiptFault(
      `a line of ${file}, or its outcome in ${outcomes}, is another than in the receipt`,
    );
  return size;
}

/** @returns their number, if they were checked */
export async function checkedEntries(
  { checkpoint }: OpenedMoveReceipt,
  { entries }: CheckOptions,
  { at }: Where,
): Promise<number | undefined> {
  if (entries === undefined) return undefined;
  const tree = new EntryTree();
  for await (const line of linesOf(createReadStream(at(entries)))) tree.add(line);
  const { size, root } = tree;
  if (size !== checkpoint.size)
    throw new ReceiptFault(`is of ${checkpoint.size} entries, ${entries} has ${size}`);
  if (!root.equals(checkpoint.root))
    throw new ReceiptFault(`an entry of ${entries} is another than in the receipt`);
  return size;
}

async function* runsIn(lines: AsyncIterator<Uint8Array>): AsyncGenerator<OutcomeRun> {
  for (let next = await lines.next(); next.done !== true; next = await lines.next())
    yield runIn(textOf(next.value));
}

function textOf(line: Uint8Array): string {
  return Buffer.from(line).toString('utf8');
}

const byteOrderMark = Buffer.from('\ufeff');

/** As a core reads an upload. */
async function* uploadedLines(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let isFirst = true;
  for await (const line of linesOf(source)) {
    const hasMark = isFirst && byteOrderMark.equals(line.subarray(0, byteOrderMark.length));
    yield hasMark ? line.subarray(byteOrderMark.length) : line;
    isFirst = false;
  }
}
