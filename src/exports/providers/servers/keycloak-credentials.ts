/** Keycloak's credentials: JSON texts inside JSON, or, in very old exports, fields of the credential itself. */

import { keycloakArgon2String, pbkdf2String } from '../../../hashes/fields.ts';
import type { Pbkdf2Fields } from '../../../hashes/fields.ts';
import { decodeBase64 } from '../../../hashes/parts/encodings.ts';
import type { SecondFactor } from '../../../imports/model.ts';
import type { NativeTotpDevice } from '../../../imports/record/native-record.ts';
import { integerOf, objectOf, textOf } from '../parts/fields.ts';
import { builtPassword } from '../parts/hash-strings.ts';
import { badHash, unsupportedHash } from '../parts/person.ts';
import type { FoundPassword } from '../parts/person.ts';
import type { SourceRow } from '../provider.ts';

const field = 'credentials.secretData';

/** By Keycloak's name of the provider; a name of its own may end with more. */
const digests: Readonly<Partial<Record<string, Pbkdf2Fields['digest']>>> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
};

/** The password among `credentials`, not those of its history; undefined where there is none. */
export function keycloakHash(credentials: readonly SourceRow[]): FoundPassword | undefined {
  const credential = credentials.find(({ type }) => textOf(type) === 'password');
  if (credential === undefined) return undefined;
  const plain = textOf(credential.value);
  if (plain !== undefined && credential.secretData === undefined) return { plainText: plain };
  const { value, salt, iterations, algorithm, parameters } = partsOf(credential);
  if (value === undefined || salt === undefined || iterations === undefined)
    return badHash(field, 'its value, salt or hashIterations is missing or not what Keycloak writes');
  if (algorithm === 'argon2') {
    const costs = { hashIterations: iterations, additionalParameters: parameters };
    return builtPassword(field, keycloakArgon2String(costs, salt, value), 'Keycloak');
  }
  const digest = Object.hasOwn(digests, algorithm) ? digests[algorithm] : undefined;
  if (digest === undefined) return unsupportedHash('credentials.credentialData', algorithm);
  return builtPassword(field, pbkdf2String({ digest, iterations, salt, key: value }), 'Keycloak');
}

function partsOf(credential: SourceRow) {
  const secret = objectOf(credential.secretData);
  const data = objectOf(credential.credentialData) ?? credential;
  const parameters = Object.entries(objectOf(data.additionalParameters) ?? {});
  return {
    value: bytesOf(secret?.value ?? credential.hashedSaltedValue),
    salt: bytesOf(secret?.salt ?? credential.salt),
    iterations: integerOf(data.hashIterations),
    algorithm: textOf(data.algorithm) ?? 'pbkdf2',
    parameters: Object.fromEntries(parameters.map(([name, list]) => [name, textsOf(list)] as const)),
  };
}

function bytesOf(value: unknown): Buffer | undefined {
  const text = textOf(value);
  return text === undefined ? undefined : decodeBase64(text, 'any');
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => textOf(each) ?? []);
}

/** A TOTP credential of six digits by SHA-1: the core knows no others. Keycloak keeps the key as text, not in base32. */
export function keycloakTotp(credential: SourceRow): readonly NativeTotpDevice[] {
  const value = textOf(objectOf(credential.secretData)?.value);
  const data = objectOf(credential.credentialData) ?? {};
  if (textOf(credential.type) !== 'otp' || value === undefined || !isKnownTotp(data)) return [];
  const isBase32 = textOf(data.secretEncoding) === 'BASE32';
  const deviceName = textOf(credential.userLabel);
  return [
    {
      secretKey: isBase32 ? value : base32(Buffer.from(value)),
      period: integerOf(data.period) ?? 30,
      ...(deviceName !== undefined && { deviceName }),
    },
  ];
}

/** Factors that cannot be kept: codes by a counter, of eight digits or another digest, and security keys. */
export function keycloakFactors(credential: SourceRow): readonly SecondFactor[] {
  const type = textOf(credential.type);
  if (type === 'webauthn') return ['webauthn'];
  if (type !== 'otp' || keycloakTotp(credential).length > 0) return [];
  return [textOf(objectOf(credential.credentialData)?.subType) === 'hotp' ? 'hotp' : 'totp'];
}

function isKnownTotp({ subType, digits, algorithm }: SourceRow): boolean {
  const isUsual = (integerOf(digits) ?? 6) === 6 && (textOf(algorithm) ?? 'HmacSHA1') === 'HmacSHA1';
  return isUsual && textOf(subType) === 'totp';
}

/** RFC 4648, section 6, without padding. */
function base32(bytes: Uint8Array): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
  let [text, bits, held] = ['', 0, 0];
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5; bits -= 5) text += alphabet[(held >> (bits - 5)) & 31] ?? '';
  }
  return bits === 0 ? text : text + (alphabet[(held << (5 - bits)) & 31] ?? '');
}
