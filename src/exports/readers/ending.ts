/** Whether an input is complete: what a reader finds at its end, and the conclusion for all files together. */

import { ExportFault } from '../providers/provider.ts';

/**
 * - `ENDS_EARLY`: the file is truncated inside a record, a document or a statement;
 * - `NO_TRAILER`: a dump lacks the line that its program writes last;
 * - `MORE_PAGES`: the file is a page of a list, and states that another follows;
 * - `FEWER_THAN_STATED`: the file states a total, and contains fewer records.
 */
export type IncompleteCode = 'ENDS_EARLY' | 'NO_TRAILER' | 'MORE_PAGES' | 'FEWER_THAN_STATED';

/** Why an input is only a part of its origin. */
export interface Incomplete {
  readonly code: IncompleteCode;
  /** The path by which it was opened. */
  readonly file: string;
  /** For people, without the file. */
  readonly message: string;
}

/** A page's statements about the whole list. */
export interface Page {
  /** The field which shows that more pages follow; undefined if no field does. */
  readonly continuedBy: string | undefined;
  /** The number of records in the whole list. */
  readonly total: { readonly field: string; readonly records: number } | undefined;
}

/** Input that was not read to a regular end. Readers with an Ending note it there instead of throwing this. */
export class EndsEarly extends ExportFault {}

/** The findings of the readers of one table of one file. Complete after the last batch. */
export class Ending {
  readonly file: string;
  /** Of the table, including unreadable ones. */
  records = 0;
  readonly #reasons = new Map<string, IncompleteCode>();
  #pages: readonly Page[] = [];

  constructor(file: string) {
    this.file = file;
  }

  /** The input ends early. */
  get isCut(): boolean {
    return [...this.#reasons.values()].includes('ENDS_EARLY');
  }

  get pages(): readonly Page[] {
    return this.#pages;
  }

  /** Once for each message. */
  get reasons(): readonly Incomplete[] {
    return Array.from(this.#reasons, ([message, code]) => ({ code, file: this.file, message }));
  }

  note(code: IncompleteCode, message: string): void {
    this.#reasons.set(message, code);
  }

  notePages(pages: readonly Page[]): void {
    this.#pages = pages;
  }
}

/** An input that is refused because it is not complete. */
export class IncompleteInput extends ExportFault {
  readonly incomplete: readonly Incomplete[];

  constructor(incomplete: readonly Incomplete[]) {
    super(inWords(incomplete));
    this.incomplete = incomplete;
  }
}

function inWords(incomplete: readonly Incomplete[]): string {
  const [first] = incomplete;
  const more = incomplete.length > 1 ? ` (and ${incomplete.length - 1} more)` : '';
  return `${first?.file ?? ''}: ${first?.message ?? ''}${more}`;
}

/**
 * The missing parts of the files of one table together. Pages of one list complete each other: by a last page, or by records that
 * add up to the stated total.
 */
export function missingFrom(endings: readonly Ending[]): readonly Incomplete[] {
  const reasons = endings.flatMap((ending) => ending.reasons);
  const paged = endings.filter(({ pages }) => pages.length > 0);
  const fewer = fewerThanStated(paged);
  if (fewer.length > 0 || paged.some(({ pages }) => pages.some(({ total }) => total !== undefined)))
    return [...reasons, ...fewer];
  return [...reasons, ...withoutLastPage(paged)];
}

/** A list may change while it is fetched: records that reach the largest total are complete. */
function fewerThanStated(paged: readonly Ending[]): readonly Incomplete[] {
  const all = recordsIn(paged);
  const byTotal = Map.groupBy(paged, ({ pages }) => totalOf(pages)?.records);
  return Array.from(byTotal).flatMap(([records = 0, stating]) => {
    const here = recordsIn(stating);
    if (here >= records || all >= records) return [];
    const [{ file, pages } = { file: '', pages: [] }] = stating;
    const name = totalOf(pages)?.field ?? '';
    const where = stating.length > 1 ? `these ${stating.length} files hold` : 'it holds';
    const message = `its field "${name}" states a total of ${records} records, and ${where} ${here}: ${records - here} are missing. Fetch the other pages, and give all files together`;
    return [{ code: 'FEWER_THAN_STATED', file, message } as const];
  });
}

function totalOf(pages: readonly Page[]): Page['total'] {
  return pages.find(({ total }) => total !== undefined)?.total;
}

function recordsIn(endings: readonly Ending[]): number {
  return endings.reduce((sum, { records }) => sum + records, 0);
}

function withoutLastPage(paged: readonly Ending[]): readonly Incomplete[] {
  const pages = paged.flatMap((ending) => ending.pages);
  const last = paged.at(-1);
  if (last === undefined || pages.some(({ continuedBy }) => continuedBy === undefined)) return [];
  const field = last.pages.at(-1)?.continuedBy ?? '';
  const message = `it is one page of a list, and its field "${field}" says that another page follows. Fetch pages until there is no ${field}, and give all files together`;
  return [{ code: 'MORE_PAGES', file: last.file, message }];
}
