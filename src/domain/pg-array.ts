/**
 * Columns of a batch as PostgreSQL array literals. The driver would quote and escape every cell of every type;
 * numbers and ids need neither, and that is most of what a batch carries.
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

/** For any text. Undefined becomes NULL; U+0000 must have been refused before. */
export function textArray<Item>(items: readonly Item[], cell: (item: Item) => string | undefined): string {
  const cells = items.map((item) => escaped(cell(item)));
  if (cells.length === 0) return '{}';
  if (!cells.includes(undefined)) return `{"${cells.join('","')}"}`;
  return `{${cells.map((text) => (text === undefined ? 'NULL' : `"${text}"`)).join(',')}}`;
}

/** Looked at first: a replacement costs three times as much, and hardly any text needs one. */
function escaped(text: string | undefined): string | undefined {
  if (text === undefined || !(text.includes('"') || text.includes('\\'))) return text;
  return text.replace(special, '\\$&');
}
