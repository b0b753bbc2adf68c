/** The output of Active Record Encryption in Rails 7: JSON with the ciphertext and its headers, AES-256-GCM by a derived key. */

import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import { objectOf, textOf } from './fields.ts';

const iterations = 65_536;
const mostBytes = 65_536;

/** @returns keys for both digests that Rails derives with: SHA-1 up to 7.0, and SHA-256 */
export function railsKeys(primaryKeys: string, salt: string): readonly Buffer[] {
  const passwords = new Set([primaryKeys, ...primaryKeys.split(',').map((each) => each.trim())]);
  return [...passwords].flatMap((password) =>
    ['sha256', 'sha1'].map((digest) => pbkdf2Sync(password, salt, iterations, 32, digest)),
  );
}

/** @returns the text; undefined when none of the keys opens it */
export function openRails(text: string, keys: readonly Buffer[]): string | undefined {
  const { p, h } = objectOf(text) ?? {};
  const headers = objectOf(h) ?? {};
  const [value, iv, tag] = [p, headers.iv, headers.at].map((each) =>
    Buffer.from(textOf(each) ?? '', 'base64'),
  );
  if (value === undefined || iv === undefined || tag?.length !== 16) return undefined;
  for (const key of keys) {
    const opened = openGcm({ value, iv, tag }, key);
    if (opened !== undefined) return (headers.c === true ? inflated(opened) : opened).toString('utf8');
  }
  return undefined;
}

/** AES-256-GCM, as Ruby's OpenSSL writes it. @returns undefined when the key is wrong, or anything was altered */
export function openGcm(
  { value, iv, tag }: { readonly value: Buffer; readonly iv: Buffer; readonly tag: Buffer },
  key: Buffer,
): Buffer | undefined {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, iv, { authTagLength: 16 });
    decipher.setAuthTag(tag);
    return Buffer.concat([decipher.update(value), decipher.final()]);
  } catch {
    return undefined;
  }
}

function inflated(bytes: Buffer): Buffer {
  return inflateSync(bytes, { maxOutputLength: mostBytes });
}
