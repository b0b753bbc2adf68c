import type { ComponentChildren } from 'preact';

export interface Column<Row> {
  readonly name: string;
  readonly isNumber?: boolean;
  readonly cell: (row: Row) => ComponentChildren;
}

interface TableProps<Row> {
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly empty: string;
}

/** On a phone each row is a card, whose cells have their column's name. */
export function Table<Row>({ label, columns, rows, keyOf, empty }: TableProps<Row>) {
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  return (
    <div class="scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <caption class="hidden">{label}</caption>
        <thead>
          <tr>
            {columns.map(({ name, isNumber }) => (
              <th key={name} scope="col" class={isNumber === true ? 'number' : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, isNumber, cell }) => (
                <td key={name} data-label={name} class={isNumber === true ? 'number' : undefined}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
