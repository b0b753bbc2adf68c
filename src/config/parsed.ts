/** What reading a setting gives: its value, or what it should have been. That never repeats what was written. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly expected: string };

export const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const bad = (expected: string): Parsed<never> => ({ ok: false, expected });
