import { parsePhoneNumberFromString } from 'libphonenumber-js';

/** A number with its country's code in E.164; any other text as it is, trimmed: applications check what they send to. */
export function spellPhone(text: string): string {
  const trimmed = text.trim();
  return parsePhoneNumberFromString(trimmed)?.number ?? trimmed;
}
