import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import type { SignedCookieSource } from '../../../domain/model.ts';
import { CarryRefused } from '../refused.ts';
import { type CookieSession, cookieValue, type Fields, jsonFields, unescaped } from './values.ts';

/** Since Rails 7, and before. */
const digests = ['sha256', 'sha1'] as const;
const form = /^([\w+/]+={0,2})--([\w+/]+={0,2})--([\w+/]+={0,2})$/;
const mostKeys = 100;

/**
 * Rails' cookie store from 5.2 on: JSON under AES-256-GCM, with a key made of secret_key_base. Its purpose is inside, so
 * that no other cookie of the application is accepted as its session.
 */
export function openRails(
  { secrets, cookie }: SignedCookieSource,
  token: string,
  railsKeys: RailsKeys,
): CookieSession {
  const value = cookieValue(token, cookie) ?? token;
  const [, ...parts] = form.exec(unescaped(value)) ?? [];
  const [sealed, iv, tag] = parts.map((part) => Buffer.from(part, 'base64'));
  if (sealed === undefined || iv?.length !== 12 || tag?.length !== 16) throw new CarryRefused('not-a-token');
  const keys = secrets.flatMap((secret) => digests.map((digest) => railsKeys.of(secret, digest)));
  const plain = keys.map((key) => opened(key, sealed, iv, tag)).find((each) => each !== undefined);
  if (plain === undefined) throw new CarryRefused('signature');
  const { _rails: envelope } = jsonFields(plain);
  const { pur, exp, message, data } = fieldsOf(envelope);
  if (pur !== `cookie.${cookie}`) throw new CarryRefused('audience');
  const session = typeof message === 'string' ? jsonFields(Buffer.from(message, 'base64')) : fieldsOf(data);
  const expiresAt = typeof exp === 'string' ? Date.parse(exp) : undefined;
  if (Number.isNaN(expiresAt)) throw new CarryRefused('malformed-time');
  return { session, fingerprint: plain, ...(expiresAt !== undefined && { expiresAt }) };
}

function fieldsOf(value: unknown): Fields {
  if (typeof value === 'object' && value !== null) return value as Fields;
  throw new CarryRefused('not-a-token');
}

/** A thousand rounds each; cached, since the keys are the same for every cookie. */
export class RailsKeys {
  readonly #known = new Map<string, Buffer>();

  of(secret: string, digest: string): Buffer {
    const name = `${digest} ${secret}`;
    const known = this.#known.get(name);
    if (known) return known;
    if (this.#known.size >= mostKeys) this.#known.clear();
    const key = pbkdf2Sync(secret, 'authenticated encrypted cookie', 1000, 32, digest);
    this.#known.set(name, key);
    return key;
  }
}

function opened(key: Buffer, sealed: Buffer, iv: Buffer, tag: Buffer): Buffer | undefined {
  const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 }).setAuthTag(tag);
  try {
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch {
    return undefined;
  }
}
