import { createRequire } from 'node:module';
import type * as Library from 'libphonenumber-js';

let library: typeof Library | undefined;

/** Loaded with the first phone number: 112 modules, 6 MB and a tenth of the start time, which most cores never need. */
function loaded(): typeof Library {
  library ??= createRequire(import.meta.url)('libphonenumber-js') as typeof Library;
  return library;
}

/** @returns a number with its country code in E.164; any other text only trimmed, because applications validate numbers */
export function spellPhone(text: string): string {
  const trimmed = text.trim();
  // Without a default country only a plus sign marks an international number.
  if (!/[+＋]/u.test(trimmed)) return trimmed;
  return loaded().parsePhoneNumberFromString(trimmed)?.number ?? trimmed;
}
