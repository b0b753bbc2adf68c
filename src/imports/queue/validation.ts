/** Checks of records that need no stored users. */

import { Refusal } from '../../domain/errors.ts';
import { lineBytesLimit, lineTooLong } from '../../domain/line-limit.ts';
import type { Tenant } from '../../domain/model.ts';
import type { Engine } from '../engine.ts';
import type { Reject } from '../model.ts';
import { type RulesSource, rulesOf } from '../rules.ts';
import type { ReadUsers } from '../tasks.ts';

/**
 * Makes every check of records that needs no stored users, in the threads that parse chunks.
 * @param texts one record each, without line breaks
 * @returns the rejects, by the record's position from 1. Two records of one user are not rejected here: see repeated.ts
 */
export async function validateRecords(
  engine: RulesSource & Pick<Engine, 'threads' | 'chunkBytes'>,
  tenant: Tenant,
  texts: readonly string[],
): Promise<readonly Reject[]> {
  const rules = await rulesOf(engine, tenant);
  const rejects: Reject[] = [];
  // A blank line is skipped, and counted.
  const lines = texts.map((text) => (Buffer.byteLength(text) > lineBytesLimit ? '' : text));
  for (const [place, line] of lines.entries()) {
    if (line === '') rejects.push({ line: place + 1, ...lineTooLong });
  }
  for (const { from, to } of pieces(lines, engine.chunkBytes)) {
    const bytes = Buffer.from(lines.slice(from, to).join('\n'));
    const parsed = await engine.threads.run({ type: 'parse', bytes, rules });
    for (const reject of parsed.rejects) {
      if (reject.code !== 'DUPLICATE_IN_JOB') rejects.push({ ...reject, line: from + reject.line });
    }
  }
  return rejects.sort((a, b) => a.line - b.line);
}

/** Pieces of about a chunk, in turn, so that a large request does not occupy every thread. */
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

/**
 * Reads a body `{"users":[…]}` in a thread, with every check of its records that needs no stored users.
 * @param body transferred: the caller loses it
 * @throws Refusal INVALID_JSON_INPUT, INVALID_FIELD, OVERLOADED
 */
export async function readUsers(
  engine: RulesSource & Pick<Engine, 'bodyThreads'>,
  tenant: Tenant,
  body: { readonly bytes: Uint8Array<ArrayBuffer>; readonly mostUsers: number },
): Promise<ReadUsers> {
  const rules = await rulesOf(engine, tenant);
  const read = await engine.bodyThreads.run({ type: 'users', ...body, rules });
  if ('refusal' in read) throw new Refusal(read.refusal.code, read.refusal.message);
  return read;
}
