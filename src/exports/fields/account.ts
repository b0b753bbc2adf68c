/** The outcome of each column and user of a file: plain data, so that threads and files can be added up. */

import type { ColumnOrder } from './times.ts';

/** A value that could not be read: its record, and the part that may be shown. */
export interface Example {
  /** Number of the record; in the account of a batch its index. */
  readonly record: number;
  /** Masked. */
  readonly text: string;
}

/** What an unused column may be, by its name and its first values: the more important, the earlier. */
export const suspicions = ['hash', 'salt', 'guard', 'factor', 'date', 'id'] as const;
export type Suspicion = (typeof suspicions)[number];

export interface Column {
  /** Records with a value in it that was used. */
  used: number;
  absent: number;
  unparsable: number;
  examples: Example[];
  /** Lists and objects in Python's notation that were read. */
  python?: number;
  /** Of `used`: values with an unknown meaning. */
  unclear?: number;
  /**
   * The order by which its ambiguous dates were read: `mixed` if it has dates of either order, `unknown` if nothing shows the
   * order. These two cannot be read.
   */
  order?: ColumnOrder | 'unknown';
  /** Dates that cannot have the stated order, and were read in their own. */
  otherOrder?: number;
  /** If the first unreadable phone number is valid in a country that it does not name: some of these countries. */
  countries?: readonly string[];
  /** The provider's name for the field; undefined: it does not know the column. */
  readonly field?: string;
  /** As the provider declares it. */
  readonly purpose?: string;
  /** For an unused column. */
  looksLike?: Suspicion;
  /** The hashes are parts of longer texts, or of objects. */
  isWithin?: true;
}

/** For one table, by the column's name in the file; for records within records by its path: `identities.provider`. */
export type Columns = Record<string, Column>;

export interface Passwords {
  /** Hashes of a kind that is verified here, by their form. */
  verifiable: number;
  /** Hashes of other kinds: their users are imported without a password. */
  unknown: number;
  /** Records without one. */
  absent: number;
}

export interface Loss {
  count: number;
  /** Records, by their numbers; in the account of a batch by their indexes. */
  readonly records: number[];
}

/** For the records of a file, or for some of them. */
export interface Account {
  records: number;
  /** Records that became a line for the core. */
  converted: number;
  rejected: number;
  /** Records that are not users: blank lines, rows of other tables. */
  skipped: number;
  /** Users who are restricted because a field that may guard them could not be read. */
  restricted: number;
  readonly passwords: Passwords;
  /** Unusable hashes, by the reason. */
  readonly lostPasswords: Record<string, Loss>;
  /** By table. */
  readonly tables: Record<string, Columns>;
  /** Whether there were more columns than are listed. */
  isCut: boolean;
}

/** Reasons that are counted separately; further ones are counted together. */
const reasonsLimit = 50;
const otherReasons = 'other reasons';

/** Columns of one table that are listed: a record may have any keys. */
export const columnsLimit = 500;
export const examplesLimit = 3;

export function emptyAccount(): Account {
  return {
    records: 0,
    converted: 0,
    rejected: 0,
    skipped: 0,
    restricted: 0,
    passwords: { verifiable: 0, unknown: 0, absent: 0 },
    lostPasswords: {},
    tables: {},
    isCut: false,
  };
}

/** Adds the account of further records. @param firstRecord the number of the first of them */
export function addAccount(sum: Account, more: Account, firstRecord: number): void {
  for (const name of ['records', 'converted', 'rejected', 'skipped', 'restricted'] as const)
    sum[name] += more[name];
  for (const name of ['verifiable', 'unknown', 'absent'] as const)
    sum.passwords[name] += more.passwords[name];
  for (const [reason, { count, records }] of Object.entries(more.lostPasswords)) {
    const loss = lossOf(sum, reason);
    loss.count += count;
    addUpTo(
      examplesLimit,
      loss.records,
      records.map((record) => record + firstRecord),
    );
  }
  for (const [table, columns] of Object.entries(more.tables)) {
    const own = (sum.tables[table] ??= {});
    for (const [name, column] of Object.entries(columns)) {
      const known = Object.hasOwn(own, name) ? own[name] : undefined;
      if (known !== undefined) addColumn(known, column, firstRecord);
      else if (Object.keys(own).length >= columnsLimit) sum.isCut = true;
      else own[name] = { ...column, examples: column.examples.map((each) => numbered(each, firstRecord)) };
    }
  }
  sum.isCut ||= more.isCut;
}

/** Notes that a user is imported without the password. */
export function noteLostPassword(account: Account, reason: string, record: number): void {
  const loss = lossOf(account, reason);
  loss.count += 1;
  addUpTo(examplesLimit, loss.records, [record]);
}

function lossOf({ lostPasswords }: Account, reason: string): Loss {
  const isListed = Object.hasOwn(lostPasswords, reason) || Object.keys(lostPasswords).length < reasonsLimit;
  return (lostPasswords[isListed ? reason : otherReasons] ??= { count: 0, records: [] });
}

function addUpTo<Item>(limit: number, list: Item[], more: readonly Item[]): void {
  list.push(...more.slice(0, Math.max(0, limit - list.length)));
}

function addColumn(sum: Column, more: Column, firstRecord: number): void {
  sum.used += more.used;
  sum.absent += more.absent;
  sum.unparsable += more.unparsable;
  if (more.unclear !== undefined) sum.unclear = (sum.unclear ?? 0) + more.unclear;
  if (more.python !== undefined) sum.python = (sum.python ?? 0) + more.python;
  if (more.countries !== undefined) sum.countries ??= more.countries;
  if (more.order !== undefined) sum.order = more.order;
  if (more.otherOrder !== undefined) sum.otherOrder = (sum.otherOrder ?? 0) + more.otherOrder;
  addUpTo(
    examplesLimit,
    sum.examples,
    more.examples.map((each) => numbered(each, firstRecord)),
  );
  if (more.isWithin === true) sum.isWithin = true;
  if (more.looksLike !== undefined) sum.looksLike = surer(sum.looksLike, more.looksLike);
}

function numbered({ record, text }: Example, firstRecord: number): Example {
  return { record: record + firstRecord, text };
}

function surer(one: Suspicion | undefined, other: Suspicion): Suspicion {
  if (one === undefined) return other;
  return suspicions.indexOf(one) <= suspicions.indexOf(other) ? one : other;
}

/** Whether a part of the converted records was lost, so that a person has to look. */
export function hasLosses(account: Account | undefined): boolean {
  return account !== undefined && (account.passwords.unknown > 0 || account.restricted > 0);
}

/**
 * In double-entry terms: every record is a line, a reject or not a user, and every line has a password of one of the three sorts.
 * @returns the difference; undefined if the account balances
 */
export function imbalanceOf({
  records,
  converted,
  rejected,
  skipped,
  passwords,
}: Account): string | undefined {
  if (converted + rejected + skipped !== records)
    return `${records} records were read, but ${converted} were converted, ${rejected} rejected and ${skipped} skipped`;
  const sum = passwords.verifiable + passwords.unknown + passwords.absent;
  return sum === converted
    ? undefined
    : `${converted} users were converted, but the passwords of ${sum} were counted`;
}
