import type { ComponentChildren } from 'preact';
import { useRows, type Direction, type Rows } from './rows.ts';
import { Scroller } from './scroller.tsx';
import { Searched } from './search.tsx';
import type { Column } from './table.tsx';
import { useVirtual } from './virtual.ts';

export interface LongColumn<Row> extends Column<Row> {
  /** To search and to sort by; left out: neither. */
  readonly value?: (row: Row) => string | number;
  /** Left out: an equal part of what the others leave. */
  readonly width?: 'narrow' | 'code' | 'wide';
}

interface LongTableProps<Row> {
  readonly label: string;
  /** Their values are those of the first call. */
  readonly columns: readonly LongColumn<Row>[];
  /** The same array until it changes. */
  readonly rows: readonly Row[];
  readonly empty: string;
}

const rowHeight = 42;
/** Of a card's. */
const cellHeight = 30;
/** As in the style. */
const isPhone = (): boolean => matchMedia('(max-width: 640px)').matches;

const sortWords = { asc: 'ascending', desc: 'descending' } as const;

/** All rows in one list that scrolls, of which those in view are drawn. On a phone each row is a card. */
export function LongTable<Row extends object>({ label, columns, rows, empty }: LongTableProps<Row>) {
  const fields = columns.flatMap(({ name, value }) => (value === undefined ? [] : [{ name, value }]));
  const found = useRows(rows, fields);
  if (rows.length === 0) return <p class="soft">{empty}</p>;
  return (
    <Searched label={label} total={rows.length} rows={found}>
      <Body label={label} columns={columns} found={found} />
    </Searched>
  );
}

interface BodyProps<Row> {
  readonly label: string;
  readonly columns: readonly LongColumn<Row>[];
  readonly found: Rows<Row>;
}

function Body<Row>({ label, columns, found }: BodyProps<Row>) {
  const { shown, search, directionOf } = found;
  const order = columns.map(({ name }) => directionOf(name) ?? '').join();
  const virtual = useVirtual({
    shown,
    estimate: isPhone() ? columns.length * cellHeight : rowHeight,
    order: `${search} ${order}`,
  });
  const { items, before, after, measure } = virtual;
  return (
    <Scroller label={label} virtual={virtual}>
      <table aria-rowcount={shown.length + 1}>
        <caption class="hidden">{label}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Head key={column.name} column={column} found={found} />
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={before} columns={columns.length} />
          {items.map(({ index, key }) => {
            const each = shown[index];
            if (each === undefined) return null;
            return (
              <tr key={key} ref={measure} data-index={index} aria-rowindex={index + 2}>
                {columns.map(({ name, isNumber, cell }) => (
                  <td key={name} data-label={name} class={isNumber === true ? 'number' : undefined}>
                    {cell(each.row)}
                  </td>
                ))}
              </tr>
            );
          })}
          <Space height={after} columns={columns.length} />
        </tbody>
      </table>
    </Scroller>
  );
}

function Head<Row>({
  column: { name, value, isNumber, width },
  found: { directionOf, turn },
}: {
  readonly column: LongColumn<Row>;
  readonly found: Pick<Rows<Row>, 'directionOf' | 'turn'>;
}) {
  const direction = directionOf(name);
  const sort = direction === undefined ? 'none' : sortWords[direction];
  return (
    <th
      scope="col"
      class={isNumber === true ? 'number' : width}
      aria-sort={value === undefined ? undefined : sort}
    >
      {value === undefined ? (
        name
      ) : (
        <button
          type="button"
          class="sort"
          onClick={() => {
            turn(name);
          }}
        >
          {name}
          <Arrow direction={direction} />
        </button>
      )}
    </th>
  );
}

const arrows = { asc: '▲', desc: '▼' } as const;

function Arrow({ direction }: { readonly direction: Direction }): ComponentChildren {
  return <span aria-hidden="true">{direction === undefined ? '↕' : arrows[direction]}</span>;
}

/** The rows that are not drawn. */
function Space({ height, columns }: { readonly height: number; readonly columns: number }) {
  if (height <= 0) return null;
  return (
    <tr class="space" aria-hidden="true">
      <td colSpan={columns} style={{ height }} />
    </tr>
  );
}
