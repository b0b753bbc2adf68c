/** Keycloak's own verification of passwords. */
import { pbkdf2Sync } from 'node:crypto';
import { verifySync } from '@node-rs/argon2';

interface Data {
  readonly algorithm: string;
  readonly hashIterations: number;
  readonly additionalParameters: Readonly<Record<string, readonly string[]>>;
}

const digests: Readonly<Partial<Record<string, string>>> = {
  'pbkdf2-sha256': 'sha256',
  'pbkdf2-sha512': 'sha512',
};

/**
 * As `verify` of Argon2PasswordHashProvider and of Pbkdf2PasswordHashProvider does it.
 * @param columns `secret_data`, a blank, and `credential_data`
 */
export function isRightForKeycloak(columns: string, password: string): boolean {
  const end = columns.indexOf('} {') + 1;
  const secret = JSON.parse(columns.slice(0, end)) as { value: string; salt: string };
  const { algorithm, hashIterations, additionalParameters } = JSON.parse(columns.slice(end)) as Data;
  const digest = digests[algorithm];
  if (digest !== undefined) {
    const [key, salt] = [Buffer.from(secret.value, 'base64'), Buffer.from(secret.salt, 'base64')];
    return pbkdf2Sync(password, salt, hashIterations, key.length, digest).equals(key);
  }
  const parameter = (name: string) => additionalParameters[name]?.[0] ?? '';
  if (algorithm !== 'argon2' || parameter('version') !== '1.3')
    throw new Error(`another algorithm: ${algorithm}`);
  const costs = `m=${parameter('memory')},t=${hashIterations},p=${parameter('parallelism')}`;
  const [salt, key] = [secret.salt, secret.value].map((text) => text.replaceAll('=', ''));
  return verifySync(`$argon2${parameter('type')}$v=19$${costs}$${salt ?? ''}$${key ?? ''}`, password);
}
