/** How plug-ins of WordPress seal the secrets of authenticator apps. */

import { createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto';

const ivBytes = 16;
const macBytes = 32;

/** WP 2FA's marks of values sealed with its key; a secret without a mark is in clear text, as without PHP's OpenSSL. */
const wp2faMarks = ['lsc_', 'ssl_'];

/**
 * AES-256-CTR with the IV before the text, by the digest of the site's key. Only the secret's form shows that the key is the
 * right one.
 * @returns the secret in Base32; undefined when the key is wrong
 */
export function openWp2fa(sealed: string, key: string): string | undefined {
  const mark = wp2faMarks.find((each) => sealed.startsWith(each));
  if (mark === undefined) return sealed;
  const bytes = Buffer.from(sealed.slice(mark.length), 'base64');
  if (bytes.length <= ivBytes) return undefined;
  const digest = createHash('sha256').update(Buffer.from(key, 'base64')).digest();
  const decipher = createDecipheriv('aes-256-ctr', digest, bytes.subarray(0, ivBytes));
  const opened = Buffer.concat([decipher.update(bytes.subarray(ivBytes)), decipher.final()]).toString(
    'latin1',
  );
  return /^[A-Z2-7]{8,}=*$/i.test(opened) ? opened : undefined;
}

/**
 * AES-128-CBC with IV and HMAC-SHA256 before the text, by a key that miniOrange stores for each user. PHP fills a short key with
 * zeros.
 * @returns undefined when anything was altered
 */
export function openMiniOrange(sealed: string, key: string): string | undefined {
  const bytes = Buffer.from(sealed, 'base64');
  const [iv, mac] = [bytes.subarray(0, ivBytes), bytes.subarray(ivBytes, ivBytes + macBytes)];
  const text = bytes.subarray(ivBytes + macBytes);
  if (text.length === 0) return undefined;
  if (!timingSafeEqual(createHmac('sha256', key).update(text).digest(), mac)) return undefined;
  const filled = Buffer.alloc(16);
  filled.write(key);
  try {
    const decipher = createDecipheriv('aes-128-cbc', filled, iv);
    return Buffer.concat([decipher.update(text), decipher.final()]).toString('utf8');
  } catch {
    return undefined;
  }
}
