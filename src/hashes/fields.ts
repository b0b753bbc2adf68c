/**
 * For importers: combines the fields of a hash into the one string that is parsed, bounded and stored. Undefined when a field is
 * not what its source writes; the parser decides whether the result is sound.
 */

import { digestBytes, type DigestName } from './parts/digested.ts';
import { decodeHex, encodeBare } from './parts/encodings.ts';

/** The fields of a PBKDF2 hash. */
export interface Pbkdf2Fields {
  readonly digest: 'sha1' | 'sha256' | 'sha512';
  readonly iterations: number;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

/** `$pbkdf2-<digest>$i=…,l=…$salt$hash`: also the form of Keycloak's and FusionAuth's fields once they are decoded. */
export function pbkdf2String({ digest, iterations, salt, key }: Pbkdf2Fields): string {
  return `$pbkdf2-${digest}$i=${iterations},l=${key.length}$${encodeBare(salt)}$${encodeBare(key)}`;
}

/** The parameters of Spring's `Pbkdf2PasswordEncoder`, which are not in the string. */
export interface SpringPbkdf2 {
  readonly digest: Pbkdf2Fields['digest'];
  readonly iterations: number;
  /** Bytes of salt before the key. */
  readonly saltLength: number;
}

/** Spring's hexadecimal salt ‖ key. Not for an encoder with a secret, which would become part of the string. */
export function springPbkdf2String(
  hex: string,
  { digest, iterations, saltLength }: SpringPbkdf2,
): string | undefined {
  const bytes = decodeHex(hex);
  if (bytes === undefined || bytes.length <= saltLength) return undefined;
  const [salt, key] = [bytes.subarray(0, saltLength), bytes.subarray(saltLength)];
  return pbkdf2String({ digest, iterations, salt, key });
}

/** The fields of a scrypt hash. */
export interface ScryptFields {
  /** scrypt's N, a power of two */
  readonly iterations: number;
  /** scrypt's r */
  readonly blockSize: number;
  /** scrypt's p */
  readonly parallelism: number;
  readonly salt: Uint8Array;
  readonly key: Uint8Array;
}

/**
 * `$scrypt$ln=…,r=…,p=…$salt$hash`: also the form of Auth0's and Stytch's fields. Both use a text as the salt, undecoded, even if
 * it looks like base64. Undefined when N is not a power of two.
 */
export function scryptString({
  iterations,
  blockSize,
  parallelism,
  salt,
  key,
}: ScryptFields): string | undefined {
  const log = Math.log2(iterations);
  if (!Number.isInteger(log)) return undefined;
  return `$scrypt$ln=${log},r=${blockSize},p=${parallelism}$${encodeBare(salt)}$${encodeBare(key)}`;
}

/** The parameters of an `argon2` credential in Keycloak's `credentialData`: a number or word in each list. */
export interface KeycloakArgon2 {
  readonly hashIterations: number;
  readonly additionalParameters: Readonly<Partial<Record<string, readonly string[]>>>;
}

/** Keycloak's `version`: 1.3 is Argon2's 19, 1.0 its 16. */
const keycloakVersions: ReadonlyMap<string | undefined, number> = new Map([
  ['1.3', 19],
  ['1.0', 16],
]);

/** Argon2's PHC string from a Keycloak credential; undefined for an unknown version. */
export function keycloakArgon2String(
  { hashIterations, additionalParameters }: KeycloakArgon2,
  salt: Uint8Array,
  value: Uint8Array,
): string | undefined {
  const parameter = (name: string) => additionalParameters[name]?.[0];
  const version = keycloakVersions.get(parameter('version'));
  if (version === undefined) return undefined;
  const costs = `m=${parameter('memory') ?? ''},t=${hashIterations},p=${parameter('parallelism') ?? ''}`;
  return `$argon2${parameter('type') ?? ''}$v=${version}$${costs}$${encodeBare(salt)}$${encodeBare(value)}`;
}

/** The fields of a salted digest. */
export interface DigestFields {
  readonly digest: DigestName;
  readonly hash: Uint8Array;
  readonly salt?: Uint8Array;
  /** The position of the salt: Auth0's and Okta's `prefix` and `suffix` (or POSTFIX). */
  readonly position?: 'prefix' | 'suffix';
  /** FusionAuth's factor and the like: the digest of the digest, N times in all. */
  readonly iterations?: number;
  readonly passwordEncoding?: 'utf8' | 'utf16le';
}

/** `$<digest>$pf=…[,i=…][,pe=…]$salt$hash`, or `$<digest>$hash` of the password alone. */
export function digestString(fields: DigestFields): string {
  const {
    digest,
    hash,
    salt = Buffer.alloc(0),
    position,
    iterations = 1,
    passwordEncoding = 'utf8',
  } = fields;
  const template = position === 'prefix' ? '{SALT}{PASSWORD}' : '{PASSWORD}{SALT}';
  const parameters = [
    `pf=${padded(Buffer.from(template))}`,
    ...(iterations === 1 ? [] : [`i=${iterations}`]),
    ...(passwordEncoding === 'utf8' ? [] : [`pe=${passwordEncoding}`]),
  ];
  const isBare = salt.length === 0 && parameters.length === 1;
  return isBare
    ? `$${digest}$${padded(hash)}`
    : `$${digest}$${parameters.join(',')}$${padded(salt)}$${padded(hash)}`;
}

/**
 * Spring's `{MD5}`, `{SHA-1}` and `{SHA-256}` (MessageDigestPasswordEncoder), without that prefix: `{salt}` and the hexadecimal
 * digest of the password and the salt, the salt's braces included.
 */
export function springDigestString(digest: DigestName, text: string): string | undefined {
  const end = text.indexOf('}') + 1;
  const hash = decodeHex(text.slice(end));
  if (hash?.length !== digestBytes[digest] || (end > 0 && !text.startsWith('{'))) return undefined;
  return digestString({ digest, hash, salt: Buffer.from(text.slice(0, end)), position: 'suffix' });
}

/** Of Spring's StandardPasswordEncoder, org.springframework.security.crypto.password. */
const springSha256 = { saltBytes: 8, iterations: 1024 } as const;

/**
 * Spring's `{sha256}` (StandardPasswordEncoder), without that prefix: hexadecimal salt ‖ digest of salt ‖ password after 1,024
 * rounds. Not for an encoder with a secret, which would become part of the string.
 */
export function springSha256String(text: string): string | undefined {
  const bytes = decodeHex(text);
  if (bytes?.length !== springSha256.saltBytes + digestBytes.sha256) return undefined;
  const [salt, hash] = [bytes.subarray(0, springSha256.saltBytes), bytes.subarray(springSha256.saltBytes)];
  return digestString({
    digest: 'sha256',
    hash,
    salt,
    position: 'prefix',
    iterations: springSha256.iterations,
  });
}

/** The fields of an HMAC in exports of Auth0 and Firebase. */
export interface HmacFields {
  readonly digest: DigestName;
  readonly hash: Uint8Array;
  readonly key: Uint8Array;
}

/** Ory Kratos's `$hmac-<digest>$hash$key`, where the hash is base64 of hexadecimal text. */
export function hmacString({ digest, hash, key }: HmacFields): string {
  return `$hmac-${digest}$${padded(Buffer.from(Buffer.from(hash).toString('hex')))}$${padded(key)}`;
}

function padded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
