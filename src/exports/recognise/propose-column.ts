/** A column of an unknown system's table: the forms of its name, and its values. */

import { unwrapped } from '../fields/declare.ts';
import { lastName } from '../fields/suspect.ts';
import type { SourceRow } from '../providers/provider.ts';
import { textOf } from '../providers/parts/fields.ts';

export interface Column {
  readonly name: string;
  /** In lower case without separators; then without its owner: `user_email` is an `email`. */
  readonly forms: readonly string[];
  /** Those that are present. */
  readonly values: readonly string[];
  /** The number of records read. */
  readonly records: number;
}

/** Whether a value, as text, is of a kind. */
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

/** As text, for the tests: also flags of JSON, and MongoDB's wrapped values. */
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

/** The first of `names` that a column has whose values, if it has any, pass the test. */
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
