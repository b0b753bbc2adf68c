/** Logto: its table users, or users of its Management API. */

import type { SecondFactor } from '../../../imports/model.ts';
import type { NativeBackupCode, NativeTotpDevice } from '../../../imports/record/native-record.ts';
import { unusedCodes } from '../parts/backup-codes.ts';
import { convertAddressed, firstAddress } from '../parts/addresses.ts';
import { flagOf, objectOf, objectsOf, phoneOf, textOf, integerOf } from '../parts/fields.ts';
import { foldedRow, hasAll, namesOf } from '../parts/folded-row.ts';
import { personOptions, badHash, unsupportedHash } from '../parts/person.ts';
import type { SocialIdentity, FoundPassword } from '../parts/person.ts';
import { factorNamed } from '../parts/sign-in-state.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from '../provider.ts';
import { timeOf } from '../parts/times.ts';
import { decodeHex } from '../../../hashes/parts/encodings.ts';
import { pbkdf2String } from '../../../hashes/fields.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { argon2id } from '../parts/way-back.ts';

export const logto: Provider = {
  name: 'logto',
  title: 'Logto (users)',
  about:
    'The Management API gives hashes only for one user at a time and with includePasswordHash=true; the table users has them all. Primary emails and phone numbers count as verified. Identities of enterprise SSO are left out.',
  wayBack: { reads: 'Argon2id, bcrypt and others, by password_encryption_method', settings: argon2id },
  tables: [
    {
      name: 'users',
      places: [{ format: 'json', path: [] }, { format: 'ndjson' }, { format: 'csv' }],
      sqlNames: ['users'],
      idOf: (row) => textOf(row.id),
    },
  ],
  options: personOptions,
  recognises,
  convert,
};

function recognises(sample: Sample): number {
  const names = namesOf(sample);
  if (!hasAll(names, 'primaryemail')) return 0;
  return hasAll(names, 'passwordencryptionmethod') || hasAll(names, 'identities', 'customdata') ? 10 : 3;
}

function convert(row: SourceRow, _related: Related, options: ConvertOptions): Conversion {
  const user = foldedRow(row);
  const person = {
    id: textOf(user.id),
    email: textOf(user.primaryemail),
    isEmailVerified: true,
    phone: phoneOfDigits(user.primaryphone),
    password: logtoPassword(user),
    social: Object.entries(objectOf(user.identities) ?? {}).flatMap(socialOf),
    timeJoined: timeOf(user.createdat),
    metadata: {
      username: textOf(user.username),
      name: textOf(user.name),
      picture: textOf(user.avatar),
      profile: objectOf(user.profile),
      custom_data: objectOf(user.customdata),
    },
    totpDevices: objectsOf(user.mfaverifications).flatMap(totpOf),
    backupCodes: objectsOf(user.mfaverifications).flatMap(backupOf),
    secondFactors: objectsOf(user.mfaverifications).flatMap(factorsOf),
    isDisabled: flagOf(user.issuspended),
  };
  return convertAddressed(person, 'primary_email', options);
}

/** Logto keeps E.164 without its plus sign. */
function phoneOfDigits(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && /^\d+$/.test(text) ? phoneOf(`+${text}`) : phoneOf(text);
}

function socialOf([provider, value]: readonly [string, unknown]): readonly SocialIdentity[] {
  const identity = objectOf(value);
  const userId = textOf(identity?.userId);
  if (userId === undefined || provider.trim() === '') return [];
  return [{ provider, userId, email: firstAddress(textOf(objectOf(identity?.details)?.email)) }];
}

function totpOf({ type, key }: SourceRow): readonly NativeTotpDevice[] {
  const secretKey = textOf(key);
  return textOf(type) === 'Totp' && secretKey !== undefined ? [{ secretKey }] : [];
}

function backupOf({ type, codes }: SourceRow): readonly NativeBackupCode[] {
  return textOf(type) === 'BackupCode' ? unusedCodes(codes, 'usedAt') : [];
}

const factors = {
  WebAuthn: 'webauthn',
  PhoneVerificationCode: 'sms',
  EmailVerificationCode: 'email',
  Totp: 'totp',
} as const;

/** Backup codes are none by themselves. */
function factorsOf(verification: SourceRow): readonly SecondFactor[] {
  const type = textOf(verification.type);
  return type === 'BackupCode' || totpOf(verification).length > 0 ? [] : [factorNamed(factors, type)];
}

// Logto's password_encryption_method and its `Legacy` expressions (packages/core/src/utils/password.ts).

const field = 'password_encrypted';

