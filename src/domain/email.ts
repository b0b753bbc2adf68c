/**
 * How an email is spelt when it is stored and looked for: by requests, records and exports alike. What is ASCII, as nearly
 * all are, is trimmed and lower-cased. Of the rest, one spelling of what looks the same (Unicode NFC), so that people find
 * their accounts; and what cannot be seen, or is another letter once it is normalised, is refused, so that no other person makes one.
 */

/** White space is what JavaScript's trim() takes off; control characters are C0, DEL and C1. */
const notVisible = String.raw`\s\u0000-\u001f\u007f-\u009f\p{Default_Ignorable_Code_Point}\p{Cf}`;
/** KELVIN SIGN, ANGSTROM SIGN and OHM SIGN, which Unicode's normal forms turn into letters. */
const disguised = String.raw`\u212a\u212b\u2126`;
const character = `[^@${notVisible}${disguised}]`;

/**
 * The domain of the addresses that drivers make up for users without an email at a provider. The ids of user and provider stand before
 * it, and these may hold an `@`.
 */
export const madeUpDomain = 'stfakeemail.supertokens.com';

/** One `@` with something on each side; for a regular expression with the flag `u`. */
export const emailPattern = `^(${character}+@${character}+|(${character}|@)+@${madeUpDomain.replaceAll('.', String.raw`\.`)})$`;
export const emailMaxLength = 256;

/** Of `emailPattern`, in words that follow "it". */
export const emailRule =
  'must be an email address, with one @ and no white space, control characters, invisible characters or letter-like signs';

const beyondAscii = /[^\0-\x7f]/;
const disguisedSign = new RegExp(`[${disguised}]`, 'u');
const address = new RegExp(emailPattern, 'u');

/** @returns the one spelling of `text`; as it is where that would hide what `emailPattern` refuses */
export function spellEmail(text: string): string {
  const trimmed = text.trim();
  if (!beyondAscii.test(trimmed)) return trimmed.toLowerCase();
  return disguisedSign.test(trimmed) ? trimmed : trimmed.toLowerCase().normalize('NFC');
}

/** Whether `text` is an email address as it would be stored. */
export function isEmail(text: string): boolean {
  return text.length <= emailMaxLength && address.test(text);
}
