import { type Difference, ofAbsent, ofConflict, ofReject } from '../../imports/difference.ts';
import type { CoreClient } from '../client/core-client.ts';

/** Everything that a job has found: records in the order of their lines, rejects in theirs, then users without a record. */
export async function* differencesOf(
  client: CoreClient,
  job: string,
  signal: AbortSignal,
): AsyncGenerator<Difference> {
  for await (const conflict of client.conflicts(job, signal)) yield ofConflict(conflict);
  for await (const reject of client.rejects(job, signal)) yield ofReject(reject);
  for await (const user of client.absentUsers(job, signal)) yield ofAbsent(user);
}
