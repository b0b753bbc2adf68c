/** Why a hash that can be read may not match a password that is said to be its own. */

import { anotherPassword } from '../parts/causes.ts';
import { bcryptBytesUsed } from '../parts/certainty.ts';
import { rowFor } from '../registry.ts';
import type { ParsedHash } from '../registry.ts';
import { parameters } from './examination.ts';
import type { Subject } from './repair.ts';
import { truncation } from './truncated.ts';

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
