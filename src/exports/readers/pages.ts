/** A document's statements around its records: whether it is a page of a longer list. */

import type { Page } from './ending.ts';
import { each, type Step } from './list-path.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Fields that contain a token, a cursor, a number or an address of the next page; folded. */
const tokens: ReadonlySet<string> = new Set([
  'nextpagetoken',
  'pagetoken',
  'nexttoken',
  'nextpage',
  'nextcursor',
  'paginationtoken',
  'nextpaginationtoken',
  'continuationtoken',
  'nextmarker',
  'nextlink',
  'odatanextlink',
  'nextresults',
  'nexturl',
  'nexthref',
  'next',
  'listmetadataafter',
  'lastevaluatedkey',
]);
/** Fields that are true if another page follows. */
const flags: ReadonlySet<string> = new Set([
  'hasmore',
  'hasnextpage',
  'hasnext',
  'istruncated',
  'moreresults',
]);
const totals: ReadonlySet<string> = new Set([
  'total',
  'totalcount',
  'totalresults',
  'totalelements',
  'totalrecords',
  // CouchDB's `_all_docs`, whose rows have the documents as `doc`.
  'totalrows',
  'totalitems',
  'totalusers',
  'totalnumber',
  'count',
]);
/** Objects in which a list describes itself, next to its records or around them. */
const containers: ReadonlySet<string> = new Set([
  'meta',
  'metadata',
  'pagination',
  'paging',
  'page',
  'pageinfo',
  'links',
  'listmetadata',
  'resultsmetadata',
  'data',
  'result',
  'results',
  'response',
  'payload',
  'users',
  'allusers',
  'edges',
]);

/** The depth to which lists are wrapped: `data.users.pageInfo`. */
const depthLimit = 4;

function folded(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z]/g, '');
}

/**
 * The pages of documents, which may be in a list themselves.
 * @param around the documents without the elements of the list of their records
 * @param steps of the path to that list
 */
export function pagesIn(around: readonly unknown[], steps: readonly Step[]): readonly Page[] {
  const keys = steps.filter((step) => typeof step === 'string');
  const outer = steps.slice(0, steps.slice(0, -1).lastIndexOf(each) + 1);
  return around
    .flatMap((document) => elementsUnder(document, outer))
    .filter(isObject)
    .map((page) => pageOf(page, keys));
}

function elementsUnder(value: unknown, [step, ...others]: readonly Step[]): readonly unknown[] {
  if (step === undefined) return [value];
  if (step !== each) return isObject(value) ? elementsUnder(value[step], others) : [];
  return Array.isArray(value) ? value.flatMap((element: unknown) => elementsUnder(element, others)) : [];
}

function pageOf(document: Fields, path: readonly string[]): Page {
  const said = fieldsOf(document, new Set(path.map(folded)), depthLimit);
  const continuing = said.find(([name, value]) => isContinued(folded(name), value));
  // Next to such a field `count` is that of the page, as at Bubble; elsewhere that of all pages.
  const isOfPage =
    continuing !== undefined && (flags.has(folded(continuing[0])) || folded(continuing[0]) === 'remaining');
  const stated = said.find(
    ([name, value]) => totals.has(folded(name)) && isCount(value) && !(isOfPage && folded(name) === 'count'),
  );
  return {
    continuedBy: continuing?.[0],
    total: stated && { field: stated[0], records: Number(stated[1]) },
  };
}

/** Fields of the document and of the objects in it that describe the list. */
function fieldsOf(
  object: Fields,
  onPath: ReadonlySet<string>,
  depth: number,
): readonly (readonly [string, unknown])[] {
  const own = Object.entries(object);
  if (depth === 0) return own;
  const within = own.flatMap(([name, value]) => {
    const isOfList = containers.has(folded(name)) || onPath.has(folded(name));
    if (!isOfList || !isObject(value)) return [];
    const fields = fieldsOf(value, onPath, depth - 1);
    // `after` is too common a name elsewhere: WorkOS.
    const isNext = (field: string): boolean => field === 'after' && folded(name) === 'listmetadata';
    return fields.map(([field, each]) => [isNext(field) ? `${name}.${field}` : field, each] as const);
  });
  return [...own, ...within];
}

/** Airtable's `offset` is a token, and not the number of preceding records. */
const airtableOffset = /^itr\w+\/rec\w+$/;

function isContinued(name: string, value: unknown): boolean {
  if (name === 'offset') return typeof value === 'string' && airtableOffset.test(value);
  // Bubble counts the records after the page.
  if (name === 'remaining') return typeof value === 'number' && value > 0;
  if (flags.has(name)) return value === true || value === 'true';
  if (!tokens.has(name)) return false;
  if (isObject(value)) return Object.keys(value).length > 0;
  return (typeof value === 'string' && value !== '') || (typeof value === 'number' && value > 0);
}

function isCount(value: unknown): boolean {
  return typeof value === 'number'
    ? Number.isSafeInteger(value)
    : typeof value === 'string' && /^\d{1,15}$/.test(value);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
