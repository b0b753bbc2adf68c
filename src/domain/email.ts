/**
 * The spelling of emails in requests, records and exports. ASCII is trimmed and lower-cased. Other text is normalised to NFC, so
 * that users find their accounts. Invisible characters and letters that normalisation replaces are refused, so that no two
 * accounts look alike.
 */

/** White space as JavaScript's trim() removes it; control characters are C0, DEL and C1. */
const notVisible = String.raw`\s\u0000-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}\p{Cf}`;
/** KELVIN SIGN, ANGSTROM SIGN and OHM SIGN, which Unicode normalisation replaces by letters. */
const disguised = String.raw`\u212a\u212b\u2126`;
const character = `[^@${notVisible}${disguised}]`;

/**
 * The domain of addresses that drivers invent for users without an email at a provider. Their local part holds the ids of user
 * and provider, which may contain an `@`.
 */
export const madeUpDomain = 'stfakeemail.supertokens.com';

/** One `@` with text on each side; for a regular expression with the flag `u`. */
export const emailPattern = `^(${character}+@${character}+|(${character}|@)+@${madeUpDomain.replaceAll('.', String.raw`\.`)})$`;
export const emailMaxLength = 256;

/** `emailPattern` in words that follow "it". */
export const emailRule =
  'must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs';

const beyondAscii = /[^\0-\x7f]/;
const disguisedSign = new RegExp(`[${disguised}]`, 'u');
const address = new RegExp(emailPattern, 'u');

/** @returns the stored spelling; `text` unchanged if trimming would hide what `emailPattern` refuses */
export function spellEmail(text: string): string {
  const trimmed = text.trim();
  if (!beyondAscii.test(trimmed)) return trimmed.toLowerCase();
  return disguisedSign.test(trimmed) ? trimmed : trimmed.toLowerCase().normalize('NFC');
}

export function isEmail(text: string): boolean {
  return text.length <= emailMaxLength && address.test(text);
}
