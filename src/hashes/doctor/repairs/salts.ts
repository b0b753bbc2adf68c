/** Repairs of the salt and its position. */

import type { DigestName } from '../../parts/digested.ts';
import { decodeBase64, decodeHex, encodeBare } from '../../parts/encodings.ts';
import type { ParsedByKind, ParsedHash } from '../../registry.ts';
import { parameters } from '../examination.ts';
import type { Repair, Subject, Variant } from '../repair.ts';

type Digest = ParsedByKind[DigestName | 'ldap'];

export const saltRepairs: readonly Repair[] = [
  {
    name: 'salt-encoding',
    parameter: parameters.hash,
    advice:
      'The salt is meant as text where its bytes were decoded, or the other way round: encode it again (in strings with a base64 salt, base64 of the text).',
    variants: ({ parsed }) => (parsed === undefined ? [] : saltsOf(parsed)),
  },
  {
    name: 'salt-order',
    parameter: parameters.hash,
    advice:
      'The salt stands on the other side of the password: change the template (pf) or the position field.',
    variants: ({ parsed }) => (parsed === undefined ? [] : otherOrder(parsed)),
  },
  {
    name: 'hmac-key',
    parameter: parameters.hash,
    advice:
      'It is an HMAC with the password as key and the other value as message, which is not supported: have these users set a new password.',
    variants: swappedHmac,
  },
  {
    name: 'hmac',
    parameter: parameters.algorithm,
    advice:
      'It is no salted digest but an HMAC with the salt as its key: write it as $hmac-<digest>$hash$key.',
    variants: asHmac,
  },
];

/** Other forms of a salt: before it was decoded, or after. */
function otherForms(salt: Buffer): Buffer[] {
  const text = salt.toString('latin1');
  const written = [
    encodeBare(salt),
    salt.toString('base64'),
    salt.toString('hex'),
    salt.toString('hex').toUpperCase(),
  ];
  const standard = text.replaceAll('-', '+').replaceAll('_', '/');
  const read = [decodeHex(text), decodeBase64(text, 'any'), decodeBase64(standard, 'any')];
  return [...written.map((each) => Buffer.from(each)), ...read.filter((each) => each !== undefined)].filter(
    (each) => each.length > 0 && !each.equals(salt),
  );
}

function saltsOf(parsed: ParsedHash): Variant[] {
  if (parsed.kind === 'provider_scrypt') return saltsOfVariant(parsed);
  if (parsed.kind === 'argon2') return saltsOfArgon2(parsed);
  if (parsed.kind === 'hmac') return otherForms(parsed.key).map((key) => ({ parsed: { ...parsed, key } }));
  if (isDigest(parsed)) return saltsOfDigest(parsed);
  // In crypt(3) strings the salt is always text.
  return 'key' in parsed ? otherForms(parsed.salt).map((salt) => ({ parsed: { ...parsed, salt } })) : [];
}

/** RFC 9106 section 3.1. */
const argon2SaltFloor = 8;

function saltsOfArgon2(parsed: ParsedByKind['argon2']): Variant[] {
  return otherForms(Buffer.from(parsed.salt, 'base64'))
    .filter(({ length }) => length >= argon2SaltFloor)
    .map((salt) => ({ parsed: { ...parsed, salt: encodeBare(salt) } }));
}

function saltsOfVariant(parsed: ParsedByKind['provider_scrypt']): Variant[] {
  const base64 = (bytes: Buffer): string => bytes.toString('base64');
  const salts = otherForms(Buffer.from(parsed.salt, 'base64')).map(base64);
  const separators = otherForms(Buffer.from(parsed.separator, 'base64')).map(base64);
  const textOf = (encoded: string): string => base64(Buffer.from(encoded));
  return [
    ...salts.map((salt) => ({ parsed: { ...parsed, salt } })),
    ...separators.map((separator) => ({ parsed: { ...parsed, separator } })),
    { parsed: { ...parsed, salt: textOf(parsed.salt), separator: textOf(parsed.separator) } },
  ];
}

function isDigest(parsed: ParsedHash): parsed is Digest {
  return 'pieces' in parsed;
}

function saltsOfDigest(parsed: Digest): Variant[] {
  const salt = saltOf(parsed);
  if (salt === undefined) return [];
  return otherForms(salt).map((other) => ({
    parsed: { ...parsed, pieces: parsed.pieces.map((piece) => (piece === 'password' ? piece : other)) },
  }));
}

/** The salt of a digest with one salt and no other text. */
function saltOf({ pieces }: Digest): Buffer | undefined {
  const salts = pieces.filter((piece) => piece !== 'password');
  return salts.length === 1 ? salts[0] : undefined;
}

function otherOrder(parsed: ParsedHash): Variant[] {
  if (!isDigest(parsed) || parsed.pieces.length < 2) return [];
  const salt = saltOf(parsed);
  const both =
    salt === undefined ? [] : [{ parsed: { ...parsed, pieces: [salt, 'password', salt] as const } }];
  return [{ parsed: { ...parsed, pieces: parsed.pieces.toReversed() } }, ...both];
}

/** The password as the key, the stored key as the message. */
function swappedHmac({ parsed, password }: Subject): Variant[] {
  if (parsed?.kind !== 'hmac') return [];
  return [{ parsed: { ...parsed, key: password }, password: parsed.key }];
}

function asHmac({ parsed }: Subject): Variant[] {
  if (parsed === undefined || !isDigest(parsed)) return [];
  const key = saltOf(parsed);
  if (key === undefined) return [];
  return [{ parsed: { kind: 'hmac', digest: parsed.digest, key, expected: parsed.expected } }];
}
