/**
 * Columns of a batch as PostgreSQL array literals. The driver would quote and escape every cell of every type;
 * numbers and ids need neither, and that is most of what a batch carries.
 */

/** For cells that need no quoting: integers, uuids, hexadecimal digits. Undefined becomes NULL. */
export function plainArray<Item>(
  items: readonly Item[],
  cell: (item: Item) => string | number | undefined,
): string {
  let literal = '{';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) literal += ',';
    literal += `${cell(items[i] as Item) ?? 'NULL'}`;
  }
  return literal + '}';
}

const special = /["\\]/g;

/** For any text. Undefined becomes NULL; U+0000 must have been refused before. */
export function textArray<Item>(items: readonly Item[], cell: (item: Item) => string | undefined): string {
  let literal = '{';
  for (let i = 0; i < items.length; i++) {
    if (i > 0) literal += ',';
    const text = cell(items[i] as Item);
    literal += text === undefined ? 'NULL' : `"${text.replace(special, '\\$&')}"`;
  }
  return literal + '}';
}
