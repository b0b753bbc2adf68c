/** Records with a field that was changed on both sides, where no import has decided which side counts. */

import type { CoreClient } from '../../client/core-client.ts';
import type { ConflictView, JobView } from '../../client/views.ts';
import type { UploadSource } from '../../input/source.ts';
import { writeOut } from '../../output/sink.ts';
import type { Surroundings } from '../../surroundings.ts';
import { recordsAt } from './records-at.ts';

/** What an import leaves as it was can be decided by a later one: what it decided counts as changed here from then on. */
export function isUndecided({ dryRun, onConflict, conflicts = 0 }: JobView): boolean {
  return conflicts > 0 && (dryRun || onConflict === 'skip' || onConflict === 'reject');
}

export interface Undecided {
  readonly job: Pick<JobView, 'id'>;
  readonly client: Pick<CoreClient, 'conflicts'>;
  /** As the job has it, once more. */
  readonly records: UploadSource;
  /** Of the run. */
  readonly folder: string;
  readonly surroundings: Surroundings;
}

/**
 * Writes `conflicts.ndjson`, which has the fields, and `decide.ndjson`, the records as native ones with their hashes: one for each
 * line that the fields name, in the same order.
 * @returns the file of the records @throws CommandError when the disk is full or fails; as the client does
 */
export async function writeUndecided({
  job: { id },
  client,
  records,
  folder,
  surroundings,
}: Undecided): Promise<string> {
  const { interrupt } = surroundings;
  const file = `${folder}/decide.ndjson`;
  await writeOut(asLines(client.conflicts(id, interrupt)), `${folder}/conflicts.ndjson`, surroundings);
  const found = numbersOf(client.conflicts(id, interrupt));
  await writeOut(recordsAt(found, records, interrupt), file, surroundings);
  return file;
}

async function* asLines(conflicts: AsyncIterable<ConflictView>): AsyncGenerator<Uint8Array> {
  for await (const conflict of conflicts) yield Buffer.from(`${JSON.stringify(conflict)}\n`);
}

async function* numbersOf(conflicts: AsyncIterable<ConflictView>): AsyncGenerator<number> {
  for await (const { line } of conflicts) yield line;
}
