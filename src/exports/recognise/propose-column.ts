/** A column of a table that is not of a known system: its name in the ways in which it may be meant, and its values. */

import { unwrapped } from '../fields/declare.ts';
import { lastName } from '../fields/suspect.ts';
import type { SourceRow } from '../providers/provider.ts';
import { textOf } from '../providers/parts/fields.ts';

export interface Column {
  readonly name: string;
  /** In lower case without separators; then without what says whose it is: `user_email` is an `email`. */
  readonly forms: readonly string[];
  /** Those that are present. */
  readonly values: readonly string[];
  /** How many records were read. */
  readonly records: number;
}

/** A value, as text, is such. */
export type Test = (value: string) => boolean;

/** The columns that `--map` can name. */
export function columnsOf(names: readonly string[], rows: readonly SourceRow[]): readonly Column[] {
  return names.filter(isMappable).map((name) => ({
    name,
    forms: formsOf(name),
    values: rows.map((row) => valueOf(row[name])).filter((value) => value !== undefined),
    records: rows.length,
  }));
}

/** As text, which is what tests take: flags of JSON, and what MongoDB wraps, too. */
function valueOf(value: unknown): string | undefined {
  const bare = unwrapped(value);
  return typeof bare === 'boolean' ? String(bare) : textOf(bare);
}

/** `--map` separates pairs by commas and names by equals signs. */
function isMappable(name: string): boolean {
  return name !== '' && !/[,=]|^!|^\s|\s$/.test(name);
}

function formsOf(name: string): readonly string[] {
  const whole = lastName(name)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}]/gu, '');
  const bare = whole.replace(/^(?:user|usr|member|customer|account|benutzer|kunden|konto)(?=.)/, '');
  return bare === whole ? [whole] : [whole, bare];
}

/** The first of `names` that a column has whose values, if it has any, are such. */
export function named(columns: readonly Column[], names: readonly string[], test: Test): Column | undefined {
  for (const name of names) {
    const found = columns.find((each) => each.forms.includes(name) && each.values.every(test));
    if (found !== undefined) return found;
  }
  return undefined;
}

export function isFilledBy({ values }: Column, test: Test): boolean {
  return values.length > 0 && values.every(test);
}

export function hasForm({ forms }: Column, pattern: RegExp): boolean {
  return forms.some((form) => pattern.test(form));
}
