/** How a provider declares the content of its records: the one list from which reading, the report and the docs derive. */

import type { SourceRow } from './source-row.ts';
import { parseFlag } from './flags.ts';
import { parseState } from './state-words.ts';
import type { CountryCode } from './national-phones.ts';
import { ambiguous, unparsable } from './parsed.ts';
import {
  parseId,
  parseInteger,
  parseList,
  parseObject,
  parseObjects,
  parsePhone,
  parsePhones,
  parseText,
  parseTexts,
  wordParser,
} from './texts.ts';
import { type ColumnOrder, type ParsedDate, parseEvidence, parseMoment, parseUntil } from './times.ts';

/**
 * The purpose of a field, which determines the effect of an unparsable value:
 * - `identifies`: the record is rejected.
 * - `guards`: the user is imported and restricted.
 * - `carries`: the user is imported without it.
 * - `hash`: the user is imported without the password.
 * - `left out`: known, and not imported. In each case it is counted.
 */
export type Purpose = 'identifies' | 'guards' | 'carries' | 'hash' | 'left out';

export type FieldType =
  | ('id' | 'text' | 'flag' | 'time' | 'evidence' | 'until' | 'number' | 'phone' | 'hash' | 'salt')
  | ('list' | 'object' | 'objects' | 'any' | 'word' | 'state' | 'others');

/** Information that a value alone does not have. */
export interface ParseContext {
  /** For ambiguous dates. */
  readonly order?: ColumnOrder | undefined;
  /** For phone numbers without one. */
  readonly country?: CountryCode | undefined;
}

export interface Field<T = unknown> {
  /** As the source writes it, the usual name first. Letter case, underscores, hyphens and blanks do not matter. */
  readonly names: readonly string[];
  readonly type: FieldType;
  readonly purpose: Purpose;
  readonly parse: (value: unknown, context: ParseContext) => ParsedDate<T>;
  /** The meaning of an existing column without a value: undefined, unless an absent time means false. */
  readonly whenAbsent?: T;
  /** For `objects`: the fields of each. */
  readonly inner?: Fields;
  /** For `others`: the prefix of the names of the columns that it collects. */
  readonly prefix?: string;
  /** For `word`: all words that the source writes. */
  readonly words?: readonly string[];
  /** A valid value may have no known meaning: such values are counted, for a person to decide. */
  readonly isPartial?: true;
  /** For the docs. For a field that is left out: why. */
  readonly about?: string;
}

export type Fields = Readonly<Record<string, Field>>;

/** The values of a record, by the names of the declaration; undefined if absent. */
export type Values<F extends Fields> = {
  readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T | undefined : never;
};

type Names = readonly [string, ...string[]];

/** Declares fields of one purpose. */
function declaring(purpose: Purpose) {
  const field =
    <T>(type: FieldType, parse: Field<T>['parse']) =>
    (...names: Names): Field<T> => ({ names, type, purpose, parse });
  return {
    id: field('id', parseId),
    text: field('text', parseText),
    flag: field('flag', parseFlag),
    /** When something happened, ms since the epoch. */
    time: field('time', (value, { order }) => parseMoment(value, order)),
    /** True if the column has a time or a flag that is set: `email_verified_at`, `deleted_at`. */
    evidence: (...names: Names): Field<boolean> => ({
      ...field('evidence', parseEvidence)(...names),
      whenAbsent: false,
    }),
    /** The end of a period, ms since the epoch, Infinity for good, 0 if it is over: `banned_until`. */
    until: (...names: Names): Field<number> => ({
      ...field('until', (value, { order }) => parseUntil(value, order))(...names),
      whenAbsent: 0,
    }),
    number: field('number', parseInteger),
    /** In E.164. */
    phone: field('phone', (value, { country }) => parsePhone(value, country)),
    /** One of the source's words, in any case, by its meaning. Any other word is unparsable. */
    word: <T>(meanings: Readonly<Record<string, T>>, ...names: Names): Field<T> => ({
      names,
      type: 'word',
      purpose,
      words: Object.keys(meanings),
      parse: wordParser(meanings),
    }),
    /** True if the word means that the account may not sign in: `status`. */
    state: (...names: Names): Field<boolean> => ({
      ...field('state', parseState)(...names),
      isPartial: true,
    }),
    /** Every column that no other field declares and whose name begins with `prefix`: their values, unchanged, by their names. */
    others: (prefix: string): Field<SourceRow> => ({
      names: [`${prefix}*`],
      type: 'others',
      purpose,
      prefix,
      parse: () => undefined,
    }),
    list: field('list', parseList),
    texts: field('list', parseTexts),
    /** In E.164. */
    phones: field('list', (value, { country }) => parsePhones(value, country)),
    object: field('object', parseObject),
    /** Unchanged: for values that the provider parses itself and never refuses. */
    any: field<unknown>('any', (value) => value ?? undefined),
    /** A list of records. */
    objects: <F extends Fields>(inner: F, ...names: Names): Field<readonly Values<F>[]> => ({
      names,
      type: 'objects',
      purpose,
      inner,
      // The reader parses the values of each: see read.ts.
      parse: parseObjects as unknown as Field<readonly Values<F>[]>['parse'],
    }),
    /** One record within the record. */
    record: <F extends Fields>(inner: F, ...names: Names): Field<Values<F>> => ({
      names,
      type: 'object',
      purpose,
      inner,
      parse: parseObject as unknown as Field<Values<F>>['parse'],
    }),
  };
}

