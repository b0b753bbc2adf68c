/** Files of known passwords: CSV with a header row, or NDJSON. */

import path from 'node:path';
import { ExportFault } from '../../exports/providers/provider.ts';
import { readRows } from '../../exports/readers/csv.ts';
import { openInput } from '../../exports/readers/input.ts';
import { CommandError } from '../command-error.ts';
import { linesOf } from '../input/lines.ts';
import type { Surroundings } from '../surroundings.ts';

/** A user with a known password, as in the file: neither trimmed nor normalised, except for the email. */
export interface KnownPair {
  /** Its record in the file, from 1. */
  readonly row: number;
  /** Trimmed and in lower case. */
  readonly email: string | undefined;
  readonly hash: string | undefined;
  readonly hashingAlgorithm: string | undefined;
  readonly password: string | undefined;
  /** A one-time code, and when the user's device showed it. */
  readonly code: string | undefined;
  readonly time: string | undefined;
}

/** More would take hours, where each is verified. */
const pairsLimit = 10_000;

type Fields = Readonly<Record<string, unknown>>;

/**
 * @param limit of the pairs
 * @throws CommandError, which names the row but does not repeat its content
 */
export async function readPairs(
  file: string,
  { folder }: Pick<Surroundings, 'folder'>,
  limit = pairsLimit,
): Promise<KnownPair[]> {
  if (file === '-')
    throw new CommandError('Known passwords are not read from the standard input: write them to a file');
  const at = path.resolve(folder, file);
  const pairs: KnownPair[] = [];
  try {
    for await (const fields of (await isJson(at)) ? objectsOf(at, file) : cellsOf(at, file)) {
      pairs.push(pairOf(fields, pairs.length + 1));
      if (pairs.length > limit) throw new CommandError(`${file}: has more than ${limit} pairs`);
    }
  } catch (error) {
    if (!(error instanceof ExportFault)) throw error;
    throw new CommandError(error.message.startsWith(at) ? error.message : `${file}: ${error.message}`);
  }
  if (pairs.length === 0) throw new CommandError(`${file}: holds no known passwords`);
  return pairs;
}

async function isJson(at: string): Promise<boolean> {
  const { chunks } = await openInput(at);
  for await (const chunk of chunks) {
    const text = chunk.toString('latin1').trimStart();
    if (text !== '') return text.startsWith('{');
  }
  return false;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

async function* objectsOf(at: string, file: string): AsyncGenerator<Fields> {
  const { chunks } = await openInput(at);
  let row = 0;
  for await (const line of linesOf(chunks)) {
    if (line.length === 0) continue;
    row += 1;
    yield objectOf(line, `${file}: row ${row} is no JSON object on one line`);
  }
}

function objectOf(line: Uint8Array, message: string): Fields {
  try {
    const value: unknown = JSON.parse(decoder.decode(line));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  } catch {
    // The cause is left out: it quotes the line, which contains a password.
  }
  throw new CommandError(message);
}

async function* cellsOf(at: string, file: string): AsyncGenerator<Fields> {
  const rows = readRows(await openInput(at));
  let names: readonly string[] | undefined;
  for await (const row of rows) {
    if (names === undefined) {
      names = row.map((cell) => cell.trim());
      if (!names.some((name) => ['password', 'code'].includes(canonical(name) ?? '')))
        throw new CommandError(
          `${file}: needs a header row with the columns email and password, or email, code and time`,
        );
      continue;
    }
    yield Object.fromEntries(names.map((name, column) => [name, row[column] ?? '']));
  }
}

const namesOf: Readonly<Record<string, string>> = {
  email: 'email',
  hash: 'hash',
  passwordhash: 'hash',
  hashingalgorithm: 'hashingAlgorithm',
  password: 'password',
  code: 'code',
  totp: 'code',
  time: 'time',
  at: 'time',
};

function canonical(name: string): string | undefined {
  return namesOf[name.toLowerCase().replaceAll(/[^a-z]/g, '')];
}

function pairOf(fields: Fields, row: number): KnownPair {
  const found: Record<string, string> = {};
  for (const [name, value] of Object.entries(fields)) {
    const known = canonical(name);
    const text = known === 'time' && typeof value === 'number' ? String(value) : value;
    if (known !== undefined && typeof text === 'string' && text !== '') found[known] ??= text;
  }
  const { email, hash, hashingAlgorithm, password, code, time } = found;
  return { row, email: email?.trim().toLowerCase(), hash, hashingAlgorithm, password, code, time };
}
