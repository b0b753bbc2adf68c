import type { Reject } from '../../imports/model.ts';

/** A reject of `lines` lines, the last of which is its own. */
export interface FoldedReject extends Reject {
  readonly lines: number;
}

type Growing = Omit<Reject, 'line'> & { line: number; lines: number };

/**
 * One for neighbouring lines that are rejected alike and name no user: a file of another kind has a reject in each line,
 * and they would take a hundred times its room.
 * @param rejects in the order of their lines
 */
export function foldRejects(rejects: readonly Reject[]): FoldedReject[] {
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
    reject.externalUserId === undefined &&
    last.externalUserId === undefined
  );
}
