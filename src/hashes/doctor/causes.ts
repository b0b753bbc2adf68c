/** Why a hash that can be read may not match a password that is said to be its own. */

import type { HashKind, ParsedHash } from '../parsed.ts';
import { parameters } from './examination.ts';
import type { Subject } from './repair.ts';
import { truncation } from './truncated.ts';

/** bcrypt reads this many bytes. */
const bcryptBytesUsed = 72;

export interface Causes {
  readonly parameter: string;
  readonly advice: readonly string[];
}

const anotherPassword =
  'The password is another one: changed since the export, mistyped, or the hash is of another user (check how hashes and emails were joined).';
const peppered =
  'The old system added a pepper (a secret) to passwords: a hash does not tell. If so, configure it and name the kind bcrypt_peppered.';
const keyed = 'The old system used a secret with this kind: a hash does not tell, and it is not supported.';
const salted = 'The salt is another one, or stands in another place or encoding than the string says.';
const costed = 'Its parameters (iterations, N, r, p, digest) are not those that the old system used.';

const byKind: Readonly<Partial<Record<HashKind, readonly string[]>>> = {
  bcrypt: [
    anotherPassword,
    peppered,
    'A prefix such as $wp or bcrypt_sha256$ was cut off, or something else than the password was hashed.',
  ],
  bcrypt_peppered: ['The configured pepper is another one.', anotherPassword],
  bcrypt_wordpress: [anotherPassword, 'The site replaces the hashing of WordPress by a plugin.'],
  argon2: [anotherPassword, keyed],
  scrypt: [anotherPassword, salted, costed],
  pbkdf2: [anotherPassword, salted, costed],
  pbkdf2_kratos: ['Only Ory Kratos means SHA-3 by this label.', anotherPassword],
  hmac: [anotherPassword, 'The key is another one, or was encoded otherwise.'],
};

/** The most likely causes of a mismatch, most likely first. */
export function causesOf(parsed: ParsedHash, subject: Subject): Causes {
  if (parsed.kind === 'provider_scrypt') return causesOfVariant(parsed, subject);
  const own = byKind[parsed.kind] ?? ('pieces' in parsed ? [anotherPassword, salted] : [anotherPassword]);
  return {
    parameter: parsed.kind === 'bcrypt_peppered' ? parameters.pepper : parameters.hash,
    advice: [...cutOff(subject), ...tooLong(parsed, subject), ...own],
  };
}

function cutOff({ hash }: Subject): string[] {
  const text = truncation(hash);
  return text === undefined ? [] : [`It may have been cut off: ${text}.`];
}

function tooLong({ kind }: ParsedHash, { password }: Subject): string[] {
  if (!kind.startsWith('bcrypt') || password.length <= bcryptBytesUsed) return [];
  return [
    `The password has ${password.length} bytes and bcrypt reads ${bcryptBytesUsed}: the old system may have hashed it before bcrypt.`,
  ];
}

function causesOfVariant(
  parsed: ParsedHash & { readonly kind: 'provider_scrypt' },
  { secrets }: Subject,
): Causes {
  const key = `The configured signer key is not the one of the project: copy base64_signer_key anew, and set ${parameters.signerKey}.`;
  const isOtherLength = secrets.signerKey !== undefined && parsed.hashBytes !== secrets.signerKey.length;
  const both =
    'One pair cannot tell a wrong password from a wrong signer key. Examine a second pair of the same project: if both decrypt to one key, the passwords are right.';
  const costs = 'Salt separator, rounds or mem_cost are not those of the project.';
  const advice = isOtherLength
    ? [`${key} It has another length than the hash.`, 'The hash was cut off.', anotherPassword]
    : [key, anotherPassword, costs, both];
  return { parameter: parameters.signerKey, advice };
}
