import { useState } from 'preact/hooks';
import { count } from '../format.ts';

const pageSize = 20;

/** A page of a long list, and the buttons to turn it. */
export function usePages<Row>(rows: readonly Row[], key: string) {
  const [at, setAt] = useState({ key, page: 0 });
  const page = at.key === key ? at.page : 0;
  const pages = Math.max(1, Math.ceil(rows.length / pageSize));
  const shown = Math.min(page, pages - 1);
  const turn = (by: number): void => {
    setAt({ key, page: shown + by });
  };
  const buttons =
    pages > 1 ? (
      <div class="row" role="group" aria-label="Pages of the list">
        <button
          type="button"
          class="quiet small"
          disabled={shown === 0}
          onClick={() => {
            turn(-1);
          }}
        >
          ← Before
        </button>
        <span aria-live="polite">
          {count(shown * pageSize + 1)} to {count(Math.min(rows.length, (shown + 1) * pageSize))} of{' '}
          {count(rows.length)}
        </span>
        <button
          type="button"
          class="quiet small"
          disabled={shown === pages - 1}
          onClick={() => {
            turn(1);
          }}
        >
          Next →
        </button>
      </div>
    ) : null;
  return { rows: rows.slice(shown * pageSize, (shown + 1) * pageSize), buttons };
}
