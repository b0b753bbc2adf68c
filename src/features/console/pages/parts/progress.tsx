interface ProgressProps {
  readonly label: string;
  /** Left out: not known yet. */
  readonly value?: number | undefined;
  readonly max?: number | undefined;
  readonly text: string;
}

export function Progress({ label, value, max, text }: ProgressProps) {
  const known = value !== undefined && max !== undefined && max > 0;
  return (
    <div class="progress">
      {known ? <progress aria-label={label} value={value} max={max} /> : <progress aria-label={label} />}
      <span aria-live="polite">{text}</span>
    </div>
  );
}
