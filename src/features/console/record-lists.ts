/** Files that the command writes, a line each: lists of what it has found, and the records that they are about. */
import { createReadStream } from 'node:fs';
import { access } from 'node:fs/promises';
import { createInterface } from 'node:readline';

/** Nothing for a file that is not there. */
export async function* linesIn(file: string, signal?: AbortSignal): AsyncGenerator<string, void> {
  if (!(await isThere(file))) return;
  const input = createReadStream(file, { signal });
  for await (const line of createInterface({ input, crlfDelay: Infinity })) if (line !== '') yield line;
}

export function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * Each record with its entries of a list, which has one or more for each, together and in the order of the records.
 * @param list with the number of the record's line in the source
 */
export async function* recordsOf<Entry extends { readonly line: number }>(
  list: AsyncIterable<Entry>,
  records: AsyncGenerator<string, void>,
): AsyncGenerator<{ readonly entries: readonly Entry[]; readonly record: string }> {
  let entries: Entry[] = [];
  const taken = async function* () {
    const record = await records.next();
    if (record.done !== true) yield { entries, record: record.value };
  };
  try {
    for await (const entry of list) {
      if (entries.length > 0 && entries[0]?.line !== entry.line) {
        yield* taken();
        entries = [];
      }
      entries.push(entry);
    }
    if (entries.length > 0) yield* taken();
  } finally {
    await records.return();
  }
}
