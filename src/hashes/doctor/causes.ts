/** Why a readable hash may not match the password that is claimed to be right. */

import { anotherPassword } from '../parts/causes.ts';
import { bcryptBytesUsed } from '../parts/certainty.ts';
import { kindNames, rowFor, rowOf, type ParsedHash } from '../registry.ts';
import { parameters } from './examination.ts';
import type { Subject } from './repair.ts';

export interface Causes {
  readonly parameter: string;
  readonly advice: readonly string[];
}

/** The most likely causes of a mismatch, most likely first. */
export function causesOf(parsed: ParsedHash, subject: Subject): Causes {
  const row = rowFor(parsed);
  const own = row.causes?.(parsed, subject.secrets) ?? [anotherPassword];
  return {
    parameter: parameters[row.secret ?? 'hash'],
    advice: [...cutOff(subject), ...tooLong(parsed, subject), ...own],
  };
}

function cutOff({ hash }: Subject): string[] {
  const text = truncation(hash);
  return text === undefined ? [] : [`It may have been cut off: ${text}.`];
}

function tooLong({ kind }: ParsedHash, { password }: Subject): string[] {
  if (!kind.startsWith('bcrypt') || password.length <= bcryptBytesUsed) return [];
  return [
    `The password has ${password.length} bytes and bcrypt reads ${bcryptBytesUsed}: the old system may have hashed it before bcrypt.`,
  ];
}

const wholes = kindNames.flatMap((kind) => rowOf(kind).wholes ?? []);

/** A hash that lacks more than this was hardly truncated: it is something else. */
const textLimit = 512;

/** The message for a hash that is shorter than its kind; undefined when it is not, or when the kind has no fixed length. */
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
