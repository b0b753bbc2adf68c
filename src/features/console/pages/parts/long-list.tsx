import type { ComponentChildren } from 'preact';
import { type Field, type Rows, useRows } from './rows.ts';
import { Scroller } from './scroller.tsx';
import { Searched } from './search.tsx';
import { useVirtual } from './virtual.ts';

interface LongListProps<Row> {
  readonly label: string;
  /** The same array until it changes. */
  readonly rows: readonly Row[];
  /** To search by: those of the first call. */
  readonly fields: readonly Field<Row>[];
  readonly item: (row: Row) => ComponentChildren;
}

const itemHeight = 140;

/** Parts too large for the rows of a table, in one list that scrolls, of which those in view are drawn. */
export function LongList<Row extends object>({ label, rows, fields, item }: LongListProps<Row>) {
  const found = useRows(rows, fields);
  return (
    <Searched label={label} total={rows.length} rows={found}>
      <Items label={label} found={found} item={item} />
    </Searched>
  );
}

interface ItemsProps<Row> extends Pick<LongListProps<Row>, 'label' | 'item'> {
  readonly found: Rows<Row>;
}

function Items<Row>({ label, found: { shown, search }, item }: ItemsProps<Row>) {
  const virtual = useVirtual({
    shown,
    estimate: itemHeight,
    order: search,
  });
  const { items, before, after, measure } = virtual;
  return (
    <Scroller label={label} virtual={virtual}>
      <ul class="rejects" style={{ paddingTop: before, paddingBottom: after }}>
        {items.map(({ index, key }) => {
          const each = shown[index];
          if (each === undefined) return null;
          return (
            <li
              key={key}
              ref={measure}
              data-index={index}
              aria-setsize={shown.length}
              aria-posinset={index + 1}
            >
              {item(each.row)}
            </li>
          );
        })}
      </ul>
    </Scroller>
  );
}
