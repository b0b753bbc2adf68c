import type { ComponentChildren } from 'preact';

export interface Figure {
  readonly name: string;
  readonly value: ComponentChildren;
  readonly note?: string | undefined;
  readonly kind?: 'good' | 'warn' | 'bad' | undefined;
}

/** Large numbers with their names. */
export function Figures({ items }: { readonly items: readonly Figure[] }) {
  return (
    <dl class="figures">
      {items.map(({ name, value, note, kind }) => (
        <div key={name} class={kind}>
          <dt>{name}</dt>
          <dd>{value}</dd>
          {note !== undefined && <dd class="soft">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}

interface BarsProps {
  readonly label: string;
  readonly items: readonly { readonly name: string; readonly value: number; readonly shown: string }[];
}

/** Parts of a whole, the largest first. */
export function Bars({ label, items }: BarsProps) {
  const largest = Math.max(1, ...items.map(({ value }) => value));
  return (
    <ul class="bars" aria-label={label}>
      {items.map(({ name, value, shown }) => (
        <li key={name}>
          <span>{name}</span>
          <meter min={0} max={largest} value={value} aria-hidden="true" />
          <span class="number">{shown}</span>
        </li>
      ))}
    </ul>
  );
}