/** The password of a user by its folded columns: those of the table, or the Management API's. */
function logtoPassword(user: SourceRow): FoundPassword | undefined {
  const hash = textOf(user.passwordencrypted) ?? textOf(user.passworddigest);
  const method = textOf(user.passwordencryptionmethod) ?? textOf(user.passwordalgorithm) ?? '';
  if (hash === undefined) return undefined;
  const name = method.toLowerCase();
  if (name === 'legacy') return legacy(hash);
  if (name === 'sha1' || name === 'sha256' || name === 'md5') return hashPassword(field, hash, name);
  return ['', 'bcrypt', 'argon2i', 'argon2id', 'argon2d'].includes(name)
    ? hashPassword(field, hash)
    : unsupportedHash(field, method);
}

interface Legacy {
  readonly algorithm: string;
  /** In order, with `@` for the password. */
  readonly parts: readonly string[];
  readonly expected: string;
}

const notLegacy = 'it must be a JSON array [algorithm, [arguments with "@" for the password], expected hash]';

function legacy(text: string): FoundPassword | undefined {
  const found = readLegacy(text);
  if (found === undefined) return badHash(field, notLegacy);
  // As OpenSSL, which takes any case and `sha-256` for `sha256`.
  const name = found.algorithm.toLowerCase().replace(/^sha-(?=\d)/, 'sha');
  if (name === 'pbkdf2') return pbkdf2(found);
  if (name === 'firebase-scrypt') return scryptVariant(found);
  return digests.has(name) ? digest(name, found) : unsupportedHash(field, found.algorithm);
}

function readLegacy(text: string): Legacy | undefined {
  try {
    const [algorithm, parts, expected, ...more] = JSON.parse(text) as readonly unknown[];
    const isSound = typeof algorithm === 'string' && typeof expected === 'string' && more.length === 0;
    if (!isSound || !Array.isArray(parts) || !parts.every((each) => typeof each === 'string'))
      return undefined;
    return parts.includes('@') ? { algorithm, parts, expected } : undefined;
  } catch {
    return undefined;
  }
}

const digests: ReadonlySet<string> = new Set(['md5', 'sha1', 'sha256', 'sha384', 'sha512']);

/** The arguments are joined and digested: Kratos's template says the same with a salt before the password. */
function digest(name: string, { parts, expected }: Legacy): FoundPassword | undefined {
  const at = parts.indexOf('@');
  if (parts.includes('@', at + 1)) return unsupportedHash(field, `${name}(password,password)`);
  const [before, after] = [parts.slice(0, at).join(''), parts.slice(at + 1).join('')];
  const hash = decodeHex(expected);
  if (hash === undefined) return badHash(field, 'its hash is not in hexadecimal digits');
  const template = base64(`{SALT}{PASSWORD}${after}`);
  return hashPassword(field, `$${name}$pf=${template}$${base64(before)}$${hash.toString('base64')}`);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

const pbkdf2Digests = ['sha1', 'sha256', 'sha512'] as const;

/** `[salt, iterations, bytes of the key, digest, "@"]`; a salt `hex:…` is bytes. */
function pbkdf2({ parts, expected }: Legacy): FoundPassword | undefined {
  const [salt = '', iterations = '', keyBytes = '', name = ''] = parts;
  const digestName = pbkdf2Digests.find((each) => each === name.toLowerCase());
  if (digestName === undefined) return unsupportedHash(field, `pbkdf2-${name}`);
  const saltBytes = salt.startsWith('hex:') ? decodeHex(salt.slice('hex:'.length)) : Buffer.from(salt);
  const key = decodeHex(expected);
  const count = integerOf(iterations);
  const isSound = saltBytes !== undefined && key !== undefined && count !== undefined;
  if (!isSound || key.length !== integerOf(keyBytes)) return badHash(field, notPbkdf2);
  const hash = pbkdf2String({ digest: digestName, iterations: count, salt: saltBytes, key });
  return hashPassword(field, hash);
}

const notPbkdf2 =
  'its pbkdf2 arguments must be [salt, iterations, bytes of the hash, digest, "@"], and the hash that long';

/** `[salt, signer key, separator, rounds, memory cost, "@"]`. The key is carried along: the core compares it with its own. */
function scryptVariant({ parts, expected }: Legacy): FoundPassword | undefined {
  const [salt = '', signerKey = '', separator = '', rounds = '', memoryCost = ''] = parts;
  const hash = [expected, salt, signerKey, separator, rounds, memoryCost].join('$');
  return hashPassword(field, hash, 'provider_scrypt');
}
