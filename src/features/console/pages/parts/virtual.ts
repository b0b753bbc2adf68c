import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useCallback, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';
import type { ShownRow } from './rows.ts';

export interface VirtualItem {
  readonly index: number;
  readonly key: number | string | bigint;
}

export interface Virtual {
  /** Of the element that scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Those that are in view, and some around them. */
  readonly items: readonly VirtualItem[];
  /** Pixels of the items before and after them. */
  readonly before: number;
  readonly after: number;
  /** Of each item's element, which has its index as `data-index`. */
  readonly measure: (element: HTMLElement | null) => void;
  /** Of the element that scrolls: a browser does not know where the end is before all items are drawn. */
  readonly onKeyDown: (event: KeyboardEvent) => void;
}

interface VirtualProps {
  /** The same array until it changes. */
  readonly shown: readonly ShownRow<unknown>[];
  /** Pixels that an item is likely to take. */
  readonly estimate: number;
  /** With another one the list begins at its top. */
  readonly order: string;
}

/** Items beyond the view that a key such as Tab can reach. */
const overscan = 10;

/** The items of a long list that are drawn, by TanStack Virtual. */
export function useVirtual({ shown, estimate, order }: VirtualProps): Virtual {
  const scroller = useRef<HTMLDivElement>(null);
  const [, redraw] = useReducer((turn: number) => turn + 1, 0);
  // With another one the positions of all items are computed again.
  const keyOf = useCallback((index: number) => shown[index]?.id ?? '', [shown]);
  const options = {
    count: shown.length,
    overscan,
    getScrollElement: () => scroller.current,
    getItemKey: keyOf,
    estimateSize: () => estimate,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => {
      redraw(undefined);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLElement>(options));
  virtualizer.setOptions(options);
  // As its adapters for frameworks do.
  useLayoutEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => {
    virtualizer._willUpdate();
  });
  useLayoutEffect(() => {
    virtualizer.scrollToOffset(0);
  }, [virtualizer, order]);
  const items = virtualizer.getVirtualItems();
  return {
    scroller,
    items,
    before: items[0]?.start ?? 0,
    after: virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0),
    measure: virtualizer.measureElement,
    onKeyDown: (event) => {
      if (event.key !== 'End' || event.target !== event.currentTarget) return;
      event.preventDefault();
      virtualizer.scrollToEnd();
    },
  };
}
