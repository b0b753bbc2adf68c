import type { Surroundings } from '../surroundings.ts';
import { linesOf } from '../input/lines.ts';
import type { UploadSource } from '../input/source.ts';
import { createProgress } from '../output/progress.ts';
import type { LoggedReject, RejectLog } from '../output/reject-log.ts';

/** What is asked of each line. */
export interface LineChecks {
  readonly findings: { readonly records: number };
  /** @param number of the line or record, from 1 @returns why it would be rejected */
  add(line: Uint8Array, number: number): LoggedReject | undefined;
}

const linesBetweenUpdates = 2000;

/** Checks every line of a source, and shows how far it is. @returns the lines, and their bytes */
export async function checkLines(
  source: UploadSource,
  checks: LineChecks,
  log: RejectLog,
  { stderr, now, interrupt }: Surroundings,
): Promise<{ readonly lines: number; readonly bytes: number }> {
  const progress = createProgress({ output: stderr, totalBytes: source.fileBytes, now });
  let lines = 0;
  let bytes = 0;
  try {
    for await (const line of linesOf(source.open(0, interrupt))) {
      lines += 1;
      bytes += line.length + 1;
      const reject = checks.add(line, lines);
      if (reject !== undefined) await log.add([reject]);
      if (lines % linesBetweenUpdates !== 0) continue;
      const { records } = checks.findings;
      progress.update({ bytes: source.fileBytesAt(bytes), records, rejected: log.count });
    }
  } finally {
    progress.stop();
  }
  return { lines, bytes };
}
