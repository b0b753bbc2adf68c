/**
 * Columns of a batch as PostgreSQL array literals. The driver would quote and escape every cell; numbers and ids, most of a
 * batch, need neither.
 */

/** For cells that need no quoting: integers, booleans, uuids, hexadecimal digits. Undefined becomes NULL. */
export function plainArray<Item>(
  items: readonly Item[],
  cell: (item: Item) => string | number | boolean | undefined,
): string {
  // Joined at once: appending would leave a tree of small strings to the garbage collector.
  const cells = items.map((item) => cell(item) ?? 'NULL');
  return `{${cells.join(',')}}`;
}

const special = /["\\]/g;

/** Undefined becomes NULL; the caller must have refused U+0000. */
export function textArray<Item>(items: readonly Item[], cell: (item: Item) => string | undefined): string {
  const cells = items.map((item) => escaped(cell(item)));
  if (cells.length === 0) return '{}';
  if (!cells.includes(undefined)) return `{"${cells.join('","')}"}`;
  return `{${cells.map((text) => (text === undefined ? 'NULL' : `"${text}"`)).join(',')}}`;
}

/** Tested first: a replacement costs three times as much, and few texts need one. */
function escaped(text: string | undefined): string | undefined {
  if (text === undefined || !(text.includes('"') || text.includes('\\'))) return text;
  return text.replace(special, '\\$&');
}