export const identifies = declaring('identifies');
export const guards = declaring('guards');
export const carries = declaring('carries');

/** The password's hash, or a part of it. */
export const hash = {
  text: (...names: Names): Field<string> => ({ names, type: 'hash', purpose: 'hash', parse: parseText }),
  /** Untrimmed: a password in clear text may begin with a blank. */
  untrimmed: (...names: Names): Field<string> => ({
    names,
    type: 'hash',
    purpose: 'hash',
    parse: (value) =>
      typeof value === 'string' && parseText(value) !== undefined ? value : parseText(value),
  }),
  salt: (...names: Names): Field<string> => ({ names, type: 'salt', purpose: 'hash', parse: parseText }),
  number: (...names: Names): Field<number> => ({
    names,
    type: 'number',
    purpose: 'hash',
    parse: parseInteger,
  }),
  object: (...names: Names): Field<SourceRow> => ({
    names,
    type: 'object',
    purpose: 'hash',
    parse: parseObject,
  }),
  record: <F extends Fields>(inner: F, ...names: Names): Field<Values<F>> => ({
    names,
    type: 'object',
    purpose: 'hash',
    inner,
    parse: parseObject as unknown as Field<Values<F>>['parse'],
  }),
  objects: <F extends Fields>(inner: F, ...names: Names): Field<readonly Values<F>[]> => ({
    names,
    type: 'objects',
    purpose: 'hash',
    inner,
    parse: parseObjects as unknown as Field<readonly Values<F>[]>['parse'],
  }),
} as const;

/** Known and not imported. @param about why, for the docs */
export function leftOut(about: string, ...names: Names): Field<never> {
  return { names, type: 'any', purpose: 'left out', parse: () => undefined, about };
}

/** The field with a text for the docs. */
export function withAbout<T>(about: string, field: Field<T>): Field<T> {
  return { ...field, about };
}

/** Recently folded names: records have the same columns again and again. */
const foldedNames = new Map<string, string>();
const foldedLimit = 2000;
const foldedCharacters = 100;

/** The common form of all spellings of a column's name. MongoDB's `_id` is `id`. */
export function folded(name: string): string {
  const known = foldedNames.get(name);
  if (known !== undefined) return known;
  const found = name.replaceAll(/[\s_-]/g, '').toLowerCase();
  if (foldedNames.size >= foldedLimit) foldedNames.clear();
  if (name.length <= foldedCharacters) foldedNames.set(name, found);
  return found;
}

/**
 * A single field of a row, for values needed before the record is read: the id by which tables are joined. An unparsable value
 * counts as absent.
 */
export function valueOf<T>(row: SourceRow, { names, parse }: Field<T>): T | undefined {
  for (const name of names) {
    const value = Object.hasOwn(row, name) ? row[name] : undefined;
    const parsed = value === undefined ? undefined : parse(unwrapped(value), {});
    if (parsed !== undefined && parsed !== unparsable && parsed !== ambiguous) return parsed;
  }
  const wanted = names.map(folded);
  const other = Object.keys(row).find((name) => wanted.includes(folded(name)) && !names.includes(name));
  const parsed = other === undefined ? undefined : parse(unwrapped(row[other]), {});
  return parsed === unparsable || parsed === ambiguous ? undefined : parsed;
}

/** MongoDB Extended JSON (v2), as mongoexport writes ids, dates and numbers. */
const wrappers: ReadonlySet<string> = new Set(['$oid', '$date', '$numberLong', '$uuid']);

/** The value without its wrapper, whose only key names it; any other value unchanged. */
export function unwrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const keys = Object.keys(value);
  const wrapper = keys[0];
  if (wrapper === undefined || keys.length > 1 || !wrappers.has(wrapper)) return value;
  const inner = (value as SourceRow)[wrapper];
  // A date before 1970 or after 9999 wraps a number in turn; nothing wraps deeper.
  return typeof inner === 'object' && inner !== null && '$numberLong' in inner ? inner.$numberLong : inner;
}
