/** Hashes that were cut off: how many characters are missing, where the kind has one length. */

import { kindNames, rowOf } from '../registry.ts';

const wholes = kindNames.flatMap((kind) => rowOf(kind).wholes ?? []);

/** A hash that lacks more than this was hardly cut off: it is something else. */
const textLimit = 512;

/** What to say of a hash that is shorter than its kind is; undefined when it is not, or when the kind has no one length. */
export function truncation(hash: string): string | undefined {
  const text = hash.slice(0, textLimit);
  for (const { head, characters, part } of wholes) {
    const start = head.exec(text)?.[0];
    if (start === undefined) continue;
    const missing = characters - (hash.length - start.length);
    if (missing <= 0) return undefined;
    return `its ${part} has ${characters - missing} characters where ${characters} are usual: ${missing} are missing, so look for a column or field that is too short`;
  }
  return undefined;
}
