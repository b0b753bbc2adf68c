/** A setting's value, or what it should have been. The text never repeats the input. */
export type Parsed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly expected: string };

export const good = <T>(value: T): Parsed<T> => ({ ok: true, value });
export const bad = (expected: string): Parsed<never> => ({ ok: false, expected });

const quotes = /^(["'`])[^]*\1$/;

/** Files of variables keep quotes, which are never intended. */
export function isQuoted(text: string): boolean {
  return text.length > 1 && quotes.test(text);
}

export const inQuotes = 'is in quotes, which are part of the value here: remove them';
