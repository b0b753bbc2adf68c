/**
 * Determines the order of ambiguous dates (day or month first) in a column: by all values of the column, in all files.
 *
 * A conversion begins without this knowledge. The first batch with such a date makes the source be read once more, for its dates
 * alone, and is converted again. So a source without such dates costs nothing, and lines before the first one do not depend on
 * it.
 */

import { type DatesInColumn, hasDates } from '../fields/date-columns.ts';
import type { ColumnOrders } from '../fields/read.ts';
import type { ColumnOrder } from '../fields/times.ts';
import { type Choice, NeedsChoice } from '../providers/provider.ts';
import type { ConvertedRecords, ConvertRules, Joined, Undecided } from '../tasks.ts';
import { inOrder } from './in-order.ts';
import { type ConvertPool, type DatesOfSource, finished, type DateMemo } from './ports.ts';
import { openSource, type ConvertSource, type SourceTable } from './source.ts';

const choices: readonly Choice[] = [
  { flags: ['--dates', 'dmy'], reason: 'reads 3/4/2023 as 3 April: the day comes first' },
  { flags: ['--dates', 'mdy'], reason: 'reads 3/4/2023 as March 4: the month comes first' },
];

/** Dates may have the day or the month first, and no value of their column shows which. */
export class AmbiguousDates extends NeedsChoice {
  constructor(columns: readonly string[]) {
    super(
      `Dates such as 3/4/2023 may have the day or the month first, and no value shows which, in ${columns.join(', ')}: say it with --dates dmy (the day first) or --dates mdy (the month first)`,
      choices,
    );
  }
}

interface Converting {
  readonly source: ConvertSource;
  readonly rules: ConvertRules;
  readonly pool: ConvertPool;
  readonly signal: AbortSignal;
}

/** The rules of one conversion, completed with the orders of dates once they are needed. */
export class RulesInUse {
  readonly #converting: Converting;
  readonly #memo: DateMemo;
  #rules: ConvertRules;

  constructor(converting: Converting) {
    this.#converting = converting;
    this.#memo = converting.source.dates ?? {};
    this.#rules = converting.rules;
  }

  /**
   * Converts records, and repeats it if dates in them have an undetermined order.
   * @param run converts; the second call gets the result of the first
   */
  async converted<Result extends ConvertedRecords | Joined>(
    run: (rules: ConvertRules, left?: Undecided) => Promise<Result | Undecided>,
  ): Promise<Result> {
    const first = await run(this.#rules);
    if (!('undecided' in first)) return first;
    const second = await run(await this.#decide(), first);
    if ('undecided' in second) throw new Error('dates are undecided with orders for them');
    return second;
  }

  /** @throws AmbiguousDates */
  async #decide(): Promise<ConvertRules> {
    const memo = this.#memo;
    memo.decided ??= decideDates(this.#converting);
    const { dates, open } = await memo.decided.catch((error: unknown) => {
      // Perhaps only a connection ended, which is unrelated to the dates.
      delete memo.decided;
      throw error;
    });
    if (open.length > 0 && this.#converting.source.countsAmbiguousDates !== true)
      throw new AmbiguousDates(open);
    this.#rules = { ...this.#rules, dates };
    return this.#rules;
  }
}

async function decideDates({ source, rules, pool, signal }: Converting): Promise<DatesOfSource> {
  const end = new AbortController();
  try {
    const { users, related } = await openSource(source, AbortSignal.any([end.signal, signal]));
    const orders: Record<string, ColumnOrders> = {};
    const open: string[] = [];
    for (const table of [users, ...related]) {
      const found = await datesOf(table, { source, rules, pool, signal });
      orders[table.name] = ordersOf(found);
      open.push(...undecidedIn(table.name, found));
    }
    return { dates: orders, open };
  } finally {
    end.abort();
  }
}

type Columns = ReadonlyMap<string, DatesInColumn>;

async function datesOf(
  { name, batches }: SourceTable,
  { source, rules, pool, signal }: Converting,
): Promise<Columns> {
  const columns = new Map<string, DatesInColumn>();
  const { fields } = source.provider.tables.find((table) => table.name === name) ?? {};
  if (fields === undefined || !hasDates(fields)) return columns;
  const shown = inOrder(
    batches,
    async ({ bytes, ends, oversized, form }) => {
      const task = { type: 'dates', rules, table: name, form, records: { bytes, ends, oversized } } as const;
      return { records: ends.length, found: finished(await pool.run(task)).columns };
    },
    pool.threads + 2,
  );
  let firstRecord = 1;
  for await (const { records, found } of shown) {
    signal.throwIfAborted();
    for (const [column, dates] of Object.entries(found)) add(columns, column, dates, firstRecord);
    firstRecord += records;
  }
  return columns;
}

function add(
  columns: Map<string, DatesInColumn>,
  name: string,
  { dmy, mdy, either, firstEither }: DatesInColumn,
  firstRecord: number,
): void {
  const sum = columns.get(name) ?? { dmy: 0, mdy: 0, either: 0, firstEither: 0 };
  if (sum.either === 0) sum.firstEither = firstEither + firstRecord;
  sum.dmy += dmy;
  sum.mdy += mdy;
  sum.either += either;
  columns.set(name, sum);
}

function ordersOf(columns: Columns): ColumnOrders {
  return Object.fromEntries(Array.from(columns, ([name, dates]) => [name, orderOf(dates)]));
}

function orderOf({ dmy, mdy }: DatesInColumn): ColumnOrder | 'unknown' {
  if (dmy > 0 && mdy > 0) return 'mixed';
  if (dmy > 0) return 'dmy';
  return mdy > 0 ? 'mdy' : 'unknown';
}

function undecidedIn(table: string, columns: Columns): readonly string[] {
  return Array.from(columns)
    .filter(([, dates]) => dates.either > 0 && orderOf(dates) === 'unknown')
    .map(([name, { firstEither }]) => {
      const column = table === 'users' ? name : `${name} of ${table}`;
      return `column ${column} (first in record ${firstEither})`;
    });
}
