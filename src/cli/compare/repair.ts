import { ofConflict } from '../../imports/difference.ts';
import type { ConflictView } from '../client/views.ts';
import type { UploadSource } from '../input/source.ts';
import { recordsAt } from '../job/records/records-at.ts';

/**
 * The records whose import settles what is unexplained: of users who are missing here, or were changed there or on both sides. It
 * takes what was changed there; of what was changed on both sides it keeps or replaces what --on-conflict says, and from then on
 * the difference is one that was made here.
 * @param found in the order of their lines
 */
export function repairingRecords(
  found: AsyncIterable<ConflictView>,
  records: UploadSource,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  return recordsAt(unexplainedLines(found), records, signal);
}

async function* unexplainedLines(found: AsyncIterable<ConflictView>): AsyncGenerator<number> {
  for await (const conflict of found) {
    const { line, explained } = ofConflict(conflict);
    if (!explained) yield line;
  }
}
