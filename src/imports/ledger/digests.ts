import { textOfDigest } from '../../receipts/leaf.ts';
import { hashBytes } from '../../receipts/tree.ts';
import { visitSpans } from '../parse/lines.ts';
import type { DigestsTask } from '../tasks.ts';

/** The SHA-256 of each physical line without its line end, concatenated, in memory of their own. */
export function digestsOfLines({ bytes }: Pick<DigestsTask, 'bytes'>): Uint8Array<ArrayBuffer> {
  const texts: string[] = [];
  visitSpans(bytes, (start, end) => {
    texts.push(textOfDigest(bytes.subarray(start, end)));
  });
  const digests = Buffer.allocUnsafeSlow(texts.length * hashBytes);
  digests.write(texts.join(''), 'latin1');
  return digests;
}
