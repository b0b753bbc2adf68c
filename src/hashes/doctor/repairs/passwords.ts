/** Repairs of the password: what the old system made of it before it was hashed. */

import { createHash } from 'node:crypto';
import { parameters } from '../examination.ts';
import type { Repair, Subject } from '../repair.ts';

const forms = ['NFC', 'NFKC', 'NFD', 'NFKD'] as const;
const ends = ['\n', '\r\n', ' ', '\r', '\0'] as const;
/** Longest inputs that forms and old systems had, in bytes; 72 is bcrypt's. */
const cuts = [72, 8, 14, 16, 20, 30, 32, 40, 50, 64, 100, 128] as const;

export const passwordRepairs: readonly Repair[] = [
  {
    name: 'password-white-space',
    parameter: parameters.password,
    advice:
      'The old system hashed the password with other white space around it (trimmed it, or kept a line end): give this password as it was typed there, and expect users with such passwords to need a reset.',
    variants: ofText((text) => [text.trim(), ...ends.map((end) => `${text}${end}`), ` ${text}`]),
  },
  {
    name: 'password-unicode-form',
    parameter: parameters.password,
    advice:
      'The old system normalised passwords (NFC or NFKC) before it hashed them: have the front end send them in that form, or users with accents will need a reset.',
    variants: ofText((text) => forms.map((form) => text.normalize(form))),
  },
  {
    name: 'password-case',
    parameter: parameters.password,
    advice: 'The old system changed upper and lower case before it hashed: have the front end do the same.',
    variants: ofText((text) => [
      text.toLowerCase(),
      text.toUpperCase(),
      text.charAt(0).toUpperCase() + text.slice(1),
      text.charAt(0).toLowerCase() + text.slice(1),
    ]),
  },
  {
    name: 'password-encoding',
    parameter: parameters.hash,
    advice:
      'The old system hashed the password in another encoding than UTF-8: of a plain digest say pe=utf16le in the hash; other kinds and Latin-1 are not supported, have those users set a new password.',
    variants: otherEncodings,
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
    parameter: parameters.hash,
    advice:
      'The old system hashed a digest of the password (such as its SHA-256 in hexadecimal): of bcrypt over SHA-256 in hexadecimal put bcrypt_sha256$ in front; for others have the front end send the digest, or let users set a new password.',
    variants: ({ password }) => digested(password),
  },
];

function ofText(change: (text: string) => readonly string[]): Repair['variants'] {
  return ({ password }) =>
    change(password.toString('utf8'))
      .map((each) => Buffer.from(each))
      .filter((each) => !each.equals(password))
      .map((each) => ({ password: each }));
}

function otherEncodings({ password, parsed }: Subject) {
  const text = password.toString('utf8');
  const found = (['latin1', 'utf16le'] as const).map((encoding) => Buffer.from(text, encoding));
  const bigEndian = Buffer.from(text, 'utf16le').swap16();
  const others = [...found, bigEndian].filter((each) => !each.equals(password));
  const asUtf8 =
    parsed !== undefined && 'pieces' in parsed && parsed.passwordEncoding !== 'utf8'
      ? [{ parsed: { ...parsed, passwordEncoding: 'utf8' as const } }]
      : [];
  return [...others.map((each) => ({ password: each })), ...asUtf8];
}

const digests = [
  ['sha256', 'hex'],
  ['sha256', 'base64'],
  ['sha256', 'latin1'],
  ['md5', 'hex'],
  ['sha1', 'hex'],
  ['sha512', 'hex'],
  ['sha512', 'base64'],
  ['sha384', 'base64'],
  ['md5', 'latin1'],
  ['sha1', 'latin1'],
] as const;

function digested(password: Buffer) {
  return digests.map(([name, form]) => {
    const digest = createHash(name).update(password).digest();
    return { password: form === 'latin1' ? digest : Buffer.from(digest.toString(form)) };
  });
}
