import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ParsedHmac } from '../kinds/hmac.ts';

/** Whether `password` has this HMAC. The comparison takes constant time. */
export function verifyHmac(parsed: ParsedHmac, password: Buffer): boolean {
  const { expected } = parsed;
  const computed = hmacOf(parsed, password);
  return computed.length === expected.length && timingSafeEqual(computed, expected);
}

export function hmacOf({ digest, key }: ParsedHmac, password: Buffer): Buffer {
  return createHmac(digest, key).update(password).digest();
}
