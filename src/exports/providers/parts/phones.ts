/** Phone numbers in the form of GoTrue and Logto. */

import { carries, type Field, withAbout } from '../../fields/declare.ts';
import { parsePhone } from '../../fields/texts.ts';

/** A column with E.164 that lacks its plus sign. */
export function phoneOfDigits(name: string): Field<string> {
  return withAbout('Without its plus sign', {
    ...carries.phone(name),
    parse: (value) => parsePhone(withPlus(value)),
  });
}

function withPlus(value: unknown): unknown {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\s*[1-9]/.test(text) ? `+${text.trim()}` : text;
}
