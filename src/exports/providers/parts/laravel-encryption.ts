/** What Laravel's Crypt makes with APP_KEY: base64 of JSON with an IV, the ciphertext, and a MAC or a tag. */

import { createDecipheriv, createHmac, timingSafeEqual } from 'node:crypto';
import { decodeBase64 } from '../../../hashes/parts/encodings.ts';
import { ExportFault } from '../provider.ts';
import { objectOf, textOf } from './fields.ts';

/** @param text APP_KEY as `.env` has it; several with commas, as APP_PREVIOUS_KEYS. @throws ExportFault */
export function laravelKeys(text: string): readonly Buffer[] {
  return text.split(',').map((each) => {
    const key = decodeBase64(each.trim().replace(/^base64:/, ''), 'any');
    if (key !== undefined && (key.length === 32 || key.length === 16)) return key;
    throw new ExportFault('--laravel-app-key must be APP_KEY as .env has it: base64: and 32 bytes in base64');
  });
}

/** @returns the text; undefined when none of the keys opens it */
export function openLaravel(text: string, keys: readonly Buffer[]): string | undefined {
  const payload = payloadOf(text);
  if (payload === undefined) return undefined;
  for (const key of keys) {
    const opened = payload.tag === undefined ? openCbc(payload, key) : openGcm(payload, payload.tag, key);
    if (opened !== undefined) return unserialized(opened);
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
  const { iv, value, mac, tag } = objectOf(Buffer.from(text, 'base64').toString('utf8')) ?? {};
  const [ivText, valueText, tagText] = [textOf(iv), textOf(value), textOf(tag)];
  if (ivText === undefined || valueText === undefined) return undefined;
  const tagBytes = tagText === undefined ? undefined : Buffer.from(tagText, 'base64');
  return { iv: ivText, value: valueText, mac: textOf(mac) ?? '', tag: tagBytes };
}

function openCbc({ iv, value, mac }: Payload, key: Buffer): string | undefined {
  const own = createHmac('sha256', key)
    .update(iv + value)
    .digest('hex');
  if (mac.length !== own.length || !timingSafeEqual(Buffer.from(mac), Buffer.from(own))) return undefined;
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

/** A text as PHP serialises it; encryptString does not. */
function unserialized(text: string): string {
  return /^s:\d+:"([\s\S]*)";$/.exec(text)?.[1] ?? text;
}
