import { linesOf } from '../../input/lines.ts';
import type { UploadSource } from '../../input/source.ts';

/**
 * The records of these lines of an upload, as native records: one JSON object a line, each once.
 * @param lines ascending
 */
export async function* recordsAt(
  lines: AsyncIterable<number>,
  records: UploadSource,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const all = linesOf(records.open(0, signal));
  let number = 0;
  for await (const line of lines) {
    if (line === number) continue;
    for (let next = await all.next(); !next.done; next = await all.next()) {
      number += 1;
      if (number < line) continue;
      yield Buffer.concat([next.value, newline]);
      break;
    }
  }
  await all.return(undefined);
}

const newline = Buffer.from('\n');
