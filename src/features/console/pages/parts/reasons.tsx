import { useMemo, useState } from 'preact/hooks';
import { count } from '../format.ts';

/** What is wrong with a record, without the values of this one. */
interface Rejected {
  readonly code: string;
  readonly message: string;
}

/** Rejects by reason, so that what many have in common is seen first: buttons to choose one, and its rejects. */
export function useReasons<Reject extends Rejected>(lines: readonly Reject[]) {
  const [reason, setReason] = useState<string>();
  const byReason = useMemo(() => Map.groupBy(lines, ({ message }) => message), [lines]);
  const chosen = reason === undefined ? lines : (byReason.get(reason) ?? []);
  const sorted = [...byReason].toSorted(([, a], [, b]) => b.length - a.length);
  const chip = (name: string | undefined, value: number) => (
    <button
      key={name ?? ''}
      type="button"
      class={reason === name ? 'chip on' : 'chip'}
      aria-pressed={reason === name}
      onClick={() => {
        setReason(name);
      }}
    >
      {name ?? 'All'} <span class="soft">{count(value)}</span>
    </button>
  );
  const buttons =
    sorted.length < 2 ? null : (
      <div class="row wrap" role="group" aria-label="Reasons">
        {chip(undefined, lines.length)}
        {sorted.slice(0, mostShown).map(([name, each]) => chip(name, each.length))}
      </div>
    );
  return { chosen, buttons, key: reason ?? '' };
}

const mostShown = 12;
