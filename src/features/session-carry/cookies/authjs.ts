import { hkdfSync } from 'node:crypto';
import { compactDecrypt, errors } from 'jose';
import type { AuthJsSource } from '../../../domain/model.ts';
import { type OpenedToken, userIdOf } from '../opened-token.ts';
import { CarryRefused } from '../refused.ts';
import { cookieValue, jsonFields, momentAt, valueAt } from './values.ts';

const encryptions = ['A256CBC-HS512', 'A256GCM'];
const form = /^([\w-]+)\.\.[\w-]+\.[\w-]+\.[\w-]+$/;

/**
 * Opens the encrypted cookie of NextAuth 4 and Auth.js 5. The encryption authenticates it, so it comes from the old system.
 * @throws CarryRefused
 */
export async function openAuthJs(source: AuthJsSource, token: string): Promise<OpenedToken> {
  const [name, value] = namedValue(source, token);
  const head = jsonFields(Buffer.from(form.exec(value)?.[1] ?? '', 'base64url'));
  if (head.alg !== 'dir' || !encryptions.includes(String(head.enc))) throw new CarryRefused('algorithm');
  if (head.crit !== undefined || head.zip !== undefined) throw new CarryRefused('critical');
  const names = name === undefined ? source.cookies : [name];
  const plain = await decrypted(value, keysOf(source, names, String(head.enc)));
  const claims = jsonFields(plain);
  return {
    userId: userIdOf(valueAt(claims, source.userId)),
    fingerprint: plain,
    issuedAt: momentAt(claims, 'iat'),
    expiresAt: momentAt(claims, 'exp'),
    authTime: undefined,
    amr: undefined,
  };
}

function namedValue({ cookies }: AuthJsSource, token: string): readonly [string | undefined, string] {
  for (const name of cookies) {
    const value = cookieValue(token, name);
    if (value !== undefined) return [name, value];
  }
  return [undefined, token];
}

/** Version 5 seals with the cookie's name as salt, version 4 with none. */
function keysOf({ secrets }: AuthJsSource, names: readonly string[], encryption: string): Uint8Array[] {
  const length = encryption === 'A256GCM' ? 32 : 64;
  return secrets.flatMap((secret) => [
    ...names.map((salt) => derived(secret, salt, `Auth.js Generated Encryption Key (${salt})`, length)),
    ...(encryption === 'A256GCM'
      ? [derived(secret, '', 'NextAuth.js Generated Encryption Key', length)]
      : []),
  ]);
}

function derived(secret: string, salt: string, info: string, length: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, salt, info, length));
}

async function decrypted(value: string, keys: readonly Uint8Array[]): Promise<Uint8Array> {
  for (const key of keys) {
    try {
      const options = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: encryptions };
      return (await compactDecrypt(value, key, options)).plaintext;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
    }
  }
  throw new CarryRefused('signature');
}
