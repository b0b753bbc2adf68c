import { formats } from './formats.ts';

interface FormatOptionsProps {
  /** Left out: all. */
  readonly has?: (id: string) => boolean;
}

/** Of a select. */
export function FormatOptions({ has = () => true }: FormatOptionsProps) {
  return (
    <>
      {Object.entries(formats)
        .filter(([id]) => has(id))
        .map(([id, { name }]) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
    </>
  );
}
