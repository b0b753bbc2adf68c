/**
 * Parts of a value that a provider reads as a whole, such as the salt within the object that describes a hash. An unreadable part
 * is treated as a missing one: the caller refuses the whole, which is counted.
 */

import { orAbsent } from './parsed.ts';
import type { SourceRow } from './source-row.ts';
import { parseInteger, parseObject, parseText } from './texts.ts';

export function textIn(value: unknown): string | undefined {
  return orAbsent(parseText(value));
}

export function integerIn(value: unknown): number | undefined {
  return orAbsent(parseInteger(value));
}

export function objectIn(value: unknown): SourceRow | undefined {
  return orAbsent(parseObject(value));
}
