/** What reading a setting gives: its value, or what it should have been. That never repeats what was written. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly expected: string };

export const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const bad = (expected: string): Parsed<never> => ({ ok: false, expected });

const quotes = /^(["'`])[^]*\1$/;

/** Whether text has quotes around it: files of variables keep them, and they are never intended. */
export function isQuoted(text: string): boolean {
  return text.length > 1 && quotes.test(text);
}

export const inQuotes = 'is in quotes, which are part of the value here: remove them';
