/** Backup codes as sources list them. */

import type { NativeBackupCode } from '../../../imports/record/native-record.ts';
import { listOf, objectOf, textOf } from './fields.ts';

/** The core accepts no shorter codes, which could be guessed. */
const shortest = 6;

/** Codes in clear text. */
export function plainCodes(codes: unknown): readonly NativeBackupCode[] {
  return listOf(codes)
    .flatMap((each) => textOf(each) ?? [])
    .filter((code) => code.length >= shortest)
    .map((code) => ({ code }));
}

/** A list in a text column: JSON, or an array of PostgreSQL without relevant quotes. */
export function listInText(value: unknown): readonly string[] {
  const text = textOf(value);
  if (Array.isArray(value)) return listOf(value).flatMap((each) => textOf(each) ?? []);
  if (text === undefined) return [];
  if (text.startsWith('{') && text.endsWith('}'))
    return text
      .slice(1, -1)
      .split(',')
      .map((each) => each.replaceAll('"', '').trim())
      .filter((each) => each !== '');
  const wrapped = objectOf(`{"list":${text}}`);
  return listOf(wrapped?.list).flatMap((each) => textOf(each) ?? []);
}
