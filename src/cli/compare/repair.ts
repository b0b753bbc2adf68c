import type { ConflictView } from '../client/views.ts';
import { linesOf } from '../input/lines.ts';
import type { UploadSource } from '../input/source.ts';
import { ofConflict } from './difference.ts';

/**
 * The records whose import settles what is unexplained: of users who are missing here, or were changed there or on both sides. It
 * takes what was changed there; of what was changed on both sides it keeps or replaces what --on-conflict says, and from then on
 * the difference is one that was made here.
 * @param found in the order of their lines
 */
export async function* repairingRecords(
  found: AsyncIterable<ConflictView>,
  records: UploadSource,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const lines = linesOf(records.open(0, signal));
  let number = 0;
  for await (const conflict of found) {
    const { line, explained } = ofConflict(conflict);
    if (explained || line === number) continue;
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      number += 1;
      if (number < line) continue;
      yield Buffer.concat([next.value, newline]);
      break;
    }
  }
  await lines.return(undefined);
}

const newline = Buffer.from('\n');
