import type { JobRef, Reject } from '../../imports/model.ts';
import type { Query } from '../../database/database.ts';
import { insertOfJob, rowsOfJob } from '../../database/relation.ts';

const columns = {
  line: { name: 'line', type: 'bigint', isNullable: false },
  lines: { name: 'lines', type: 'bigint', isNullable: false },
  externalUserId: { name: 'external_user_id', type: 'text', isNullable: true },
  code: { name: 'code', type: 'text', isNullable: false },
  field: { name: 'field', type: 'text', isNullable: false },
  message: { name: 'message', type: 'text', isNullable: false },
  otherUserId: { name: 'other_user_id', type: 'text', isNullable: true },
  isGone: { name: 'is_gone', type: 'bool', isNullable: true },
} as const;

const keep = insertOfJob('import_rejects', columns);

/** @param rejects in the order of their lines */
export async function keepRejects(query: Query, job: JobRef, rejects: readonly Reject[]): Promise<void> {
  await query(keep, rowsOfJob(job, columns, foldRejects(rejects)));
}

/** A reject of `lines` lines, the last of which is its own. */
interface FoldedReject extends Reject {
  readonly lines: number;
}

type Growing = Omit<Reject, 'line'> & { line: number; lines: number };

/**
 * One row for neighbouring lines that are rejected alike and name no user: a file of another kind has a reject in each line, and
 * these would take a hundred times the space.
 * @param rejects in the order of their lines
 */
function foldRejects(rejects: readonly Reject[]): FoldedReject[] {
  const folded: Growing[] = [];
  for (const reject of rejects) {
    const last = folded.at(-1);
    if (last !== undefined && isNext(last, reject)) {
      last.line += 1;
      last.lines += 1;
    } else folded.push({ ...reject, lines: 1 });
  }
  return folded;
}

function isNext(last: FoldedReject, reject: Reject): boolean {
  return (
    reject.line === last.line + 1 &&
    reject.code === last.code &&
    reject.field === last.field &&
    reject.message === last.message &&
    reject.otherUserId === last.otherUserId &&
    reject.isGone === last.isGone &&
    reject.externalUserId === undefined &&
    last.externalUserId === undefined
  );
}
