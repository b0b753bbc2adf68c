import {
  columnFilteringFeature,
  constructTable,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_includesString,
  globalFilteringFeature,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
} from '@tanstack/table-core';
import { storeReactivityBindings } from '@tanstack/table-core/store-reactivity-bindings';
import { useEffect, useMemo, useReducer, useState } from 'preact/hooks';

/** A part of a row, to search and to sort by. */
export interface Field<Row> {
  readonly name: string;
  readonly value: (row: Row) => string | number;
}

export type Direction = 'asc' | 'desc' | undefined;

export interface ShownRow<Row> {
  /** The same for a row as long as those before it stay. */
  readonly id: string;
  readonly row: Row;
}

export interface Rows<Row> {
  /** Found and in order; the same array until that changes. */
  readonly shown: readonly ShownRow<Row>[];
  readonly search: string;
  readonly setSearch: (text: string) => void;
  /** @param field its name */
  readonly directionOf: (field: string) => Direction;
  /** Up, then down, then as they came. */
  readonly turn: (field: string) => void;
}

const features = tableFeatures({
  coreReactivityFeature: storeReactivityBindings(),
  columnFilteringFeature,
  globalFilteringFeature,
  filteredRowModel: createFilteredRowModel(),
  filterFns: { includesString: filterFn_includesString },
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});

/**
 * Searches and sorts rows, by TanStack Table.
 * @param rows the same array until it changes
 * @param fields those of the first call
 */
export function useRows<Row extends object>(rows: readonly Row[], fields: readonly Field<Row>[]): Rows<Row> {
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  const [table] = useState(() =>
    constructTable<typeof features, Row>({
      features,
      data: rows,
      columns: fields.map(({ name, value }) => ({
        id: name,
        accessorFn: value,
        sortFn: 'alphanumeric' as const,
      })),
      globalFilterFn: 'includesString',
      getColumnCanGlobalFilter: () => true,
      sortDescFirst: false,
    }),
  );
  useEffect(() => {
    const { unsubscribe } = table.store.subscribe(() => {
      redraw(undefined);
    });
    return unsubscribe;
  }, [table]);
  if (table.options.data !== rows) table.setOptions((before) => ({ ...before, data: rows }));
  const search: unknown = table.store.state.globalFilter;
  const found = table.getRowModel().rows;
  const shown = useMemo(() => found.map(({ id, original }) => ({ id, row: original })), [found]);
  return {
    shown,
    search: typeof search === 'string' ? search : '',
    setSearch: (text) => {
      table.setGlobalFilter(text);
    },
    directionOf: (field) => {
      const direction = table.getColumn(field)?.getIsSorted();
      return direction === false ? undefined : direction;
    },
    turn: (field) => {
      table.getColumn(field)?.toggleSorting();
    },
  };
}
