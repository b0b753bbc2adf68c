import { lineOfReject } from '../../imports/parse/stated-reject.ts';
import { convertUsers, type OldDatabase } from '../input/old-database.ts';
import type { UploadSource } from '../input/source.ts';
import { plural } from '../output/format.ts';

/**
 * The users of an old system's database as an upload: a line each, also for those that cannot be converted, which the core lists
 * as rejects. Read again, it gives the same bytes, because all of it is one transaction.
 */
export function databaseSource({ readable, rules }: OldDatabase): UploadSource {
  let length: number | undefined;
  let marks: { readonly offset: number; readonly users: number }[] = [];
  let reached = 0;
  return {
    unit: 'record',
    fileBytes: readable.users,
    shownAs: { of: plural(readable.users, 'user') },
    get length() {
      return length;
    },
    async *open(offset, signal) {
      marks = [];
      let [end, users] = [0, 0];
      for await (const page of readable.pages()) {
        signal.throwIfAborted();
        const lines = Array.from(convertUsers(page, rules, users), lineOf);
        const text = Buffer.from(lines.join(''));
        const start = end;
        end += text.length;
        users += page.length;
        marks.push({ offset: end, users });
        if (end > offset) yield text.subarray(Math.max(0, offset - start));
      }
      length = end;
    },
    fileBytesAt(offset) {
      while (marks[0] && marks[0].offset <= offset) reached = Math.max(reached, marks.shift()?.users ?? 0);
      return reached;
    },
  };
}

/** A line of the upload: a record, or the reject that the core lists. */
export function lineOf({
  line,
  reject,
}: {
  line?: string;
  reject?: Parameters<typeof lineOfReject>[0];
}): string {
  return `${reject === undefined ? (line ?? '') : lineOfReject(reject)}\n`;
}
