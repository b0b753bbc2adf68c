/** Repairs of the password: changes that the old system made before hashing. */

import { parameters } from '../examination.ts';
import type { Repair, Subject, Variant } from '../repair.ts';
import { byCombinations, byDigest, byNone, bySteps } from './transforms.ts';

const ends = ['\n', '\r\n', ' ', '\r', '\0'] as const;
/** Maximum lengths of inputs in forms and old systems, in bytes; 72 is bcrypt's. */
const cuts = [72, 8, 14, 16, 20, 30, 32, 40, 50, 64, 100, 128] as const;

export const passwordRepairs: readonly Repair[] = [
  {
    name: 'password-white-space',
    parameter: parameters.password,
    advice:
      'The old system hashed the password with other white space around it (trimmed it, or kept a line end): give this password as it was typed there, and expect users with such passwords to need a reset.',
    variants: (subject) => [...bySteps('trimmed')(subject), ...withOtherSpace(subject)],
  },
  {
    name: 'password-escaped',
    parameter: parameters.transforms,
    advice:
      'The old system escaped characters of the password before it hashed it: state that at the import.',
    variants: (subject) => [...byNone(subject), ...bySteps('slashed', 'html', 'html-quotes')(subject)],
  },
  {
    name: 'password-unicode-form',
    parameter: parameters.transforms,
    advice: 'The old system normalised passwords before it hashed them: state that at the import.',
    variants: bySteps('nfc', 'nfkc', 'nfd', 'nfkd'),
  },
  {
    name: 'password-case',
    parameter: parameters.password,
    advice: 'The old system changed the first letter before it hashed: have the front end do the same.',
    variants: (subject) => [
      ...bySteps('lower-case', 'upper-case', 'lower-case-ascii')(subject),
      ...withOtherStart(subject),
    ],
  },
  {
    name: 'password-encoding',
    parameter: parameters.hash,
    advice:
      'The old system hashed the password in another encoding than the hash says: take pe=utf16le out of it, or let users with such passwords set new ones where it was UTF-16 with the high byte first.',
    variants: (subject) => [...bySteps('latin1', 'utf16le')(subject), ...otherEncodings(subject)],
  },
  {
    name: 'password-length',
    parameter: parameters.password,
    advice:
      'The old system hashed only the beginning of a long password: have the front end cut it there, or users with long passwords will need a reset.',
    variants: ({ password }) =>
      cuts.filter((cut) => cut < password.length).map((cut) => ({ password: password.subarray(0, cut) })),
  },
  {
    name: 'password-digested',
    parameter: parameters.transforms,
    advice: 'The old system hashed a digest of the password: state that at the import.',
    variants: byDigest,
  },
  {
    name: 'password-combined',
    parameter: parameters.transforms,
    advice:
      'The old system changed the password in several steps before it hashed it: state them at the import.',
    variants: byCombinations,
  },
];

const withOtherSpace: Repair['variants'] = ofText((text) => [
  text.trim(),
  ...ends.map((end) => `${text}${end}`),
  ` ${text}`,
]);

const withOtherStart = ofText((text) => [
  text.charAt(0).toUpperCase() + text.slice(1),
  text.charAt(0).toLowerCase() + text.slice(1),
]);

function ofText(change: (text: string) => readonly string[]): Repair['variants'] {
  return ({ password }) =>
    change(password.toString('utf8'))
      .map((each) => Buffer.from(each))
      .filter((each) => !each.equals(password))
      .map((each) => ({ password: each }));
}

/** UTF-16 with the high byte first; and UTF-8 if the hash states UTF-16. */
function otherEncodings({ password, parsed }: Subject): readonly Variant[] {
  const bigEndian = Buffer.from(password.toString('utf8'), 'utf16le').swap16();
  const asUtf8 =
    parsed !== undefined && 'pieces' in parsed && parsed.passwordEncoding !== 'utf8'
      ? [{ parsed: { ...parsed, passwordEncoding: 'utf8' as const } }]
      : [];
  return [{ password: bigEndian }, ...asUtf8];
}
