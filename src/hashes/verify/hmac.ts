import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ParsedHmac } from '../kinds/hmac.ts';

/** Whether `password` has this HMAC. The comparison takes constant time. */
export function verifyHmac({ digest, key, expected }: ParsedHmac, password: Buffer): boolean {
  const computed = createHmac(digest, key).update(password).digest();
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}
