import type { Tenant } from '../../domain/model.ts';
import { type Engine, rulesOf } from '../engine.ts';
import { defaultSecondFactor, type Reject } from '../model.ts';
import { lineBytesLimit } from '../upload/line-cutter.ts';
import { overlongLine } from '../chunk/overlong.ts';

/**
 * Makes every check of records that needs no stored users, in the threads that parse chunks.
 * @param texts one record each, without line breaks
 * @returns the rejects, by the record's place from 1. Of two records of one user neither is: both may be imported, one
 *   after the other
 */
export async function validateRecords(
  engine: Pick<Engine, 'threads' | 'tenantNumbers' | 'allowPlainText' | 'placeSecret' | 'chunkBytes' | 'now'>,
  tenant: Tenant,
  texts: readonly string[],
): Promise<readonly Reject[]> {
  const rules = await rulesOf(engine, tenant, {
    onConflict: 'update',
    dryRun: false,
    secondFactor: defaultSecondFactor,
  });
  const rejects: Reject[] = [];
  // A blank line is skipped, and counted.
  const lines = texts.map((text) => (Buffer.byteLength(text) > lineBytesLimit ? '' : text));
  for (const [place, line] of lines.entries()) {
    if (line === '') rejects.push(...overlongLine.rejects.map((reject) => ({ ...reject, line: place + 1 })));
  }
  for (const { from, to } of pieces(lines, engine.chunkBytes)) {
    const bytes = Buffer.from(lines.slice(from, to).join('\n'));
    const parsed = await engine.threads.run({ type: 'parse', bytes, isFirst: false, rules });
    for (const reject of parsed.rejects) {
      if (reject.code !== 'DUPLICATE_IN_JOB') rejects.push({ ...reject, line: from + reject.line });
    }
  }
  return rejects.sort((a, b) => a.line - b.line);
}

/** One after the other, each about a chunk: so that a large request does not keep every thread from other imports. */
function* pieces(texts: readonly string[], chunkBytes: number): Generator<{ from: number; to: number }> {
  let from = 0;
  let length = 0;
  for (const [place, text] of texts.entries()) {
    length += text.length + 1;
    if (length < chunkBytes && place < texts.length - 1) continue;
    yield { from, to: place + 1 };
    from = place + 1;
    length = 0;
  }
}
