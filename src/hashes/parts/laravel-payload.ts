/** The output of Laravel's Encrypter with APP_KEY: base64 of JSON with an IV, the ciphertext, and a MAC (CBC) or a tag (GCM). */

import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';

export interface OpenedPayload {
  readonly text: string;
  /** IV and ciphertext, which are authenticated: they differ between two payloads of one text. */
  readonly sealed: Buffer;
}

/** @returns undefined when none of the keys opens it */
export function openPayload(text: string, keys: readonly Buffer[]): OpenedPayload | undefined {
  const payload = payloadOf(text);
  if (payload === undefined) return undefined;
  for (const key of keys) {
    const opened = payload.tag === undefined ? openCbc(payload, key) : openGcm(payload, payload.tag, key);
    if (opened === undefined) continue;
    const sealed = Buffer.concat([payload.iv, payload.value].map((part) => Buffer.from(part, 'base64')));
    return { text: unserialized(opened), sealed };
  }
  return undefined;
}

interface Payload {
  readonly iv: string;
  readonly value: string;
  readonly mac: string;
  readonly tag: Buffer | undefined;
}

function payloadOf(text: string): Payload | undefined {
  const { iv, value, mac, tag } = fieldsOf(text);
  if (typeof iv !== 'string' || typeof value !== 'string' || iv === '' || value === '') return undefined;
  const tagBytes = typeof tag === 'string' && tag !== '' ? Buffer.from(tag, 'base64') : undefined;
  return { iv, value, mac: typeof mac === 'string' ? mac : '', tag: tagBytes };
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, 'base64').toString('utf8'));
    return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
  } catch {
    return {};
  }
}

function openCbc({ iv, value, mac }: Payload, key: Buffer): string | undefined {
  const own = createHmac('sha256', key)
    .update(iv + value)
    .digest('hex');
  const given = Buffer.from(mac);
  if (given.length !== own.length || !timingSafeEqual(given, Buffer.from(own))) return undefined;
  const decipher = createDecipheriv(`aes-${bitsOf(key)}-cbc`, key, Buffer.from(iv, 'base64'));
  return Buffer.concat([decipher.update(value, 'base64'), decipher.final()]).toString('utf8');
}

function openGcm({ iv, value }: Payload, tag: Buffer, key: Buffer): string | undefined {
  try {
    const decipher = createDecipheriv(`aes-${bitsOf(key)}-gcm`, key, Buffer.from(iv, 'base64'), {
      authTagLength: 16,
    });
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(value, 'base64'), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}

function bitsOf(key: Buffer): 128 | 256 {
  return key.length === 16 ? 128 : 256;
}

/** A text as PHP serialises it, which encryptString does not do. */
function unserialized(text: string): string {
  return /^s:\d+:"([\s\S]*)";$/.exec(text)?.[1] ?? text;
}
