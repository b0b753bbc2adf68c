import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { count } from '../format.ts';
import type { Rows } from './rows.ts';

/** Lists of up to this number are seen at once. */
const mostUnsearched = 10;

interface SearchedProps {
  readonly label: string;
  /** Of all rows. */
  readonly total: number;
  readonly rows: Pick<Rows<object>, 'shown' | 'search' | 'setSearch'>;
  /** The list. */
  readonly children: ComponentChildren;
}

/** A list with a search, and a way past it for the keyboard. */
export function Searched({ label, total, rows: { shown, search, setSearch }, children }: SearchedProps) {
  const end = useRef<HTMLSpanElement>(null);
  if (total <= mostUnsearched) return <>{children}</>;
  return (
    <>
      <div class="row wrap" role="search" aria-label={label}>
        <label class="field grow">
          Search in these rows
          <input
            type="search"
            spellcheck={false}
            autocomplete="off"
            value={search}
            onInput={({ currentTarget }) => {
              setSearch(currentTarget.value);
            }}
          />
        </label>
        <span class="soft found" aria-live="polite">
          {shown.length === total ? count(total) : `${count(shown.length)} of ${count(total)}`}
        </span>
      </div>
      <button type="button" class="past quiet small" onClick={() => end.current?.focus()}>
        Past the list
      </button>
      {children}
      <span ref={end} tabIndex={-1} />
    </>
  );
}
