/** Phone numbers in national format, by the metadata of libphonenumber. */

import { createRequire } from 'node:module';
import type * as Library from 'libphonenumber-js/max';
import type { CountryCode } from 'libphonenumber-js';

let library: typeof Library | undefined;

/** Loaded for the few files that need it. The larger metadata has the ranges of each country, the usual one only lengths for many. */
function loaded(): typeof Library {
  library ??= createRequire(import.meta.url)('libphonenumber-js/max') as typeof Library;
  return library;
}

export type { CountryCode } from 'libphonenumber-js';

/** The ISO 3166 code of a country, in any letter case; undefined for anything else. */
export function countryNamed(text: string): CountryCode | undefined {
  const code = text.trim().toUpperCase();
  return loaded().isSupportedCountry(code) ? code : undefined;
}

/** In E.164; undefined unless it is a valid number of the country. */
export function nationalPhone(text: string, country: CountryCode): string | undefined {
  const { parsePhoneNumberFromString } = loaded();
  const phone = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
  return phone?.isValid() === true && phone.ext === undefined ? phone.number : undefined;
}

/** Tried first, so that examples are of well-known countries. */
const populous: readonly CountryCode[] = ['US', 'GB', 'DE', 'FR', 'IN', 'BR', 'JP', 'ES', 'IT', 'AU'];

/** More would not help to decide. */
const countriesShown = 3;

/** Some countries in which a text is a valid number; empty if it names its country, is a date or not a number. */
export function countriesOf(text: unknown): readonly CountryCode[] {
  return typeof text === 'string' && isLikePhone(text) ? commonCountries([text]) : [];
}

function isLikePhone(text: string): boolean {
  const isDate = /^\s*(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{4})\s*$/.test(text);
  return !isDate && /^\s*\(?\d[\d\s()./-]{4,24}$/.test(text);
}

/** Some countries in which every text is a valid number: the most populous first. */
export function commonCountries(texts: readonly string[]): readonly CountryCode[] {
  const found: CountryCode[] = [];
  for (const country of new Set([...populous, ...loaded().getCountries()])) {
    if (texts.every((text) => nationalPhone(text, country) !== undefined)) found.push(country);
    if (found.length === countriesShown) break;
  }
  return found;
}

/** The cure for a number that is valid in these countries. */
export function adviceOfCountries(countries: readonly string[]): string {
  const [first = ''] = countries;
  return `as a number without its country it is valid in ${countries.join(', ')}: --country says of which they are, such as --country ${first}`;
}
