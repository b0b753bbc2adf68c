/** Looks up the records of some people in a file of users, converted while it is read. */

import { Writable } from 'node:stream';
import { lineBytesLimit } from '../../domain/line-limit.ts';
import type { Surroundings } from '../surroundings.ts';
import type { Input } from '../input/input.ts';
import { linesOf } from '../input/lines.ts';
import { readInput } from '../input/read-input.ts';

export type Searching = Pick<Surroundings, 'interrupt' | 'convertPool' | 'folder'>;

/** A record as it would be sent, unchecked. */
export type Fields = Readonly<Record<string, unknown>>;

/** Calls `each` with every record of the file, in order, until it returns true. */
export async function searchRecords(
  input: Input,
  each: (record: Fields) => boolean,
  { interrupt, convertPool, folder }: Searching,
): Promise<void> {
  // The messages of the conversion are shown when the file is imported.
  const stderr = new Writable({
    write(_chunk, _encoding, done) {
      done();
    },
  });
  // Known people may be in a part, too.
  const rules = { acceptsPart: true, countsAmbiguousDates: true };
  await readInput(input, rules, { convertPool, stderr, folder }, async (source) => {
    for await (const line of linesOf(source.open(0, interrupt))) {
      const record = recordOf(line);
      if (record !== undefined && each(record)) return;
    }
  });
}

/** An invalid record belongs to no user: the core reports its fault. */
export function recordOf(line: Uint8Array): Fields | undefined {
  if (line.length === 0 || line.length > lineBytesLimit) return undefined;
  try {
    const value: unknown = JSON.parse(Buffer.from(line).toString('utf8'));
    return isFields(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}

export function fieldsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : [];
}

/** Trimmed and in lower case, as emails are compared. */
export function emailOf({ email }: Fields): string | undefined {
  return typeof email === 'string' ? email.trim().toLowerCase() : undefined;
}
