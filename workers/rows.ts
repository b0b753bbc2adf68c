import { getPriority, setPriority } from 'node:os';
import { decide } from '../src/bulk/decide.ts';
import { chunkDigest } from '../src/bulk/known-chunks.ts';
import { parseChunk } from '../src/bulk/parse-chunk.ts';
import { plainPasswords, soughtKeys } from '../src/bulk/sought-keys.ts';
import type { RowsResult, RowsTask } from './protocol.ts';

/** Of 19. Where a sign-in wants the same core, Linux gives it three quarters (weights 1024 and 335: sched(7)). */
const niceness = 10;

/** One task of an import: everything about its lines that needs no database. */
export default function runRowsTask(task: RowsTask): RowsResult<RowsTask> {
  giveWay();
  switch (task.type) {
    case 'parse':
      return parseChunk(task);
    case 'digest':
      return chunkDigest(task);
    case 'keys':
      return soughtKeys(task);
    case 'passwords':
      return plainPasswords(task);
    case 'decide':
      return decide(task);
  }
}

/**
 * Lets sign-ins go first, where the system lets a thread have a priority of its own: on Linux setpriority(2) means the
 * calling thread, elsewhere the whole process.
 */
function giveWay(): void {
  if (process.platform !== 'linux') return;
  try {
    if (getPriority() < niceness) setPriority(niceness);
  } catch {
    // Not allowed here: an import is then as urgent as the rest.
  }
}
