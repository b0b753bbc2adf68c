/** Passwords among Keycloak's credentials, read and made. */

import { keycloakArgon2String, pbkdf2String, type Pbkdf2Fields } from '../../hashes/fields.ts';
import { decodeBase64 } from '../../hashes/parts/encodings.ts';
import { builtPassword, hashPassword } from './parts/hash-strings.ts';
import { badHash, unsupportedHash, type FoundPassword } from './parts/person.ts';
import { RowReader } from '../fields/read.ts';
import { type Credential, credentialRowFields } from './keycloak-fields.ts';
import type { SourceRow } from './provider.ts';

const field = 'credentials.secretData';

/** By Keycloak's name of the provider; custom names may be longer. */
const digests: Readonly<Partial<Record<string, Pbkdf2Fields['digest']>>> = {
  pbkdf2: 'sha1',
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
};

/** The password among `credentials`, without those of its history; undefined for a user without one. */
export function keycloakHash(credentials: readonly Credential[]): FoundPassword | undefined {
  const credential = credentials.find(({ type }) => type === 'password');
  if (credential === undefined) return undefined;
  if (credential.value !== undefined && isClear(credential)) return { plainText: credential.value };
  const whole = (credential.secret?.value ?? credential.value)?.trim();
  // Providers of the community (bcrypt, Argon2) store the whole string; base64 has no `$`.
  return whole?.startsWith('$') === true ? hashPassword(field, whole) : ofParts(credential);
}

/** @param row of the table `credential` @returns the hash as an import has it; the secret itself if that cannot be imported */
export function storedHash(row: SourceRow): string {
  const { values } = new RowReader(credentialRowFields).read(row, 0);
  const found = keycloakHash([{ ...values, type: 'password' }]);
  return found !== undefined && 'hash' in found ? found.hash : String(row.secret_data);
}

function ofParts(credential: Credential): FoundPassword | undefined {
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

/** As in a realm file written by hand. */
function isClear({ secret, data, salt, iterations, algorithm }: Credential): boolean {
  return [secret, data, salt, iterations, algorithm].every((each) => each === undefined);
}

function partsOf({ secret, data, ...old }: Credential) {
  const parameters = Object.entries(data?.parameters ?? {});
  return {
    value: bytesOf(secret?.value ?? old.value),
    salt: secret === undefined || secret.salt === movedSalt ? saltOf(old.salt) : bytesOf(secret.salt),
    iterations: data === undefined ? old.iterations : data.iterations,
    algorithm: (data === undefined ? old.algorithm : data.algorithm) ?? 'pbkdf2',
    parameters: Object.fromEntries(parameters.map(([name, list]) => [name, textsOf(list)] as const)),
  };
}

/** Until the user signs in to Keycloak 8 or newer, which then replaces it (JpaUserCredentialStore), the salt is in its old column. */
const movedSalt = '__SALT__';

function bytesOf(text: string | undefined): Buffer | undefined {
  return text === undefined ? undefined : decodeBase64(text.trim(), 'any');
}

/** Base64 in old exports; bytes in old tables, which databases write in hexadecimal if they are not a text. */
function saltOf(text: string | undefined): Buffer | undefined {
  const hex = /^(?:\\x|0x)((?:[0-9a-f]{2})+)$/i.exec(text ?? '')?.[1];
  if (hex !== undefined) return Buffer.from(hex, 'hex');
  return text?.length === saltBytes ? Buffer.from(text) : bytesOf(text);
}

/** The same in every version (Pbkdf2PasswordHashProvider). In base64 they are 24 characters. */
const saltBytes = 16;

const digestNames: ReadonlyMap<string, string> = new Map(
  Object.entries(digests).map(([name, digest = '']) => [digest, name]),
);

/** What Keycloak stores of a password, as JSON. */
export interface StoredPassword {
  readonly secretData: string;
  readonly credentialData: string;
}

/** @returns undefined for a hash of a kind that Keycloak has not, or of a password that is changed before it is hashed */
export function storedPasswordOf(hash: string): StoredPassword | undefined {
  return ofArgon2(hash) ?? ofPbkdf2(hash);
}

function ofArgon2(hash: string): StoredPassword | undefined {
  const [, type = '', version = '', memory = '', iterations, parallelism = '', salt = '', key = ''] =
    /^\$argon2(id|i|d)\$v=(16|19)\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/.exec(hash) ??
    [];
  if (iterations === undefined) return undefined;
  const additionalParameters = {
    hashLength: [String(Buffer.from(key, 'base64').length)],
    memory: [memory],
    type: [type],
    version: [version === '19' ? '1.3' : '1.0'],
    parallelism: [parallelism],
  };
  return stored({ algorithm: 'argon2', iterations, salt, key, additionalParameters });
}

function ofPbkdf2(hash: string): StoredPassword | undefined {
  const [, digest = '', iterations, salt = '', key = ''] =
    /^\$pbkdf2-(sha1|sha256|sha512)\$i=(\d+)(?:,l=\d+)?\$([A-Za-z\d+/]+)\$([A-Za-z\d+/]+)$/.exec(hash) ?? [];
  const algorithm = digestNames.get(digest);
  if (iterations === undefined || algorithm === undefined) return undefined;
  return stored({ algorithm, iterations, salt, key, additionalParameters: {} });
}

interface Parts {
  readonly algorithm: string;
  readonly iterations: string;
  /** In base64 without padding. */
  readonly salt: string;
  readonly key: string;
  readonly additionalParameters: object;
}

function stored({ algorithm, iterations, salt, key, additionalParameters }: Parts): StoredPassword {
  const padded = (base64: string) => Buffer.from(base64, 'base64').toString('base64');
  return {
    secretData: JSON.stringify({ value: padded(key), salt: padded(salt), additionalParameters: {} }),
    credentialData: JSON.stringify({ hashIterations: Number(iterations), algorithm, additionalParameters }),
  };
}

function textsOf(value: unknown): readonly string[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  return list.flatMap((each) => (typeof each === 'string' || typeof each === 'number' ? String(each) : []));
}
