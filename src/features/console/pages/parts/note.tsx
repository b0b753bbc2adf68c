import type { ComponentChildren } from 'preact';

interface NoteProps {
  readonly kind?: 'info' | 'good' | 'warn' | 'bad';
  readonly title?: string;
  readonly children?: ComponentChildren;
}

/** A sentence that must not be missed; errors are read out at once. */
export function Note({ kind = 'info', title, children }: NoteProps) {
  return (
    <div class={`note ${kind}`} role={kind === 'bad' ? 'alert' : 'status'}>
      {title !== undefined && <strong>{title}</strong>}
      {children}
    </div>
  );
}

export function Failure({ error }: { readonly error: string | undefined }) {
  return error === undefined ? null : <Note kind="bad">{error}</Note>;
}
